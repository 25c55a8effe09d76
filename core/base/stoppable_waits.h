#pragma once
// What ends the waits of a thread for what is far away, and its long copying. A reader of files waits deep below those who asked for it;
// between them nothing knows of stopping.

#include <stop_token>

namespace farfield {

/// While it lives, what the calling thread waits for over a network ends with Cancelled once `stop` is requested. For
/// threads that do one thing at a time, not for tasks.
class StoppableWaits {
 public:
  explicit StoppableWaits(std::stop_token stop);
  ~StoppableWaits();
  StoppableWaits(const StoppableWaits&) = delete;
  StoppableWaits& operator=(const StoppableWaits&) = delete;
  /// Of the calling thread; without any it never stops.
  static std::stop_token current();
  /// Between the parts of what takes long and waits for nothing: throws Cancelled once the calling thread's is requested.
  static void throwIfStopped();

 private:
  const std::stop_token m_stop;
  const StoppableWaits* const m_outer;
};

}  // namespace farfield
