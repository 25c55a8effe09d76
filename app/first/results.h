#pragma once
// Which variables are results, that somebody wants to see, and which only say where these are: numbers of nodes and cells, and masks, as those
// of land and sea in files of oceans. What is looked at first is a result, where there is one.

#include <string>

#include "app/first/data_summary.h"

namespace farfield::app {

/// By its name: numbers, and the blanking.
bool isNumbering(const std::string& variable);
/// By the values that were seen of it, two whole numbers, and by its name, where nothing else was seen.
bool isMask(const DataSummary& data, const std::string& variable);
/// Nodes of it were looked at, and none has a number, as of what a file has room for and no values.
bool isSeenWithoutValues(const DataSummary& data, const std::string& variable);
/// None of the first two.
bool isResult(const DataSummary& data, const std::string& variable);

}  // namespace farfield::app
