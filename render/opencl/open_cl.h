#pragma once
// OpenCL for volumes, as the program has it: which device is used, how fast it is, and casters for volumes. Nothing is
// loaded before the first volume asks for it. What fails is told once, and then processors do the work.

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

/// Samples a second of a device, with bricks in a buffer and in an image; 0: it cannot.
struct DeviceSpeed {
  double buffer = 0, image = 0;
  bool prefersImage() const { return image > buffer; }
};

/// Casts a small volume of bytes a few times each way: a second or two, most of it for compiling. Throws volume::DeviceFailed.
DeviceSpeed measureSpeed(const std::shared_ptr<const Device>& device);
/// Bytes a second that a kernel reads from a buffer of the device. Throws volume::DeviceFailed.
double measureBandwidth(const Device& device, std::size_t bytes);

/// Thread-safe. Makers that it gives out keep it.
class OpenCl : public std::enable_shared_from_this<OpenCl> {
 public:
  struct Options {
    ClCalls calls = {};
    std::function<void(const std::string& line)> notice = {};  ///< told what fails, each failure once
    std::optional<bool> image = {};                            ///< no measurement: where bricks lie
    bool doubles = true;                                       ///< double precision, where the device has it
  };
  explicit OpenCl(Options options);
  ~OpenCl();

  /// Any device, even one that computes on the processors.
  volume::DeviceMaker anyDevice();
  /// A device that is no processor, or none: those are quicker without OpenCL.
  volume::DeviceMaker accelerator();
  /// For ShownVolume: a device failed, and no other volume is given to it; or the budget was too small for one. `instead` says who goes
  /// on.
  void failed(const Error& error, const std::string& instead = "the processors cast volumes");
  /// Says `line`, the first time.
  void tell(const std::string& line);

  /// The device of anyDevice() for something else than volumes, and the memory that it may have there.
  struct Use {
    std::shared_ptr<const Device> device;
    bool doubles = false;  ///< double precision
    MemoryAccount&
        account;  ///< counts its memory; `host` where that is the same. Lives as long as this object
    std::uint64_t mostBytes = 0;  ///< of it
  };
  /// Nothing where it failed before. Throws volume::DeviceFailed.
  std::optional<Use> use(MemoryAccount& host);

  struct Description {
    DeviceFacts facts;
    DeviceSpeed speed;
  };
  /// Of the device that anyDevice() takes. Throws volume::DeviceFailed.
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
