#pragma once
// What is left of a time, for a group of tasks that has it (tasks::TaskGroup::timeBudget).

#include <algorithm>
#include <chrono>

namespace farfield::session {

/// Of `limit`, which began at `since`: at least a moment. 0 is any time.
inline std::chrono::milliseconds leftOf(std::chrono::milliseconds limit,
                                        std::chrono::steady_clock::time_point since) {
  using std::chrono::milliseconds;
  if (limit.count() == 0) return limit;
  const auto gone = std::chrono::steady_clock::now() - since;
  return std::max(milliseconds{1}, std::chrono::floor<milliseconds>(limit - gone));
}

}  // namespace farfield::session
