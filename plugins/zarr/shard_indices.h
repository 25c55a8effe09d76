#pragma once
// Where chunks lie in the objects that hold many of them ("shards"): each ends or begins with an index, which is read whole. Those read last are
// kept, for all arrays of a data set together. All memory for them is claimed when an array is added, before any is read.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::zarr {

struct Shard {
  std::shared_ptr<const paging::ByteObject> object;  ///< null: there is none
  std::vector<std::byte> index;                      ///< offset and bytes of each chunk
};

/// Thread-safe, but for add().
class ShardIndices {
 public:
  /// The account outlives this.
  explicit ShardIndices(MemoryAccount& account) : m_account(account) {}
  /// An array of `shards` shards with `chunks` each; returns its number. Before any is read. Throws Unsupported if the index of one would be too
  /// long, OverBudget.
  std::uint64_t add(std::int64_t shards, std::int64_t chunks);

  struct Place {
    std::shared_ptr<const paging::ByteObject> object;  ///< null: the shard is not stored
    std::uint64_t offset = 0, bytes = 0;
  };
  /// Where chunk `within` of a shard lies; `load` reads the shard's index if it is not here, a few at a time. Waits. Throws what `load` throws.
  using Load = std::function<Shard()>;
  Place placeOf(std::uint64_t array, const std::vector<std::int64_t>& shard, std::int64_t within,
                const Load& load);

 private:
  struct Kept {
    std::uint64_t array;
    std::vector<std::int64_t> shard;
    Shard its;
  };
  const Shard* find(std::uint64_t array, const std::vector<std::int64_t>& shard);
  void keep(Kept kept);

  MemoryAccount& m_account;
  MemoryClaim m_claim;
  std::uint64_t m_arrays = 0, m_largest = 0, m_mostBytes = 0;
  std::mutex m_mutex;
  std::condition_variable m_read;
  std::list<Kept> m_kept;  ///< the last used first
  std::uint64_t m_bytes = 0;
  int m_loading = 0;
};

}  // namespace farfield::zarr
