#pragma once
// A pool of threads that wait for data in place of the tasks. Each looks for a job, does it, and sleeps when
// there is none until it is woken.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace farfield::paging {

/// A reader is looking (calls the step) or idle (waits for m_calls to move). A wake() that comes while it
/// looks makes it look again, so no job is overlooked.
class ReaderThreads {
 public:
  /// `step` does one job, or returns false when there is none to do now; it must not throw. It calls wake()
  /// before a job where more are waiting: one reader wakes the next, so that whoever brings many jobs pays
  /// for one wake-up. Fewer threads than `readers` are made where the system gives no more. Throws Io where it
  /// gives none.
  ReaderThreads(int readers, std::function<bool()> step);
  ReaderThreads(const ReaderThreads&) = delete;
  ReaderThreads& operator=(const ReaderThreads&) = delete;
  ~ReaderThreads() { stop(); }

  /// Ends the threads once no job is left, and waits for that; wake() does nothing from then on.
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
