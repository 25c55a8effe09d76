#pragma once
// How many entries each level of a block's location pyramid has (what an entry is: location/cell_boxes.h). It
// follows from the block's cells alone, so that a description can be checked against itself.

#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::paging {

constexpr std::int64_t kCellsPerBoxAxis = 8;
constexpr std::int64_t kBoxesPerBoxAxis = 4;

/// Cells of a block of `nodes` nodes: one less along each axis. One plane of nodes in k, as 2-D data have,
/// has one layer of cells, too.
constexpr Index3 cellDims(const Index3& nodes) {
  return {nodes[0] - 1, nodes[1] - 1, nodes[2] == 1 ? 1 : nodes[2] - 1};
}
/// Entries of `level` of a block of `cells` cells. Each axis must have a cell.
Index3 levelDims(const Index3& cells, int level);
/// Number of levels; 0 where an axis has no cell (such a block cannot be searched).
int levelCount(const Index3& cells);
/// Entries of all levels together.
std::int64_t pyramidEntries(const Index3& cells);

}  // namespace farfield::paging
