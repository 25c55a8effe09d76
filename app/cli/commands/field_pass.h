#pragma once
// Passes over whole data sets, page by page under the budget: ranges of functions, and reading everything to
// see that it is intact.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fields/paged/paged_data.h"

namespace farfield::cli {

struct PassOptions {
  int processors = 1;
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
  /// Of computeRanges: only from there on, and so many; 0: all.
  std::int64_t firstStep = 0, steps = 0;
};

/// Of the finite values at all nodes of all steps, blanked ones included.
struct FunctionRange {
  bool empty = true;                               ///< there was no finite value
  double min = 0, max = 0;                         ///< of a vector its length
  std::vector<double> componentMin, componentMax;  ///< one per component
};

/// Ranges of `functions`, in their order. Throws NotFound, OverBudget, what reading throws, Cancelled.
std::vector<FunctionRange> computeRanges(const fields::OpenData& data,
                                         const std::vector<std::string>& functions, MemoryAccount& account,
                                         const PassOptions& options);

/// The least that must be free of the budget for computeRanges, and for readEverything. `data` may come of a
/// rehearsal (core/fields/paged/budget_advice.h).
std::uint64_t smallestBytesForRanges(const fields::OpenData& data, const std::vector<std::string>& functions,
                                     const PassOptions& options);
std::uint64_t smallestBytesForEverything(const fields::OpenData& data, const PassOptions& options);

/// Reads every page of every array and so checks its checksum, where it has one. Returns their number. Throws
/// the error of a page that is not what it must be, with file, array and page; Cancelled.
std::uint64_t readEverything(const fields::OpenData& data, MemoryAccount& account,
                             const PassOptions& options);

}  // namespace farfield::cli
