#pragma once
// Places in the cache where a test can hold a thread, to force rare orders of events. They exist only with
// FARFIELD_SYNC_POINTS, which the stress test defines for its own copy of the cache; elsewhere they are
// empty.

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
  /// Called on the thread that passes the point, with the mutex held where the point says so.
  virtual void passed(SyncPoint point, PageKey key) noexcept = 0;

 protected:
  ~SyncHook() = default;
};
#endif

}  // namespace farfield::paging
