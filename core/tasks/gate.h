#pragma once
// What a stopped task waits for. A gate opens when everything expected of it has arrived; the last
// arrival wakes the task. Gates live on the task's stack.
//
// States: closed (count > 0) -> open (count == 0), once. An arrival reads the waker *before* it counts
// down, because the task may see the gate open and destroy it at that instant; the waker belongs to the
// scheduler and outlives every task of the group.

#include <atomic>

namespace farfield::tasks {

/// Makes one waiting task runnable. Called from any thread, any number of times; a wake that finds the
/// task running is remembered, so none is lost.
class Waker {
 public:
  virtual void wake() noexcept = 0;

 protected:
  ~Waker() = default;
};

class Gate {
 public:
  /// `waker` is the waiting task's own (TaskContext::waker); outlives the gate's last arrival.
  explicit Gate(Waker& waker) : m_waker(&waker) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// Announces `n` arrivals. By the task itself, before they can happen.
  void expect(int n = 1) { m_missing.fetch_add(n, std::memory_order_relaxed); }
  /// One of the expected has happened. Any thread. The gate may be gone when this returns.
  void arrive() noexcept {
    Waker* const waker = m_waker;
    if (m_missing.fetch_sub(1, std::memory_order_acq_rel) == 1) waker->wake();
  }
  /// Arrivals still to come.
  int missing() const { return m_missing.load(std::memory_order_acquire); }
  bool isOpen() const { return m_missing.load(std::memory_order_acquire) == 0; }

 private:
  Waker* m_waker;
  std::atomic<int> m_missing{0};
};

}  // namespace farfield::tasks
