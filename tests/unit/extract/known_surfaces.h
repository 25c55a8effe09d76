#pragma once
// Surfaces through a bent cube, and what tests ask of their triangles.

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "core/base/geometry.h"
#include "tests/unit/extract/known_blocks.h"

namespace farfield::extract {

/// The cube from -1 to 1, with its inside bent smoothly.
inline Block bentCube(std::int64_t nodes, bool leftHanded = false) {
  Block block{{nodes, nodes, nodes}, {}};
  block.place = [nodes, leftHanded](const Index3& n) {
    const double step = 2.0 / static_cast<double>(nodes - 1);
    Vec3 p = Vec3{-1, -1, -1} + step * toVec3(n);
    if (leftHanded) std::swap(p.x, p.y);
    const double bend = 0.12 * std::cos(p.x * std::numbers::pi / 2) * std::cos(p.y * std::numbers::pi / 2) *
                        std::cos(p.z * std::numbers::pi / 2);
    return p + bend * Vec3{1, -0.7, 0.5};
  };
  return block;
}

inline double squaredRadius(Vec3 p) {
  return dot(p, p);
}

struct KeptTriangles : KeptPatches {
  using Point = std::array<double, 3>;

  template <class Visit>
  void forEachTriangle(Visit visit) const {
    for (const Patch& patch : patches)
      for (std::size_t t = 0; t < patch.triangles.size(); t += 3) {
        std::array<Vec3, 3> triangle;
        for (std::size_t n = 0; n < 3; ++n) {
          const double* const at = patch.points.data() + std::size_t{3} * patch.triangles[t + n];
          triangle[n] = {at[0], at[1], at[2]};
        }
        visit(triangle);
      }
  }
  double area() const {
    double sum = 0;
    forEachTriangle([&](const auto& t) { sum += 0.5 * length(cross(t[1] - t[0], t[2] - t[0])); });
    return sum;
  }
  /// Edges that are not walked along as often one way as the other.
  std::vector<std::pair<Vec3, Vec3>> border() const {
    std::map<std::pair<Point, Point>, int> walked;
    forEachTriangle([&](const auto& t) {
      for (std::size_t n = 0; n < 3; ++n) {
        const Point a{t[n].x, t[n].y, t[n].z}, b{t[(n + 1) % 3].x, t[(n + 1) % 3].y, t[(n + 1) % 3].z};
        a < b ? ++walked[{a, b}] : --walked[{b, a}];
      }
    });
    std::vector<std::pair<Vec3, Vec3>> edges;
    for (const auto& [ends, times] : walked)
      if (times != 0)
        edges.push_back({{ends.first[0], ends.first[1], ends.first[2]},
                         {ends.second[0], ends.second[1], ends.second[2]}});
    return edges;
  }
};

}  // namespace farfield::extract
