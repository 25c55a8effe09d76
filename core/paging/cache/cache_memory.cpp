// What the cache holds memory for: arrays that come and go, and frames, which take what is free in the
// account and give it back when others claim it.

#include <algorithm>
#include <chrono>

#include "core/base/units.h"
#include "core/paging/cache/page_cache.h"

namespace farfield::paging {
namespace {

/// Frames claim memory in pieces of this size, if so much is free.
constexpr std::uint64_t kGrowth = std::uint64_t{1} << 20;
/// Bookkeeping of a frame: its descriptor and its table entries.
constexpr std::uint64_t kFrameBookkeeping = kSmallestSlot / kBookkeepingShare;

/// That a claim is tried to grow by what others gave back for it.
constexpr int kMostTries = 8;

}  // namespace

PageCache::~PageCache() {
  if (m_mostBytes > m_floorBytes) m_account.setLender(nullptr);
  while (!m_known.empty()) remove(*m_known.back().first);
}

/// Claims memory to decode pages of `pageBytes` on `decoders` threads, or as many as before if these were
/// more. Throws OverBudget; what there is stays claimed.
void PageCache::claimScratch(std::uint64_t pageBytes, int decoders) {
  const std::lock_guard lock(m_scratchMutex);
  m_decoders = std::min(m_decoders, decoders);
  const std::uint64_t largest = std::max(m_largestPageBytes, pageBytes);
  const std::uint64_t needed = 2 * largest * static_cast<std::uint64_t>(m_decoders);
  const std::string what = "memory for decoding pages of " + formatBytes(pageBytes);
  if (m_scratchClaim.bytes() == 0) m_scratchClaim = m_account.claim(Purpose::Work, needed, what);
  for (int tries = 0; m_scratchClaim.bytes() < needed; ++tries) {
    const std::uint64_t more = needed - m_scratchClaim.bytes();
    if (m_scratchClaim.tryGrow(more)) break;
    if (tries == kMostTries) m_account.refuse(more, what);
    // The cache itself gives back what is lent to it for pages; others may be there first.
    m_account.claim(Purpose::Work, more, what).release();
  }
  m_scratchClaim.shrink(needed);
  m_largestPageBytes = largest;
}

std::uint32_t PageCache::addArray(PageSource& source, std::uint32_t sourceArray, int decoders) {
  auto array = std::make_unique<Array>();
  array->source = &source;
  array->sourceArray = sourceArray;
  array->description = source.description().arrays.at(sourceArray);
  const auto pageBytes = static_cast<std::uint64_t>(array->description.maxPageBytes());
  array->slotBytes = FrameMemory::slotBytes(pageBytes);
  if (decoders > 0) claimScratch(pageBytes, decoders);
  const std::lock_guard lock(m_mutex);
  m_memory.prepare(array->slotBytes);
  if (m_pageTrace) {
    const ArrayDescription& described = array->description;
    array->traceNumber = m_pageTrace->addArray({m_traceDataset, static_cast<std::uint64_t>(described.block),
                                                static_cast<std::uint64_t>(described.pageCount()),
                                                array->slotBytes, described.name});
  }
  const std::uint32_t handle = m_arrays.add(std::move(array));
  m_known.push_back({&source, handle});
  return handle;
}

void PageCache::remove(PageSource& source) {
  {
    const std::lock_guard lock(m_mutex);
    for (const auto& [known, handle] : m_known) m_arrays[handle]->removed |= known == &source;
  }
  source.cancel(this);
  const auto isIts = [&](PageKey key) {
    return key != kNoPage && m_arrays[arrayOf(key)] && m_arrays[arrayOf(key)]->source == &source;
  };
  std::unique_lock lock(m_mutex);
  const auto isRead = [&] {
    for (std::uint32_t n = 0; n < m_frameCount; ++n)
      if (frameAt(n).state() == FrameState::Reading && isIts(frameAt(n).key.load(std::memory_order_relaxed)))
        return true;
    return false;
  };
  while (isRead()) {
    lock.unlock();
    const int reaped = source.reap();
    lock.lock();
    if (reaped == 0) m_idle.wait_for(lock, std::chrono::milliseconds(1));
  }
  for (std::uint32_t n = 0; n < m_frameCount; ++n) {
    std::uint32_t word = Frame::word(FrameState::Ready, 0);
    if (isIts(frameAt(n).key.load(std::memory_order_relaxed)) &&
        frameAt(n).stateAndPins.compare_exchange_strong(word, Frame::word(FrameState::Free, 0),
                                                        std::memory_order_acquire))
      dropFrame(n);
  }
  std::erase_if(m_known, [&](const auto& known) {
    if (known.first == &source) m_arrays.remove(known.second);
    return known.first == &source;
  });
}

std::vector<tasks::Reaper*> PageCache::reapers() const {
  std::vector<tasks::Reaper*> reapers;
  const std::lock_guard lock(m_mutex);
  for (const auto& [source, handle] : m_known)
    if (std::find(reapers.begin(), reapers.end(), source) == reapers.end()) reapers.push_back(source);
  return reapers;
}

std::uint64_t PageCache::frameBytes() const {
  const std::lock_guard lock(m_mutex);
  return attainableBytes();
}

/// Bytes that frames can have now without others giving anything back.
std::uint64_t PageCache::attainableBytes() const {
  if (m_mostBytes == m_frameClaim.bytes()) return m_memory.limitBytes();
  const std::uint64_t more = std::min(m_mostBytes - m_frameClaim.bytes(), m_account.freeBytes());
  return frameBytesOf(m_frameClaim.bytes() + more);
}

/// Claims memory for a slot. False if the account has none free, or the cache has its limit.
bool PageCache::grow(std::uint64_t slotBytes) {
  for (const std::uint64_t bytes : {std::max(kGrowth, slotBytes), slotBytes}) {
    const std::uint64_t claim = withBookkeeping(bytes);
    if (m_frameClaim.bytes() + claim > m_mostBytes || !m_frameClaim.tryGrow(claim)) continue;
    m_memory.setLimit(frameBytesOf(m_frameClaim.bytes()));
    return true;
  }
  return false;
}

/// Lowers the claim to `claimed`, or as far as pages can be evicted.
void PageCache::releaseTo(std::uint64_t claimed) noexcept {
  // Frame descriptors stay; the first chunk is as many as small budgets ever need.
  const std::uint64_t made = kFrameBookkeeping * (m_frameCount - std::min(m_frameCount, kFramesPerChunk));
  const std::uint64_t kept = frameBytesOf(std::min(keptBytes(), claimed));
  m_memory.setLimit(std::min(frameBytesOf(claimed), std::max(kept, claimed - std::min(claimed, made))));
  while (m_memory.isOverLimit() && evictOne()) {
  }
  const std::uint64_t charged = m_memory.chargedBytes();
  const std::uint64_t used = std::max(withBookkeeping(charged), charged + made);
  m_frameClaim.shrink(std::max(claimed, used));
  if (m_frameClaim.bytes() > claimed) m_memory.setLimit(frameBytesOf(m_frameClaim.bytes()));
}

/// Bytes that are kept when others claim memory.
std::uint64_t PageCache::keptBytes() const {
  return std::max(m_floorBytes - m_batchFloorBytes, withBookkeeping(m_reserved)) +
         std::max(m_batchFloorBytes, withBookkeeping(m_batchBytes));
}

void PageCache::giveBack(std::uint64_t bytes) noexcept {
  const std::lock_guard lock(m_mutex);
  const std::uint64_t claimed = m_frameClaim.bytes(), kept = keptBytes();
  if (claimed > kept) releaseTo(std::max(kept, claimed - std::min(claimed, bytes)));
}

std::uint64_t PageCache::spareBytes() const noexcept {
  const std::lock_guard lock(m_mutex);
  return m_frameClaim.bytes() - std::min(m_frameClaim.bytes(), keptBytes());
}

void PageCache::raiseFloor(std::uint64_t bytes, KeptFor whom) {
  std::uint64_t missing = 0;
  {
    const std::lock_guard lock(m_mutex);
    m_floorBytes += bytes;
    (whom == KeptFor::Tasks ? m_taskFloorBytes : m_batchFloorBytes) += bytes;
    // Batches that have started keep what they have in addition.
    const std::uint64_t kept = keptBytes();
    missing = kept - std::min(kept, m_frameClaim.bytes());
    if (missing > 0 && m_frameClaim.tryGrow(missing)) missing = 0;
    m_memory.setLimit(frameBytesOf(m_frameClaim.bytes()));
  }
  if (missing == 0) return;
  lowerFloor(bytes, whom);
  m_account.refuse(missing, "the page cache");
}

void PageCache::lowerFloor(std::uint64_t bytes, KeptFor whom) noexcept {
  {
    const std::lock_guard lock(m_mutex);
    m_floorBytes -= bytes;
    (whom == KeptFor::Tasks ? m_taskFloorBytes : m_batchFloorBytes) -= bytes;
  }
  startDemands();
}

std::uint64_t PageCache::bytesOf(PageDemand& batch) const {
  std::uint64_t bytes = 0;
  for (const PageWant& want : wantsOf(batch)) bytes += slotBytes(arrayOf(want.key));
  return bytes;
}

/// Whether a batch of `batchBytes` fits beside what is kept for tasks; claims memory for it if some is free.
bool PageCache::makeRoomFor(std::uint64_t batchBytes) {
  const std::uint64_t needed =
      std::max(m_reserved, frameBytesOf(m_taskFloorBytes)) + m_batchBytes + m_unpinnedReading + batchBytes;
  while (m_memory.limitBytes() < needed)
    if (!grow(needed - m_memory.limitBytes())) return false;
  return true;
}

/// True if it would not fit even with nothing else held.
bool PageCache::isTooLarge(std::uint64_t batchBytes) const {
  return m_batchBytes == 0 && frameBytesOf(m_taskFloorBytes) + batchBytes > attainableBytes();
}

/// The first batch in order, if it can start. Batches that nobody waits for leave room for demands.
PageDemand* PageCache::nextBatch(std::uint64_t mostOnTheWay) {
  if (m_batches.empty()) return nullptr;
  PageDemand& first = *m_batches.begin();
  if (first.priority != Priority::Demand &&
      (!m_demands.empty() || (m_onTheWay > 0 && m_onTheWay >= mostOnTheWay / 2)))
    return nullptr;
  const std::uint64_t bytes = bytesOf(first);
  return makeRoomFor(bytes) || isTooLarge(bytes) ? &first : nullptr;
}

}  // namespace farfield::paging
