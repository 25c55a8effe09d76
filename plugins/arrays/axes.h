#pragma once
// Axes of rectilinear grids in files: reads them, ascending or descending, and puts them into a data set.

#include "core/base/memory_account.h"
#include "plugins/arrays/array_reader.h"

namespace farfield::arrays {

/// The `count` numbers of an array of one component along i. Memory for them is claimed from `account` while
/// they are read. Throws OverBudget, Corrupt, Io.
std::vector<double> readAxis(const PlacedArray& axis, std::int64_t count, MemoryAccount& account);

/// Reverses the nodes along `axis` of a block that has `nodes` of them.
void turnRound(PlacedArray& array, std::size_t axis, std::int64_t nodes);

/// Makes block 0 rectilinear with these axes, of as many nodes as it has. Arrays along a descending axis are
/// reversed. An axis of one node is as thick as the average distance between the nodes of the others.
/// `claims` gets the memory of the axes, claimed from `account`. Throws Corrupt if an axis neither ascends
/// nor descends.
void placeAxes(paging::GridAxes axes, paging::DatasetDescription& description,
               std::vector<ArrayPlace>& places, MemoryAccount& account, std::vector<MemoryClaim>& claims);

}  // namespace farfield::arrays
