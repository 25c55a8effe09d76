#pragma once
// Looks up places that are not in memory, on a thread of its own, which is started by the first of them.

#include <array>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

#include "core/paging/bytes/range_queue.h"
#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// List nodes are moved, so that no call here allocates.
using PageRequests = std::list<PageRequest>;

inline ReadPriority readPriority(Priority priority) {
  return static_cast<ReadPriority>(priority);
}
static_assert(kPriorityCount == kReadPriorities);

/// Thread-safe.
class PlaceLookup {
 public:
  /// `lookUp` is called on the thread with some requests at a time; it must not throw and may call push().
  explicit PlaceLookup(std::function<void(PageRequests&)> lookUp) : m_lookUp(std::move(lookUp)) {}
  ~PlaceLookup() { stop(); }

  /// Waits for look-ups in progress and starts no more. Requests that wait stay, for remove().
  void stop() noexcept;
  /// False once stopped: nothing was taken over. Throws Io where no thread can be started: the same.
  bool push(PageRequests& requests);
  /// Gives a waiting request a higher priority.
  void hurry(const PageRequest& request) noexcept;
  /// True if the request was waiting and has been removed.
  bool remove(const PageRequest& request) noexcept;
  /// Removes the waiting requests of `sink`, or all for null.
  PageRequests remove(const PageSink* sink) noexcept;

 private:
  void work();
  /// The queue to serve next; null if nothing waits.
  PageRequests* next();

  const std::function<void(PageRequests&)> m_lookUp;
  std::mutex m_mutex;
  std::condition_variable m_called;
  std::array<PageRequests, kPriorityCount> m_waiting;
  bool m_stop = false;
  std::thread m_thread;
};

}  // namespace farfield::paging
