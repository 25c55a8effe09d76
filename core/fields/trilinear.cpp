#include "core/fields/trilinear.h"

#include <algorithm>

namespace farfield::fields {
namespace {
constexpr int kMostIterations = 24;
/// Farther out than this the cell's map says little; the walk moves on from here.
constexpr double kFarOutside = 8;
/// Of a cell's size: much more than kCellTolerance.
constexpr double kBoxMargin = 1e-6;
/// Of the size of the coordinates, for cells that are flat along an axis.
constexpr double kRoundingMargin = 1e-12;
}  // namespace

TrilinearMap::TrilinearMap(const CellCorners& p)
    : m_one(p[0]),
      m_x(p[1] - p[0]),
      m_y(p[2] - p[0]),
      m_z(p[4] - p[0]),
      m_xy((p[3] - p[2]) - (p[1] - p[0])),
      m_yz((p[6] - p[4]) - (p[2] - p[0])),
      m_zx((p[5] - p[4]) - (p[1] - p[0])),
      m_xyz(((p[7] - p[6]) - (p[5] - p[4])) - ((p[3] - p[2]) - (p[1] - p[0]))) {
  for (const Vec3& corner : p) m_box.add(corner);
  const double largest = std::max({std::abs(m_box.min.x), std::abs(m_box.max.x), std::abs(m_box.min.y),
                                   std::abs(m_box.max.y), std::abs(m_box.min.z), std::abs(m_box.max.z)});
  const double tolerance = 1e-12 * m_box.diagonal() + 8 * std::numeric_limits<double>::epsilon() * largest;
  m_squaredTolerance = tolerance * tolerance;
}

CellPoint TrilinearMap::at(Vec3 xi) const {
  const Vec3 slopeX = m_x + xi.y * m_xy, slopeZ = m_z + xi.y * m_yz, twist = m_zx + xi.y * m_xyz;
  CellPoint point;
  point.jacobian[0] = slopeX + xi.z * twist;
  point.jacobian[1] = (m_y + xi.x * m_xy) + xi.z * (m_yz + xi.x * m_xyz);
  point.jacobian[2] = slopeZ + xi.x * twist;
  point.position = m_one + (xi.y * m_y + (xi.z * slopeZ + xi.x * point.jacobian[0]));
  return point;
}

bool TrilinearMap::mayHold(Vec3 point) const {
  for (int a = 0; a < 3; ++a) {
    const double margin = kBoxMargin * (m_box.max[a] - m_box.min[a]) +
                          kRoundingMargin * (std::abs(m_box.min[a]) + std::abs(m_box.max[a]));
    if (!(point[a] >= m_box.min[a] - margin && point[a] <= m_box.max[a] + margin)) return false;
  }
  return true;
}

bool solve3(const std::array<Vec3, 3>& j, Vec3 b, Vec3& a) {
  const Vec3 c12 = cross(j[1], j[2]);
  const double determinant = dot(j[0], c12);
  if (determinant == 0 || !std::isfinite(determinant)) return false;
  a = {dot(b, c12) / determinant, dot(b, cross(j[2], j[0])) / determinant,
       dot(b, cross(j[0], j[1])) / determinant};
  return isFinite(a);
}

bool TrilinearMap::invert(Vec3 point, Vec3& xi) const {
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const CellPoint now = at(xi);
    const Vec3 residual = point - now.position;
    if (dot(residual, residual) <= m_squaredTolerance) return true;
    Vec3 step;
    if (!solve3(now.jacobian, residual, step)) return false;
    xi = xi + step;
    if (std::max({std::abs(xi.x - 0.5), std::abs(xi.y - 0.5), std::abs(xi.z - 0.5)}) > kFarOutside)
      return false;
  }
  return false;
}

}  // namespace farfield::fields
