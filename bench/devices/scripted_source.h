#pragma once
// A source with prescribed behaviour: for tests, and for benchmarks of slow devices on a fast machine. It
// wraps another source, which has the pages, and answers either by hand (each request waits until the test
// answers or fails it) or by rules, as a device of given latency, bandwidth and concurrency.
//
// The model of the device: it serves `maxConcurrent` requests at a time; each takes its latency, which
// overlaps with those of others, and then its share of one link of `bytesPerSecond`, through which pages pass
// one after another. A disk with one arm has maxConcurrent = 1; a file server has many and one link. Service
// times are computed on the device's own clock: a page that is handed over late, because no thread was free
// to take it, does not delay those behind it.
//
// A request is queued -> in service (a slot holds a copy of its page) -> ended. By hand: queued -> ended.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

#include "bench/devices/waiting_requests.h"
#include "core/base/memory_account.h"
#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// Which thread hands pages over when they are due.
enum class ScriptedDelivery {
  Thread,  ///< a thread of the source
  Reap     ///< a caller of reap(), as with io_uring; a timer's descriptor becomes readable when a page is due
};

struct ScriptedOptions {
  bool manual = false;   ///< by hand; the rules below do not apply
  bool started = false;  ///< by hand: waiting requests count as started, and cannot be withdrawn
  std::chrono::nanoseconds latency{0};
  double bytesPerSecond = 0;  ///< 0: unlimited
  int maxConcurrent = 64;
  ScriptedDelivery delivery = ScriptedDelivery::Thread;
  bool shuffle =
      false;  ///< serve queued requests in a random order, with latencies of 0.5 to 1.5 times `latency`
  double failureProbability = 0;  ///< of a request: ends with Io
  double corruptProbability = 0;  ///< of a page: one byte is changed, which its checksum detects
  std::uint64_t seed = 1;
};

class ScriptedSource final : public PageSource, private PageSink {
 public:
  /// By rules, the copies of pages in service are claimed from `account`, which outlives the source. Throws
  /// OverBudget; Invalid for impossible options.
  ScriptedSource(std::unique_ptr<PageSource> inner, MemoryAccount& account, const ScriptedOptions& options);
  ~ScriptedSource() override;

  const DatasetDescription& description() const override { return m_inner->description(); }
  std::string name() const override { return m_inner->name(); }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override { return m_inner->maxStoredBytes(array); }
  void read(std::span<const PageRequest> requests) noexcept override;
  void hurry(const PageRequest& request) noexcept override;
  void withdraw(const PageRequest& request) noexcept override;
  void cancel(const PageSink* sink) noexcept override;
  /// Pages served, as if this were the device.
  SourceCounters counters() const override;
  int reap() noexcept override;
  int pollDescriptors(int* out, int capacity) const override;

  // By hand: requests wait in the order in which they came; `index` is a position in that order.
  std::vector<PageRequest> pending() const;
  /// Waits until there are at least `count` requests; false after `timeout`.
  bool waitForPending(std::size_t count, std::chrono::milliseconds timeout = std::chrono::seconds(20));
  /// Delivers the page, with one byte changed if `corrupt`. False if there is no such request.
  bool answer(std::size_t index, bool corrupt = false);
  bool fail(std::size_t index, std::exception_ptr error);
  /// Answers all waiting requests, the last first if `backwards`; returns how many.
  std::size_t answerAll(bool backwards = false);

 private:
  using Clock = std::chrono::steady_clock;
  struct Queued {
    PageRequest request;
    Clock::time_point since;
  };
  struct Slot {
    PageRequest request;
    Clock::time_point start{}, due{};  ///< `due` is also when the slot was last free
    bool fails = false, corrupts = false;
    std::vector<std::byte> bytes;
    StoredPage page;
    std::exception_ptr error;
  };
  struct ByHand {
    PageRequest request;
    bool corrupt;
  };

  void arrived(std::uint64_t tag, const StoredPage& page) noexcept override;
  void failed(std::uint64_t tag, std::exception_ptr error) noexcept override;

  void serve() noexcept;
  Slot* startNext();
  void schedule(Slot& slot, std::uint64_t bytes);
  void setTimer() const;
  bool deliverOne(bool evenIfNotDue) noexcept;
  void work();
  bool chance(double probability);

  std::unique_ptr<PageSource> m_inner;
  const ScriptedOptions m_options;
  MemoryClaim m_claim;
  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  std::mt19937_64 m_random;
  WaitingRequests<Queued> m_waiting;
  std::deque<Queued> m_byHand;  ///< in the order in which they came
  std::vector<Slot> m_slots;
  std::vector<Slot*> m_freeSlots;
  std::vector<Slot*> m_dueSlots;  ///< with a page; handed over by time
  std::unordered_map<std::uint64_t, ByHand> m_answered;
  std::uint64_t m_nextTag = 0;
  std::uint64_t m_atInner = 0;
  Clock::time_point m_linkFree{};
  SourceCounters m_counters;
  /// Set when a thread is about to sleep, or may be asleep and a page is due sooner; never while all
  /// processors are busy, which saves the model a system call per page.
  int m_timer = -1;
  mutable Clock::time_point m_timerAt = Clock::time_point::max();  ///< when it fires or has fired; max: never
  bool m_stop = false;
  std::thread m_thread;
};

}  // namespace farfield::paging
