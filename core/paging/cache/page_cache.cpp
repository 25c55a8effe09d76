#include "core/paging/cache/page_cache.h"

#include <algorithm>
#include <cstring>

#include "core/trace/trace.h"

namespace farfield::paging {

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
      m_startLimit(static_cast<std::uint64_t>(std::max(1, options.decoders))),
      m_decoders(std::max(1, options.decoders)) {
#ifdef FARFIELD_SYNC_POINTS
  m_syncHook = options.syncHook;
#endif
  if (m_mostBytes > m_floorBytes) account.setLender(this);
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

/// Removes from the cache a page that was taken out of the state Ready.
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

/// Makes frames and room for them in the table, so that taking and giving back frames does not allocate.
/// False if the system has no memory.
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

/// Null if no frame is available now.
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
  frame.askedAgain = 0;
  frame.priority = prefetched ? Priority::Prefetch : Priority::Demand;
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

void PageCache::unpin(Frame* frame) noexcept {
  const std::uint32_t before = frame->stateAndPins.fetch_sub(1, std::memory_order_release);
  if (Frame::pinsOf(before) != 1) return;
#ifndef FARFIELD_HOSTILE
  if (Frame::stateOf(before) != FrameState::Failed) return;
#endif
  sync(SyncPoint::UnpinLast, frame->key.load(std::memory_order_relaxed));
  dropUnpinned(*frame);
  // A demand may have waited for this frame.
  if (Frame::stateOf(before) == FrameState::Failed) startDemands();
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
  // The frame may have been pinned again or given to another page meanwhile; evicting that page serves the
  // purpose as well.
  word = Frame::word(FrameState::Ready, 0);
  if (frame.stateAndPins.compare_exchange_strong(word, Frame::word(FrameState::Free, 0),
                                                 std::memory_order_acquire))
    dropFrame(frame.number);
#endif
}

bool PageCache::tryReserve(std::uint64_t bytes) {
  const std::lock_guard lock(m_mutex);
  if (m_reserved + m_batchBytes + m_unpinnedReading + bytes > m_memory.limitBytes()) return false;
  m_reserved += bytes;
  return true;
}

void PageCache::unreserve(std::uint64_t bytes) noexcept {
  {
    const std::lock_guard lock(m_mutex);
    m_reserved -= bytes;
  }
  startDemands();
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
  const std::lock_guard lock(m_mutex);
  if (m_active >= m_most) return false;
  if (m_reserved < m_reserving) {
    if (!m_cache.tryReserve(m_bytes)) return false;
    ++m_reserved;
  }
  ++m_active;
  return true;
}

void Reservation::leave() noexcept {
  {
    const std::lock_guard lock(m_mutex);
    if (--m_active >= m_reserved) return;
    --m_reserved;
  }
  m_cache.unreserve(m_bytes);  // which may begin reads
}

}  // namespace farfield::paging
