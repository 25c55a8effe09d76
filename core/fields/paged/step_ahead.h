#pragma once
// The pages of the step that comes next, asked for while the present one is computed: what is needed of this step is mostly
// needed of the next one, too. So the disk, which a step that is being computed leaves alone for much of the time, does the next
// one's work meanwhile. What somebody waits for goes first, and few pages are on their way at a time.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

#include "core/fields/paged/paged_data.h"

namespace farfield::fields {

/// Thread-safe but for its construction and destruction.
class StepAhead {
 public:
  /// `data` outlives it. Both are steps of the data.
  StepAhead(PagedData& data, std::int64_t step, std::int64_t next);
  /// Takes back what has not come.
  ~StepAhead();
  StepAhead(const StepAhead&) = delete;
  StepAhead& operator=(const StepAhead&) = delete;

  std::int64_t step() const { return m_step; }
  std::int64_t next() const { return m_next; }
  /// Somebody computes something of the present step, and needs more pages of it.
  void begin();
  /// They have ended.
  void end();
  /// Nobody computes any more, and all that is in memory of the present step is there of the next one, as far as there is room.
  bool isDone() const { return m_done; }
  /// Pages that came.
  std::uint64_t pages() const { return m_arrived; }

 private:
  std::vector<paging::PageKey> look();
  bool read(const std::vector<paging::PageKey>& pages, const std::stop_token& stop);
  void run(const std::stop_token& stop);

  PagedData& m_data;
  const std::int64_t m_step, m_next;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  int m_computing = 0, m_begun = 0;  ///< guarded by m_mutex
  std::atomic<bool> m_done{false};
  std::atomic<std::uint64_t> m_arrived{0};
  // of the thread
  std::unordered_set<paging::PageKey> m_known;
  std::uint64_t m_askedBytes = 0;
  std::jthread m_thread;  // last: it uses the others
};

}  // namespace farfield::fields
