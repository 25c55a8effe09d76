#pragma once
// The pages of a picture's bricks at the step that comes next, asked for while the present one is shown: below everything
// that somebody waits for, a few at a time, and left in the cache.

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "render/volume/paged_bricks.h"

namespace farfield::volume {

class PagesAhead {
 public:
  /// Of `bricks` of `source`, in this order, as long as they take at most `mostBytes` in memory. What `source` reads outlives
  /// it.
  PagesAhead(const PagedBricks& source, std::int64_t step, std::vector<std::int64_t> bricks,
             std::uint64_t mostBytes);
  /// Takes back what has not come.
  ~PagesAhead();
  PagesAhead(const PagesAhead&) = delete;
  PagesAhead& operator=(const PagesAhead&) = delete;

  bool covers(const std::vector<std::int64_t>& bricks) const { return bricks == m_bricks; }
  /// All that was asked for is there, or could not be had.
  bool isDone() const { return m_done; }
  /// Pages that came.
  std::uint64_t pages() const { return m_pages; }

 private:
  void run(const std::stop_token& stop);

  fields::PagedData& m_data;
  const std::vector<std::int64_t> m_bricks;
  std::vector<paging::PageKey> m_keys;
  std::atomic<bool> m_done{false};
  std::atomic<std::uint64_t> m_pages{0};
  std::jthread m_thread;  // last: it uses the others
};

}  // namespace farfield::volume
