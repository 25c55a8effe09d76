#pragma once
// Axes of rectilinear grids, as files have them: read as they are, ascending or descending, and put into a data set.

#include <array>
#include <vector>

#include "core/base/memory_account.h"
#include "plugins/arrays/array_reader.h"

namespace farfield::arrays {

/// x of the nodes along i, y of those along j, z of those along k.
using GridAxes = std::array<std::vector<double>, 3>;

/// The `count` numbers of an array of one component along i. Memory for them is claimed from `account` while they are
/// read. Throws OverBudget, Corrupt, Io.
std::vector<double> readAxis(const PlacedArray& axis, std::int64_t count, MemoryAccount& account);

/// Middles between nodes: where cells have their values. One node stays.
std::vector<double> middlesOf(const std::vector<double>& nodes);

/// Places block 0's nodes, as many as it has, on these axes: a curvilinear block whose coordinates are computed.
/// Arrays whose axis descends are turned round. `claims` gets what the axes take of `account`. Throws Corrupt where an
/// axis neither ascends nor descends.
void placeAxes(GridAxes axes, paging::DatasetDescription& description, std::vector<ArrayPlace>& places,
               MemoryAccount& account, std::vector<MemoryClaim>& claims);

}  // namespace farfield::arrays
