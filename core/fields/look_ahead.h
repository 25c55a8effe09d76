#pragma once
// How far ahead of a line pages are asked for. A page that is asked for when the line
// enters the one before it arrives in time if the line takes as long to cross a page as a read takes; other
// tasks that run meanwhile hide the rest. So the depth follows from what is measured: the latency of reads,
// the time that a task runs between two pages, the number of tasks in flight, and how often guesses at the
// next page were right. It is 0 whenever the other tasks hide everything, and never so deep that a guess
// would be wrong more often than right.

#include <atomic>
#include <chrono>
#include <cstdint>

namespace farfield::fields {

/// Shared by the tasks of a data set; thread-safe. All figures are running means, of which an update may be
/// lost when two come at once.
class LookAhead {
 public:
  /// A task ran for `running` (waiting left out) from entering one page to entering the next.
  void pageCrossed(std::chrono::nanoseconds running);
  /// The next page was the one that had been named, or not.
  void guessed(bool right);

  /// Pages to ask for ahead of a line.
  int depth(std::chrono::nanoseconds readLatency, int tasksPerProcessor) const;
  /// Share of guesses that were right, 0 … 1.
  double accuracy() const;

 private:
  static constexpr std::int64_t kWhole = 1 << 20;
  std::atomic<std::int64_t> m_running{0};         ///< nanoseconds; 0 before the first
  std::atomic<std::int64_t> m_right{kWhole / 2};  ///< in parts of kWhole
};

}  // namespace farfield::fields
