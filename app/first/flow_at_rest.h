#pragma once
// Whether nothing moves in the first step of data, as simulations often begin.

#include <string>
#include <vector>

#include "app/first/data_summary.h"

namespace farfield::app {

/// Whether `vector`, a function or the three that are its parts, is 0 at all nodes that were looked at in the first step. False where
/// none was.
bool restsAtFirst(const DataSummary& data, const std::vector<std::string>& vector);

}  // namespace farfield::app
