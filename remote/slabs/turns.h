#pragma once
// Turns at what serves one after the other: who comes waits for those who came before, unless that is to stop.

#include <condition_variable>
#include <list>
#include <mutex>
#include <stop_token>

#include "core/base/error.h"

namespace farfield::remote {

/// Thread-safe.
class Turns {
 public:
  /// Its life is one's turn.
  class Turn {
   public:
    /// Waits for it. Throws Cancelled. `turns` outlives it.
    Turn(Turns& turns, const std::stop_token& stop) : m_turns(turns) {
      std::unique_lock lock(turns.m_mutex);
      turns.m_order.push_back(this);
      if (turns.m_changed.wait(lock, stop, [&] { return turns.m_order.front() == this; })) return;
      turns.m_order.remove(this);
      turns.m_changed.notify_all();
      throw Cancelled();
    }
    ~Turn() {
      const std::lock_guard lock(m_turns.m_mutex);
      m_turns.m_order.remove(this);
      m_turns.m_changed.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Turns& m_turns;
  };

 private:
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::list<const Turn*> m_order;  ///< whose turn it is, and who waits
};

}  // namespace farfield::remote
