#pragma once
// Index nodes in memory: a bounded cache that evicts the least recently used. Its bytes are claimed once,
// when the store is opened, so that looking up a page never fails for lack of memory.
//
// A node is absent, loading, or present. absent -> loading: the first thread that needs it takes its bytes
// from the capacity (evicting present nodes), and reads and checks it without the lock. loading -> present,
// or -> absent if that failed; both wake the waiting threads, the next of which tries again after a failure.
// present -> absent: evicted. A thread that loads holds no other node, so room for two of the largest nodes
// is enough for any number of threads.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/memory_account.h"

namespace farfield::paging::detail {

enum class NodeKind : std::uint8_t { Inner, Places, Summaries };

struct NodeKey {
  std::uint32_t array = 0;
  NodeKind kind = NodeKind::Inner;
  std::uint8_t level = 0;  ///< 0 for the parts of leaves
  std::int64_t node = 0;
  bool operator==(const NodeKey&) const = default;
};

struct IndexCacheCounters {
  std::uint64_t lookups = 0, misses = 0, bytesRead = 0, cachedBytes = 0, capacityBytes = 0;
};

/// Thread-safe.
class IndexCache {
 public:
  /// `capacity` bytes are claimed from `account`. Throws OverBudget.
  IndexCache(std::uint64_t capacity, MemoryAccount& account);

  using Load = std::function<void(std::span<std::byte> node)>;
  using Use = std::function<void(std::span<const std::byte> node)>;
  /// Calls `use` with the node's bytes, under the cache's lock: it should only copy. Loads the node first if
  /// it is absent: `load` fills `bytes` bytes and throws if they are wrong.
  void with(const NodeKey& key, std::uint64_t bytes, const Load& load, const Use& use);
  /// False if the node is absent.
  bool ifCached(const NodeKey& key, const Use& use);
  IndexCacheCounters counters() const;

 private:
  struct KeyHash {
    std::size_t operator()(const NodeKey& key) const;
  };
  struct Node {
    std::vector<std::byte> bytes;
    std::uint64_t size = 0;
    bool loading = true;
    std::list<NodeKey>::iterator age;  ///< position in m_ages, if present
  };
  bool makeRoom(std::uint64_t bytes);
  void touch(Node& node);

  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  std::unordered_map<NodeKey, Node, KeyHash> m_nodes;
  std::list<NodeKey> m_ages;  ///< present nodes, most recently used first
  IndexCacheCounters m_counters;
  MemoryClaim m_claim;
};

}  // namespace farfield::paging::detail
