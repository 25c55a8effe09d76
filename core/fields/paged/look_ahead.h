#pragma once
// How many pages are requested ahead of a line. A page requested when the line enters the one before it
// arrives in time if crossing a page takes as long as a read; other tasks that run meanwhile hide the rest.
// So the depth follows from measurements: the latency of reads, the time that a task runs between two pages,
// the number of tasks in flight, and how often guesses at the next page were right. It is 0 if the other
// tasks hide everything, and never so deep that a guess would be wrong more often than right.

#include <atomic>
#include <chrono>
#include <cstdint>

namespace farfield::fields {

/// Shared by the tasks of a data set; thread-safe. All figures are running means; of two concurrent updates
/// one may be lost.
class LookAhead {
 public:
  /// A task ran for `running` (without waiting) from entering one page to entering the next.
  void pageCrossed(std::chrono::nanoseconds running);
  /// Whether the next page was the one that had been guessed.
  void guessed(bool right);

  /// Number of pages to request ahead of a line.
  int depth(std::chrono::nanoseconds readLatency, int tasksPerProcessor) const;
  /// Share of guesses that were right, 0 … 1.
  double accuracy() const;

 private:
  static constexpr std::int64_t kWhole = 1 << 20;
  std::atomic<std::int64_t> m_running{0};         ///< nanoseconds; 0 before the first
  std::atomic<std::int64_t> m_right{kWhole / 2};  ///< in parts of kWhole
};

}  // namespace farfield::fields
