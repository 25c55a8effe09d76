#pragma once
// The vector of data that what shows a flow begins with.

#include <string>
#include <vector>

#include "app/first/data_summary.h"

namespace farfield::app {

/// What lines and arrows follow at first: the vector that the format of the data names, or one of theirs, or three functions that are named as the parts of one, such as u, v and w; of u
/// and v alone, as of an ocean, with nothing upwards. Empty where there is none.
std::vector<std::string> usualVector(const DataSummary& data);

}  // namespace farfield::app
