#pragma once
// Axes of rectilinear grids, as files have them: read as they are, ascending or descending, and put into a data set.

#include "core/base/memory_account.h"
#include "plugins/arrays/array_reader.h"

namespace farfield::arrays {

/// The `count` numbers of an array of one component along i. Memory for them is claimed from `account` while they are
/// read. Throws OverBudget, Corrupt, Io.
std::vector<double> readAxis(const PlacedArray& axis, std::int64_t count, MemoryAccount& account);

/// Middles between nodes: where cells have their values. One node stays.
std::vector<double> middlesOf(const std::vector<double>& nodes);

/// Makes block 0 a rectilinear one with these axes, of as many nodes as it has. Arrays whose axis descends are turned
/// round. An axis of one node is as thick as the others' nodes are apart on average. `claims` gets what the axes take of
/// `account`. Throws Corrupt where an axis neither ascends nor descends.
void placeAxes(paging::GridAxes axes, paging::DatasetDescription& description,
               std::vector<ArrayPlace>& places, MemoryAccount& account, std::vector<MemoryClaim>& claims);

}  // namespace farfield::arrays
