#pragma once
// A volume that is rendered here, in slabs and as a whole, for benchmarks of what viewers get.

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/benchmark.h"
#include "core/base/memory_account.h"
#include "core/fields/functions/open_data.h"
#include "core/scene/slabs.h"
#include "remote/slabd/slab_painter.h"

namespace farfield::bench {

constexpr std::uint32_t kSlabsOfVolume = 8;

/// "turbulence" of so many nodes along each axis. Not thread-safe.
class SlabVolume {
 public:
  SlabVolume(const Request& request, int edge, int steps = 1);

  struct Slabs {
    std::shared_ptr<const scene::SlabSet> set;
    std::uint64_t bytes = 0;
    std::vector<remote::SlabHead> heads;  ///< as they are sent
    std::vector<remote::SlabPixels> pixels;
  };
  /// As a viewer gets them.
  Slabs slabs(int axis, int pixels, bool mesh, int step = 0);
  std::vector<float> drawn(const scene::SlabSet& set, const scene::Camera& camera, int side) const;
  /// A part of a frame; without `low` and `high` all of it. Returns the samples that were taken.
  std::uint64_t frame(const scene::Camera& camera, int side, int axis, double low, double high,
                      std::vector<float>& rgba);

  const remote::VolumeFacts& facts() const { return m_facts; }
  remote::ShowRequest show(int axis, int pixels, bool mesh) const;
  /// From far away, so many degrees from z towards x.
  scene::Camera cameraAt(double degrees) const;

 private:
  MemoryAccount m_account;
  std::unique_ptr<fields::OpenData> m_data;
  std::unique_ptr<remote::SlabPainter> m_painter;
  remote::VolumeFacts m_facts;
  remote::ShowRequest m_show;
};

}  // namespace farfield::bench
