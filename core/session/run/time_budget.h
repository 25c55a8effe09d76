#pragma once
// The time that an object may take for a step ("budget" of the document), counted from when the step began: what it does
// before, between and after its groups of tasks is within it, too.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace farfield::session {

/// Begins with its construction.
class TimeBudget {
 public:
  explicit TimeBudget(const std::optional<std::int64_t>& milliseconds)
      : m_whole(milliseconds.value_or(0)), m_start(std::chrono::steady_clock::now()) {}

  bool given() const { return m_whole.count() > 0; }
  bool isSpent() const { return given() && std::chrono::steady_clock::now() - m_start >= m_whole; }
  /// For a group of tasks (tasks::TaskGroup::timeBudget): 0 where there is no budget, and at least a moment.
  std::chrono::milliseconds left() const {
    using std::chrono::milliseconds;
    if (!given()) return milliseconds{0};
    const auto spent = std::chrono::steady_clock::now() - m_start;
    return std::max(milliseconds{1}, std::chrono::floor<milliseconds>(m_whole - spent));
  }

 private:
  std::chrono::milliseconds m_whole;
  std::chrono::steady_clock::time_point m_start;
};

}  // namespace farfield::session
