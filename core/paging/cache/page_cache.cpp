#include "core/paging/cache/page_cache.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include "core/base/units.h"
#include "core/trace/trace.h"

namespace farfield::paging {
namespace {

/// Most pages that are asked of sources in one go.
constexpr std::size_t kTogether = 64;
constexpr std::uint64_t kMostStarted = 1024;  ///< demands
constexpr int kMostAttempts = 64;             ///< to hold a demand while nothing else is held
/// Demands that may start before the oldest.
constexpr int kMostPassedOver = 4096;

}  // namespace

PageCache::PageCache(MemoryAccount& account, const CacheOptions& options)
    : m_account(account),
      m_mostBytes(std::max(options.frameBytes, options.mostFrameBytes)),
      m_floorBytes(options.frameBytes),
      m_frameClaim(account.claim(Purpose::Frames, options.frameBytes, "the page cache")),
      m_pageTrace(options.pageTrace),
      m_traceDataset(m_pageTrace ? m_pageTrace->addDataset() : 0),
      m_memory(frameBytesOf(options.frameBytes), frameBytesOf(m_mostBytes), account.budgetBytes()),
      m_maxFrames(static_cast<std::uint32_t>(
          std::min<std::uint64_t>(frameBytesOf(m_mostBytes) / kSmallestSlot, 0xfffffff0u - kFramesPerChunk))),
      m_chunks(std::make_unique<std::atomic<Frame*>[]>(m_maxFrames / kFramesPerChunk + 1)),
      m_bytesOnTheWay(options.bytesOnTheWay),
      m_processors(static_cast<std::uint64_t>(std::max(1, options.decoders))),
      m_mostStarted(2 * m_processors),
      m_decoders(std::max(1, options.decoders)) {
#ifdef FARFIELD_SYNC_POINTS
  m_syncHook = options.syncHook;
#endif
  if (m_mostBytes > m_floorBytes) account.setLender(this);
}

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

Frame* PageCache::tryPin(PageKey key) {
  Frame* const found = find(key);
  if (!found) return nullptr;
  sync(SyncPoint::PinFound, key);
  Frame& frame = *found;
  std::uint32_t word = frame.stateAndPins.load(std::memory_order_relaxed);
  do {
    if (Frame::stateOf(word) != FrameState::Ready) return nullptr;
  } while (!frame.stateAndPins.compare_exchange_weak(word, word + 1, std::memory_order_acquire));
  sync(SyncPoint::PinTaken, key);
  if (frame.key.load(std::memory_order_relaxed) != key) {
    unpin(&frame);
    return nullptr;
  }
  noteUse(frame);
  if (m_pageTrace) recordRequest(key);
  return &frame;
}

void PageCache::recordRequest(PageKey key) noexcept {
  m_pageTrace->request(m_arrays[arrayOf(key)]->traceNumber, pageOf(key));
}

bool PageCache::evictOne() {
  const std::uint32_t victim = m_policy.victim(
      m_frameCount, [&](std::uint32_t n) -> Frame& { return frameAt(n); },
      [&](std::uint32_t n) {
        sync(SyncPoint::VictimChosen, frameAt(n).key.load(std::memory_order_relaxed));
        std::uint32_t expected = Frame::word(FrameState::Ready, 0);
        return frameAt(n).stateAndPins.compare_exchange_strong(expected, Frame::word(FrameState::Free, 0),
                                                               std::memory_order_acquire);
      });
  if (victim == m_frameCount) return false;
  dropFrame(victim);
  return true;
}

/// A page that was taken out of the state Ready leaves the cache.
void PageCache::dropFrame(std::uint32_t number) noexcept {
  Frame& frame = frameAt(number);
  m_table.erase(frame.key.load(std::memory_order_relaxed), number);
  m_evictions.fetch_add(1, std::memory_order_relaxed);
  if (frame.prefetched.load(std::memory_order_relaxed))
    m_prefetchesWasted.fetch_add(1, std::memory_order_relaxed);
  trace::instant("paging", "evict", pageOf(frame.key.load(std::memory_order_relaxed)));
  freeFrame(frame);
  m_freeFrames.push_back(number);
}

void PageCache::freeFrame(Frame& frame) {
#ifdef FARFIELD_HOSTILE
  std::memset(frame.data, 0xfb, frame.slotBytes);
#endif
  frame.key.store(kNoPage, std::memory_order_relaxed);
  m_memory.free(frame.data, frame.slotBytes);
  frame.data = nullptr;
  frame.error = nullptr;
}

/// Makes frames and their room in the table, so that taking and giving back frames allocates nothing. False
/// where the system has no memory.
bool PageCache::addFrames() {
  try {
    m_freeFrames.reserve(m_frameCount + kFramesPerChunk);
    m_table.reserve(m_frameCount + kFramesPerChunk);
    m_ownedChunks.push_back(std::make_unique<Frame[]>(kFramesPerChunk));
  } catch (const std::bad_alloc&) {
    return false;
  }
  m_chunks[m_frameCount / kFramesPerChunk].store(m_ownedChunks.back().get(), std::memory_order_release);
  for (std::uint32_t n = kFramesPerChunk; n-- > 0;) m_freeFrames.push_back(m_frameCount + n);
  m_frameCount += kFramesPerChunk;
  return true;
}

/// Null where no frame can be had at this moment.
Frame* PageCache::takeFrame(PageKey key, bool prefetched) {
  const Array& array = *m_arrays[arrayOf(key)];
  if (m_freeFrames.empty() && !addFrames()) return nullptr;
  std::byte* data = m_memory.allocate(array.slotBytes);
  while (!data) {
    if (!grow(array.slotBytes) && !evictOne()) return nullptr;
    data = m_memory.allocate(array.slotBytes);
  }
  const std::uint32_t number = m_freeFrames.back();
  m_freeFrames.pop_back();
  Frame& frame = frameAt(number);
  frame.number = number;
  frame.data = data;
  frame.slotBytes = array.slotBytes;
  frame.box = array.description.boxOf(pageOf(key));
  frame.waiters = nullptr;
  frame.asked = false;
  frame.askedNanoseconds = steadyNanoseconds();
  frame.prefetched.store(prefetched, std::memory_order_relaxed);
  frame.key.store(key, std::memory_order_relaxed);
  frame.stateAndPins.store(Frame::word(FrameState::Reading, 0), std::memory_order_release);
  m_policy.filled(frame, prefetched);
  m_table.insert(key, number);
  m_distinct.add(key);
  ++m_reading;
  return &frame;
}

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
  if (m_pageTrace)
    for (const PageWant& want : wants) recordRequest(want.key);
  PageDemand& demand = wants.front();
  demand.order = orderOf(wants);
  demand.wants = wants.size();
  demand.gate = &gate;
  gate.expect();
  std::uint64_t resident = 0;
  {
    const std::lock_guard lock(m_mutex);
    for (const PageWant& want : wants)
      if (const Frame* const frame = find(want.key)) resident += frame->state() == FrameState::Ready;
    demand.age = m_nextAge++;
    demand.queued = true;
    m_demands.insert(demand);
    m_byAge.push_back(demand);
    m_queued.fetch_add(1, std::memory_order_relaxed);
  }
  m_requests.fetch_add(wants.size(), std::memory_order_relaxed);
  m_hits.fetch_add(resident, std::memory_order_relaxed);
  m_misses.fetch_add(wants.size() - resident, std::memory_order_relaxed);
  startDemands();
}

