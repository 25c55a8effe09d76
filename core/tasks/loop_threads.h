#pragma once
// Threads for loops over data in which nothing waits for a page: conversion, encoding, location bounds. Tasks
// that wait belong to a scheduler (scheduler.h).
//
// A worker is idle, or in a loop: it then runs the loop's work until none is left. A loop is over when the
// caller's own work has returned and no worker is in it; workers that wake later stay idle.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace farfield::tasks {

/// A loop whose results are put away in order, with a bounded number of them in between.
struct OrderedLoop {
  std::uint64_t first = 0, last = 0;  ///< numbers first … last-1
  /// Number n has place n % places for itself from the start of make(n) to the end of put(n).
  std::size_t places = 1;
  std::function<void(std::uint64_t)> make = {};  ///< on any thread; begun in ascending order
  std::function<void(std::uint64_t)> put = {};   ///< on any thread, one at a time, in ascending order
};

/// One loop at a time, and none from within another.
class LoopThreads {
 public:
  /// `threads` take part in a loop, the calling one among them; 0: as many as the machine has. They are
  /// started by the first loop that has work for them; where the system grants fewer, loops run with those.
  explicit LoopThreads(int threads = 0);
  ~LoopThreads();
  LoopThreads(const LoopThreads&) = delete;
  LoopThreads& operator=(const LoopThreads&) = delete;

  int threads() const { return m_threads; }

  /// Calls body(begin, end) for the pieces of 0 … count-1, of `grain` each but the last, on any thread. What
  /// a body throws ends the loop; of several errors that of the lowest piece is thrown.
  void forPieces(std::int64_t count, std::int64_t grain,
                 const std::function<void(std::int64_t begin, std::int64_t end)>& body);
  /// What make or put throws for a number ends the loop, after all numbers below it have been put; of several
  /// errors that of the lowest number is thrown.
  void inOrder(const OrderedLoop& loop);

 private:
  /// Calls `work`, which must not throw, on up to `most` threads at the same time; returns when all calls
  /// have.
  void together(std::size_t most, const std::function<void()>& work);
  void startThreads(std::size_t wanted);
  void serve();

  const int m_threads;
  std::mutex m_mutex;
  std::condition_variable m_called, m_left;
  const std::function<void()>* m_work = nullptr;
  std::size_t m_mayJoin = 0;  ///< workers that may still join the loop at hand
  std::size_t m_inLoop = 0;
  bool m_stop = false, m_refused = false;
  std::vector<std::thread> m_workers;
};

}  // namespace farfield::tasks
