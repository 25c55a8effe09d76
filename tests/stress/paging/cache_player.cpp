#include "tests/stress/paging/cache_player.h"

#include <algorithm>

namespace farfield::test {

using namespace paging;

void PlayCounts::add(const PlayCounts& other) {
  operations += other.operations;
  hits += other.hits;
  lookups += other.lookups;
  demands += other.demands;
  failures += other.failures;
  prefetches += other.prefetches;
  abandoned += other.abandoned;
  abandonedReading += other.abandonedReading;
  abandonedThere += other.abandonedThere;
  refused += other.refused;
  gatesOpened += other.gatesOpened;
  batches += other.batches;
  batchesDone += other.batchesDone;
  batchesWithdrawn += other.batchesWithdrawn;
}

PageKey CachePlayer::somePage() {
  const auto array = static_cast<std::uint32_t>(below(m_arrays));
  const auto pages = static_cast<std::uint64_t>(m_cache.array(array).pageCount());
  const std::uint64_t hot =
      std::min<std::uint64_t>(pages, std::max<std::size_t>(1, m_rules.hotPages / m_arrays));
  return makeKey(array, below(4) ? below(hot) : below(pages));
}

void CachePlayer::step() {
  if (below(6) == 0) playBatch();
  if (m_wait) {
    if (below(24) == 0) return abandon();
    settle();
    return;
  }
  if (m_reserved == 0) return enter();
  ++m_counts.operations;
  const std::uint64_t choice = below(100);
  if (m_spent) {
    if (choice < 50 && !m_held.empty()) return letGo();
    return leave();
  }
  if (choice < 42) return lookUp();
  if (choice < 65) return demand();
  if (choice < 88) return letGo();
  if (choice < 94) return prefetch();
  if (choice < 99) return leave();
  if (below(4) == 0) return m_cache.evictAll();
  const CacheCensus census = m_cache.census();
  if (census.usedBytes > m_cache.frameBytes() || m_cache.counters().residentBytes > m_cache.frameBytes())
    m_ledger.complain("the frames have more bytes than they may");
}

void CachePlayer::playBatch() {
  if (!m_batch) {
    std::vector<PageKey> pages(1 + below(4));
    for (PageKey& page : pages) page = somePage();
    m_calls = 0;
    m_batch = std::make_unique<PageBatch>(m_cache, pages, [this](PageBatch&) { m_calls.fetch_add(1); });
    m_batch->ask(static_cast<Priority>(below(3)));
    ++m_counts.batches;
    return;
  }
  if (!m_batchHeld.empty() || below(8) == 0) return withdraw();
  if (m_calls.load() > 0) compareBatch();
}

void CachePlayer::compareBatch() {
  ++m_counts.batchesDone;
  try {
    m_batch->throwIfFailed();
  } catch (const Cancelled&) {
    m_ledger.complain("a batch that was not withdrawn was cancelled");
  } catch (const Error&) {
    return withdraw();
  }
  for (std::size_t n = 0; n < m_batch->size(); ++n) {
    const PageKey key = m_batch->key(n);
    Frame* const frame = m_cache.tryPin(key);
    if (!frame || frame->data != m_batch->nodes(n).data())
      return m_ledger.complain(key, "is in a batch, but cannot be found");
    m_ledger.held(key, frame);
    m_ledger.compare(key, frame, below(16) == 0, below(7));
    m_batchHeld.push_back({key, frame});
    m_cache.unpin(frame);
  }
}

void CachePlayer::withdraw() {
  if (!m_batch) return;
  for (const Held& held : m_batchHeld) {
    m_ledger.compare(held.key, held.frame, false, below(7));
    m_ledger.letGo(held.key, held.frame);
  }
  m_batchHeld.clear();
  m_counts.batchesWithdrawn += m_calls.load() == 0;
  m_batch->withdraw();
  if (m_calls.load() > 1) m_ledger.complain("a batch was called back twice");
  m_batch.reset();
}

void CachePlayer::enter() {
  std::uint64_t largest = 0;
  for (std::uint32_t array = 0; array < m_arrays; ++array)
    largest = std::max(largest, m_cache.slotBytes(array));
  const std::uint64_t bytes =
      m_rules.onePageAtATime ? largest : largest + below(m_rules.reservationBytes - largest + 1);
  if (!m_cache.tryReserve(bytes)) {
    ++m_counts.refused;
    return;
  }
  ++m_counts.operations;
  m_reserved = bytes;
  m_spent = false;
}

void CachePlayer::hold(PageKey key, Frame* frame) {
  m_ledger.held(key, frame);
  m_ledger.compare(key, frame, below(16) == 0, below(7));
  m_held.push_back({key, frame});
  m_pinned += bytesOf(key);
}

void CachePlayer::letGo() {
  if (m_held.empty()) return;
  const std::size_t which = below(m_held.size());
  const Held held = m_held[which];
  m_held[which] = m_held.back();
  m_held.pop_back();
  m_ledger.compare(held.key, held.frame, false, below(7));
  m_ledger.letGo(held.key, held.frame);
  m_pinned -= bytesOf(held.key);
  m_cache.unpin(held.frame);
}

void CachePlayer::lookUp() {
  const PageKey key = somePage();
  if (m_pinned + bytesOf(key) > m_reserved) return letGo();
  ++m_counts.lookups;
  Frame* const frame = m_cache.tryPin(key);
  if (!frame) return;
  ++m_counts.hits;
  hold(key, frame);
}

void CachePlayer::demand() {
  while (!m_held.empty()) letGo();  // who waits holds nothing
  auto wait = std::make_unique<Wait>(*this);
  for (std::uint64_t count = 1 + below(5); count > 0; --count) {
    const PageKey key = somePage();
    if (m_pinned + wait->bytes + bytesOf(key) > m_reserved) break;
    wait->wants.push_back({key});
    wait->bytes += bytesOf(key);
  }
  if (wait->wants.empty()) return letGo();
  ++m_counts.demands;
  m_pinned += wait->bytes;
  m_wait = std::move(wait);
  m_cache.request(m_wait->wants, m_wait->gate);
}

bool CachePlayer::settle() {
  if (!m_wait) return true;
  if (!m_wait->gate.isOpen()) return false;
  ++m_counts.operations;
  ++m_counts.gatesOpened;
  const std::unique_ptr<Wait> wait = std::move(m_wait);
  m_cache.resumed();
  m_pinned -= wait->bytes;
  for (const PageWant& want : wait->wants) {
    const FrameState state = want.frame->state();
    if (state == FrameState::Ready) {
      hold(want.key, want.frame);
      continue;
    }
    ++m_counts.failures;
    const std::string name = "page " + std::to_string(pageOf(want.key));
    if (state != FrameState::Failed || !want.frame->error)
      m_ledger.complain(want.key, "came neither ready nor failed");
    else if (std::string(want.frame->error->what()).find(name) == std::string::npos)
      m_ledger.complain(want.key, std::string("failed with the error ") + want.frame->error->what());
    m_cache.unpin(want.frame);
  }
  return true;
}

void CachePlayer::abandon() {
  ++m_counts.operations;
  ++m_counts.abandoned;
  const std::unique_ptr<Wait> wait = std::move(m_wait);
  ++(wait->gate.isOpen() ? m_counts.abandonedThere : m_counts.abandonedReading);
  m_cache.abandon(wait->wants, wait->gate);
  m_pinned -= wait->bytes;
  m_counts.gatesOpened += wait->gate.isOpen();
  m_spent = true;
}

void CachePlayer::prefetch() {
  std::vector<PageKey> keys(1 + below(4));
  for (PageKey& key : keys) key = somePage();
  m_counts.prefetches += keys.size();
  m_cache.prefetch(keys);
}

void CachePlayer::leave() {
  withdraw();
  while (!m_held.empty()) letGo();
  m_cache.cursorEnded(0);
  if (m_reserved > 0) m_cache.unreserve(m_reserved);
  m_reserved = 0;
  m_spent = false;
}

}  // namespace farfield::test
