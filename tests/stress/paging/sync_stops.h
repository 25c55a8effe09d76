#pragma once
// Holds threads at the cache's sync points, so that a test can bring about an order of events that is rare by
// itself. Only for a pool that is built with FARFIELD_SYNC_POINTS.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "core/paging/cache/sync_point.h"

namespace farfield::test {

class SyncStops final : public paging::SyncHook {
 public:
  /// While it lives, the next thread to pass `point` for `key` is held there.
  class Stop {
   public:
    Stop(SyncStops& stops, paging::SyncPoint point, paging::PageKey key)
        : m_stops(stops), m_point(point), m_key(key) {
      const std::lock_guard lock(m_stops.m_mutex);
      m_stops.m_all.push_back(this);
    }
    ~Stop() {
      std::unique_lock lock(m_stops.m_mutex);
      m_letGo = true;
      m_stops.m_changed.notify_all();
      m_stops.m_changed.wait(lock, [this] { return !m_held; });
      std::erase(m_stops.m_all, this);
    }
    Stop(const Stop&) = delete;
    Stop& operator=(const Stop&) = delete;

    /// Waits until a thread is held; false when none comes.
    bool reached() {
      std::unique_lock lock(m_stops.m_mutex);
      return m_stops.m_changed.wait_for(lock, std::chrono::seconds(60), [this] { return m_taken; });
    }
    void letGo() {
      const std::lock_guard lock(m_stops.m_mutex);
      m_letGo = true;
      m_stops.m_changed.notify_all();
    }

   private:
    friend class SyncStops;
    SyncStops& m_stops;
    const paging::SyncPoint m_point;
    const paging::PageKey m_key;
    bool m_taken = false, m_held = false, m_letGo = false;
  };

  void passed(paging::SyncPoint point, paging::PageKey key) noexcept override {
    std::unique_lock lock(m_mutex);
    if (point == paging::SyncPoint::NoVictim) {
      ++m_roundsInVain;
      m_changed.notify_all();
    }
    const auto found = std::find_if(m_all.begin(), m_all.end(), [&](const Stop* stop) {
      return stop->m_point == point && stop->m_key == key && !stop->m_taken;
    });
    if (found == m_all.end()) return;
    Stop& stop = **found;
    stop.m_taken = stop.m_held = true;
    m_changed.notify_all();
    m_changed.wait(lock, [&] { return stop.m_letGo; });
    stop.m_held = false;
    m_changed.notify_all();
  }

  /// Waits until a clock has gone round in vain; false when none does.
  bool waitForRoundInVain() {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, std::chrono::seconds(60), [this] { return m_roundsInVain > 0; });
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<Stop*> m_all;
  int m_roundsInVain = 0;
};

}  // namespace farfield::test
