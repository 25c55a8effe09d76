#pragma once
// A source of arrivals for tests of the schedulers: what tasks ask for completes after a random delay,
// in a random order, and is delivered by whoever reaps.

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/tasks/gate.h"
#include "core/tasks/reaper.h"

namespace farfield::test {

class ScriptedReaper final : public tasks::Reaper {
 public:
  ScriptedReaper(std::uint64_t seed, std::chrono::microseconds longestDelay)
      : m_random(seed), m_longestDelay(longestDelay), m_event(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    if (m_event < 0) throw std::runtime_error("no event descriptor");
    m_device = std::thread([this] { serve(); });
  }
  ~ScriptedReaper() override {
    {
      const std::lock_guard lock(m_mutex);
      m_ending = true;
    }
    m_changed.notify_one();
    m_device.join();
    ::close(m_event);
  }

  /// One arrival at `gate`, some time later.
  void request(tasks::Gate& gate) {
    {
      const std::lock_guard lock(m_mutex);
      const std::chrono::microseconds delay(
          std::uniform_int_distribution<std::int64_t>(0, m_longestDelay.count())(m_random));
      m_pending.push_back({Clock::now() + delay, &gate});
    }
    m_changed.notify_one();
  }

  /// Forgets what has not arrived at `gate`; on return nothing refers to it.
  void withdraw(tasks::Gate& gate) {
    std::unique_lock lock(m_mutex);
    std::erase_if(m_pending, [&](const Pending& pending) { return pending.gate == &gate; });
    std::erase(m_completed, &gate);
    m_delivered.wait(lock, [&] { return m_delivering[&gate] == 0; });
    m_delivering.erase(&gate);
  }

  int reap() noexcept override {
    std::vector<tasks::Gate*> taken;
    {
      const std::lock_guard lock(m_mutex);
      std::shuffle(m_completed.begin(), m_completed.end(), m_random);
      while (!m_completed.empty() && taken.size() < 4) {
        taken.push_back(m_completed.back());
        ++m_delivering[m_completed.back()];
        m_completed.pop_back();
      }
      if (m_completed.empty()) {
        std::uint64_t count = 0;
        [[maybe_unused]] const auto got = ::read(m_event, &count, sizeof count);
      }
    }
    for (tasks::Gate* gate : taken) {
      gate->arrive();
      const std::lock_guard lock(m_mutex);
      const auto found = m_delivering.find(gate);
      if (found != m_delivering.end() && --found->second == 0) m_delivering.erase(found);
      m_delivered.notify_all();
    }
    return static_cast<int>(taken.size());
  }
  int pollDescriptors(int* out, int capacity) const override {
    if (capacity < 1) return 0;
    out[0] = m_event;
    return 1;
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Pending {
    Clock::time_point due;
    tasks::Gate* gate;
  };

  void serve() {
    std::unique_lock lock(m_mutex);
    while (!m_ending) {
      const auto now = Clock::now();
      const auto before = m_completed.size();
      std::erase_if(m_pending, [&](const Pending& pending) {
        if (pending.due > now) return false;
        m_completed.push_back(pending.gate);
        return true;
      });
      if (m_completed.size() > before) {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(m_event, &one, sizeof one);
      }
      if (m_pending.empty()) {
        m_changed.wait(lock);
      } else {
        const auto first = std::min_element(m_pending.begin(), m_pending.end(),
                                            [](const Pending& a, const Pending& b) { return a.due < b.due; });
        m_changed.wait_until(lock, Clock::time_point(first->due));
      }
    }
  }

  std::mutex m_mutex;
  std::condition_variable m_changed, m_delivered;
  std::mt19937_64 m_random;
  const std::chrono::microseconds m_longestDelay;
  std::vector<Pending> m_pending;
  std::vector<tasks::Gate*> m_completed;
  std::map<tasks::Gate*, int> m_delivering;
  const int m_event;
  bool m_ending = false;
  std::thread m_device;
};

}  // namespace farfield::test
