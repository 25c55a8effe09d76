#pragma once
// Requests that have not been delivered yet. Any number of them wait here until a read may start: fewer than
// `depth` reads are on their way, and the staging memory has room. Then the next request is taken, together
// with those behind it that lie next to it in the object, as one run.
//
// States of a request: queued -> on its way (in a run) -> landed -> ended. "landed" may be skipped; a cancel
// takes a request from queued to ended. A landed one no longer counts against `depth` but still holds staging
// memory. All calls are thread-safe. After a call that makes room (landed, finish) or work (push) the caller
// must try to take; since all calls share one lock, nothing that could start is missed.
//
// Requests are list nodes that are moved, so nothing here allocates: every request ends, even when the system
// has no memory left.

#include <array>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "core/paging/bytes/staging_arena.h"

namespace farfield::paging {

/// Lower numbers are read first.
enum class ReadPriority : std::uint8_t {
  Demand,   ///< a task or a caller waits for it
  Soon,     ///< what is shown needs it next
  Prefetch  ///< a guess
};
constexpr std::size_t kReadPriorities = 3;

struct RangeRequest {
  std::uint32_t object = 0;  ///< which of the reader's objects
  std::uint64_t offset = 0, bytes = 0;
  ReadPriority priority = ReadPriority::Demand;
  bool alone = false;     ///< never merged: the merged read that it was part of has failed
  void* token = nullptr;  ///< belongs to the caller

  std::uint64_t end() const { return offset + bytes; }
};
using RangeList = std::list<RangeRequest>;
using WhichRanges = std::function<bool(const RangeRequest&)>;

/// Requests that are read together. `staging` begins with the byte at `begin`.
class RangeRun {
 public:
  RangeList ranges;  ///< of one object, by offset; may overlap
  std::uint64_t begin = 0, end = 0;
  /// From begin, rounded down, to end, rounded up, to multiples of the alignment.
  std::span<std::byte> staging = {};

 private:
  friend class RangeQueue;
  bool m_landed = false;
  std::list<RangeRun>::iterator m_self;
};

struct QueueLimits {
  int depth = 1;                     ///< most runs on their way
  std::uint64_t maxMergedBytes = 0;  ///< largest run of more than one request; 0: never merge
  /// Most bytes between two requests of a run, which are read and discarded.
  std::uint64_t mergeGapBytes = 0;
  /// Offsets and sizes of runs are multiples of it; a power of two, at most kStagingUnit.
  std::uint64_t alignment = 1;
};

class RangeQueue {
 public:
  /// `stagingBytes` is at least the largest request, with its alignment.
  RangeQueue(MemoryAccount& account, std::uint64_t stagingBytes, const QueueLimits& limits,
             const std::string& what);

  /// Appends all and leaves `ranges` empty; neighbours of one push are merged. Lower priorities are queued
  /// behind all higher ones. False once closed: nothing was taken over.
  bool push(RangeList& ranges) noexcept;
  /// Puts a request of a failed run back in front. False once closed.
  bool putBack(RangeList& from, RangeList::iterator range) noexcept;
  /// Takes the next run if one may start, else null; the caller owns it until finish(). `*more`: another
  /// might start as well.
  RangeRun* tryTake(bool* more = nullptr) noexcept;
  /// The read has ended, but its bytes have not been handed over: the next may start.
  void landed(RangeRun* run) noexcept;
  /// The run is over; frees its staging memory.
  void finish(RangeRun* run) noexcept;
  /// Moves the first queued request of a lower priority that `which` selects behind those of `priority`.
  void hurry(const WhichRanges& which, ReadPriority priority = ReadPriority::Demand) noexcept;
  /// Removes and returns the queued requests that `which` selects, or all for null.
  RangeList remove(const WhichRanges& which) noexcept;
  /// As remove(nullptr); push() is refused from then on.
  RangeList close() noexcept;

  const QueueLimits& limits() const { return m_limits; }
  std::uint64_t stagingBytes() const { return m_arena.bytes(); }

 private:
  RangeList* nextQueue();
  RangeList::iterator mergeable(RangeList& queue, std::uint64_t& end) const;
  bool tryStage(RangeRun& run, std::uint64_t end);

  const QueueLimits m_limits;
  mutable std::mutex m_mutex;
  StagingArena m_arena;
  std::array<RangeList, kReadPriorities> m_queues;
  std::list<RangeRun> m_runs, m_unusedRuns;  ///< on their way or landed; together at most a fixed number
  int m_onTheirWay = 0;
  bool m_closed = false;
};

}  // namespace farfield::paging
