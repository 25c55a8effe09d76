#pragma once
// Front to back: in which order a view's rays meet bricks. A ray goes away from the eye along every axis, so the
// numbers of bricks between the eye's and its own never fall from each brick of a ray to the next, and one of them
// grows. A sum of them with weights above 0 is therefore an order for all rays at once; with the weights of the
// line of sight it is about that of depth, and what is in front is known before what is behind.

#include "render/volume/brick.h"
#include "render/volume/ray_camera.h"

namespace farfield::volume {

class BrickOrder {
 public:
  BrickOrder(const BrickGrid& grid, const RayCamera& camera);
  /// Bricks of equal places meet no ray in common.
  double placeOf(const Index3& brick) const;

 private:
  Vec3 m_weight;
  Index3 m_eye{0, 0, 0};  ///< the brick that the eye is in or, along an axis, before or behind
};

}  // namespace farfield::volume
