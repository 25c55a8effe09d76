#include "core/extract/surface_patch.h"

#include <algorithm>

namespace farfield::extract::detail {

std::uint64_t facePatchBytes(std::uint64_t nodes, std::uint64_t faces, int outputs) {
  // each node has a vector area, and for drawing a second copy of its values
  const auto numbers = static_cast<std::uint64_t>(3 + 1 + 3 + 3 + 3 + 2 * outputs);
  return nodes * (numbers * sizeof(double) + 2 * sizeof(std::uint32_t)) +
         faces * (sizeof(FacePatch::Face) + 6 * sizeof(std::uint32_t) + 2);
}

void drawPatch(const FacePatch& patch, std::size_t outputs, std::size_t number, SurfaceSink& sink) {
  const std::size_t nodes = patch.iblank.size();
  const auto isDrawn = [&](const FacePatch::Face& face) {
    return std::all_of(face.corners.begin(), face.corners.end(),
                       [&](std::uint32_t n) { return patch.iblank[n] != 0 && isFinite(patch.point(n)); });
  };
  // by node, the sum of the vector areas of the faces around it, in their order
  std::vector<Vec3> areas(nodes);
  for (const FacePatch::Face& face : patch.faces) {
    if (!isDrawn(face)) continue;
    const auto& [a, b, c, d] = face.corners;
    // half the cross product of the diagonals of a quadrilateral is its vector area
    const Vec3 twiceArea = cross(patch.point(c) - patch.point(a), patch.point(d) - patch.point(b));
    for (const std::uint32_t n : face.corners) areas[n] = areas[n] + twiceArea;
  }
  std::vector<std::uint32_t> vertexOf(nodes, FacePatch::kNone);
  std::vector<double> points, normals, values;
  std::vector<std::uint32_t> triangles;
  std::vector<std::uint8_t> sides;
  const auto vertex = [&](std::uint32_t n) {
    if (vertexOf[n] != FacePatch::kNone) return vertexOf[n];
    vertexOf[n] = static_cast<std::uint32_t>(points.size() / 3);
    const double size = length(areas[n]);
    const Vec3 point = patch.point(n), normal = size > 0 ? (1 / size) * areas[n] : areas[n];
    points.insert(points.end(), {point.x, point.y, point.z});
    normals.insert(normals.end(), {normal.x, normal.y, normal.z});
    const double* const own = patch.values.data() + outputs * patch.valuesOf[n];
    values.insert(values.end(), own, own + outputs);
    return vertexOf[n];
  };
  for (const FacePatch::Face& face : patch.faces) {
    if (!face.shown || !isDrawn(face)) continue;
    std::array<std::uint32_t, 4> at;
    std::transform(face.corners.begin(), face.corners.end(), at.begin(), vertex);
    triangles.insert(triangles.end(), {at[0], at[1], at[2]});
    const bool isTriangle = at[3] == at[2];
    sides.push_back(isTriangle ? 7 : 3);  // not the diagonal
    if (isTriangle) continue;
    triangles.insert(triangles.end(), {at[0], at[2], at[3]});
    sides.push_back(6);
  }
  sink.patch(number, {points, normals, values, triangles, patch.seenFromBehind, sides, patch.isBorder});
}

}  // namespace farfield::extract::detail
