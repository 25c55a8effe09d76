#pragma once
// Reads that are not begun any more once the time of whoever asked for them is up: threads that read would otherwise go on with
// what nobody needs, on the processors of the tasks that are to end.

#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <set>

namespace farfield::paging {

/// What a page source is, too, whose reads can be held: requests wait, and can be withdrawn. Thread-safe. Each hold is
/// released as often as it is made.
class HoldsReads {
 public:
  using Clock = std::chrono::steady_clock;
  /// From `moment` on, and until it is released, no read begins.
  virtual void holdFrom(Clock::time_point moment) = 0;
  virtual void release(Clock::time_point moment) noexcept = 0;

 protected:
  ~HoldsReads() = default;
};

/// The moments from which on reads of a source are held.
class HoldMoments {
 public:
  using Clock = HoldsReads::Clock;
  void add(Clock::time_point moment) {
    const std::lock_guard lock(m_mutex);
    m_moments.insert(moment);
    noteFirst();
  }
  void remove(Clock::time_point moment) noexcept {
    const std::lock_guard lock(m_mutex);
    if (const auto its = m_moments.find(moment); its != m_moments.end()) m_moments.erase(its);
    noteFirst();
  }
  /// Looks at the clock only while there is such a moment.
  bool areReached() const noexcept {
    const Clock::rep first = m_first.load();
    return first != kNever && Clock::now().time_since_epoch().count() >= first;
  }

 private:
  static constexpr Clock::rep kNever = std::numeric_limits<Clock::rep>::max();
  void noteFirst() noexcept {
    m_first.store(m_moments.empty() ? kNever : m_moments.begin()->time_since_epoch().count());
  }
  std::mutex m_mutex;
  std::multiset<Clock::time_point> m_moments;
  std::atomic<Clock::rep> m_first{kNever};
};

}  // namespace farfield::paging
