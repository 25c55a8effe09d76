#pragma once
// A source that behaves as it is told: for tests, and for benchmarks of slow devices on a fast machine. It
// wraps another source, from which the pages come, and answers either by hand (each request waits until
// the test answers or fails it) or by rules, as a device of a given latency, bandwidth and concurrency.
//
// The model of the device: it serves `maxConcurrent` requests at a time; one takes its latency, which those
// of others overlap, and then its share of one link of `bytesPerSecond`, through which pages pass one after
// another. So a disk with one arm is maxConcurrent = 1, a file server is many with one link. Service
// times are computed on the device's own clock: a page handed over late, because nobody was there to take
// it, does not delay those behind it.
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

#include "core/base/memory_account.h"
#include "core/paging/pages/page_source.h"
#include "bench/devices/waiting_requests.h"

namespace farfield::paging {

/// Who hands pages over at the time they are due.
enum class ScriptedDelivery {
  Thread,  ///< a thread of the source's
  Reap     ///< whoever calls reap(), as with io_uring; a timer's descriptor becomes readable at the time
};

struct ScriptedOptions {
  bool manual = false;   ///< by hand; the rules below do not apply
  bool started = false;  ///< by hand: what waits has started, and is not withdrawn
  std::chrono::nanoseconds latency{0};
  double bytesPerSecond = 0;  ///< 0: unlimited
  int maxConcurrent = 64;
  ScriptedDelivery delivery = ScriptedDelivery::Thread;
  bool shuffle =
      false;  ///< serve queued requests in a random order, with latencies of 0.5 to 1.5 times `latency`
  double failureProbability = 0;  ///< of a request: ends with Io
  double corruptProbability = 0;  ///< of a page: one byte is changed; it has a checksum that tells
  std::uint64_t seed = 1;
};

class ScriptedSource final : public PageSource, private PageSink {
 public:
  /// By rules, the copies of pages in service are claimed from `account`, which outlives the source. Throws
  /// OverBudget; Invalid for senseless options.
  ScriptedSource(std::unique_ptr<PageSource> inner, MemoryAccount& account, const ScriptedOptions& options);
  ~ScriptedSource() override;

  const DatasetDescription& description() const override { return m_inner->description(); }
  std::string name() const override { return m_inner->name(); }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override { return m_inner->maxStoredBytes(array); }
  void read(std::span<const PageRequest> requests) noexcept override;
  void hurry(const PageRequest& request) noexcept override;
  void withdraw(const PageRequest& request) noexcept override;
  void cancel(const PageSink* sink) noexcept override;
  /// As if this were the device: pages that were served.
  SourceCounters counters() const override;
  int reap() noexcept override;
  int pollDescriptors(int* out, int capacity) const override;

  // By hand. The requests wait in the order in which they came. `index` is a place in that order.
  std::vector<PageRequest> pending() const;
  /// Waits until at least `count` requests are there; false after `timeout`.
  bool waitForPending(std::size_t count, std::chrono::milliseconds timeout = std::chrono::seconds(20));
  /// Delivers the page, with one byte changed where `corrupt`. False where there is no such request.
  bool answer(std::size_t index, bool corrupt = false);
  bool fail(std::size_t index, std::exception_ptr error);
  /// Answers what is there, last come first where `backwards`; returns how many.
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
    bool waitsForInner = false;
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
  std::vector<Slot*> m_dueSlots;  ///< their page is there; handed over by time
  std::unordered_map<std::uint64_t, ByHand> m_answered;
  std::uint64_t m_nextTag = 0;
  std::uint64_t m_atInner = 0;
  Clock::time_point m_linkFree{};
  SourceCounters m_counters;
  /// Set when somebody is about to sleep, or may sleep already and a page comes sooner; while all processors
  /// are busy never, which takes a system call a page off what a run of the model costs.
  int m_timer = -1;
  mutable Clock::time_point m_timerAt = Clock::time_point::max();  ///< when it fires or has fired; max: never
  bool m_stop = false;
  std::thread m_thread;
};

}  // namespace farfield::paging
