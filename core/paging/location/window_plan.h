#pragma once
// How a block is cut into windows when it streams through a bounded amount of memory.

#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::paging {

/// Extent of the largest windows of whole units (pages, groups of cells) with at most `maxNodes` nodes,
/// including the one-node apron at the high side of each axis: as long as possible in i, then, if i is
/// complete, in j, then in k, so that a window is a run of units in linear order and its rows are long reads.
/// At least one unit, whatever `maxNodes` is.
Index3 windowExtent(const Index3& dims, const Index3& unit, std::int64_t maxNodes);

/// `box` and the node layer after it on each axis, if there is one.
IndexBox withApron(const IndexBox& box, const Index3& dims);

}  // namespace farfield::paging
