#pragma once
// What a source has been asked for and has not delivered yet. Requests wait here, small and in any number,
// until a read may start: fewer than `depth` are on their way, and the staging memory has room. Then the
// next request is taken together with those behind it that lie next to it in the file, as one run.
//
// A page is queued -> on its way (in a run) -> landed -> ended, of which "landed" may be left out; a cancel
// takes it from queued to ended. A landed page no longer counts against `depth` but still holds staging
// memory. All calls are thread-safe. Whatever makes room (landed, finish) or work (push) must be followed by
// an attempt to take; since all are under one lock, nothing that could start is ever overlooked.

#include <memory>
#include <mutex>
#include <vector>

#include "core/paging/bytes/staging_arena.h"
#include "core/paging/pages/page_source.h"
#include "core/paging/sources/waiting_requests.h"

namespace farfield::paging {

/// Where a page lies, and how it is stored.
struct PageExtent {
  std::uint32_t file = 0;  ///< which of the source's files
  std::uint64_t offset = 0, bytes = 0;
  Codec codec = Codec::None;
  bool hasChecksum = false;
  bool padded = false;
  std::uint64_t checksum = 0;

  std::uint64_t end() const { return offset + bytes; }
};

struct QueuedPage {
  PageRequest request;
  PageExtent extent;
  bool alone = false;  ///< never merged: the read that it was merged into has failed
};

/// Pages on their way with one read. The bytes from begin on come to lie at the start of `staging`.
struct PageRun {
  std::vector<QueuedPage> pages;  ///< of one file, by offset; may overlap
  std::uint64_t begin = 0, end = 0;
  bool landed = false;  ///< the queue's own
  std::span<std::byte> staging =
      {};  ///< from begin, rounded down, to end, rounded up, to whole alignment units
};

struct QueueLimits {
  int depth = 1;                     ///< runs on their way
  std::uint64_t maxMergedBytes = 0;  ///< largest run of more than one page; 0: never merge
  std::uint64_t mergeGapBytes = 0;   ///< bytes between two pages of a run that are read for nothing
  std::uint64_t alignment =
      1;  ///< runs begin at and have multiples of it; a power of two, not above kStagingUnit
};

class PageQueue {
 public:
  /// `stagingBytes` is the largest extent at least (alignment included).
  PageQueue(MemoryAccount& account, std::uint64_t stagingBytes, const QueueLimits& limits,
            const std::string& what);

  /// Appends; what was pushed neighbouring is merged. Higher priorities come first, whenever they come.
  /// False once closed: nothing was taken over.
  bool push(std::span<const QueuedPage> pages);
  /// Puts pages of a failed run back in front. False once closed.
  bool putBack(std::span<const QueuedPage> pages);
  /// Takes the next run, if one may start, else null; it is the caller's until finish(). `*more` tells
  /// whether another might start as well.
  PageRun* tryTake(bool* more = nullptr);
  /// The disk is done with the run, whose pages have yet to be handed over: another may be on its way.
  void landed(PageRun* run);
  /// The run is over; its staging memory goes back.
  void finish(PageRun* run);
  /// Gives a queued request a higher priority.
  void hurry(const PageRequest& request);
  /// Takes a request out; empty where it has started or is not there.
  std::optional<QueuedPage> remove(const PageRequest& request);
  /// Removes the queued pages of `sink`, or all for null.
  std::vector<QueuedPage> remove(const PageSink* sink);
  /// As remove(nullptr), and from now on nothing is taken over any more.
  std::vector<QueuedPage> close();

  const QueueLimits& limits() const { return m_limits; }
  std::uint64_t stagingBytes() const { return m_arena.bytes(); }

 private:
  using Queue = WaitingRequests<QueuedPage>::Queue;
  Queue* nextQueue();
  std::size_t mergeable(const Queue& queue, std::uint64_t& end) const;
  bool tryStage(PageRun& run, std::uint64_t end);

  const QueueLimits m_limits;
  mutable std::mutex m_mutex;
  StagingArena m_arena;
  WaitingRequests<QueuedPage> m_waiting;
  std::vector<std::unique_ptr<PageRun>> m_runs;  ///< as many as were ever on their way at a time
  std::vector<PageRun*> m_unusedRuns;
  int m_onTheirWay = 0;
  bool m_closed = false;
};

}  // namespace farfield::paging
