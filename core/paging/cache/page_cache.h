#pragma once
// The page cache: decoded pages of any number of sources in a fixed number of bytes. The rules (states,
// transitions, why nothing deadlocks) are in README.md here. Algorithms use a Cursor (cursor.h), not the
// cache.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>

#include "core/base/memory_account.h"
#include "core/paging/cache/clock_policy.h"
#include "core/paging/cache/distinct_count.h"
#include "core/paging/cache/frame.h"
#include "core/paging/cache/frame_memory.h"
#include "core/paging/cache/frame_table.h"
#include "core/paging/cache/handle_table.h"
#include "core/paging/cache/page_trace_writer.h"
#include "core/paging/cache/start_limit.h"
#include "core/paging/cache/sync_point.h"
#include "core/paging/pages/page_source.h"
#include "core/tasks/gate.h"
#include "core/tasks/scheduler.h"

namespace farfield::paging {

struct CacheOptions {
  std::uint64_t frameBytes = 0;  ///< for frames and their bookkeeping; claimed from the account at once
  /// Most threads that check and decode at the same time. Each gets scratch memory for two of the largest
  /// pages, decoded, which is claimed when the arrays are added.
  int decoders = 1;
  /// The cache may grow up to this, as long as the account has memory free, and gives back what is above
  /// `frameBytes` when others claim it. 0: it always has `frameBytes`.
  std::uint64_t mostFrameBytes = 0;
  /// Records the pages that tasks request; outlives the cache. Null: none.
  PageTraceWriter* pageTrace = nullptr;
  /// Most bytes of pages being read for tasks; further demands wait.
  std::uint64_t bytesOnTheWay = std::uint64_t{16} << 20;
#ifdef FARFIELD_SYNC_POINTS
  SyncHook* syncHook = nullptr;
#endif
};

struct CacheCounters {
  std::uint64_t requests = 0;  ///< pages looked up by cursors (not: gathers inside pages they hold)
  std::uint64_t hits = 0;      ///< requests found resident
  /// Requests that had to wait; misses - reads were shared with another task.
  std::uint64_t misses = 0;
  std::uint64_t pagesRead = 0;         ///< asked of sources, prefetches included
  std::uint64_t prefetches = 0;        ///< of pagesRead: no task waited for them when they were asked for
  std::uint64_t prefetchesUsed = 0;    ///< of prefetches: requested by a task later
  std::uint64_t prefetchesWasted = 0;  ///< of prefetches: evicted before any task requested them
  std::uint64_t evictions = 0;
  std::uint64_t decodedBytes = 0;  ///< of all pages that arrived
  std::uint64_t residentBytes = 0;
  /// Different pages among pagesRead, to about 2 %; the others were read again.
  std::uint64_t distinctPages = 0;
  double readSeconds = 0;    ///< from asking to decoded, summed over pages
  double decodeSeconds = 0;  ///< checking and decoding, summed over threads
};

/// The frames at one moment. Includes pins that are about to be given back because their frame has another
/// page by now.
struct CacheCensus {
  std::uint64_t reading = 0, ready = 0, failed = 0;  ///< frames
  std::uint64_t pins = 0, pinnedFrames = 0;
  std::uint64_t usedBytes = 0;           ///< of all these frames
  std::uint64_t reservedBytes = 0;       ///< of all reservations
  std::uint64_t unawaitedReadBytes = 0;  ///< frames being read that no task waits for
};

/// A page that is resident or being read, for displays of the cache.
struct PageSight {
  PageKey key = kNoPage;
  bool reading = false;               ///< else resident
  std::uint32_t waiters = 0;          ///< tasks that wait for it
  std::int64_t askedNanoseconds = 0;  ///< while reading: when its source was asked; steady clock
};

class PageBatch;

/// What a task waits for, or a batch asks for, as one; kept in the first of its wants. For states and the
/// order of starting see README.md here.
struct PageDemand
    : boost::intrusive::set_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>,
      boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>> {
  std::uint64_t order = 0;  ///< block and number of its lowest page
  std::uint64_t age = 0;    ///< the older of two has the lower age
  std::size_t wants = 0;
  bool queued = false;
  Priority priority = Priority::Demand;
  PageBatch* batch = nullptr;  ///< null: a task waits for it
  int missing = 0;             ///< pages still being read, once it has started
  tasks::Gate* gate = nullptr;
  PageDemand* nextStarted = nullptr;
  bool operator<(const PageDemand& other) const {
    return order != other.order ? order < other.order : age < other.age;
  }
  struct ByPriority {
    bool operator()(const PageDemand& a, const PageDemand& b) const {
      return a.priority != b.priority ? a.priority < b.priority : a.age < b.age;
    }
  };
};

/// A page that a task wants, and the result. Must not move until the gate opens or abandon() returns.
struct PageWant : PageDemand {
  PageWant(PageKey wanted = kNoPage) : key(wanted) {}
  PageKey key = kNoPage;
  /// Pinned for the caller once the gate is open. Null if no frame was available: the system has no memory,
  /// or the demand is larger than the cache.
  Frame* frame = nullptr;
  FrameWaiter waiter = {};
  PageWant* nextToRead = nullptr;
  /// Of the request to its source; used while it is in the list of pages to read.
  Priority asking = Priority::Demand;
  bool hurries = false;      ///< it was requested with a lower priority before
  bool withdrawn = false;    ///< its pin was given back while it was being read,
  bool unwanted = false;     ///< and it was the last pin
  std::uint32_t number = 0;  ///< frame number; set if `unwanted`
};

/// For whom the cache keeps frames.
enum class KeptFor { Tasks, Batches };

/// Thread-safe. Outlives cursors and batches; sources outlive the cache or are removed from it. A cache that
/// grows is the lender of its account.
class PageCache final : public PageSink, public MemoryLender {
 public:
  PageCache(MemoryAccount& account, const CacheOptions& options);
  /// Cancels reads and waits for those that have started.
  ~PageCache();
  PageCache(const PageCache&) = delete;
  PageCache& operator=(const PageCache&) = delete;

