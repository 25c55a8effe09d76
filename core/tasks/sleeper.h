#pragma once
// How an idle processor sleeps: in poll(2), on the descriptors of the reapers and on its own bell, which any
// thread may ring.
//
// States of a bell, changed by atomic exchanges only, so that a change made before a ring is never missed:
//
//   Quiet    -> Rung      ring(): the owner will look again before it sleeps
//   Rung     -> Quiet     arm() returns false: do not sleep, look again
//   Quiet    -> Sleeping  arm() returns true
//   Sleeping -> Rung      ring(), which then writes to the descriptor
//   any      -> Quiet     the owner has woken; everything rung for before is looked at after

#include <poll.h>

#include <atomic>
#include <vector>

#include "core/tasks/reaper.h"

namespace farfield::tasks::detail {

class Bell {
 public:
  /// Throws Io when the process is out of descriptors.
  Bell();
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  ~Bell();

  /// Any thread.
  void ring() noexcept;
  /// By the owner, before it sleeps; false: something was rung for, look again.
  bool arm() noexcept;
  /// By the owner, after it slept.
  void disarm(bool readable) noexcept;
  int fd() const { return m_fd; }

 private:
  enum State : int { Quiet, Rung, Sleeping };
  int m_fd;
  std::atomic<int> m_state{Quiet};
};

/// One per thread that sleeps.
class Sleeper {
 public:
  Sleeper(Bell& bell, const std::vector<Reaper*>& reapers) : m_bell(bell), m_reapers(reapers) {}

  /// Reaps all reapers once; returns how many items.
  int reap() noexcept;
  /// Returns after a ring, when a reaper has something, or after `timeoutMs`.
  void sleep(int timeoutMs);

 private:
  void collectDescriptors();
  Bell& m_bell;
  const std::vector<Reaper*>& m_reapers;
  std::vector<pollfd> m_polled;
  std::vector<int> m_descriptors;
  int m_fruitless = 0;  ///< times in a row that a descriptor was readable and reaping found nothing
};

}  // namespace farfield::tasks::detail
