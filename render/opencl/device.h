#pragma once
// A device of any installed OpenCL driver: its properties, and programs, memory and launches on it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/opencl/cl_calls.h"
#include "render/volume/brick.h"

namespace farfield::opencl {

struct DeviceFacts {
  cl_device_id id = nullptr;
  std::string name, platform;
  bool processor = false;  ///< it computes on the host's processors
  bool shared = false;     ///< its memory is the host's
  bool doubles = false, images = false;
  int units = 0;
  /// In total, and of one buffer.
  std::uint64_t memoryBytes = 0, largestBytes = 0;
  std::array<std::size_t, 3> imageSides{};
};

/// The devices of all drivers: first those with most units, last those that compute on processors. Throws
/// volume::DeviceFailed if there is no driver, or none has a device.
std::vector<DeviceFacts> findDevices(const ClCalls& calls);
/// Whether a driver is installed that may be for something other than processors. Loads none: that takes 60
/// MB and up to 0.2 s.
bool mayHaveAccelerator();

/// How kernels are compiled.
struct KernelForm {
  volume::BrickType type = volume::BrickType::F32;
  bool image = false;
  bool doubles = false;
};

/// Thread-safe; each object that it makes is for one thread at a time. Every function throws
/// volume::DeviceFailed.
class Device {
 public:
  Device(const ClCalls& calls, DeviceFacts facts);

  const DeviceFacts& facts() const { return m_facts; }
  cl_command_queue queue() const { return m_queue.get(); }
  /// Compiled once for each form. Where bricks lie in an image and the device's filter is not exact, kernels interpolate
  /// between its values themselves: filters of graphics cards take fractions of eight bits, which shows in normals.
  Program build(const KernelForm& form) const;
  /// Another source, compiled once for each text of options.
  Program build(std::string_view source, const std::string& options) const;
  Kernel kernel(const Program& program, const char* name) const;
  Memory buffer(std::size_t bytes, bool readOnly = false) const;
  /// Memory that the host has, too, and that the device reads and writes without a copy by the driver.
  Memory hostBuffer(std::size_t bytes) const;
  /// With one channel, for bricks of `type`.
  Memory image(volume::BrickType type, const std::array<std::size_t, 3>& sides) const;
  /// Whether kernels can read images of such values.
  bool takesImages(volume::BrickType type) const;
  /// Waits until it is written.
  void write(const Memory& to, std::size_t at, std::span<const std::byte> bytes) const;
  void read(const Memory& from, std::size_t at, std::span<std::byte> bytes) const;
  void fill(const Memory& to, std::uint32_t pattern, std::size_t bytes) const;
  /// Returns at once; `local` 0: the driver's choice.
  Event launch(const Kernel& kernel, std::array<std::size_t, 2> first, std::array<std::size_t, 2> size,
               std::array<std::size_t, 2> local) const;
  void finish() const;
  /// Seconds from the start to the end of a finished event.
  static double seconds(const Event& event);

 private:
  bool filtersExactly(volume::BrickType type) const;
  bool measureFilter(volume::BrickType type) const;

  const ClCalls m_calls;
  const DeviceFacts m_facts;
  Context m_context;
  Queue m_queue;
  mutable std::mutex m_mutex;
  mutable std::map<std::pair<const char*, std::string>, Program> m_programs;  ///< by source and options
  mutable std::map<volume::BrickType, bool> m_filtersExactly;                 ///< as far as it was measured
};

}  // namespace farfield::opencl