  /// Adds array `sourceArray` of `source`; returns the handle for keys. Throws OverBudget. From then on at
  /// most `decoders` threads check and decode pages; 0: its pages are never requested.
  std::uint32_t addArray(PageSource& source, std::uint32_t sourceArray, int decoders = 1 << 16);
  /// Removes the arrays of `source` and their pages; waits for those being read. No task may hold one of
  /// them.
  void remove(PageSource& source);
  const ArrayDescription& array(std::uint32_t handle) const { return m_arrays[handle]->description; }
  /// What a frame for the array's largest page is charged.
  std::uint64_t slotBytes(std::uint32_t handle) const { return m_arrays[handle]->slotBytes; }

  /// The page, pinned, if it is resident; else nullptr. Takes no lock.
  Frame* tryPin(PageKey key);
  /// Pins every wanted page, resident or not, and starts the reads; `gate` expects one arrival per page that
  /// is not there yet. Stays within the caller's reservation. Called where TaskContext::wait says. Never
  /// waits.
  void request(std::span<PageWant> wants, tasks::Gate& gate) noexcept;
  /// The order of a demand for `wants`: block and number of the lowest page.
  std::uint64_t orderOf(std::span<const PageWant> wants) const;
  /// To be called when a task goes on because its gate has opened: after every request() that is not
  /// abandoned.
  void resumed() noexcept;
  /// Withdraws a request whose gate has not opened; unpins its pages. Reads that nobody else waits for end if
  /// they have not started. Those that have started count in addition to the caller's reservation: the caller
  /// may pin nothing more until it has given that back.
  void abandon(std::span<PageWant> wants, tasks::Gate& gate) noexcept;
  /// Releases a pin; the bytes may be gone at once.
  void unpin(Frame* frame) noexcept;
  /// A hint: reads pages that are not resident into unreserved frames; what does not fit is ignored. Never
  /// waits.
  void prefetch(std::span<const PageKey> keys) noexcept;
  /// About how long a read takes at least: the lower quartile of recent times from asking to decoded; 0
  /// before the first.
  std::chrono::nanoseconds readLatency() const {
    return std::chrono::nanoseconds(m_latency.load(std::memory_order_relaxed));
  }

  /// Reserves `bytes` of frames for a task; false if they are not free. Used by Reservation.
  bool tryReserve(std::uint64_t bytes);
  void unreserve(std::uint64_t bytes) noexcept;
  std::uint64_t frameBytes() const;
  /// Raises what is always kept: for the largest demands of all tasks that run at a time, or for the largest
  /// batches held together; `bytes` include bookkeeping. Throws OverBudget. Undone by lowerFloor().
  void raiseFloor(std::uint64_t bytes, KeptFor whom = KeptFor::Tasks);
  void lowerFloor(std::uint64_t bytes, KeptFor whom = KeptFor::Tasks) noexcept;

  void giveBack(std::uint64_t bytes) noexcept override;
  std::uint64_t spareBytes() const noexcept override;

