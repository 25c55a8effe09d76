#pragma once
// How far ahead of a line pages are asked for, and by which guess. A page that is asked for when the line
// enters the one before it arrives in time if the line takes as long to cross a page as a read takes; other
// tasks that run meanwhile hide the rest. So the depth follows from what is measured: the latency of reads,
// the time that a task runs between two pages, the number of tasks in flight, and how often guesses at the
// next page were right. It is 0 whenever the other tasks hide everything, and never so deep that a guess
// would be wrong more often than right.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace farfield::fields {

/// By what the next page is guessed.
enum class Guess {
  Arc,    ///< the way the line turns (page_path.h)
  Graph,  ///< where lines before it went (page_graph.h)
};
constexpr int kGuesses = 2;

/// Shared by the tasks of a data set; thread-safe. All figures are running means, of which an update may be
/// lost when two come at once.
class LookAhead {
 public:
  /// A task ran for `running` (waiting left out) from entering one page to entering the next.
  void pageCrossed(std::chrono::nanoseconds running);
  /// The next page was the one that `guess` had named, or not.
  void guessed(Guess guess, bool right);

  /// Pages to ask for ahead of a line by `guess`.
  int depth(Guess guess, std::chrono::nanoseconds readLatency, int tasksPerProcessor) const;
  /// Share of its guesses that were right, 0 … 1.
  double accuracy(Guess guess) const;

 private:
  static constexpr std::int64_t kWhole = 1 << 20;
  std::atomic<std::int64_t> m_running{0};  ///< nanoseconds; 0 before the first
  /// The accuracies in parts of kWhole.
  std::array<std::atomic<std::int64_t>, kGuesses> m_right{kWhole / 2, kWhole / 2};
};

}  // namespace farfield::fields
