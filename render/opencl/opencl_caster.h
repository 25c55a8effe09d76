#pragma once
// Casts a volume on an OpenCL device: the algorithm of render/volume/caster.h with one work item for each ray
// (resources/kernels/volume.cl). Rays are launched again and again. In between the host reads the bricks that
// they missed, front to back, up to the length of a list, and enters them into the page table. The picture
// depends neither on the order of arrival nor on the memory for bricks; it differs from the processors' by
// the rounding of float.

#include <memory>
#include <optional>
#include <vector>

#include "render/opencl/device_bricks.h"
#include "render/opencl/read_back.h"
#include "render/volume/device_caster.h"

namespace farfield::opencl {

struct CasterParts {
  std::shared_ptr<const Device> device;
  KernelForm form = {};
  volume::BrickFormat format = {};
  std::int64_t bricks = 1;       ///< of the finest level
  std::uint64_t mostBytes = 0;   ///< for bricks on the device
  MemoryAccount& deviceAccount;  ///< counts the device's memory; the host's where that is the same
  MemoryAccount& host;
};

class OpenClCaster final : public volume::DeviceCaster {
 public:
  /// Compiles the kernels and allocates the memory. Accounts outlive it. Throws volume::DeviceFailed,
  /// OverBudget.
  explicit OpenClCaster(const CasterParts& parts);

  bool cast(volume::BrickSource& source, volume::BrickSource* coarser, const volume::CastJob& job,
            std::span<float> rgba, volume::CastStats& stats) override;
  std::string engine() const override { return "opencl"; }
  std::string device() const override { return m_device->facts().name; }
  double kernelSeconds() const override { return m_kernelSeconds; }
  std::size_t slotCount() const { return m_bricks.slotCount(); }

 private:
  struct Picture;
  /// Determines which bricks show.
  struct Shown {
    const volume::BrickSource *source = nullptr, *coarser = nullptr;
    scene::VolumeLook look;
    std::array<double, 2> range{};
    bool logarithmic = false;
    double stepLength = 0, unitLength = 0;
    bool operator==(const Shown&) const = default;
  };

  /// What rays have on the device. Kept from picture to picture where the device's memory is its own.
  struct Rays {
    std::size_t count = 0;
    MemoryClaim claim;
    Memory states, reached, misses, counts;
  };

  void provideRays(std::size_t count);
  void launch(Picture& picture);
  std::size_t load(Picture& picture, const std::vector<std::int32_t>& missed, std::size_t most,
                   volume::CastStats& stats);
  void read(Picture& picture, std::span<const std::size_t> pages, std::span<const std::uint32_t> slots);

  std::shared_ptr<const Device> m_device;
  const KernelForm m_form;
  MemoryAccount &m_deviceAccount, &m_host;
  DeviceBricks m_bricks;
  Program m_program;
  Kernel m_cast, m_setPages;
  std::array<std::size_t, 2> m_group{0, 0};  ///< rays of a work group
  Rays m_rays;
  ReadBack m_readBack;
  /// Of the last successful cast.
  std::optional<Shown> m_shown;
  double m_kernelSeconds = 0;
};

}  // namespace farfield::opencl
