#include "core/fields/trilinear.h"

#include <algorithm>

namespace farfield::fields {
namespace {
constexpr int kMostIterations = 24;
/// Farther out than this the cell's map says little; the walk moves on from here.
constexpr double kFarOutside = 8;
}  // namespace

CellPoint mapPoint(const CellCorners& p, Vec3 xi) {
  const double x = xi.x, y = xi.y, z = xi.z, x0 = 1 - x, y0 = 1 - y, z0 = 1 - z;
  // Edges along xi.x at the four (y, z) corners, then faces, then the volume: each derivative is a
  // difference of the level below.
  const Vec3 e00 = x0 * p[0] + x * p[1], e10 = x0 * p[2] + x * p[3], e01 = x0 * p[4] + x * p[5],
             e11 = x0 * p[6] + x * p[7];
  const Vec3 f0 = y0 * e00 + y * e10, f1 = y0 * e01 + y * e11;
  CellPoint at;
  at.position = z0 * f0 + z * f1;
  at.jacobian[0] =
      z0 * (y0 * (p[1] - p[0]) + y * (p[3] - p[2])) + z * (y0 * (p[5] - p[4]) + y * (p[7] - p[6]));
  at.jacobian[1] = z0 * (e10 - e00) + z * (e11 - e01);
  at.jacobian[2] = f1 - f0;
  return at;
}

bool solve3(const std::array<Vec3, 3>& j, Vec3 b, Vec3& a) {
  const Vec3 c12 = cross(j[1], j[2]);
  const double determinant = dot(j[0], c12);
  if (determinant == 0 || !std::isfinite(determinant)) return false;
  a = {dot(b, c12) / determinant, dot(b, cross(j[2], j[0])) / determinant,
       dot(b, cross(j[0], j[1])) / determinant};
  return isFinite(a);
}

bool invertCell(const CellCorners& corners, Vec3 point, Vec3& xi) {
  Bounds box;
  for (const Vec3& corner : corners) box.add(corner);
  const double largest = std::max({std::abs(box.min.x), std::abs(box.max.x), std::abs(box.min.y),
                                   std::abs(box.max.y), std::abs(box.min.z), std::abs(box.max.z)});
  const double tolerance = 1e-12 * box.diagonal() + 8 * std::numeric_limits<double>::epsilon() * largest;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const CellPoint at = mapPoint(corners, xi);
    const Vec3 residual = point - at.position;
    if (length(residual) <= tolerance) return true;
    Vec3 step;
    if (!solve3(at.jacobian, residual, step)) return false;
    xi = xi + step;
    if (std::max({std::abs(xi.x - 0.5), std::abs(xi.y - 0.5), std::abs(xi.z - 0.5)}) > kFarOutside)
      return false;
  }
  return false;
}

}  // namespace farfield::fields
