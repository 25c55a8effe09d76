#pragma once
// A rank's share of what viewers ask to be computed: runs of objects over the data that it opened, by a thread of their own, so that
// pictures go on meanwhile. One after the other, those that nobody wants any more left out.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/fields/paged/paged_data.h"
#include "remote/slabs/channel.h"
#include "remote/slabs/geometry_messages.h"

namespace farfield::session {
class ObjectRun;
}

namespace farfield::remote {

/// Thread-safe.
class GeometryWorker {
 public:
  struct Options {
    int processors = 1;
    std::shared_ptr<paging::PageCache> cache;
    std::filesystem::path spoolFolder;
    std::vector<std::int64_t> steps = {};  ///< of the data, that are shown; empty: all
  };
  struct Job {
    std::uint64_t number = 0;
    ComputeWork work;
    std::shared_ptr<Channel> channel;  ///< to the viewer
  };
  /// `data` and `account` outlive it.
  GeometryWorker(const fields::OpenData& data, MemoryAccount& account, Options options);
  ~GeometryWorker() { end(); }
  /// Stops what is being computed, and has no channel after that. Nothing is started after it.
  void end();
  /// The result goes to the viewer, or what went wrong.
  void start(Job job);
  /// What the viewer asked for by `number`, or all of it, is not wanted any more.
  void forget(std::uint64_t viewer, std::optional<std::uint64_t> number = std::nullopt);

 private:
  void work();
  void compute(const Job& job, const std::stop_token& stop);
  fields::PagedData& dataFor(const session::ObjectRun& run);

  const fields::OpenData& m_data;
  MemoryAccount& m_account;
  const Options m_options;
  // of the thread
  std::unique_ptr<fields::PagedData> m_paged;

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Job> m_jobs;  ///< that are not begun
  std::optional<Job> m_running;
  std::stop_source m_stop;  ///< of what is begun
  bool m_ends = false;
  std::thread m_thread;  ///< the last: it uses all of them
};

}  // namespace farfield::remote
