#pragma once
// Number of entries on each level of a block's location pyramid (for the entries see location/cell_boxes.h).
// It follows from the block's cells alone, so that a description can be checked.

#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::paging {

constexpr std::int64_t kCellsPerBoxAxis = 8;
constexpr std::int64_t kBoxesPerBoxAxis = 4;

/// The axis along which a block of `nodes` nodes is one plane of them (2-D data); -1 of a block that is none, a line or a point among them.
constexpr int flatAxis(const Index3& nodes) {
  int flat = -1;
  for (int a = 0; a < 3; ++a) {
    if (nodes[static_cast<std::size_t>(a)] != 1) continue;
    if (flat >= 0) return -1;
    flat = a;
  }
  return flat;
}
/// Cells of a block of `nodes` nodes: one less along each axis. One plane of nodes counts as one layer of cells.
constexpr Index3 cellDims(const Index3& nodes) {
  Index3 cells{nodes[0] - 1, nodes[1] - 1, nodes[2] - 1};
  if (const int flat = flatAxis(nodes); flat >= 0) cells[static_cast<std::size_t>(flat)] = 1;
  return cells;
}
/// Entries of `level` of a block of `cells` cells. Each axis must have a cell.
Index3 levelDims(const Index3& cells, int level);
/// Number of levels; 0 if an axis has no cell (such a block cannot be searched).
int levelCount(const Index3& cells);
/// Entries of all levels together.
std::int64_t pyramidEntries(const Index3& cells);

}  // namespace farfield::paging
