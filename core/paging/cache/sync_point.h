#pragma once
// Places in the cache where a test can hold a thread up, to force the orders of events that are rare by
// themselves. They exist only where FARFIELD_SYNC_POINTS is defined, which the stress test does for a copy of
// the cache that is its own; everywhere else they are nothing.

#include "core/paging/cache/frame.h"

namespace farfield::paging {

enum class SyncPoint {
  PinFound,          ///< tryPin: the table names a frame, which is not pinned yet
  PinTaken,          ///< tryPin: pinned; whether it still has the page is not known yet
  UnpinLast,         ///< unpin: the last pin is gone, the frame is to be dropped; without the mutex
  RequestBegins,     ///< request: before the mutex
  RequestAsks,       ///< request: frames are Reading, but the source has not been asked
  PrefetchAsks,      ///< prefetch: the same
  VictimChosen,      ///< the clock stopped at a frame, but has not taken it; under the mutex
  NoVictim,          ///< the clock went round and found nothing; under the mutex
  Arrived,           ///< stored bytes are there; not decoded
  Decoded,           ///< decoded; the frame is still Reading
  Finished,          ///< Ready or Failed; the tasks that wait are not told yet
  AbandonBegins,     ///< abandon: before the mutex
  AbandonWithdrawn,  ///< abandon: what was Reading is withdrawn; arrivals under way are to be waited for
};

#ifdef FARFIELD_SYNC_POINTS
class SyncHook {
 public:
  /// On the thread that passes the point, and with the mutex where the point says so.
  virtual void passed(SyncPoint point, PageKey key) noexcept = 0;

 protected:
  ~SyncHook() = default;
};
#endif

}  // namespace farfield::paging
