#include "core/paging/store/index_cache.h"

#include <utility>

#include "core/base/error.h"

namespace farfield::paging::detail {

IndexCache::IndexCache(std::uint64_t capacity, MemoryAccount& account)
    : m_claim(account.claim(Purpose::Index, capacity, "the index of a store")) {
  m_counters.capacityBytes = capacity;
}

std::size_t IndexCache::KeyHash::operator()(const NodeKey& key) const {
  std::uint64_t h = static_cast<std::uint64_t>(key.node) * 0x9E3779B97F4A7C15u;
  h ^= (std::uint64_t{key.array} << 16 | std::uint64_t{key.level} << 8 |
        static_cast<std::uint64_t>(key.kind)) *
       0xC2B2AE3D27D4EB4Fu;
  return h ^ h >> 29;
}

void IndexCache::touch(Node& node) {
  m_ages.splice(m_ages.begin(), m_ages, node.age);
}

bool IndexCache::makeRoom(std::uint64_t bytes) {
  while (m_counters.cachedBytes + bytes > m_counters.capacityBytes) {
    if (m_ages.empty()) return false;
    const auto oldest = m_nodes.find(m_ages.back());
    m_counters.cachedBytes -= oldest->second.size;
    m_nodes.erase(oldest);
    m_ages.pop_back();
  }
  return true;
}

void IndexCache::with(const NodeKey& key, std::uint64_t bytes, const Load& load, const Use& use) {
  std::unique_lock lock(m_mutex);
  ++m_counters.lookups;
  for (;;) {
    const auto found = m_nodes.find(key);
    if (found != m_nodes.end() && !found->second.loading) {
      touch(found->second);
      return use(found->second.bytes);
    }
    if (found == m_nodes.end() && makeRoom(bytes)) break;
    m_changed.wait(lock);  // for this node, or for others that hold the room
  }
  ++m_counters.misses;
  // All that the cache itself needs for it: without memory it must not stay as one that is being loaded, for which others wait.
  std::list<NodeKey> age{key};
  m_nodes[key].size = bytes;
  m_counters.cachedBytes += bytes;
  lock.unlock();
  std::vector<std::byte> node;
  try {
    node.resize(bytes);
    load(node);
  } catch (...) {
    lock.lock();
    m_nodes.erase(key);
    m_counters.cachedBytes -= bytes;
    m_changed.notify_all();
    throw;
  }
  lock.lock();
  Node& present = m_nodes.find(key)->second;
  m_ages.splice(m_ages.begin(), age);
  present.age = m_ages.begin();
  present.bytes = std::move(node);
  present.loading = false;
  m_counters.bytesRead += bytes;
  m_changed.notify_all();
  use(present.bytes);
}

bool IndexCache::ifCached(const NodeKey& key, const Use& use) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_nodes.find(key);
  if (found == m_nodes.end() || found->second.loading) return false;
  ++m_counters.lookups;
  touch(found->second);
  use(found->second.bytes);
  return true;
}

IndexCacheCounters IndexCache::counters() const {
  const std::lock_guard lock(m_mutex);
  return m_counters;
}

}  // namespace farfield::paging::detail
