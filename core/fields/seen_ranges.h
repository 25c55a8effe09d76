#pragma once
// About where the values of functions lie, of data that do not say so: what some of their nodes have. Good enough for
// the ends of a slider.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/fields/functions.h"
#include "core/fields/open_data.h"

namespace farfield::fields {

struct SeenRange {
  std::array<double, 2> all{};    ///< of all values that were seen
  std::array<double, 2> usual{};  ///< of nearly all: two in a hundred lie below, and two above
};

/// Arrays at some of the nodes that were looked at, at most half a megabyte, so that functions that come later can be told of, too.
struct SeenNodes {
  struct Array {
    std::string name;
    int components = 1;
  };
  std::vector<Array> arrays;
  std::vector<double> values;  ///< of all components of all arrays, node by node
};

struct SeenValues {
  std::map<std::string, SeenRange> ranges;  ///< by function, in the first step
  /// In the last step, of those that have one value in the first, as simulations often begin; of data of this machine.
  std::map<std::string, SeenRange> later;
  SeenNodes nodes;
};

/// Of those of `functions` that are numbers and need no nodes around: at nodes of some rows of the largest block; of data that come in pages from elsewhere and say no ranges (stores do, of variables), of some pages. `nodes` have what vectors need as well. Memory
/// for these pages is claimed from `account`. Waits for reading. Nothing where reading fails.
SeenValues seenValues(const OpenData& data, const std::vector<FunctionInfo>& functions,
                      MemoryAccount& account);

/// The same of any function or expression of these data, at `nodes`. Nothing where it is none, is no number, needs nodes around or other
/// arrays, and where no value of it was seen.
std::optional<SeenRange> seenRangeOf(const SeenNodes& nodes, const paging::DatasetDescription& description,
                                     const std::string& function);

}  // namespace farfield::fields
