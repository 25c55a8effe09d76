#pragma once
// Coordinates of nodes, stored or computed from an origin and a spacing or axes.

#include <span>

#include "core/base/geometry.h"
#include "core/paging/cache/cursor.h"
#include "core/paging/pages/description.h"

namespace farfield::fields {

/// For a regular or rectilinear block.
inline Vec3 regularNode(const paging::BlockDescription& grid, const Index3& node) {
  Vec3 point;
  if (grid.axes) {
    for (std::size_t a = 0; a < 3; ++a)
      point[static_cast<int>(a)] = (*grid.axes)[a][static_cast<std::size_t>(node[a])];
    return point;
  }
  for (int a = 0; a < 3; ++a) point[a] = grid.origin[a] + grid.spacing[a] * static_cast<double>(node[a]);
  return point;
}

/// x y z of the nodes of `box` of a regular or rectilinear block, i fastest.
void placeRegularNodes(const paging::BlockDescription& grid, const IndexBox& box, std::span<double> out);

/// x y z of the nodes of `box` of `grid`, i fastest. `xyz` is the slot of their coordinates in `cursor`,
/// negative for a regular or rectilinear block. May stop the task; throws what gathering throws.
void gatherCoordinates(paging::Cursor& cursor, int xyz, const paging::BlockDescription& grid,
                       const IndexBox& box, std::span<double> out);

}  // namespace farfield::fields