/// The lowest, or the oldest where it has been passed over too often.
PageDemand& PageCache::nextDemand() {
  return m_passedOver < kMostPassedOver ? *m_demands.begin() : m_byAge.front();
}

void PageCache::dequeue(PageDemand& demand) noexcept {
  m_passedOver = &demand == &m_byAge.front() ? 0 : m_passedOver + 1;
  m_demands.erase(m_demands.iterator_to(demand));
  m_byAge.erase(m_byAge.iterator_to(demand));
  demand.queued = false;
  m_queued.fetch_sub(1, std::memory_order_relaxed);
}

/// Pins all pages of the demand, those that are not there as frames to be read. False, and nothing has changed,
/// where there are not as many frames.
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

bool PageCache::nothingIsHeld() const {
  if (m_started > 0 || m_reading > 0) return false;
  for (std::uint32_t n = 0; n < m_frameCount; ++n)
    if (Frame::pinsOf(frameAt(n).stateAndPins.load(std::memory_order_relaxed)) > 0) return false;
  return true;
}

/// All pages of a demand are there. Where no other was ready, processors may have had nothing to do: then more
/// reads have to be on their way.
void PageCache::becameReady() noexcept {
  if (m_ready++ == 0 && m_mostStarted < kMostStarted && !hasRoom()) ++m_mostStarted;
}

/// Pages can come without others having to go, so nothing is read again, in whatever order tasks go on.
bool PageCache::hasRoom() const {
  const std::uint64_t bytes = attainableBytes();
  return m_memory.chargedBytes() < bytes - bytes / 8;
}

void PageCache::resumed() noexcept {
  {
    const std::lock_guard lock(m_mutex);
    --m_started;
    const std::uint64_t enough = 2 * m_processors;
    if (--m_ready >= enough && m_mostStarted > enough) --m_mostStarted;
  }
  startDemands();
}

