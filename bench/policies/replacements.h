#pragma once
// The policies to compare, one class each.

#include <queue>
#include <utility>
#include <vector>

#include "bench/policies/queues.h"
#include "bench/policies/replacement.h"

namespace farfield::bench {

/// Evicts the least recently used page.
class Lru final : public Replacement {
 public:
  explicit Lru(const ReplayTrace& trace) : m_links(trace.pageBytes.size()), m_list(m_links) {}
  void hit(PageId page, std::uint64_t) override {
    m_list.remove(page);
    m_list.addNewest(page);
  }
  void fill(PageId page, std::uint64_t) override { m_list.addNewest(page); }
  PageId evict() override { return m_list.takeOldest(); }

 private:
  PageLinks m_links;
  PageList m_list;
};

/// Clock with a counter per page: a hit raises it up to `most`, the hand lowers it as it passes and takes the
/// first page at 0. A new page has `first`. With 1 and 1 it is the plain CLOCK; with 3 and 1 it is that of
/// the page cache. A page takes its victim's frame, behind the hand, as in the cache.
class Clock final : public Replacement {
 public:
  Clock(const ReplayTrace& trace, std::uint8_t most, std::uint8_t first)
      : m_most(most), m_first(first), m_uses(trace.pageBytes.size(), 0), m_place(trace.pageBytes.size(), 0) {}
  void hit(PageId page, std::uint64_t) override {
    if (m_uses[page] < m_most) ++m_uses[page];
  }
  void fill(PageId page, std::uint64_t) override;
  PageId evict() override;

 private:
  std::uint8_t m_most, m_first;
  std::vector<std::uint8_t> m_uses;
  std::vector<std::size_t> m_place;
  std::vector<PageId> m_frames;      ///< kNoPageId if empty
  std::vector<std::size_t> m_empty;  ///< empty frames, the last emptied last
  std::size_t m_hand = 0;
};

/// SIEVE (Zhang et al., NSDI 2024, algorithm 1): a queue in order of arrival; the hand goes from the oldest
/// to the newest, clears marks of hits and takes the first unmarked page; new pages are inserted behind it.
class Sieve final : public Replacement {
 public:
  explicit Sieve(const ReplayTrace& trace)
      : m_links(trace.pageBytes.size()), m_list(m_links), m_marked(trace.pageBytes.size(), false) {}
  void hit(PageId page, std::uint64_t) override { m_marked[page] = true; }
  void fill(PageId page, std::uint64_t) override {
    m_marked[page] = false;
    m_list.addNewest(page);
  }
  PageId evict() override;

 private:
  PageLinks m_links;
  PageList m_list;
  std::vector<bool> m_marked;
  PageId m_hand = kNoPageId;
};

/// S3-FIFO (Yang et al., SOSP 2023, algorithm 1): a small queue for new pages, a tenth of the bytes; a main
/// queue for pages that were hit more than once there or came back soon; and a queue of the numbers of pages
/// that left the small one, for as many bytes as the main queue has.
class S3Fifo final : public Replacement {
 public:
  S3Fifo(const ReplayTrace& trace, std::uint64_t capacityBytes);
  void hit(PageId page, std::uint64_t) override {
    if (m_uses[page] < kMostUses) ++m_uses[page];
  }
  void fill(PageId page, std::uint64_t) override;
  PageId evict() override;

 private:
  static constexpr std::uint8_t kMostUses = 3;
  PageId evictFromSmall();
  PageId evictFromMain();
  void remember(PageId page);

  const ReplayTrace& m_trace;
  std::uint64_t m_smallTarget, m_ghostLimit;
  PageLinks m_links;
  PageList m_small, m_main, m_ghosts;
  std::uint64_t m_smallBytes = 0, m_ghostBytes = 0;
  std::vector<std::uint8_t> m_uses;
  std::vector<bool> m_isGhost;
};

/// Belady's: evicts the page whose next use is farthest away. Has the most hits if all pages have one size;
/// with several sizes it is a good reference, not a bound.
class Optimum final : public Replacement {
 public:
  explicit Optimum(const ReplayTrace& trace);
  void hit(PageId page, std::uint64_t at) override { expectNext(page, at); }
  void fill(PageId page, std::uint64_t at) override { expectNext(page, at); }
  PageId evict() override;

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  void expectNext(PageId page, std::uint64_t at);

  std::vector<std::uint64_t> m_nextUse;   ///< by request: when its page is requested again
  std::vector<std::uint64_t> m_expected;  ///< by resident page; 0 (an impossible next use) for others
  std::priority_queue<std::pair<std::uint64_t, PageId>> m_farthest;  ///< with outdated entries
};

}  // namespace farfield::bench
