#pragma once
// Ranges of variables that data know without being read.

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "core/fields/functions/open_data.h"

namespace farfield::fields {

/// Where a variable is stored, in its first block; array -1 where it is not one array's (component).
struct VariablePlace {
  int array = -1, component = 0;
};
VariablePlace placeOf(const paging::DatasetDescription& data, const std::string& variable);

/// Least and greatest value of a variable of one component over all blocks and steps, where the data have kept
/// it; nothing for functions that are computed from variables.
std::optional<std::array<double, 2>> storedRangeOf(const OpenData& data, const std::string& variable);
/// The same of one step, from the summaries of its pages: looks each of them up, which takes the longer the more there are. Throws
/// Cancelled, and what looking them up throws.
std::optional<std::array<double, 2>> storedRangeOf(const OpenData& data, const std::string& variable,
                                                   std::int64_t step, const std::stop_token& stop);

}  // namespace farfield::fields
