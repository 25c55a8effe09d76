#pragma once
// Where the pictures of slabs lie: rays are parallel to an axis, and a picture covers the volume across it. Both sides compute
// it from the same numbers.

#include "core/base/geometry.h"
#include "core/scene/camera.h"

namespace farfield::remote {

/// In data coordinates, but for what is said to be in the camera's, which may be stretched.
struct SlabPlane {
  scene::Camera camera;  ///< without perspective
  int width = 0, height = 0;
  Vec3 corner;        ///< of the picture at the top left, where the camera is
  Vec3 across, down;  ///< from there to the other corners
  int axis = 0;
  bool fromAbove = true;

  /// Distance from the camera's plane of what has this coordinate along the axis, in the camera's units.
  double depthOf(double coordinate) const;
  /// The point of the picture at u, v (0 … 1, from the left and from the top), with this coordinate along the axis.
  Vec3 pointAt(double u, double v, double coordinate) const;
};

/// For a volume of these bounds, with so many pixels along the longer side, seen from greater coordinates along `axis`, or from
/// smaller ones. Pixels are square where axes are stretched.
SlabPlane slabPlane(const Bounds& bounds, int axis, bool fromAbove, int pixels,
                    Vec3 stretch = scene::kUnstretched);

}  // namespace farfield::remote
