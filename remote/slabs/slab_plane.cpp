#include "remote/slabs/slab_plane.h"

#include <algorithm>
#include <cmath>

namespace farfield::remote {

double SlabPlane::depthOf(double coordinate) const {
  const double from = camera.position[axis], at = camera.stretch[axis] * coordinate;
  return fromAbove ? from - at : at - from;
}

Vec3 SlabPlane::pointAt(double u, double v, double coordinate) const {
  Vec3 point = corner + u * across + v * down;
  point[axis] = coordinate;
  return point;
}

SlabPlane slabPlane(const Bounds& data, int axis, bool fromAbove, int pixels, Vec3 stretch) {
  SlabPlane plane;
  const Bounds bounds = scene::stretched(data, stretch);
  plane.camera.stretch = stretch;
  plane.axis = axis;
  plane.fromAbove = fromAbove;
  const Vec3 middle = 0.5 * (bounds.min + bounds.max), extent = bounds.max - bounds.min;
  Vec3 back{0, 0, 0};
  back[axis] = fromAbove ? 1 : -1;
  plane.camera.orthographic = true;
  plane.camera.target = middle;
  // the volume begins half its thickness before the camera
  plane.camera.position = middle + extent[axis] * back;
  plane.camera.up = axis == 2 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  const scene::CameraAxes axes = scene::axesOf(plane.camera);
  double wide = 0, high = 0;
  for (int a = 0; a < 3; ++a) {
    wide += std::abs(axes.right[a]) * extent[a];
    high += std::abs(axes.up[a]) * extent[a];
  }
  const double pixel = std::max(wide, high) / pixels;
  plane.width = std::clamp(static_cast<int>(std::ceil(wide / pixel)), 1, pixels);
  plane.height = std::clamp(static_cast<int>(std::ceil(high / pixel)), 1, pixels);
  plane.camera.orthographicHeight = pixel * plane.height;
  const Vec3 across = (pixel * plane.width) * axes.right, down = (-pixel * plane.height) * axes.up;
  plane.across = scene::unstretched(across, stretch);
  plane.down = scene::unstretched(down, stretch);
  plane.corner = scene::unstretched(plane.camera.position - 0.5 * across - 0.5 * down, stretch);
  return plane;
}

}  // namespace farfield::remote
