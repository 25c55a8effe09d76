#pragma once
// Looks up places that are not known without waiting for the disk, on a thread of its own, which is started
// by the first of them.

#include <condition_variable>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "core/paging/sources/waiting_requests.h"

namespace farfield::paging {

/// Thread-safe.
class PlaceLookup {
 public:
  /// `lookUp` is called on the thread (where there is none, by push()) with some requests at a time; it must not throw and may call push().
  explicit PlaceLookup(std::function<void(std::span<const PageRequest>)> lookUp)
      : m_lookUp(std::move(lookUp)) {}
  ~PlaceLookup() { stop(); }

  /// Waits for the look-ups in progress and takes no more. Requests that wait stay, for remove().
  void stop();
  /// False once stopped: nothing was taken over.
  bool push(std::span<const PageRequest> requests);
  /// Gives a waiting request a higher priority.
  void hurry(const PageRequest& request);
  /// Takes a waiting request out; false where it does not wait here.
  bool remove(const PageRequest& request);
  /// Removes the waiting requests of `sink`, or all for null.
  std::vector<PageRequest> remove(const PageSink* sink);

 private:
  void work();

  const std::function<void(std::span<const PageRequest>)> m_lookUp;
  std::mutex m_mutex;
  std::condition_variable m_called;
  WaitingRequests<PageRequest> m_waiting;
  bool m_stop = false;
  std::thread m_thread;
};

}  // namespace farfield::paging