  CacheCounters counters() const;
  /// Counts every frame, under the mutex: for tests and occasional displays.
  CacheCensus census() const;
  /// Calls `see` for every page that is resident or being read, under the mutex; `see` must be quick, and
  /// must not call the cache.
  void look(const std::function<void(const PageSight&)>& see) const;
  /// The sources of all arrays, each once, for a scheduler to reap.
  std::vector<tasks::Reaper*> reapers() const;
  /// A cursor is done. `hits`: pages that it found resident. What it held can now serve demands.
  void cursorEnded(std::uint64_t hits) noexcept;
  /// Evicts every unpinned page.
  void evictAll();

  void arrived(std::uint64_t tag, const StoredPage& page) noexcept override;
  void failed(std::uint64_t tag, std::exception_ptr error) noexcept override;

 private:
  friend class PageBatch;
  struct Array {
    PageSource* source = nullptr;
    std::uint32_t sourceArray = 0;
    ArrayDescription description;
    std::uint64_t slotBytes = 0;
    std::uint32_t traceNumber = 0;  ///< in the page trace, if there is one
    bool removed = false;           ///< guarded by m_mutex
  };
  struct PendingRead {
    PageSource* source = nullptr;
    PageRequest request;
  };
  struct DecodeScratch {
    Scratch codec;                  ///< for the un-shuffled copy
    std::vector<std::byte> padded;  ///< a page at full extent, before its padding is removed
  };
  static constexpr std::uint32_t kFramesPerChunk = 256;

#ifdef FARFIELD_SYNC_POINTS
  void sync(SyncPoint point, PageKey key) const noexcept {
    if (m_syncHook) m_syncHook->passed(point, key);
  }
  SyncHook* m_syncHook = nullptr;
#else
  static void sync(SyncPoint, PageKey) noexcept {}
#endif

  Frame& frameAt(std::uint32_t number) const {
    return m_chunks[number / kFramesPerChunk].load(std::memory_order_acquire)[number % kFramesPerChunk];
  }
  void recordRequest(PageKey key) noexcept;
  /// Without the mutex it may miss a page that is being entered.
  Frame* find(PageKey key) const;
  bool addFrames();
  Frame* takeFrame(PageKey key, bool prefetched);
  static std::span<PageWant> wantsOf(PageDemand& demand) {
    return {static_cast<PageWant*>(&demand), demand.wants};
  }
  void queue(std::span<PageWant> wants, tasks::Gate& gate, Priority priority, PageBatch* batch) noexcept;
  PageDemand& nextDemand();
  PageDemand* nextBatch(std::uint64_t mostOnTheWay);
  std::uint64_t bytesOf(PageDemand& batch) const;
  bool makeRoomFor(std::uint64_t batchBytes);
  bool isTooLarge(std::uint64_t batchBytes) const;
  void dequeue(PageDemand& demand) noexcept;
  bool hold(PageDemand& demand);
  PageWant** begin(PageDemand& demand, PageWant** lastToRead);
  void letGo(std::span<PageWant> wants) noexcept;
  int takeBack(std::span<PageWant> wants) noexcept;
  void giveBack(std::span<PageWant> wants) noexcept;
  void startDemands() noexcept;
  bool nothingIsHeld() const;
  void becameReady() noexcept;
  bool hasRoom() const;
  void claimScratch(std::uint64_t pageBytes, int decoders);
  std::uint64_t attainableBytes() const;
  bool grow(std::uint64_t slotBytes);
  void releaseTo(std::uint64_t claimed) noexcept;
  std::uint64_t keptBytes() const;
  bool evictOne();
  void dropFrame(std::uint32_t number) noexcept;
  void freeFrame(Frame& frame);
  void finish(std::uint32_t number, FrameState state, std::shared_ptr<const Error> error,
              bool cancelled = false) noexcept;
  void dropUnpinned(Frame& frame) noexcept;
  void readAll(PageWant* first) noexcept;
  void readSorted(std::span<PendingRead> pending) noexcept;
  void noteUse(Frame& frame) noexcept;
  void noteArrival(const Frame& frame) noexcept;
  void decodeInto(const Array& array, Frame& frame, const StoredPage& page);
  std::unique_ptr<DecodeScratch> takeScratch();
  void returnScratch(std::unique_ptr<DecodeScratch> scratch);

  MemoryAccount& m_account;
  const std::uint64_t m_mostBytes;  ///< limit of frames and their bookkeeping
  std::uint64_t m_floorBytes;       ///< the least that they keep; guarded by m_mutex, as the next two
  std::uint64_t m_taskFloorBytes = 0, m_batchFloorBytes = 0;  ///< parts of it, from raiseFloor()
  MemoryClaim m_frameClaim;                                   ///< guarded by m_mutex
  MemoryClaim m_scratchClaim;
  std::uint64_t m_largestPageBytes = 0;
  HandleTable<std::unique_ptr<Array>> m_arrays;
  std::vector<std::pair<PageSource*, std::uint32_t>>
      m_known;  ///< sources and handles of all arrays; guarded by m_mutex
  PageTraceWriter* const m_pageTrace;
  const std::uint64_t m_traceDataset;

