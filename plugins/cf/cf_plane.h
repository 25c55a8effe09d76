#pragma once
// Two-dimensional coordinates along x or y, and whether they are others at later steps, as those of WRF's nests that follow a storm.

#include <string>
#include <vector>

#include "plugins/cf/cf_reader.h"
#include "plugins/cf/cf_series.h"

namespace farfield::cf {

/// The numbers of `coordinate`, of the first of the files, as an array of one layer of `dims` nodes. It has all steps of the series if at three nodes of the first, the middle or the last
/// step of a file it has other numbers than at first; what a file does not say is as in the first. `time`: name of the time dimension, which may come before y and x; empty if there is
/// none. Throws Corrupt, Unsupported, OverBudget, Io.
arrays::PlacedArray planeCoordinate(const std::vector<OpenedFile>& files, const Variable& coordinate,
                                    const std::string& time, const Index3& dims, Series& series);

}  // namespace farfield::cf
