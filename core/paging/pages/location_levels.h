#pragma once
// Number of entries on each level of a block's location pyramid (for the entries see location/cell_boxes.h).
// It follows from the block's cells alone, so that a description can be checked.

#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::paging {

constexpr std::int64_t kCellsPerBoxAxis = 8;
constexpr std::int64_t kBoxesPerBoxAxis = 4;

/// Cells of a block of `nodes` nodes: one less along each axis. One plane of nodes in k (2-D data) counts as
/// one layer of cells.
constexpr Index3 cellDims(const Index3& nodes) {
  return {nodes[0] - 1, nodes[1] - 1, nodes[2] == 1 ? 1 : nodes[2] - 1};
}
/// Entries of `level` of a block of `cells` cells. Each axis must have a cell.
Index3 levelDims(const Index3& cells, int level);
/// Number of levels; 0 if an axis has no cell (such a block cannot be searched).
int levelCount(const Index3& cells);
/// Entries of all levels together.
std::int64_t pyramidEntries(const Index3& cells);

}  // namespace farfield::paging
