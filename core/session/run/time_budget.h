#pragma once
// The time that an object may take for a step ("budget" of the document), counted from when the step began: what it does
// before, between and after its groups of tasks is within it, too.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace farfield::session {

/// Of the time that an object has, what is kept back for handing over what there is when it is up: tasks that are in the middle of
/// something end a little later, and whoever waits for them is woken a little later still.
constexpr double kShareOfHandingOver = 1.0 / 20;

/// What is left for computing of `milliseconds`, at least one.
inline std::chrono::milliseconds timeForComputing(std::int64_t milliseconds) {
  const std::chrono::duration<double, std::milli> time((1 - kShareOfHandingOver) *
                                                       static_cast<double>(milliseconds));
  return std::max(std::chrono::milliseconds{1}, std::chrono::floor<std::chrono::milliseconds>(time));
}

/// Whether a huge page that is cleared in the middle (SmallPages) would be a good part of an object's time.
inline bool isLittleTime(const std::optional<std::int64_t>& milliseconds) {
  constexpr std::int64_t kMost = 500;
  return milliseconds && *milliseconds <= kMost;
}

/// Begins with its construction.
class TimeBudget {
 public:
  /// Of the milliseconds it is that `share`, without what handing over takes.
  explicit TimeBudget(const std::optional<std::int64_t>& milliseconds, double share = 1)
      : m_whole(milliseconds
                    ? std::max(1.0, share * (1 - kShareOfHandingOver) * static_cast<double>(*milliseconds))
                    : 0.0),
        m_start(std::chrono::steady_clock::now()) {}

  bool given() const { return m_whole.count() > 0; }
  bool isSpent() const { return given() && std::chrono::steady_clock::now() - m_start >= m_whole; }
  /// For a group of tasks (tasks::TaskGroup::timeBudget): 0 where there is no budget, and at least a moment. Of what is left it is
  /// that `share`, where something is made of what they find once they have ended.
  std::chrono::milliseconds left(double share = 1) const {
    using std::chrono::milliseconds;
    if (!given()) return milliseconds{0};
    const std::chrono::duration<double> rest = m_whole - (std::chrono::steady_clock::now() - m_start);
    return std::max(milliseconds{1}, std::chrono::floor<milliseconds>(share * rest));
  }

 private:
  std::chrono::duration<double, std::milli> m_whole;
  std::chrono::steady_clock::time_point m_start;
};

/// Of `tasks` that came to their end, how many count as such where of what they found the part `kept`, 0 … 1, alone could be used
/// in time (ObjectRun::noteMissing).
inline std::size_t finishedOf(std::size_t tasks, double kept) {
  return static_cast<std::size_t>(kept * static_cast<double>(tasks));
}

}  // namespace farfield::session
