#pragma once
// Pages of a step that comes next, asked for while the present one is shown: below everything that somebody waits for, a
// few at a time, and left in the cache.

#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "core/fields/paged/paged_data.h"

namespace farfield::fields {

class PagesAhead {
 public:
  /// Of `pages`, in this order, as many as take at most `mostBytes` in memory. `data` outlives it.
  PagesAhead(PagedData& data, std::vector<paging::PageKey> pages, std::uint64_t mostBytes);
  /// Takes back what has not come.
  ~PagesAhead();
  PagesAhead(const PagesAhead&) = delete;
  PagesAhead& operator=(const PagesAhead&) = delete;

  /// Those that it was given, without what is there twice or too much.
  const std::vector<paging::PageKey>& asked() const { return m_pages; }
  /// All that was asked for is there, or could not be had.
  bool isDone() const { return m_done; }
  /// Pages that came.
  std::uint64_t pages() const { return m_arrived; }

 private:
  void run(const std::stop_token& stop);

  PagedData& m_data;
  std::vector<paging::PageKey> m_pages;
  std::atomic<bool> m_done{false};
  std::atomic<std::uint64_t> m_arrived{0};
  std::jthread m_thread;  // last: it uses the others
};

/// What is in memory of step `step`, as pages of step `next`, in the order in which they are stored: what shows one step mostly
/// needs the same of the next one. Thread-safe.
std::vector<paging::PageKey> residentPages(const PagedData& data, std::int64_t step, std::int64_t next);

}  // namespace farfield::fields
