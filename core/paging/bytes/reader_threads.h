#pragma once
// A pool of threads that do blocking reads in place of the tasks. Each looks for a job, does it, and sleeps
// when there is none until it is woken.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace farfield::paging {

/// A thread is looking (calls the step) or idle (waits for m_calls to change). A wake() while it looks makes
/// it look again, so no job is missed.
class ReaderThreads {
 public:
  /// `step` does one job, or returns false when there is none; it must not throw. If more jobs are waiting it
  /// calls wake() before its own, so that a caller that brings many jobs wakes one thread only. If the system
  /// grants fewer threads than `readers`, those are used. Throws Io if it grants none.
  ReaderThreads(int readers, std::function<bool()> step);
  ReaderThreads(const ReaderThreads&) = delete;
  ReaderThreads& operator=(const ReaderThreads&) = delete;
  ~ReaderThreads() { stop(); }

  /// Ends the threads once no job is left, and waits for them; wake() has no effect from then on.
  void stop() noexcept;

  /// There may be a job. Thread-safe, does not wait.
  void wake() noexcept;

 private:
  void work(int number);

  const std::function<bool()> m_step;
  std::mutex m_mutex;
  std::condition_variable m_called;
  std::uint64_t m_calls = 0;
  int m_idle = 0;
  bool m_stop = false;
  std::vector<std::thread> m_threads;
};

}  // namespace farfield::paging
