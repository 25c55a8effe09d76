#pragma once
// The order, front to back, in which a view's rays meet bricks. Along every axis a ray goes away from the
// eye, so the numbers of bricks between the eye's and its own never decrease from each brick of a ray to the
// next, and one of them grows. Any weighted sum of them, with weights above 0, is therefore an order for all
// rays at once; with the weights of the line of sight it approximates the order of depth, so that what is in
// front is known before what is behind. Where pages go through many bricks along an axis (values stored in rows), the
// weight of that axis is smaller, so that those bricks come close together.

#include "render/volume/brick.h"
#include "render/volume/ray_camera.h"

namespace farfield::volume {

class BrickOrder {
 public:
  /// `together`: BrickSource::bricksTogether().
  BrickOrder(const BrickGrid& grid, const RayCamera& camera, const Vec3& together = {1, 1, 1});
  /// Bricks with equal values have no ray in common.
  double placeOf(const Index3& brick) const;

 private:
  Vec3 m_weight;
  Index3 m_eye{0, 0, 0};  ///< the brick of the eye, or before or behind the volume along an axis
};

}  // namespace farfield::volume
