#pragma once
// Reads many ranges of objects at once, asynchronously, whatever the back end. It does what byte_object.h
// promises for all back ends: sorts requests by offset, merges neighbours, answers each request by itself,
// and keeps priorities and the limits on memory and reads. When a merged read fails, each of its ranges is
// read again alone, so that only the bad ones fail.

#include <atomic>
#include <exception>
#include <memory>
#include <span>
#include <string>

#include "core/base/memory_account.h"
#include "core/paging/bytes/range_queue.h"
#include "core/paging/bytes/read_engine.h"

namespace farfield::paging {

/// Receives ranges. Calls come from any thread (one of the engine's, or one inside reap(), read() or
/// cancel()), at the same time for different requests.
class RangeSink {
 public:
  /// The bytes are valid during the call.
  virtual void arrived(const RangeRequest& range, std::span<const std::byte> bytes) noexcept = 0;
  /// `error` does not name the object. Null: no memory was left even for an error.
  virtual void failed(const RangeRequest& range, std::exception_ptr error) noexcept = 0;
  /// Was not started, because of cancel() or close().
  virtual void cancelled(const RangeRequest& range) noexcept = 0;

 protected:
  ~RangeSink() = default;
};

struct RangeReaderOptions {
  EngineOptions engine{};
  /// Memory for bytes on their way; raised to `largestRange`. Claimed as a whole.
  std::uint64_t stagingBytes = std::uint64_t{8} << 20;
  std::uint64_t largestRange = 1;  ///< largest range that will be asked for
  /// Most bytes read and discarded to save a read; the engine may raise it.
  std::uint64_t mergeGapBytes = 4096;
  /// Largest merged read; 0: never merge. At most a quarter of the staging memory.
  std::uint64_t maxMergedBytes = std::uint64_t{256} << 10;
};

/// Every request ends exactly once, in any order. Thread-safe.
class RangeReader final : public tasks::Reaper, private ReadClient {
 public:
  /// `objects`: at least one, all of one back end. `sink` and `account` outlive the reader. Throws
  /// OverBudget, which names `what`; Unsupported, Io (the chosen engine is not available).
  RangeReader(ByteObjects objects, RangeSink& sink, MemoryAccount& account, const RangeReaderOptions& options,
              const std::string& what);
  ~RangeReader() override { close(); }

  /// Starts reading; does not wait for data. Ranges of one priority are read in the order of their offsets.
  /// The list's nodes are moved into the queue, so this cannot run out of memory.
  void read(RangeList ranges) noexcept;
  /// Gives `priority` to the first range of a lower priority that `which` selects, if it has not started.
  void hurry(const WhichRanges& which, ReadPriority priority) noexcept;
  /// Ends with cancelled() the ranges that `which` selects and that have not started.
  void cancel(const WhichRanges& which) noexcept;
  /// Ends all, waits for what is on its way, and answers later requests with cancelled().
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
