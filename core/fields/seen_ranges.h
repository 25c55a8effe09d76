#pragma once
// About where the values of functions lie, of data that do not say so: what some of their nodes have. Good enough for
// the ends of a slider.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/fields/functions.h"
#include "core/fields/open_data.h"

namespace farfield::fields {

struct SeenRange {
  std::array<double, 2> all{};    ///< of all values that were seen
  std::array<double, 2> usual{};  ///< of nearly all: two in a hundred lie below, and two above
};

/// By name, of those of `functions` that are numbers and need no nodes around: at nodes of some rows of the largest
/// block, in the first step. Nothing of data that have no box reader (stores say the ranges of variables), and nothing
/// where reading fails.
std::map<std::string, SeenRange> seenRanges(const OpenData& data, const std::vector<FunctionInfo>& functions);

}  // namespace farfield::fields
