#pragma once
// Chunks unpacked last, for readers that want parts of them: a fixed number of places, shared by all arrays of a data set.
//
// States of a place: empty -> loading (by the thread that wants the chunk first; others wait for it) -> ready <-> in use.
// A place that nobody uses is taken for another chunk, the one used longest ago first. A thread uses one place at a time
// and waits for none meanwhile, so that some thread always goes on.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/pages/codec.h"

namespace farfield::chunks {

/// Thread-safe.
class ChunkCache {
 public:
  /// Memory of a thread that unpacks.
  struct Work {
    paging::Scratch stored, filtered;
  };
  /// Fills `out` with a chunk.
  using Load = std::function<void(std::span<std::byte> out, Work& work)>;
  using Use = std::function<void(std::span<const std::byte> chunk)>;

  /// For chunks of up to `chunkBytes`, whose stored bytes are up to `storedBytes`. The memory is claimed from `account`. Throws
  /// OverBudget, which names conversion.
  ChunkCache(std::uint64_t chunkBytes, std::uint64_t storedBytes, MemoryAccount& account);

  std::uint64_t chunkBytes() const { return m_chunkBytes; }
  /// Calls `use` with the `bytes` bytes of chunk number `chunk` of the array `owner` (a number, not 0, that no other has or had), loaded by `load` if they are not there. Throws what
  /// `load` throws.
  void with(std::uint64_t owner, std::int64_t chunk, std::uint64_t bytes, const Load& load, const Use& use);

 private:
  struct Place {
    std::uint64_t owner = 0;  ///< 0: empty
    std::int64_t chunk = 0;
    bool loading = false;
    int users = 0;
    std::uint64_t lastUse = 0;
    std::vector<std::byte> bytes;
  };
  Place* find(std::uint64_t owner, std::int64_t chunk);
  Place* oldest();

  const std::uint64_t m_chunkBytes;
  MemoryClaim m_claim;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<Place> m_places;
  std::vector<std::unique_ptr<Work>> m_work;  ///< not taken
  std::uint64_t m_uses = 0;
};

}  // namespace farfield::chunks