/// A demand whose pages are held waits for those that are being read; those that nobody has asked for yet are
/// appended at `lastToRead`, whose new place is returned.
PageWant** PageCache::begin(PageDemand& demand, PageWant** lastToRead) {
  for (PageWant& want : wantsOf(demand)) {
    Frame& frame = *want.frame;
    const bool hinted = frame.prefetched.load(std::memory_order_relaxed);
    noteUse(frame);
    if (frame.state() != FrameState::Reading) continue;
    demand.gate->expect();
    ++demand.missing;
    want.waiter = {demand.gate, frame.waiters, &demand};
    frame.waiters = &want.waiter;
    if (frame.asked && !hinted) continue;
    want.nextToRead = nullptr;
    *lastToRead = &want;
    lastToRead = &want.nextToRead;
    want.hurries = frame.asked;
    if (!frame.asked) m_onTheWay += frame.slotBytes;
    frame.asked = true;
  }
  return lastToRead;
}

void PageCache::startDemands() noexcept {
  if (m_queued.load(std::memory_order_relaxed) == 0) return;
  PageWant* toRead = nullptr;
  PageWant** lastToRead = &toRead;
  PageDemand* started = nullptr;
  PageDemand** lastStarted = &started;
  {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t mostOnTheWay = std::min(m_bytesOnTheWay, attainableBytes() / 4);
    while (!m_demands.empty() && (m_started < m_mostStarted || hasRoom()) &&
           (m_onTheWay == 0 || m_onTheWay < mostOnTheWay)) {
      PageDemand& demand = nextDemand();
      bool held = hold(demand);
      // A look-up that came too late pins a frame for a moment. What is larger than the cache fails each time.
      int attempts = 0;
      while (!held && nothingIsHeld() && ++attempts < kMostAttempts) held = hold(demand);
      if (!held && attempts < kMostAttempts) break;
      dequeue(demand);
      ++m_started;
      demand.missing = 0;
      if (held) lastToRead = begin(demand, lastToRead);
      if (demand.missing == 0) becameReady();
      demand.nextStarted = nullptr;
      *lastStarted = &demand;
      lastStarted = &demand.nextStarted;
    }
  }
  if (toRead) {
    sync(SyncPoint::RequestAsks, toRead->key);
    readAll(toRead);
  }
  // Until its gate has this arrival a demand stays in place.
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
    const PageRequest request{array.sourceArray, pageOf(want->key), this, want->frame->number, false};
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

/// Each source gets its pages in one call, in order, so that it can merge neighbours.
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
    for (PageWant& want : wants) {
      if (!want.frame || want.frame->state() != FrameState::Reading) continue;
      Frame& frame = *want.frame;
      FrameWaiter** at = &frame.waiters;
      while (*at != &want.waiter) at = &(*at)->next;
      *at = want.waiter.next;
      ++withdrawn;
      if (Frame::pinsOf(frame.stateAndPins.fetch_sub(1, std::memory_order_release)) == 1)
        m_unpinnedReading += frame.slotBytes;
      want.withdrawn = true;
    }
  }
  sync(SyncPoint::AbandonWithdrawn, wants.front().key);
  // The others have been taken off their frames by a thread that is just about to count them.
  while (gate.missing() > withdrawn) std::this_thread::yield();
  for (PageWant& want : wants) {
    if (want.frame && !want.withdrawn) unpin(want.frame);
    want.frame = nullptr;
  }
  startDemands();
}

void PageCache::unpin(Frame* frame) noexcept {
  const std::uint32_t before = frame->stateAndPins.fetch_sub(1, std::memory_order_release);
  if (Frame::pinsOf(before) != 1) return;
#ifndef FARFIELD_HOSTILE
  if (Frame::stateOf(before) != FrameState::Failed) return;
#endif
  sync(SyncPoint::UnpinLast, frame->key.load(std::memory_order_relaxed));
  dropUnpinned(*frame);
}

void PageCache::dropUnpinned(Frame& frame) noexcept {
  const std::lock_guard lock(m_mutex);
  std::uint32_t word = Frame::word(FrameState::Failed, 0);
  if (frame.stateAndPins.compare_exchange_strong(word, Frame::word(FrameState::Free, 0),
                                                 std::memory_order_acquire)) {
    freeFrame(frame);
    m_freeFrames.push_back(frame.number);
    return;
  }
#ifdef FARFIELD_HOSTILE
  // The frame may have been pinned again or given to another page meanwhile; evicting that is just as
  // hostile.
  word = Frame::word(FrameState::Ready, 0);
  if (frame.stateAndPins.compare_exchange_strong(word, Frame::word(FrameState::Free, 0),
                                                 std::memory_order_acquire))
    dropFrame(frame.number);
#endif
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
      if (m_reserved + m_unpinnedReading + array.slotBytes > attainableBytes()) break;
      Frame* const frame = takeFrame(key, true);
      if (!frame) break;
      frame->asked = true;
      m_onTheWay += frame->slotBytes;
      m_unpinnedReading += frame->slotBytes;
      pending[count++] = {array.source, {array.sourceArray, pageOf(key), this, frame->number, true}};
    }
  }
  m_pagesRead.fetch_add(count, std::memory_order_relaxed);
  m_prefetches.fetch_add(count, std::memory_order_relaxed);
  sync(SyncPoint::PrefetchAsks, keys.empty() ? kNoPage : keys.front());
  readSorted({pending.data(), count});
}

