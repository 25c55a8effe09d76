#include "core/fields/trilinear.h"

#include <algorithm>

namespace farfield::fields {
namespace {
constexpr int kMostIterations = 24;
/// Farther out than this the cell's map says little; the walk moves on from here.
constexpr double kFarOutside = 8;
/// Of a cell: after so small a step the rounding of its solution is nothing beside the tolerance.
constexpr double kSmallStep = 1e-3;

/// J^-1 b, not finite when J is singular.
inline Vec3 solved(const std::array<Vec3, 3>& j, Vec3 b) {
  const Vec3 c12 = cross(j[1], j[2]), c20 = cross(j[2], j[0]), c01 = cross(j[0], j[1]);
  return (1 / dot(j[0], c12)) * Vec3{dot(b, c12), dot(b, c20), dot(b, c01)};
}
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
  // As Bounds::add(), without branches: which of eight corners is the outermost is hard to foretell.
  for (const Vec3& c : p) {
    m_box.min = {std::min(m_box.min.x, c.x), std::min(m_box.min.y, c.y), std::min(m_box.min.z, c.z)};
    m_box.max = {std::max(m_box.max.x, c.x), std::max(m_box.max.y, c.y), std::max(m_box.max.z, c.z)};
  }
  const double largest = std::max({std::abs(m_box.min.x), std::abs(m_box.max.x), std::abs(m_box.min.y),
                                   std::abs(m_box.max.y), std::abs(m_box.min.z), std::abs(m_box.max.z)});
  m_tolerance = 1e-12 * m_box.diagonal() + 8 * std::numeric_limits<double>::epsilon() * largest;
  m_squaredTolerance = m_tolerance * m_tolerance;
  // What a step of Newton's method leaves is xy' sx sy + yz' sy sz + zx' sz sx + xyz sx sy sz for a step s,
  // where xy' is xy + z xyz, and so on; a product of two of the s is at most half of |s|^2.
  constexpr double kMostCoordinates = 3 * (kFarOutside + 0.5) + 1;
  m_bend = 0.5 * (length(m_xy) + length(m_yz) + length(m_zx) + kMostCoordinates * length(m_xyz));
}

CellPoint TrilinearMap::at(Vec3 xi) const {
  return pointAt(xi);
}

bool solve3(const std::array<Vec3, 3>& j, Vec3 b, Vec3& a) {
  const Vec3 found = solved(j, b);
  if (!isFinite(found)) return false;
  a = found;
  return true;
}

Vec3 TrilinearMap::approach(Vec3 point, Vec3 xi) const {
  const CellPoint now = pointAt(xi);
  return xi + solved(now.jacobian, point - now.position);
}

bool TrilinearMap::invert(Vec3 point, Vec3& xi) const {
  Vec3 at = xi;
  bool found = false;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const CellPoint now = pointAt(at);
    const Vec3 residual = point - now.position;
    found = dot(residual, residual) <= m_squaredTolerance;
    if (found) break;
    const Vec3 step = solved(now.jacobian, residual), next = at + step;
    if (!(std::abs(next.x - 0.5) <= kFarOutside && std::abs(next.y - 0.5) <= kFarOutside &&
          std::abs(next.z - 0.5) <= kFarOutside)) {
      if (isFinite(next)) at = next;
      break;
    }
    at = next;
    const double squaredStep = dot(step, step);
    found = squaredStep <= kSmallStep * kSmallStep && m_bend * squaredStep <= m_tolerance;
    if (found) break;
  }
  xi = at;
  return found;
}

}  // namespace farfield::fields
