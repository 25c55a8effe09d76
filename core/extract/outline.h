#pragma once
// Outlines: the twelve edges of each block, along the grid lines; of an unstructured block, those of the box around
// it.

#include <functional>
#include <span>

#include "core/fields/paged/paged_data.h"

namespace farfield::extract {

constexpr std::size_t kEdgesPerBlock = 12;

/// The nodes of edge `edge` (0 … 11) of a block of `dims`: 0-3 run along i, 4-7 along j, 8-11 along k.
IndexBox edgeNodes(const Index3& dims, std::size_t edge);

/// Computes one edge, as one task's work: calls `vertex` with its points from low to high index. Nothing for
/// an edge of one node.
void extractEdge(std::size_t edge, int block, fields::PagedData& data, tasks::TaskContext& context,
                 std::int64_t step, const std::function<void(Vec3)>& vertex);

}  // namespace farfield::extract
