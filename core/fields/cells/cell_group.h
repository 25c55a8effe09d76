#pragma once
// Groups of neighbouring cells, which are looked at together: how many cells they have, and which.

#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::fields {

constexpr std::int64_t kCellsPerGroup = 8;   ///< along each axis, at level 0
constexpr std::int64_t kGroupsPerGroup = 4;  ///< along each axis, at the levels above
/// Cells of a group of an unstructured block, for what goes over all cells: those of an entry of level 1.
constexpr std::int64_t kListedCells = kCellsPerGroup * kGroupsPerGroup;

/// Cells that are searched together.
struct CellGroup {
  IndexBox cells;
  Bounds bounds;  ///< of their nodes
};

}  // namespace farfield::fields
