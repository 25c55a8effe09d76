#pragma once
// The trilinear hexahedron: interpolation inside a cell and its inverse. Corner c of a cell is the node
// (i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)), as a gather of 2 x 2 x 2 nodes delivers them.

#include <array>

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
CellPoint mapPoint(const CellCorners& corners, Vec3 xi);

/// Solves J a = b for the columns J. False when J is singular.
bool solve3(const std::array<Vec3, 3>& jacobian, Vec3 b, Vec3& a);

/// How far outside [0, 1] a cell coordinate may lie and still count as inside.
constexpr double kCellTolerance = 1e-9;
inline bool insideCell(Vec3 xi) {
  return xi.x >= -kCellTolerance && xi.x <= 1 + kCellTolerance && xi.y >= -kCellTolerance &&
         xi.y <= 1 + kCellTolerance && xi.z >= -kCellTolerance && xi.z <= 1 + kCellTolerance;
}

/// Newton's method for the cell coordinates of `point`, from `xi` (the centre for a search). True when the
/// residual fell to 1e-12 of the cell's diagonal plus the rounding of the coordinates; `xi` is then the
/// solution, inside or outside. On false `xi` is where it stood: the direction to a better cell, if finite.
bool invertCell(const CellCorners& corners, Vec3 point, Vec3& xi);

}  // namespace farfield::fields
