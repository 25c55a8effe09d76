#pragma once
// What of a picture is cut away, so that one can look into it: planes and a box. Nothing is computed anew.

#include <array>
#include <optional>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::scene {

/// Keeps the side that `normal` points to.
struct ClipPlane {
  Vec3 origin, normal{0, 0, 1};
  bool operator==(const ClipPlane&) const = default;
};

/// Keeps what is inside of the box and on the kept side of each plane.
struct Clip {
  /// With a box, which is six more, as many as shaders take.
  static constexpr std::size_t kMostPlanes = 6, kMostInShaders = 12;
  std::optional<std::array<Vec3, 2>> box = {};  ///< least and greatest corner
  std::vector<ClipPlane> planes = {};
  bool empty() const { return !box && planes.empty(); }
  bool operator==(const Clip&) const = default;
};

/// The planes, and those of the sides of the box.
inline std::vector<ClipPlane> allPlanes(const Clip& clip) {
  std::vector<ClipPlane> planes = clip.planes;
  if (!clip.box) return planes;
  for (int axis = 0; axis < 3; ++axis)
    for (const int end : {0, 1}) {
      ClipPlane side{(*clip.box)[static_cast<std::size_t>(end)], {0, 0, 0}};
      side.normal[axis] = end == 0 ? 1 : -1;
      planes.push_back(side);
    }
  return planes;
}

/// Whether `point` is kept. What lies in a plane is, but for rounding: a slice there is seen and can be pointed at.
inline bool keeps(const std::vector<ClipPlane>& planes, Vec3 point) {
  for (const ClipPlane& plane : planes) {
    const Vec3 away = point - plane.origin;
    if (dot(plane.normal, away) < -1e-6 * length(plane.normal) * length(away)) return false;
  }
  return true;
}

}  // namespace farfield::scene
