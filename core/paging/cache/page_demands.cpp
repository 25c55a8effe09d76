// Demands of tasks and of batches: queued, started in order, read, withdrawn.

#include <algorithm>
#include <thread>

#include "core/paging/cache/page_batch.h"
#include "core/paging/cache/page_cache.h"

namespace farfield::paging {
namespace {

/// Most pages that are asked of sources in one call.
constexpr std::size_t kTogether = 64;
constexpr int kMostAttempts = 64;  ///< attempts to hold a demand while nothing else is held
/// Most demands that may start before the oldest.
constexpr int kMostPassedOver = 4096;

}  // namespace

std::uint64_t PageCache::orderOf(std::span<const PageWant> wants) const {
  std::uint64_t order = ~std::uint64_t{0};
  for (const PageWant& want : wants) {
    const auto block = static_cast<std::uint64_t>(m_arrays[arrayOf(want.key)]->description.block);
    order = std::min(order, block << kPageBits | pageOf(want.key));
  }
  return order;
}

void PageCache::request(std::span<PageWant> wants, tasks::Gate& gate) noexcept {
  if (wants.empty()) return;
  sync(SyncPoint::RequestBegins, wants.front().key);
  queue(wants, gate, Priority::Demand, nullptr);
  startDemands();
}

void PageCache::queue(std::span<PageWant> wants, tasks::Gate& gate, Priority priority,
                      PageBatch* batch) noexcept {
  if (m_pageTrace)
    for (const PageWant& want : wants) recordRequest(want.key);
  PageDemand& demand = wants.front();
  demand.order = orderOf(wants);
  demand.wants = wants.size();
  demand.gate = &gate;
  demand.priority = priority;
  demand.batch = batch;
  gate.expect();
  std::uint64_t resident = 0;
  {
    const std::lock_guard lock(m_mutex);
    for (const PageWant& want : wants)
      if (const Frame* const frame = find(want.key)) resident += frame->state() == FrameState::Ready;
    demand.age = m_nextAge++;
    demand.queued = true;
    if (batch) {
      m_batches.insert(demand);
    } else {
      m_startLimit.taskSeen(steadyNanoseconds());
      m_demands.insert(demand);
      m_byAge.push_back(demand);
    }
    m_queued.fetch_add(1, std::memory_order_relaxed);
  }
  m_requests.fetch_add(wants.size(), std::memory_order_relaxed);
  m_hits.fetch_add(resident, std::memory_order_relaxed);
  m_misses.fetch_add(wants.size() - resident, std::memory_order_relaxed);
}

/// The lowest demand, or the oldest if it has been passed over too often.
PageDemand& PageCache::nextDemand() {
  return m_passedOver < kMostPassedOver ? *m_demands.begin() : m_byAge.front();
}

void PageCache::dequeue(PageDemand& demand) noexcept {
  if (demand.batch) {
    m_batches.erase(m_batches.iterator_to(demand));
  } else {
    m_passedOver = &demand == &m_byAge.front() ? 0 : m_passedOver + 1;
    m_demands.erase(m_demands.iterator_to(demand));
    m_byAge.erase(m_byAge.iterator_to(demand));
  }
  demand.queued = false;
  m_queued.fetch_sub(1, std::memory_order_relaxed);
}

/// Pins all pages of the demand; those not resident get frames in which to read them. False, and nothing has
/// changed, if there are not enough frames.
bool PageCache::hold(PageDemand& demand) {
  for (PageWant& want : wantsOf(demand)) {
    Frame* frame = find(want.key);
    if (!frame) frame = takeFrame(want.key, false);
    want.frame = frame;
    if (!frame) {
      letGo(wantsOf(demand));
      sync(SyncPoint::NoVictim, want.key);
      return false;
    }
    if (frame->stateAndPins.fetch_add(1, std::memory_order_acquire) == Frame::word(FrameState::Reading, 0) &&
        frame->asked)
      m_unpinnedReading -= frame->slotBytes;
  }
  return true;
}

/// Undoes what hold() has done so far.
void PageCache::letGo(std::span<PageWant> wants) noexcept {
  for (PageWant& want : wants) {
    if (!want.frame) break;
    Frame& frame = *std::exchange(want.frame, nullptr);
    const std::uint32_t before = frame.stateAndPins.fetch_sub(1, std::memory_order_release);
    if (before != Frame::word(FrameState::Reading, 1)) continue;
    if (frame.asked) {
      m_unpinnedReading += frame.slotBytes;
      continue;
    }
    m_table.erase(want.key, frame.number);
    frame.stateAndPins.store(Frame::word(FrameState::Free, 0), std::memory_order_relaxed);
    freeFrame(frame);
    m_freeFrames.push_back(frame.number);
    --m_reading;
  }
}

/// Held by tasks or reads: batches keep to what is not kept for tasks.
bool PageCache::nothingIsHeld() const {
  if (m_started > 0 || m_reading > 0) return false;
  std::uint64_t pins = 0;
  for (std::uint32_t n = 0; n < m_frameCount; ++n) {
    const std::uint32_t word = frameAt(n).stateAndPins.load(std::memory_order_relaxed);
    // The thread that gave the last pin of a failed page back is about to free its frame, and then demands
    // start.
    if (word == Frame::word(FrameState::Failed, 0)) return false;
    pins += Frame::pinsOf(word);
  }
  return pins <= m_batchPins;
}

/// All pages of a demand are there. If no other was ready, processors may have been idle: then more demands
/// may start.
void PageCache::becameReady() noexcept {
  if (m_ready++ == 0 && !hasRoom())
    m_startLimit.becameReadyAlone(steadyNanoseconds(), m_latency.load(std::memory_order_relaxed));
}

/// Pages fit without evicting others, so nothing is read twice, in whatever order tasks go on.
bool PageCache::hasRoom() const {
  const std::uint64_t bytes = attainableBytes();
  return m_memory.chargedBytes() < bytes - bytes / 8;
}

void PageCache::resumed() noexcept {
  {
    const std::lock_guard lock(m_mutex);
    --m_started;
    m_startLimit.resumed(steadyNanoseconds(), --m_ready);
  }
  startDemands();
}

/// Makes a demand whose pages are held wait for those being read; appends pages that have not been asked for
/// to the list that ends at `lastToRead`, and returns the new end.
PageWant** PageCache::begin(PageDemand& demand, PageWant** lastToRead) {
  // What a batch guesses nobody needs yet.
  const bool isGuess = demand.batch && demand.priority == Priority::Prefetch;
  for (PageWant& want : wantsOf(demand)) {
    Frame& frame = *want.frame;
    if (!isGuess) {
      noteUse(frame);
    } else if (frame.state() == FrameState::Reading && !frame.asked) {
      frame.prefetched.store(true, std::memory_order_relaxed);
      m_prefetches.fetch_add(1, std::memory_order_relaxed);
    }
    if (frame.state() != FrameState::Reading) continue;
    demand.gate->expect();
    ++demand.missing;
    want.waiter = {demand.gate, frame.waiters, &demand};
    frame.waiters = &want.waiter;
    if (frame.asked && frame.priority <= demand.priority) continue;
    want.nextToRead = nullptr;
    *lastToRead = &want;
    lastToRead = &want.nextToRead;
    want.hurries = frame.asked;
    if (!frame.asked) m_onTheWay += frame.slotBytes;
    frame.asked = true;
    frame.priority = want.asking = demand.priority;
  }
  return lastToRead;
}

void PageCache::startDemands() noexcept {
  if (m_queued.load(std::memory_order_relaxed) == 0) return;
  const PageBatch::Calls calls;
  PageWant* toRead = nullptr;
  PageWant** lastToRead = &toRead;
  PageDemand* started = nullptr;
  PageDemand** lastStarted = &started;
  {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t mostOnTheWay = std::min(m_bytesOnTheWay, attainableBytes() / 4);
    while (m_onTheWay == 0 || m_onTheWay < mostOnTheWay) {
      const bool taskCan = !m_demands.empty() && (m_started < m_startLimit.most() || hasRoom());
      PageDemand* const batch = nextBatch(mostOnTheWay);
      if (!taskCan && !batch) break;
      const bool isBatch = batch && (!taskCan || m_batchIsNext);
      PageDemand& demand = isBatch ? *batch : nextDemand();
      const bool tooLarge = isBatch && isTooLarge(bytesOf(demand));
      bool held = !tooLarge && hold(demand);
      // A late look-up may pin a frame for a moment, so a demand larger than the cache is tried several
      // times.
      int attempts = tooLarge ? kMostAttempts : 0;
      while (!held && attempts < kMostAttempts && nothingIsHeld() && ++attempts < kMostAttempts)
        held = hold(demand);
      if (!held && attempts < kMostAttempts) break;
      m_batchIsNext = !isBatch;
      dequeue(demand);
      demand.missing = 0;
      if (held) lastToRead = begin(demand, lastToRead);
      if (!isBatch) {
        ++m_started;
        if (demand.missing == 0) becameReady();
      } else if (held) {
        m_batchBytes += bytesOf(demand);
        m_batchPins += demand.wants;
      }
      demand.nextStarted = nullptr;
      *lastStarted = &demand;
      lastStarted = &demand.nextStarted;
    }
  }
  if (toRead) {
    sync(SyncPoint::RequestAsks, toRead->key);
    readAll(toRead);
  }
  // The demand cannot go away before its gate has this arrival.
  while (started) {
    PageDemand* const next = started->nextStarted;
    started->gate->arrive();
    started = next;
  }
}

void PageCache::readAll(PageWant* first) noexcept {
  std::array<PendingRead, kTogether> pending;
  std::size_t count = 0, reads = 0;
  for (PageWant* want = first; want; want = want->nextToRead) {
    const Array& array = *m_arrays[arrayOf(want->key)];
    const PageRequest request{array.sourceArray, pageOf(want->key), this, want->frame->number, want->asking};
    if (want->hurries) {
      array.source->hurry(request);
      continue;
    }
    pending[count++] = {array.source, request};
    ++reads;
    if (count < kTogether) continue;
    readSorted({pending.data(), count});
    count = 0;
  }
  m_pagesRead.fetch_add(reads, std::memory_order_relaxed);
  readSorted({pending.data(), count});
}

/// One call for each source, in page order, so that it can merge neighbours.
void PageCache::readSorted(std::span<PendingRead> pending) noexcept {
  std::sort(pending.begin(), pending.end(), [](const PendingRead& a, const PendingRead& b) {
    if (a.source != b.source) return std::less<>()(a.source, b.source);
    return a.request.array != b.request.array ? a.request.array < b.request.array
                                              : a.request.page < b.request.page;
  });
  std::array<PageRequest, kTogether> batch;
  std::size_t count = 0;
  for (std::size_t n = 0; n < pending.size(); ++n) {
    batch[count++] = pending[n].request;
    if (n + 1 < pending.size() && pending[n + 1].source == pending[n].source) continue;
    pending[n].source->read({batch.data(), count});
    count = 0;
  }
}

void PageCache::prefetch(std::span<const PageKey> keys) noexcept {
  std::array<PendingRead, kTogether> pending;
  std::size_t count = 0;
  {
    const std::lock_guard lock(m_mutex);
    for (const PageKey key : keys) {
      if (count == kTogether || !m_demands.empty()) break;
      if (find(key)) continue;
      const Array& array = *m_arrays[arrayOf(key)];
      if (m_reserved + m_batchBytes + m_unpinnedReading + array.slotBytes > attainableBytes()) break;
      Frame* const frame = takeFrame(key, true);
      if (!frame) break;
      frame->asked = true;
      m_onTheWay += frame->slotBytes;
      m_unpinnedReading += frame->slotBytes;
      pending[count++] = {array.source,
                          {array.sourceArray, pageOf(key), this, frame->number, Priority::Prefetch}};
    }
  }
  m_pagesRead.fetch_add(count, std::memory_order_relaxed);
  m_prefetches.fetch_add(count, std::memory_order_relaxed);
  sync(SyncPoint::PrefetchAsks, keys.empty() ? kNoPage : keys.front());
  readSorted({pending.data(), count});
}

void PageCache::abandon(std::span<PageWant> wants, tasks::Gate& gate) noexcept {
  if (wants.empty()) return;
  int withdrawn = 0;
  sync(SyncPoint::AbandonBegins, wants.front().key);
  {
    const std::lock_guard lock(m_mutex);
    PageDemand& demand = wants.front();
    if (demand.queued) return dequeue(demand);
    --m_started;
    if (demand.missing == 0) --m_ready;
    withdrawn = takeBack(wants);
  }
  sync(SyncPoint::AbandonWithdrawn, wants.front().key);
  // Another thread has taken the rest off their frames and is about to count them.
  while (gate.missing() > withdrawn) std::this_thread::yield();
  giveBack(wants);
  startDemands();
}

/// Takes a started demand off the frames that are still being read, and gives these pins back. Returns the
/// number of arrivals that will not come.
int PageCache::takeBack(std::span<PageWant> wants) noexcept {
  int withdrawn = 0;
  for (PageWant& want : wants) {
    if (!want.frame || want.frame->state() != FrameState::Reading) continue;
    Frame& frame = *want.frame;
    FrameWaiter** at = &frame.waiters;
    while (*at != &want.waiter) at = &(*at)->next;
    *at = want.waiter.next;
    ++withdrawn;
    want.withdrawn = true;
    if (Frame::pinsOf(frame.stateAndPins.fetch_sub(1, std::memory_order_release)) != 1) continue;
    m_unpinnedReading += frame.slotBytes;
    want.unwanted = true;
    want.number = frame.number;
  }
  return withdrawn;
}

/// Unpins what takeBack() has left, and tells sources of reads that nobody waits for.
void PageCache::giveBack(std::span<PageWant> wants) noexcept {
  for (PageWant& want : wants) {
    Frame* const frame = std::exchange(want.frame, nullptr);
    const Array& array = *m_arrays[arrayOf(want.key)];
    if (std::exchange(want.unwanted, false))
      array.source->withdraw({array.sourceArray, pageOf(want.key), this, want.number, Priority::Prefetch});
    if (!std::exchange(want.withdrawn, false) && frame) unpin(frame);
  }
}

}  // namespace farfield::paging
