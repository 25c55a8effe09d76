#pragma once
// Slabs as a volume of the scene, for back ends that cast volumes: the pictures of the slabs are drawn over each other on
// processors, farthest first, where each ray meets them. A moving view is drawn from the slabs that are there, however
// far away they are rendered, and those that belong to it are asked for meanwhile; a view at rest waits for them, or for a whole
// frame.

#include <atomic>
#include <future>
#include <memory>
#include <mutex>

#include "core/scene/scene.h"

namespace farfield::scene {

class SlabRays final : public VolumeGeometry {
 public:
  /// `whole` is what the slabs are pictures of: it has the bounds and the values. `framesAtRest`: what is cast whole is cast by
  /// it, and slabs are for what moves.
  SlabRays(std::shared_ptr<const SlabGeometry> slabs, std::shared_ptr<const VolumeGeometry> whole,
           bool framesAtRest);
  ~SlabRays() override;
  Bounds bounds() const override { return m_whole->bounds(); }
  /// False unless it is cast whole. Where whoever renders cannot be reached, the slabs that are there are drawn, which is said
  /// once until it is back. Throws what SlabGeometry::aim and casts of the whole throw, Io only where there is no slab.
  bool cast(const VolumeCast& cast, std::span<float> rgba) const override;
  std::shared_ptr<const VolumeHistogram> histogram() const override { return m_whole->histogram(); }

 private:
  void askAhead(const VolumeCast& cast) const;
  bool renew(const VolumeCast& cast, std::span<float> rgba) const;

  const std::shared_ptr<const SlabGeometry> m_slabs;
  const std::shared_ptr<const VolumeGeometry> m_whole;
  const bool m_framesAtRest;
  mutable std::mutex m_mutex;  ///< of m_asking
  mutable std::future<void> m_asking;
  mutable std::atomic<bool> m_isGone{false};  ///< whoever renders, and that was said
};

/// Draws the slabs of `set` into a picture, as VolumeGeometry::cast() says. Throws Invalid for a camera without a direction,
/// Cancelled.
void drawSlabs(const SlabSet& set, const VolumeCast& cast, std::span<float> rgba);

}  // namespace farfield::scene
