#pragma once
// The trilinear hexahedron: interpolation inside a cell and its inverse. Corner c of a cell is the node
// (i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)), as a gather of 2 x 2 x 2 nodes delivers them.

#include <array>
#include <cmath>

#include "core/base/geometry.h"

namespace farfield::fields {

using CellCorners = std::array<Vec3, 8>;

/// Weights of the eight corners at cell coordinates `xi`.
inline std::array<double, 8> cornerWeights(Vec3 xi) {
  const double x0 = 1 - xi.x, y0 = 1 - xi.y, z0 = 1 - xi.z;
  const double a = y0 * z0, b = xi.y * z0, c = y0 * xi.z, d = xi.y * xi.z;
  return {x0 * a, xi.x * a, x0 * b, xi.x * b, x0 * c, xi.x * c, x0 * d, xi.x * d};
}

/// Position at `xi`, and the columns of the Jacobian d position / d xi.
struct CellPoint {
  Vec3 position;
  std::array<Vec3, 3> jacobian;
};

/// J^-1 b for the columns J; not finite when J is singular.
inline Vec3 solved(const std::array<Vec3, 3>& j, Vec3 b) {
  const Vec3 c12 = cross(j[1], j[2]), c20 = cross(j[2], j[0]), c01 = cross(j[0], j[1]);
  return (1 / dot(j[0], c12)) * Vec3{dot(b, c12), dot(b, c20), dot(b, c01)};
}

/// Solves J a = b for the columns J. False when J is singular.
inline bool solve3(const std::array<Vec3, 3>& jacobian, Vec3 b, Vec3& a) {
  const Vec3 found = solved(jacobian, b);
  if (!isFinite(found)) return false;
  a = found;
  return true;
}

/// How far outside [0, 1] a cell coordinate may lie and still count as inside.
constexpr double kCellTolerance = 1e-9;
inline bool insideCell(Vec3 xi) {
  return xi.x >= -kCellTolerance && xi.x <= 1 + kCellTolerance && xi.y >= -kCellTolerance &&
         xi.y <= 1 + kCellTolerance && xi.z >= -kCellTolerance && xi.z <= 1 + kCellTolerance;
}

/// False when no cell whose corners lie in `box` holds `point`: a trilinear cell lies in the box of its
/// corners, which is widened by more than what counts as inside. It is not widened by more than a line's last
/// step past the end of a block, so that most of what lies outside is told by boxes alone.
inline bool boxMayHold(const Bounds& box, Vec3 point) {
  constexpr double kBoxMargin = 1e-8;  // of the box's size: much more than kCellTolerance
  constexpr double kRoundingMargin =
      1e-12;  // of the coordinates' size, for cells that are flat along an axis
  for (int a = 0; a < 3; ++a) {
    const double margin = kBoxMargin * (box.max[a] - box.min[a]) +
                          kRoundingMargin * (std::abs(box.min[a]) + std::abs(box.max[a]));
    if (!(point[a] >= box.min[a] - margin && point[a] <= box.max[a] + margin)) return false;
  }
  return true;
}

/// The map from cell coordinates to space, as the coefficients of 1, x, y, z, xy, yz, zx, xyz: made once for
/// a cell, used for every point in it. The coefficients are differences of corners, so they lose nothing by
/// a cell's being far from the origin.
class TrilinearMap {
 public:
  TrilinearMap() = default;
  explicit TrilinearMap(const CellCorners& corners);

  CellPoint at(Vec3 xi) const { return pointAt(xi); }

  /// False when `point` is certainly outside.
  bool mayHold(Vec3 point) const { return boxMayHold(m_box, point); }

  /// Newton's method for the cell coordinates of `point`, from `xi` (the centre for a search). True when the
  /// residual fell to 1e-12 of the cell's diagonal plus the rounding of the coordinates, or must have done so
  /// by the size of the last step; `xi` is then the solution, inside or outside. On false `xi` is where it
  /// stood: the direction to a better cell, if finite.
  bool invert(Vec3 point, Vec3& xi) const;

  /// Where one step of that method goes from `xi`; not finite where the map has no inverse there.
  Vec3 approach(Vec3 point, Vec3 xi) const;

 private:
  static constexpr int kMostIterations = 24;
  /// Farther out than this the cell's map says little; the walk moves on from here.
  static constexpr double kFarOutside = 8;
  /// Of a cell: after so small a step the rounding of its solution is nothing beside the tolerance.
  static constexpr double kSmallStep = 1e-3;

  CellPoint pointAt(Vec3 xi) const {
    const Vec3 slopeX = m_x + xi.y * m_xy, slopeZ = m_z + xi.y * m_yz, twist = m_zx + xi.y * m_xyz;
    CellPoint point;
    point.jacobian[0] = slopeX + xi.z * twist;
    point.jacobian[1] = (m_y + xi.x * m_xy) + xi.z * (m_yz + xi.x * m_xyz);
    point.jacobian[2] = slopeZ + xi.x * twist;
    point.position = m_one + (xi.y * m_y + (xi.z * slopeZ + xi.x * point.jacobian[0]));
    return point;
  }

  Vec3 m_one, m_x, m_y, m_z, m_xy, m_yz, m_zx, m_xyz;
  Bounds m_box;
  double m_tolerance = 0, m_squaredTolerance = 0;  ///< of the residual
  double m_bend = 0;  ///< after a step s of Newton's method the residual is at most this times s squared
};

// Inline, because they are called for every evaluation and their arguments would go through memory.

inline Vec3 TrilinearMap::approach(Vec3 point, Vec3 xi) const {
  const CellPoint now = pointAt(xi);
  return xi + solved(now.jacobian, point - now.position);
}

inline bool TrilinearMap::invert(Vec3 point, Vec3& xi) const {
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
