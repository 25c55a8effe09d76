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

/// A vector that is trilinear in a cell, as the coefficients of 1, x, y, z, xy, yz, zx, xyz: differences of
/// corners, so that no digits are lost if all corners are far from 0.
struct TrilinearVector {
  TrilinearVector() = default;
  explicit TrilinearVector(const CellCorners& p)
      : one(p[0]),
        x(p[1] - p[0]),
        y(p[2] - p[0]),
        z(p[4] - p[0]),
        xy((p[3] - p[2]) - (p[1] - p[0])),
        yz((p[6] - p[4]) - (p[2] - p[0])),
        zx((p[5] - p[4]) - (p[1] - p[0])),
        xyz(((p[7] - p[6]) - (p[5] - p[4])) - ((p[3] - p[2]) - (p[1] - p[0]))) {}

  /// Linear in the tetrahedron of p[0], p[1], p[2], p[4], which are at 0 and at 1 on each axis.
  static TrilinearVector ofTetrahedron(const CellCorners& p) {
    TrilinearVector vector;
    vector.one = p[0];
    vector.x = p[1] - p[0];
    vector.y = p[2] - p[0];
    vector.z = p[4] - p[0];
    return vector;
  }
  /// Linear in the triangles p[0], p[1], p[2] at z = 0 and p[4], p[5], p[6] at z = 1, and between them.
  static TrilinearVector ofWedge(const CellCorners& p) {
    TrilinearVector vector = ofTetrahedron(p);
    vector.yz = (p[6] - p[4]) - (p[2] - p[0]);
    vector.zx = (p[5] - p[4]) - (p[1] - p[0]);
    return vector;
  }

  CellPoint pointAt(Vec3 xi) const {
    const Vec3 slopeX = x + xi.y * xy, slopeZ = z + xi.y * yz, twist = zx + xi.y * xyz;
    CellPoint point;
    point.jacobian[0] = slopeX + xi.z * twist;
    point.jacobian[1] = (y + xi.x * xy) + xi.z * (yz + xi.x * xyz);
    point.jacobian[2] = slopeZ + xi.x * twist;
    point.position = one + (xi.y * y + (xi.z * slopeZ + xi.x * point.jacobian[0]));
    return point;
  }
  Vec3 at(Vec3 xi) const { return pointAt(xi).position; }

  Vec3 one, x, y, z, xy, yz, zx, xyz;
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

/// How far outside [0, 1] a cell coordinate still counts as inside.
constexpr double kCellTolerance = 1e-9;
inline bool insideCell(Vec3 xi) {
  return xi.x >= -kCellTolerance && xi.x <= 1 + kCellTolerance && xi.y >= -kCellTolerance &&
         xi.y <= 1 + kCellTolerance && xi.z >= -kCellTolerance && xi.z <= 1 + kCellTolerance;
}

/// False if no cell whose corners lie in `bounds` holds `point`: a trilinear cell lies in the bounds of its
/// corners. They are widened by more than what counts as inside, but by less than a line's last step past the
/// end of a block, so that bounds alone exclude most of what lies outside.
inline bool boundsMayHold(const Bounds& bounds, Vec3 point) {
  constexpr double kBoxMargin = 1e-8;  // of the bounds' size: much more than kCellTolerance
  constexpr double kRoundingMargin =
      1e-12;  // of the coordinates' size, for cells that are flat along an axis
  for (int a = 0; a < 3; ++a) {
    const double margin = kBoxMargin * (bounds.max[a] - bounds.min[a]) +
                          kRoundingMargin * (std::abs(bounds.min[a]) + std::abs(bounds.max[a]));
    if (!(point[a] >= bounds.min[a] - margin && point[a] <= bounds.max[a] + margin)) return false;
  }
  return true;
}

/// The map from cell coordinates to space: made once for a cell, used for every point in it.
class TrilinearMap {
 public:
  TrilinearMap() = default;
  explicit TrilinearMap(const CellCorners& corners) : TrilinearMap(TrilinearVector(corners), corners) {}
  /// Of a cell that is part of a hexahedron with that map; `corners` are its own.
  TrilinearMap(const TrilinearVector& position, const CellCorners& corners);

  CellPoint at(Vec3 xi) const { return m_position.pointAt(xi); }
  const TrilinearVector& position() const { return m_position; }

  /// False if `point` is certainly outside.
  bool mayHold(Vec3 point) const { return boundsMayHold(m_bounds, point); }

  /// Newton's method for the cell coordinates of `point`, from `xi` (the centre for a search). True if the
  /// residual fell to 1e-12 of the cell's diagonal plus the rounding of the coordinates, or must have, by the
  /// size of the last step; `xi` is then the solution, inside or outside. On false `xi` is the last iterate:
  /// the direction to a better cell, if finite.
  bool invert(Vec3 point, Vec3& xi) const;

  /// One step of that method from `xi`; not finite if the map has no inverse there.
  Vec3 approach(Vec3 point, Vec3 xi) const;

 private:
  static constexpr int kMostIterations = 24;
  /// Beyond this distance the cell's map says little; the walk moves on from here.
  static constexpr double kFarOutside = 8;
  /// In cells: after so small a step the rounding of the solution is far below the tolerance.
  static constexpr double kSmallStep = 1e-3;

  TrilinearVector m_position;
  Bounds m_bounds;
  double m_tolerance = 0, m_squaredTolerance = 0;  ///< of the residual
  double m_bend = 0;  ///< after a step s of Newton's method the residual is at most this times s squared
};

// Inline: called for every evaluation, and their arguments would go through memory.

inline Vec3 TrilinearMap::approach(Vec3 point, Vec3 xi) const {
  const CellPoint now = m_position.pointAt(xi);
  return xi + solved(now.jacobian, point - now.position);
}

inline bool TrilinearMap::invert(Vec3 point, Vec3& xi) const {
  Vec3 at = xi;
  bool found = false;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const CellPoint now = m_position.pointAt(at);
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