  mutable std::mutex m_mutex;
  FrameMemory m_memory;
  FrameTable m_table;
  ClockPolicy m_policy;
  const std::uint32_t m_maxFrames;
  std::unique_ptr<std::atomic<Frame*>[]> m_chunks;
  std::vector<std::unique_ptr<Frame[]>> m_ownedChunks;
  std::uint32_t m_frameCount = 0;
  std::vector<std::uint32_t> m_freeFrames;
  std::uint64_t m_reserved = 0;                 ///< bytes of all reservations
  std::uint64_t m_onTheWay = 0;                 ///< bytes of frames being read
  std::uint64_t m_unpinnedReading = 0;          ///< bytes of frames being read that no task waits for
  std::uint64_t m_reading = 0;                  ///< frames in state Reading
  boost::intrusive::set<PageDemand> m_demands;  ///< queued demands, lowest first
  boost::intrusive::list<PageDemand> m_byAge;   ///< the same, oldest first
  std::atomic<std::size_t> m_queued{0};         ///< demands and batches
  /// Demands that have started since the oldest was queued first.
  int m_passedOver = 0;
  /// Queued batches; bytes and pins of those that have started.
  boost::intrusive::set<PageDemand, boost::intrusive::compare<PageDemand::ByPriority>> m_batches;
  std::uint64_t m_batchBytes = 0, m_batchPins = 0;
  /// The next start is a batch's, if both a batch and a task's demand can start.
  bool m_batchIsNext = false;
  std::condition_variable m_batchEnded;  ///< a batch has what it asked for, and its callback is over
  /// Demands that have started and whose tasks have not gone on; of these, those whose pages are all there.
  std::uint64_t m_started = 0, m_ready = 0;
  std::uint64_t m_nextAge = 0;
  const std::uint64_t m_bytesOnTheWay;
  StartLimit m_startLimit;
  std::condition_variable m_idle;  ///< m_reading became 0

  std::mutex m_scratchMutex;
  std::condition_variable m_scratchFree;
  std::vector<std::unique_ptr<DecodeScratch>> m_scratch;
  int m_decoders;          ///< threads that may take scratch memory; guarded by m_scratchMutex
  int m_scratchGiven = 0;  ///< guarded by m_scratchMutex

  std::atomic<std::uint64_t> m_requests{0}, m_hits{0}, m_misses{0}, m_pagesRead{0}, m_evictions{0};
  std::atomic<std::uint64_t> m_decodedBytes{0};
  std::atomic<std::uint64_t> m_prefetches{0}, m_prefetchesUsed{0}, m_prefetchesWasted{0};
  std::atomic<std::int64_t> m_latency{0};  ///< nanoseconds, see readLatency()
  std::atomic<std::int64_t> m_readNanoseconds{0}, m_decodeNanoseconds{0};
  DistinctCount m_distinct;  ///< of pages read; guarded by m_mutex
};

inline void PageCache::noteUse(Frame& frame) noexcept {
  ClockPolicy::used(frame);
  if (frame.prefetched.load(std::memory_order_relaxed) &&
      frame.prefetched.exchange(false, std::memory_order_relaxed))
    m_prefetchesUsed.fetch_add(1, std::memory_order_relaxed);
}

inline Frame* PageCache::find(PageKey key) const {
  Frame* found = nullptr;
  m_table.find(key, [&](std::uint32_t n) {
    Frame& frame = frameAt(n);
    if (frame.key.load(std::memory_order_relaxed) != key) return false;
    found = &frame;
    return true;
  });
  return found;
}

/// The reservation of one kind of task: an Admission to start a group with (README.md here, rule 1).
class Reservation final : public tasks::Admission {
 public:
  Reservation(PageCache& cache, std::uint64_t bytesPerTask, int maxTasks, int reserving = 1 << 30)
      : m_cache(cache), m_bytes(bytesPerTask), m_most(maxTasks), m_reserving(reserving) {}
  bool tryEnter() override;
  void leave() noexcept override;
  /// Tasks that have entered and not left.
  int active() const { return m_active.load(std::memory_order_relaxed); }

 private:
  PageCache& m_cache;
  std::uint64_t m_bytes;
  const int m_most, m_reserving;
  std::mutex m_mutex;  ///< both counts go together, and with what the cache has reserved
  std::atomic<int> m_active = 0;
  int m_reserved = 0;  ///< tasks among them, the lesser of m_active and m_reserving
};

}  // namespace farfield::paging
