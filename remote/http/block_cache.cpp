#include "remote/http/block_cache.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"

namespace farfield::http {

struct BlockCache::Fetch {
  const void* id = nullptr;
  std::uint64_t firstBlock = 0;
  std::vector<std::byte> bytes;
  bool isOver = false;
  std::exception_ptr error;
  std::list<Pointer>::iterator place;
  std::uint64_t begin() const { return firstBlock * kBlockBytes; }
  std::uint64_t end() const { return begin() + bytes.size(); }
  std::uint64_t blocks() const { return (bytes.size() + kBlockBytes - 1) / kBlockBytes; }
};

BlockCache::BlockCache(std::uint64_t mostBytes) : m_mostBytes(mostBytes) {}

BlockCache::~BlockCache() = default;

void BlockCache::dropLocked(const Pointer& fetch) {
  for (std::uint64_t n = 0; n < fetch->blocks(); ++n) {
    const auto found = m_blocks.find({fetch->id, fetch->firstBlock + n});
    if (found != m_blocks.end() && found->second == fetch) m_blocks.erase(found);
  }
  m_bytes -= fetch->bytes.size();
  m_fetches.erase(fetch->place);
}

void BlockCache::makeRoomLocked() {
  for (auto at = m_fetches.end(); m_bytes > m_mostBytes && at != m_fetches.begin();) {
    const Pointer fetch = *--at;
    if (!fetch->isOver) continue;
    ++at;
    dropLocked(fetch);
  }
}

BlockCache::Pointer BlockCache::fetchLocked(std::unique_lock<std::mutex>& lock, Object& object,
                                            std::uint64_t first, std::uint64_t last, bool isHint) {
  // of what is sent whole each request costs all before it
  if (object.isSentWhole()) last = (object.generation().bytes - 1) / kBlockBytes;
  // blocks up to `last` that are absent
  std::uint64_t count = 1;
  while (first + count <= last && count < kMostFetched / kBlockBytes &&
         !m_blocks.contains({&object, first + count}))
    ++count;
  const std::uint64_t begin = first * kBlockBytes;
  const std::uint64_t bytes = std::min(count * kBlockBytes, object.generation().bytes - begin);
  if (isHint && m_bytes + bytes > m_mostBytes) {
    makeRoomLocked();
    if (m_bytes + bytes > m_mostBytes) return nullptr;
  }
  auto fetch = std::make_shared<Fetch>();
  fetch->id = &object;
  fetch->firstBlock = first;
  fetch->bytes.resize(bytes);
  m_fetches.push_front(fetch);
  fetch->place = m_fetches.begin();
  m_bytes += bytes;
  for (std::uint64_t n = 0; n < fetch->blocks(); ++n) m_blocks[{&object, first + n}] = fetch;
  makeRoomLocked();
  const auto ended = [this, fetch](RangeEnd&& end) {
    const std::lock_guard guard(m_mutex);
    fetch->error = end.error;
    try {
      if (!end.error && end.got != fetch->bytes.size())
        throw Corrupt("ends before the end that the server told", "open the data again");
    } catch (...) {
      fetch->error = std::current_exception();
    }
    fetch->isOver = true;
    m_changed.notify_all();
  };
  lock.unlock();
  std::exception_ptr refused;
  try {
    object.begin(begin, fetch->bytes, &object, ended);
  } catch (...) {
    refused = std::current_exception();
  }
  lock.lock();
  if (refused) {
    fetch->error = refused;
    fetch->isOver = true;
    m_changed.notify_all();
  }
  return fetch;
}

void BlockCache::read(Object& object, std::uint64_t offset, std::span<std::byte> out) {
  if (out.empty()) return;
  const std::uint64_t end = offset + out.size();
  const std::uint64_t first = offset / kBlockBytes, last = (end - 1) / kBlockBytes;
  std::vector<Pointer> fetches;
  std::unique_lock lock(m_mutex);
  // all are requested before any is waited for
  for (std::uint64_t block = first; block <= last;) {
    const auto found = m_blocks.find({&object, block});
    Pointer fetch = found != m_blocks.end() && !found->second->error
                        ? found->second
                        : fetchLocked(lock, object, block, last, false);
    block = fetch->firstBlock + fetch->blocks();
    fetches.push_back(std::move(fetch));
  }
  for (const Pointer& fetch : fetches) {
    if (!m_changed.wait(lock, StoppableWaits::current(), [&] { return fetch->isOver; })) throw Cancelled();
    if (fetch->error) {
      const std::exception_ptr error = fetch->error;
      // the next reader requests it again
      if (std::find(m_fetches.begin(), m_fetches.end(), fetch) != m_fetches.end()) dropLocked(fetch);
      std::rethrow_exception(error);
    }
    const auto isKept = std::find(m_fetches.begin(), m_fetches.end(), fetch);
    if (isKept != m_fetches.end()) m_fetches.splice(m_fetches.begin(), m_fetches, isKept);
  }
  makeRoomLocked();
  lock.unlock();
  for (const Pointer& fetch : fetches) {
    const std::uint64_t from = std::max(offset, fetch->begin()), to = std::min(end, fetch->end());
    if (from < to)
      std::memcpy(out.data() + (from - offset), fetch->bytes.data() + (from - fetch->begin()), to - from);
  }
}

void BlockCache::expect(Object& object, std::uint64_t offset, std::uint64_t bytes) noexcept {
  if (bytes == 0 || bytes > kMostFetched || offset >= object.generation().bytes) return;
  try {
    const std::uint64_t end = std::min(offset + bytes, object.generation().bytes);
    const std::uint64_t last = (end - 1) / kBlockBytes;
    std::unique_lock lock(m_mutex);
    for (std::uint64_t block = offset / kBlockBytes; block <= last;) {
      const auto found = m_blocks.find({&object, block});
      const Pointer fetch =
          found != m_blocks.end() ? found->second : fetchLocked(lock, object, block, last, true);
      if (!fetch) return;
      block = fetch->firstBlock + fetch->blocks();
    }
  } catch (...) {  // only a hint: it is read when it is needed
  }
}

void BlockCache::put(Object& object, std::vector<std::byte> first) {
  if (first.empty()) return;
  auto fetch = std::make_shared<Fetch>();
  fetch->id = &object;
  fetch->bytes = std::move(first);
  fetch->isOver = true;
  const std::lock_guard lock(m_mutex);
  m_bytes += fetch->bytes.size();
  m_fetches.push_front(fetch);
  fetch->place = m_fetches.begin();
  m_blocks[{&object, 0}] = fetch;
  makeRoomLocked();
}

void BlockCache::forget(Object& object) noexcept {
  object.end(&object);
  const std::lock_guard lock(m_mutex);
  for (auto at = m_fetches.begin(); at != m_fetches.end();) {
    const Pointer fetch = *at++;
    if (fetch->id == &object) dropLocked(fetch);
  }
}

}  // namespace farfield::http
