#pragma once
// What is known of a wall at its nodes: the normal, the gradient of the velocity, the height of the first cells.
// A wall is a face of a structured block. Derivatives along i, j and k are of second order everywhere: central
// differences, at the ends of the block and beside blanked nodes those of a parabola through three nodes to one side,
// whose places are as far apart as the nodes, because grids are stretched most at walls (with equal places (-3, 4, -1) / 2 the
// metric vanishes where the second cell is three times as high as the first); two nodes where there are no three. Shear at a wall is made of nothing but these differences, so the ones of first
// order that gradients elsewhere have there (node_gradients.h) would be its whole error.

#include <array>
#include <span>

#include "core/base/geometry.h"
#include "core/fields/cells/node_gradients.h"

namespace farfield::fields {

/// Which face of its block a wall is.
struct WallFace {
  int axis = 0;          ///< 0, 1, 2: i, j, k is the same all over it
  bool highEnd = false;  ///< at the block's last node along it
};

struct WallState {
  Vec3 normal;                           ///< of unit length, into the block
  std::array<Vec3, 3> velocityGradient;  ///< of u, of v, of w
  double firstHeight = 0;                ///< of the next node, above the plane that touches the wall
};

/// Nodes on each side of a wall's that wallAt() uses.
constexpr std::int64_t kWallReach = 2;

/// At node `at` of the block, which is on the face. `nodes` reach kWallReach nodes further than those of the wall, as far
/// as there are any; of node n the velocity is values[n * stride] and the next two. NaN where there are no differences.
WallState wallAt(const GatheredNodes& nodes, const Index3& dims, std::span<const double> values,
                 std::size_t stride, const Index3& at, const WallFace& face);

}  // namespace farfield::fields
