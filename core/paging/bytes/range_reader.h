#pragma once
// Many ranges of objects at once, asynchronously: the one way in which pages are read, whatever the back end.
// What byte_object.h promises for all back ends is done here: requests are sorted by their place, neighbours
// are read together, and each is answered on its own; priorities, cancelling, and limits on memory and on
// reads on their way. When a read that was made for several ranges fails, each of them is read again alone,
// so that only those that lie in the bad spot fail.

#include <atomic>
#include <exception>
#include <memory>
#include <span>
#include <string>

#include "core/base/memory_account.h"
#include "core/paging/bytes/range_queue.h"
#include "core/paging/bytes/read_engine.h"

namespace farfield::paging {

/// Receives ranges. Calls come from any thread, at the same time for different requests: a thread of the
/// engine's, one inside reap(), or the one inside read() or cancel().
class RangeSink {
 public:
  /// The bytes are valid during the call.
  virtual void arrived(const RangeRequest& range, std::span<const std::byte> bytes) noexcept = 0;
  /// `error` does not name the object. Null: the system has no memory even for saying what happened.
  virtual void failed(const RangeRequest& range, std::exception_ptr error) noexcept = 0;
  /// Was not started, by cancel() or because the reader is being closed.
  virtual void cancelled(const RangeRequest& range) noexcept = 0;

 protected:
  ~RangeSink() = default;
};

struct RangeReaderOptions {
  EngineOptions engine{};
  /// Memory for bytes on their way; raised to `largestRange`. Claimed as a whole.
  std::uint64_t stagingBytes = std::uint64_t{8} << 20;
  std::uint64_t largestRange = 1;      ///< that will be asked for
  std::uint64_t mergeGapBytes = 4096;  ///< read for nothing, to save a read; the engine may want more
  /// Largest read for several requests; 0: never merge; at most a quarter of the staging.
  std::uint64_t maxMergedBytes = std::uint64_t{256} << 10;
};

/// Every request ends exactly once, in any order. Thread-safe.
class RangeReader final : public tasks::Reaper, private ReadClient {
 public:
  /// `objects`: at least one, of one back end. `sink` and `account` outlive the reader. Throws OverBudget, in which `what`
  /// is named; Unsupported, Io (the engine that is asked for is not to be had).
  RangeReader(ByteObjects objects, RangeSink& sink, MemoryAccount& account, const RangeReaderOptions& options,
              const std::string& what);
  ~RangeReader() override { close(); }

  /// Starts reading; does not wait for data. Ranges of one priority are read in the order of their places.
  /// The list's nodes are the queue's, so this cannot run out of memory.
  void read(RangeList ranges) noexcept;
  /// The first range of a lower priority that `which` says has this one from now on, if it has not started.
  void hurry(const WhichRanges& which, ReadPriority priority) noexcept;
  /// Ends what has not started of what `which` says, with cancelled().
  void cancel(const WhichRanges& which) noexcept;
  /// Ends all, waits for what is on its way, and refuses what comes from now on with cancelled().
  void close() noexcept;

  int reap() noexcept override { return m_engine->reap(); }
  int pollDescriptors(int* out, int capacity) const override {
    return m_engine->pollDescriptors(out, capacity);
  }

  const ByteObject& object(std::uint32_t number) const { return *m_objects[number]; }
  std::size_t objects() const { return m_objects.size(); }
  const char* engineName() const { return m_engine->name(); }
  EngineReport report() const { return m_engine->report(); }
  bool bypassesSystemCache() const { return m_engine->alignment() > 1; }
  std::uint64_t stagingBytes() const { return m_queue.stagingBytes(); }
  std::uint64_t reads() const { return m_reads.load(std::memory_order_relaxed); }
  std::uint64_t bytesRead() const { return m_bytesRead.load(std::memory_order_relaxed); }

 private:
  bool nextRead(RangeRead& read, bool& more) noexcept override;
  void readLanded(const RangeRead& read) noexcept override;
  void readEnded(const RangeRead& read, std::uint64_t got, std::exception_ptr error) noexcept override;
  std::uint64_t beginOf(const RangeRun& run) const { return run.begin & ~(m_queue.limits().alignment - 1); }
  static std::exception_ptr beyondEnd(const RangeRequest& range) noexcept;
  void endCancelled(const RangeList& ranges) noexcept;

  const ByteObjects m_objects;
  RangeSink& m_sink;
  std::unique_ptr<ReadEngine> m_engine;
  RangeQueue m_queue;
  std::atomic<std::uint64_t> m_reads{0}, m_bytesRead{0};
};

}  // namespace farfield::paging
