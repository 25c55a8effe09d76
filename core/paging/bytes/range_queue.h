#pragma once
// What has been asked for and has not been delivered yet. Requests wait here, small and in any number, until a
// read may start: fewer than `depth` are on their way, and the staging memory has room. Then the next request
// is taken together with those behind it that lie next to it in the object, as one run.
//
// A request is queued -> on its way (in a run) -> landed -> ended, of which "landed" may be left out; a cancel
// takes it from queued to ended. A landed one no longer counts against `depth` but still holds staging
// memory. All calls are thread-safe. Whatever makes room (landed, finish) or work (push) must be followed by
// an attempt to take; since all are under one lock, nothing that could start is ever overlooked.
//
// Requests are nodes of lists that pass from hand to hand, so that nothing here allocates: what has been
// asked for ends, also where the system has no memory left.

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
  Demand,   ///< somebody waits for it
  Soon,     ///< what is shown needs it next
  Prefetch  ///< a guess
};
constexpr std::size_t kReadPriorities = 3;

struct RangeRequest {
  std::uint32_t object = 0;  ///< which of the reader's objects
  std::uint64_t offset = 0, bytes = 0;
  ReadPriority priority = ReadPriority::Demand;
  bool alone = false;     ///< never merged: the read that it was merged into has failed
  void* token = nullptr;  ///< its owner's own

  std::uint64_t end() const { return offset + bytes; }
};
using RangeList = std::list<RangeRequest>;
using WhichRanges = std::function<bool(const RangeRequest&)>;

/// Requests on their way with one read. The bytes from begin on come to lie at the start of `staging`.
class RangeRun {
 public:
  RangeList ranges;  ///< of one object, by offset; may overlap
  std::uint64_t begin = 0, end = 0;
  /// From begin, rounded down, to end, rounded up, to whole alignment units.
  std::span<std::byte> staging = {};

 private:
  friend class RangeQueue;
  bool m_landed = false;
  std::list<RangeRun>::iterator m_self;
};

struct QueueLimits {
  int depth = 1;                     ///< runs on their way
  std::uint64_t maxMergedBytes = 0;  ///< largest run of more than one request; 0: never merge
  std::uint64_t mergeGapBytes = 0;   ///< bytes between two requests of a run that are read for nothing
  /// Runs begin at and have multiples of it; a power of two, not above kStagingUnit.
  std::uint64_t alignment = 1;
};

class RangeQueue {
 public:
  /// `stagingBytes` is the largest request at least (alignment included).
  RangeQueue(MemoryAccount& account, std::uint64_t stagingBytes, const QueueLimits& limits,
             const std::string& what);

  /// Appends all and leaves `ranges` empty; what was pushed neighbouring is merged. Lower priorities go
  /// behind all others, whenever those come. False once closed: nothing was taken over.
  bool push(RangeList& ranges) noexcept;
  /// Puts a request of a failed run back in front. False once closed.
  bool putBack(RangeList& from, RangeList::iterator range) noexcept;
  /// Takes the next run, if one may start, else null; it is the caller's until finish(). `*more` tells
  /// whether another might start as well.
  RangeRun* tryTake(bool* more = nullptr) noexcept;
  /// The object is done with the run, whose bytes have yet to be handed over: another may be on its way.
  void landed(RangeRun* run) noexcept;
  /// The run is over; its staging memory goes back.
  void finish(RangeRun* run) noexcept;
  /// Moves the first queued request of a lower priority that `which` says behind those of `priority`.
  void hurry(const WhichRanges& which, ReadPriority priority = ReadPriority::Demand) noexcept;
  /// Removes the queued requests that `which` says, or all for null.
  RangeList remove(const WhichRanges& which) noexcept;
  /// As remove(nullptr), and from now on nothing is taken over any more.
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
  std::list<RangeRun> m_runs, m_unusedRuns;  ///< on their way or landed; at most a fixed number together
  int m_onTheirWay = 0;
  bool m_closed = false;
};

}  // namespace farfield::paging