bool PageCache::tryReserve(std::uint64_t bytes) {
  const std::lock_guard lock(m_mutex);
  if (m_reserved + m_unpinnedReading + bytes > m_memory.limitBytes()) return false;
  m_reserved += bytes;
  return true;
}

void PageCache::unreserve(std::uint64_t bytes) noexcept {
  const std::lock_guard lock(m_mutex);
  m_reserved -= bytes;
}

CacheCounters PageCache::counters() const {
  CacheCounters counters;
  counters.requests = m_requests.load(std::memory_order_relaxed);
  counters.hits = m_hits.load(std::memory_order_relaxed);
  counters.misses = m_misses.load(std::memory_order_relaxed);
  counters.pagesRead = m_pagesRead.load(std::memory_order_relaxed);
  counters.prefetches = m_prefetches.load(std::memory_order_relaxed);
  counters.prefetchesUsed = m_prefetchesUsed.load(std::memory_order_relaxed);
  counters.prefetchesWasted = m_prefetchesWasted.load(std::memory_order_relaxed);
  counters.evictions = m_evictions.load(std::memory_order_relaxed);
  counters.readSeconds = 1e-9 * static_cast<double>(m_readNanoseconds.load(std::memory_order_relaxed));
  counters.decodeSeconds = 1e-9 * static_cast<double>(m_decodeNanoseconds.load(std::memory_order_relaxed));
  counters.decodedBytes = m_decodedBytes.load(std::memory_order_relaxed);
  const std::lock_guard lock(m_mutex);
  counters.distinctPages = std::min(m_distinct.estimate(), counters.pagesRead);
  counters.residentBytes = m_memory.chargedBytes();
  return counters;
}

CacheCensus PageCache::census() const {
  CacheCensus census;
  const std::lock_guard lock(m_mutex);
  for (std::uint32_t n = 0; n < m_frameCount; ++n) {
    const Frame& frame = frameAt(n);
    const std::uint32_t word = frame.stateAndPins.load(std::memory_order_relaxed);
    const FrameState state = Frame::stateOf(word);
    if (state == FrameState::Free) continue;
    census.reading += state == FrameState::Reading;
    census.ready += state == FrameState::Ready;
    census.failed += state == FrameState::Failed;
    census.pins += Frame::pinsOf(word);
    census.pinnedFrames += Frame::pinsOf(word) > 0;
    census.usedBytes += frame.slotBytes;
  }
  census.reservedBytes = m_reserved;
  census.unawaitedReadBytes = m_unpinnedReading;
  return census;
}

void PageCache::look(const std::function<void(const PageSight&)>& see) const {
  const std::lock_guard lock(m_mutex);
  for (std::uint32_t n = 0; n < m_frameCount; ++n) {
    const Frame& frame = frameAt(n);
    const FrameState state = Frame::stateOf(frame.stateAndPins.load(std::memory_order_relaxed));
    if (state != FrameState::Reading && state != FrameState::Ready) continue;
    PageSight sight{frame.key.load(std::memory_order_relaxed), state == FrameState::Reading, 0, 0};
    if (sight.reading) sight.askedNanoseconds = frame.askedNanoseconds;
    for (const FrameWaiter* waiter = frame.waiters; waiter; waiter = waiter->next) ++sight.waiters;
    see(sight);
  }
}

void PageCache::cursorEnded(std::uint64_t hits) noexcept {
  m_requests.fetch_add(hits, std::memory_order_relaxed);
  m_hits.fetch_add(hits, std::memory_order_relaxed);
  startDemands();
}

void PageCache::evictAll() {
  const std::lock_guard lock(m_mutex);
  while (evictOne()) {
  }
}

bool Reservation::tryEnter() {
  const int free = m_free.fetch_sub(1);
  if (free <= 0) {
    m_free.fetch_add(1);
    return false;
  }
  if (m_most - free >= m_reserving || m_cache.tryReserve(m_bytes)) return true;
  m_free.fetch_add(1);
  return false;
}

void Reservation::leave() noexcept {
  if (m_most - m_free.fetch_add(1) - 1 < m_reserving) m_cache.unreserve(m_bytes);
}

}  // namespace farfield::paging
