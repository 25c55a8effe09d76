#include "core/scene/turntable.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace farfield::scene {
namespace {

/// `v` turned about the unit vector `axis` (O. Rodrigues, 1840).
Vec3 turned(Vec3 v, Vec3 axis, double angle) {
  return std::cos(angle) * v + std::sin(angle) * cross(axis, v) + (1 - std::cos(angle)) * dot(axis, v) * axis;
}

}  // namespace

std::vector<Camera> camerasOf(const Turntable& turntable, const Camera& from) {
  const Vec3 axis = (1 / std::max(length(turntable.axis), 1e-300)) * turntable.axis;
  const int pictures = std::max(1, turntable.pictures);
  // The picture after the last of a full turn would be the first once more.
  const bool full = std::abs(turntable.degrees) >= 360;
  const double step =
      turntable.degrees / 180 * std::numbers::pi / std::max(1, full ? pictures : pictures - 1);
  std::vector<Camera> cameras;
  for (int n = 0; n < pictures; ++n) {
    Camera camera = from;
    camera.position = from.target + turned(from.position - from.target, axis, n * step);
    camera.up = turned(from.up, axis, n * step);
    cameras.push_back(camera);
  }
  return cameras;
}

}  // namespace farfield::scene
