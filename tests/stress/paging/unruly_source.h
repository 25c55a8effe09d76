#pragma once
// A source that fails, delays and reorders by a seed, and tells the ledger of every read. Which reads fail
// follows from the seed, the page, and how often it was read before.

#include <random>
#include <thread>

#include "core/base/error.h"
#include "core/paging/pages/page_nodes.h"
#include "core/paging/pages/page_source.h"
#include "core/paging/pages/page_text.h"
#include "tests/stress/paging/page_ledger.h"

namespace farfield::test {

enum class Manner {
  Threads,  ///< two threads hand pages over
  Reap,     ///< whoever reaps
  Inside    ///< mostly inside read(), some by whoever reaps
};

class UnrulySource final : public paging::PageSource {
 public:
  /// Its arrays have the handles from `firstHandle` on in the cache.
  UnrulySource(const paging::DatasetDescription& description, std::uint32_t firstHandle, PageLedger& ledger,
               Manner manner, std::uint64_t seed);
  ~UnrulySource() override;

  const paging::DatasetDescription& description() const override { return m_description; }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override;
  void read(std::span<const paging::PageRequest> requests) noexcept override;
  void withdraw(const paging::PageRequest& request) noexcept override;
  void cancel(const paging::PageSink* sink) noexcept override;
  paging::SourceCounters counters() const override { return {}; }
  int reap() noexcept override;

  std::uint64_t failures() const { return m_failures.load(); }

 private:
  struct Stored {
    std::vector<std::byte> bytes;
    std::uint64_t checksum = 0;
  };
  struct Queued {
    paging::PageRequest request;
    std::uint64_t attempt = 0;
  };
  Stored makePage(std::uint32_t array, std::uint64_t page) const;
  paging::PageKey keyOf(const paging::PageRequest& request) const {
    return paging::makeKey(m_firstHandle + request.array, request.page);
  }
  bool takeOne(Queued& queued);
  void handOver(const Queued& queued) noexcept;
  void work(std::uint64_t seed);

  const paging::DatasetDescription m_description;
  const std::uint32_t m_firstHandle;
  PageLedger& m_ledger;
  const Manner m_manner;
  const std::uint64_t m_seed;
  std::vector<std::vector<Stored>> m_pages;
  std::atomic<std::uint64_t> m_failures{0};

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<Queued> m_queue;
  std::mt19937_64 m_random;
  bool m_stop = false;
  std::vector<std::thread> m_threads;
};

}  // namespace farfield::test
