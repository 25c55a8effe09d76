#pragma once
// OpenCL for volumes: chooses a device, measures its speed, and makes casters. Nothing is loaded before the
// first volume needs it. A failure is reported once, and then the processors do the work.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "core/base/memory_account.h"
#include "render/opencl/device.h"
#include "render/volume/device_caster.h"

namespace farfield::opencl {

/// Samples a second of a device, with bricks in a buffer and in an image; 0: not possible.
struct DeviceSpeed {
  double buffer = 0, image = 0;
  bool prefersImage() const { return image > buffer; }
};

/// Casts a small volume of bytes a few times each way: a second or two, mostly for compiling. Throws
/// volume::DeviceFailed.
DeviceSpeed measureSpeed(const std::shared_ptr<const Device>& device);
/// Bytes a second that a kernel reads from a buffer of the device. Throws volume::DeviceFailed.
double measureBandwidth(const Device& device, std::size_t bytes);

/// Thread-safe. The makers that it returns keep it alive.
class OpenCl : public std::enable_shared_from_this<OpenCl> {
 public:
  struct Options {
    ClCalls calls = {};
    /// Called for each failure once.
    std::function<void(const std::string& line)> notice = {};
    /// Whether bricks are in an image; none: measured.
    std::optional<bool> image = {};
    /// Use double precision if the device has it.
    bool doubles = true;
  };
  explicit OpenCl(Options options);
  ~OpenCl();

  /// Uses any device, even one that computes on the processors.
  volume::DeviceMaker anyDevice();
  /// Uses a device that is not a processor, or none: processors are faster without OpenCL.
  volume::DeviceMaker accelerator();
  /// For ShownVolume: a device failed and gets no more volumes, or the budget was too small for it. `instead`
  /// says what does the work now.
  void failed(const Error& error, const std::string& instead = "the processors cast volumes");
  /// Reports `line`, once.
  void tell(const std::string& line);

  /// The device of anyDevice() for other uses than volumes, and the memory available there.
  struct Use {
    std::shared_ptr<const Device> device;
    bool doubles = false;  ///< double precision
    MemoryAccount&
        account;  ///< counts its memory; `host` where that is the same. Lives as long as this object
    std::uint64_t mostBytes = 0;  ///< of it
  };
  /// Nothing if it failed before. Throws volume::DeviceFailed.
  std::optional<Use> use(MemoryAccount& host);

  struct Description {
    DeviceFacts facts;
    DeviceSpeed speed;
  };
  /// About the device of anyDevice(). Throws volume::DeviceFailed.
  Description describe();

 private:
  struct Chosen;
  Chosen& choose();
  static std::uint64_t mostBytesOf(const Chosen& chosen, const MemoryAccount& host);
  void tellOnce(const std::string& about, const std::string& line);
  std::unique_ptr<volume::DeviceCaster> make(bool onlyAccelerator, const volume::BrickFormat& format,
                                             std::int64_t bricks, MemoryAccount& account);

  const Options m_options;
  std::mutex m_mutex;
  std::unique_ptr<Chosen> m_chosen;
  bool m_failed = false;
  std::set<std::string> m_told;
};

/// One line for people: the device, its speed, and where it keeps bricks.
std::string textOf(const OpenCl::Description& description);

}  // namespace farfield::opencl
