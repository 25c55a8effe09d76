#pragma once
// Tells viewers that watch what this rank does: new events a few times a second, for some seconds after each question. A viewer
// that does not take them in time misses some, and is told how many; pictures never wait for them.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "core/trace/recent.h"
#include "remote/slabs/channel.h"

namespace farfield::remote {

/// Thread-safe.
class LifeFeed {
 public:
  LifeFeed();
  ~LifeFeed();
  /// A viewer asked, on this channel.
  void watch(std::uint64_t viewer, const std::weak_ptr<Channel>& channel);

 private:
  struct Watcher {
    std::weak_ptr<Channel> channel;
    std::chrono::steady_clock::time_point until;
    std::uint64_t lost = 0;
  };
  void work(const std::stop_token& stop);
  /// Returns how many events could not be sent.
  static std::uint64_t send(Channel& channel, std::uint64_t lost, const trace::RecentWatch::Taken& taken);

  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::map<std::uint64_t, Watcher> m_watchers;
  std::jthread m_thread;  ///< ends before what it uses
};

}  // namespace farfield::remote
