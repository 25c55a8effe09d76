#include "core/tasks/loop_threads.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <string>
#include <system_error>

#include "core/base/machine.h"
#include "core/trace/trace.h"

namespace farfield::tasks {
namespace {

/// The error of the lowest number that failed. Guarded by the loop's mutex.
struct FirstError {
  std::uint64_t number = std::numeric_limits<std::uint64_t>::max();
  std::exception_ptr error;

  void take(std::uint64_t failed, std::exception_ptr what) {
    if (failed >= number) return;
    number = failed;
    error = std::move(what);
  }
  void raise() const {
    if (error) std::rethrow_exception(error);
  }
};

/// The state of an OrderedLoop. A number is made, then waits, marked in m_made, for its turn to be put.
class OrderedRun {
 public:
  explicit OrderedRun(const OrderedLoop& loop)
      : m_loop(loop), m_made(loop.places), m_next(loop.first), m_nextPut(loop.first) {}

  /// On any number of threads: does what is there to be done until all is put.
  void work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
      const std::uint64_t end = std::min(m_loop.last, m_failed.number);
      if (m_nextPut >= end) break;
      if (!m_putting && m_made[m_nextPut % m_loop.places])
        put(lock);
      else if (m_next < end && m_next - m_nextPut < m_loop.places)
        make(lock);
      else
        m_changed.wait(lock);
    }
    m_changed.notify_all();
  }
  void raise() const { m_failed.raise(); }

 private:
  bool attempt(std::unique_lock<std::mutex>& lock, const std::function<void(std::uint64_t)>& step,
               std::uint64_t number) {
    std::exception_ptr error;
    lock.unlock();
    try {
      step(number);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (!error) return true;
    m_failed.take(number, std::move(error));
    return false;
  }
  void put(std::unique_lock<std::mutex>& lock) {
    m_putting = true;
    if (attempt(lock, m_loop.put, m_nextPut)) {
      m_made[m_nextPut % m_loop.places] = false;
      ++m_nextPut;
    }
    m_putting = false;
    m_changed.notify_all();
  }
  void make(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t number = m_next++;
    if (attempt(lock, m_loop.make, number)) m_made[number % m_loop.places] = true;
    m_changed.notify_all();
  }

  const OrderedLoop& m_loop;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<char> m_made;
  std::uint64_t m_next, m_nextPut;
  bool m_putting = false;
  FirstError m_failed;
};

}  // namespace

LoopThreads::LoopThreads(int threads) : m_threads(threads > 0 ? threads : availableProcessors()) {}

LoopThreads::~LoopThreads() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_called.notify_all();
  for (std::thread& worker : m_workers) worker.join();
}

void LoopThreads::startThreads(std::size_t wanted) {
  try {
    while (m_workers.size() < wanted && !m_refused) m_workers.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    m_refused = true;
  }
}

void LoopThreads::serve() {
  trace::nameThread("loop");
  std::unique_lock lock(m_mutex);
  for (;;) {
    m_called.wait(lock, [this] { return m_stop || m_mayJoin > 0; });
    if (m_stop) return;
    --m_mayJoin;
    ++m_inLoop;
    const std::function<void()>& work = *m_work;
    lock.unlock();
    work();
    lock.lock();
    if (--m_inLoop == 0) m_left.notify_all();
  }
}

void LoopThreads::together(std::size_t most, const std::function<void()>& work) {
  const std::size_t helpers = std::min(most, static_cast<std::size_t>(m_threads)) - 1;
  if (helpers == 0) return work();
  startThreads(helpers);
  {
    const std::lock_guard lock(m_mutex);
    m_work = &work;
    m_mayJoin = helpers;
  }
  m_called.notify_all();
  work();
  std::unique_lock lock(m_mutex);
  m_mayJoin = 0;
  m_left.wait(lock, [this] { return m_inLoop == 0; });
  m_work = nullptr;
}

void LoopThreads::forPieces(std::int64_t count, std::int64_t grain,
                            const std::function<void(std::int64_t, std::int64_t)>& body) {
  if (count <= 0) return;
  const std::int64_t pieces = (count - 1) / grain + 1;
  std::mutex mutex;
  std::int64_t next = 0;
  FirstError failed;
  together(static_cast<std::size_t>(pieces), [&] {
    std::unique_lock lock(mutex);
    // Pieces are taken in ascending order, so those below one that failed have all been begun.
    while (next < pieces && !failed.error) {
      const std::int64_t piece = next++;
      std::exception_ptr error;
      lock.unlock();
      try {
        body(piece * grain, std::min(count, (piece + 1) * grain));
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error) failed.take(static_cast<std::uint64_t>(piece), std::move(error));
    }
  });
  failed.raise();
}

void LoopThreads::inOrder(const OrderedLoop& loop) {
  if (loop.first >= loop.last) return;
  OrderedRun run(loop);
  together(static_cast<std::size_t>(std::min<std::uint64_t>(loop.places, loop.last - loop.first)),
           [&run] { run.work(); });
  run.raise();
}

}  // namespace farfield::tasks
