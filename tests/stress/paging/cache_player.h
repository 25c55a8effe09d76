#pragma once
// One task as the cache sees it, with everything that a task may do done at random: reserve, pin, ask for
// pages and wait, cancel the wait, give pins back, prefetch, leave; and beside that what somebody who is not a task may do: ask for
// batches, change their priority, withdraw them. It keeps to the rules of README.md beside
// the cache, and the ledger says whether the cache does.

#include <memory>
#include <random>
#include <vector>

#include "core/paging/cache/page_batch.h"
#include "tests/stress/paging/page_ledger.h"

namespace farfield::test {

struct PlayCounts {
  std::uint64_t operations = 0, hits = 0, lookups = 0, demands = 0, failures = 0, prefetches = 0;
  std::uint64_t abandoned = 0;         ///< waits that were cancelled
  std::uint64_t abandonedReading = 0;  ///< of these, such that pages were still being read,
  std::uint64_t abandonedThere = 0;    ///< and such that all were there already
  std::uint64_t refused = 0;           ///< reservations that were not to be had
  std::uint64_t gatesOpened = 0;
  std::uint64_t batches = 0, batchesDone = 0, batchesWithdrawn = 0;
  void add(const PlayCounts& other);
};

struct PlayRules {
  std::uint64_t reservationBytes = 0;  ///< largest; at least the largest slot
  bool onePageAtATime = false;         ///< reservations are of one page, as those of cursors that copy
  std::size_t hotPages = 40;           ///< three quarters of all look-ups are for one of so many
};

/// Used by one thread.
class CachePlayer final : public tasks::Waker {
 public:
  CachePlayer(paging::PageCache& cache, PageLedger& ledger, const PlayRules& rules, std::uint32_t arrays,
              std::uint64_t seed)
      : m_cache(cache), m_ledger(ledger), m_rules(rules), m_arrays(arrays), m_random(seed) {}

  /// One operation, or nothing where it waits and its pages have not come.
  void step();
  /// Whether its wait, if it has one, is over; ends it then.
  bool settle();
  /// It has reserved nothing and waits for nothing.
  bool isOutside() const { return m_reserved == 0 && !m_wait; }
  /// Its batch is given back, whatever has come of it.
  void withdraw();
  /// Gives everything back; must not be waiting.
  void leave();

  std::uint64_t reservedBytes() const { return m_reserved; }
  const PlayCounts& counts() const { return m_counts; }
  std::uint64_t wakes() const { return m_wakes.load(); }

  void wake() noexcept override { m_wakes.fetch_add(1); }

 private:
  struct Held {
    paging::PageKey key;
    paging::Frame* frame;
  };
  /// On the heap and freed as soon as the wait is over, as a task's stack would be: the address sanitizer
  /// sees whoever touches it later.
  struct Wait {
    explicit Wait(tasks::Waker& waker) : gate(waker) {}
    tasks::Gate gate;
    std::vector<paging::PageWant> wants;
    std::uint64_t bytes = 0;
  };
  std::uint64_t below(std::uint64_t count) { return m_random() % count; }
  paging::PageKey somePage();
  std::uint64_t bytesOf(paging::PageKey key) const { return m_cache.slotBytes(paging::arrayOf(key)); }
  void playBatch();
  void compareBatch();
  void enter();
  void lookUp();
  void demand();
  void abandon();
  void hold(paging::PageKey key, paging::Frame* frame);
  void letGo();
  void prefetch();

  paging::PageCache& m_cache;
  PageLedger& m_ledger;
  const PlayRules m_rules;
  const std::uint32_t m_arrays;
  std::mt19937_64 m_random;
  std::uint64_t m_reserved = 0, m_pinned = 0;  ///< bytes
  bool m_spent = false;                        ///< has cancelled a wait: may only give back
  std::vector<Held> m_held;
  std::unique_ptr<Wait> m_wait;
  std::unique_ptr<paging::PageBatch> m_batch;
  std::atomic<int> m_calls{0};
  std::vector<Held> m_batchHeld;  ///< its pages, once they are compared
  PlayCounts m_counts;
  std::atomic<std::uint64_t> m_wakes{0};
};

}  // namespace farfield::test
