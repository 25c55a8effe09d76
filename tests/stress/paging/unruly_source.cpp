#include "tests/stress/paging/unruly_source.h"

#include "core/paging/pages/page_text.h"

namespace farfield::test {
namespace {

using namespace paging;

/// How an array is stored, by its number: as it is without a checksum; with one, padded; or encoded and
/// padded.
bool hasChecksum(std::uint32_t array) {
  return array > 0;
}
Codec codecOf(std::uint32_t array) {
  return array == 2 ? Codec::Lz4 : Codec::None;
}

}  // namespace

UnrulySource::UnrulySource(const DatasetDescription& description, std::uint32_t firstHandle,
                           PageLedger& ledger, Manner manner, std::uint64_t seed)
    : m_description(description),
      m_firstHandle(firstHandle),
      m_ledger(ledger),
      m_manner(manner),
      m_seed(seed),
      m_random(seed) {
  for (std::uint32_t array = 0; array < description.arrays.size(); ++array) {
    m_pages.emplace_back();
    for (std::int64_t page = 0; page < description.arrays[array].pageCount(); ++page)
      m_pages.back().push_back(makePage(array, static_cast<std::uint64_t>(page)));
  }
  if (manner == Manner::Threads)
    for (std::uint64_t n = 0; n < 2; ++n) m_threads.emplace_back([this, n] { work(m_seed + 17 + n); });
}

UnrulySource::~UnrulySource() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_changed.notify_all();
  for (std::thread& thread : m_threads) thread.join();
}

UnrulySource::Stored UnrulySource::makePage(std::uint32_t array, std::uint64_t page) const {
  const ArrayDescription& its = m_description.arrays[array];
  const IndexBox box = its.boxOf(page);
  const PageKey key = makeKey(m_firstHandle + array, page);
  std::vector<std::byte> nodes(static_cast<std::size_t>(product(box.size) * its.nodeBytes()));
  for (std::uint64_t n = 0; n < nodes.size() / 4; ++n) {
    const std::uint32_t word = PageLedger::word(key, n);
    std::memcpy(nodes.data() + 4 * n, &word, 4);
  }
  Stored stored;
  stored.bytes = nodes;
  if (hasChecksum(array)) {
    std::vector<std::byte> padded(static_cast<std::size_t>(its.maxPageBytes()));
    copyNodes(nodes.data(), box.size, {0, 0, 0}, padded.data(), its.layout.extent(), {0, 0, 0}, box.size,
              its.nodeBytes());
    stored.bytes.resize(encodedBound(codecOf(array), padded.size()));
    Scratch scratch;
    stored.bytes.resize(encode(codecOf(array), sizeOf(its.type), padded, stored.bytes, scratch));
    stored.checksum = checksum(stored.bytes);
  }
  return stored;
}

std::uint64_t UnrulySource::maxStoredBytes(std::uint32_t array) const {
  return encodedBound(codecOf(array), static_cast<std::size_t>(m_description.arrays[array].maxPageBytes()));
}

void UnrulySource::read(std::span<const PageRequest> requests) noexcept {
  for (const PageRequest& request : requests) {
    const Queued queued{request, m_ledger.readBegins(keyOf(request))};
    {
      const std::lock_guard lock(m_mutex);
      if (m_manner != Manner::Inside || m_random() % 4 == 0) {
        m_queue.push_back(queued);
        continue;
      }
    }
    handOver(queued);
  }
  m_changed.notify_all();
}

bool UnrulySource::takeOne(Queued& queued) {
  if (m_queue.empty()) return false;
  const std::size_t which = m_random() % m_queue.size();
  queued = m_queue[which];
  m_queue[which] = m_queue.back();
  m_queue.pop_back();
  return true;
}

void UnrulySource::handOver(const Queued& queued) noexcept {
  const PageRequest& request = queued.request;
  const PageKey key = keyOf(request);
  m_ledger.readEnds(key);
  const std::uint32_t chance = PageLedger::word(key ^ m_seed, queued.attempt) % 64;
  const Stored& stored = m_pages[request.array][request.page];
  if (chance == 0) {
    ++m_failures;
    request.sink->failed(
        request.tag,
        std::make_exception_ptr(Io("scripted").at(pageText(m_description, request.array, request.page))));
  } else if (chance == 1 && hasChecksum(request.array)) {
    ++m_failures;
    std::vector<std::byte> spoiled = stored.bytes;
    spoiled[queued.attempt % spoiled.size()] ^= std::byte{4};
    request.sink->arrived(request.tag, {spoiled, codecOf(request.array), true, stored.checksum, true});
  } else {
    request.sink->arrived(request.tag, {stored.bytes, codecOf(request.array), hasChecksum(request.array),
                                        stored.checksum, hasChecksum(request.array)});
  }
  m_ledger.readIsOver();
}

int UnrulySource::reap() noexcept {
  int handled = 0;
  while (m_manner != Manner::Threads && handled < 4) {
    Queued queued;
    {
      const std::lock_guard lock(m_mutex);
      if (!takeOne(queued)) break;
    }
    handOver(queued);
    ++handled;
  }
  return handled;
}

void UnrulySource::work(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (;;) {
    Queued queued;
    {
      std::unique_lock lock(m_mutex);
      m_changed.wait(lock, [this] { return m_stop || !m_queue.empty(); });
      if (m_stop) return;
      takeOne(queued);
    }
    const std::uint64_t chance = random() % 64;
    if (chance == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
    if (chance < 8) std::this_thread::yield();
    handOver(queued);
  }
}

void UnrulySource::withdraw(const PageRequest& request) noexcept {
  {
    const std::lock_guard lock(m_mutex);
    const auto is = [&](const Queued& queued) { return isSame(queued.request, request); };
    if (std::erase_if(m_queue, is) == 0) return;
  }
  m_ledger.readEnds(keyOf(request));
  failCancelled(request);
  m_ledger.readIsOver();
}

void UnrulySource::cancel(const PageSink* sink) noexcept {
  std::vector<Queued> removed;
  {
    const std::lock_guard lock(m_mutex);
    for (const Queued& queued : m_queue)
      if (!sink || queued.request.sink == sink) removed.push_back(queued);
    std::erase_if(m_queue, [sink](const Queued& queued) { return !sink || queued.request.sink == sink; });
  }
  for (const Queued& queued : removed) {
    m_ledger.readEnds(keyOf(queued.request));
    failCancelled(queued.request);
    m_ledger.readIsOver();
  }
}

}  // namespace farfield::test
