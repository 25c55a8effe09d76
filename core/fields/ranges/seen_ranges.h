#pragma once
// About where the values of functions lie, of data that do not say so: what some of their nodes have. Good enough for
// the ends of a slider.

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fields/functions/functions.h"
#include "core/fields/functions/open_data.h"

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

/// How long values are looked at, and how much is read for it.
struct LookLimits {
  std::chrono::milliseconds time{2000};
  std::uint64_t bytes = std::uint64_t{64} << 20;  ///< of pages, unpacked
  std::stop_token stop = {};                      ///< then nothing was seen
};

/// Of those of `functions` that are numbers and need no nodes around: at nodes of some rows of the largest block; of data that come in pages from elsewhere and say no ranges (stores do, of variables), of some pages. `nodes` have what vectors need as well. Memory
/// for that is claimed from `account`. Waits for reading: array after array, those first that data are shown by first, until all are read or
/// `limits` are reached, beyond which one box is read at most. Of the arrays that were not read nothing is said; nothing at all where reading fails, or for want of memory.
SeenValues seenValues(const OpenData& data, const std::vector<FunctionInfo>& functions,
                      MemoryAccount& account, const LookLimits& limits = {});

/// Whether the last step is looked at as well.
bool looksAtLastStep(const OpenData& data);

/// The same of any function or expression of these data, at `nodes`. Nothing where it is none, is no number, needs nodes around or other
/// arrays, and where no value of it was seen.
std::optional<SeenRange> seenRangeOf(const SeenNodes& nodes, const paging::DatasetDescription& description,
                                     const std::string& function);

}  // namespace farfield::fields
