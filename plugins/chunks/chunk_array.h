#pragma once
// An array in chunks: where a format stores them, how they are unpacked, and what stands in those that are not stored.

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/paging/bytes/byte_object.h"
#include "plugins/arrays/chunked_bytes.h"
#include "plugins/chunks/chunk_cache.h"
#include "plugins/chunks/chunk_filters.h"

namespace farfield::chunks {

/// Stored bytes of chunks, by their numbers. Thread-safe.
class ChunkStore {
 public:
  virtual ~ChunkStore() = default;
  struct Stored {
    std::span<const std::byte> bytes = {};  ///< in the buffer; empty: the chunk is not stored
    std::uint32_t skipped = 0;              ///< filters that were left out (FilterChain::undo)
  };
  /// Reads a chunk of at most `mostBytes` into `buffer`. Waits. Throws Corrupt, Io.
  virtual Stored read(std::int64_t chunk, std::uint64_t mostBytes, paging::Scratch& buffer) const = 0;
};

/// Chunks that are ranges of one object of the byte layer.
class PlacedChunks : public ChunkStore {
 public:
  struct Place {
    std::uint64_t offset = 0, bytes = 0;  ///< 0 bytes: not stored
    std::uint32_t skipped = 0;
  };
  explicit PlacedChunks(std::shared_ptr<const paging::ByteObject> object) : m_object(std::move(object)) {}
  const std::shared_ptr<const paging::ByteObject>& object() const { return m_object; }
  /// Waits for the disk. Throws Corrupt, Io.
  virtual Place place(std::int64_t chunk) const = 0;
  /// The same if it is known without waiting.
  virtual std::optional<Place> placeIfKnown(std::int64_t) const { return std::nullopt; }
  /// A hint that the place is asked for soon.
  virtual void expectPlace(std::int64_t) const noexcept {}
  Stored read(std::int64_t chunk, std::uint64_t mostBytes, paging::Scratch& buffer) const override;

 private:
  std::shared_ptr<const paging::ByteObject> m_object;
};

/// The caches of a data set, one per size of chunk, made when they are needed first. Thread-safe.
class ChunkCaches {
 public:
  explicit ChunkCaches(MemoryAccount& account) : m_account(account) {}
  /// Throws OverBudget.
  std::shared_ptr<ChunkCache> cacheFor(std::uint64_t chunkBytes, std::uint64_t storedBytes);
  /// Makes the caches of all arrays of chunks that there are, the largest first: for data that are read by boxes once everything
  /// else has been given its memory. Throws OverBudget.
  void prepareAll();
  /// Called by an array of chunks when it is made.
  void note(std::uint64_t chunkBytes, std::uint64_t storedBytes);
  /// A number for an array: an address may be another's later.
  std::uint64_t nextNumber() { return m_last.fetch_add(1, std::memory_order_relaxed) + 1; }

 private:
  MemoryAccount& m_account;
  std::atomic<std::uint64_t> m_last{0};
  std::mutex m_mutex;
  std::vector<std::shared_ptr<ChunkCache>> m_caches;
  std::map<std::uint64_t, std::uint64_t> m_noted;  ///< stored bytes at most, by the bytes of a chunk
};

struct ChunkArrayOptions {
  std::vector<std::int64_t> counts, chunks;  ///< of each dimension, slowest first
  int elementBytes = 1;
  std::shared_ptr<const ChunkStore> store;
  std::uint64_t storeBytes =
      0;  ///< memory of `store` while it reads a chunk, beside the buffer that it is given
  FilterChain filters = {};
  std::vector<std::byte> fill = {};  ///< an element; empty: zeros
  std::shared_ptr<ChunkCaches> caches;
};

class ChunkArray final : public arrays::ChunkedBytes {
 public:
  explicit ChunkArray(ChunkArrayOptions options);
  void withChunk(std::int64_t chunk, const Use& use) const override;
  /// Claims the memory for withChunk(), which else does that when it is called first. Throws OverBudget.
  void prepare() const;

  const ChunkStore& store() const { return *m_store; }
  const FilterChain& filters() const { return m_filters; }
  std::uint64_t mostStoredBytes() const { return m_mostStored; }
  /// Unpacks stored bytes of a chunk to all of it. Throws Corrupt.
  void unpack(const ChunkStore::Stored& stored, std::span<std::byte> chunk, paging::Scratch& work) const;

 private:
  std::shared_ptr<const ChunkStore> m_store;
  FilterChain m_filters;
  std::vector<std::byte> m_fill;
  std::uint64_t m_mostStored, m_storeBytes;
  std::shared_ptr<ChunkCaches> m_caches;
  std::uint64_t m_number;  ///< among the arrays of the caches
  mutable std::mutex m_mutex;
  mutable std::shared_ptr<ChunkCache> m_cache;
};

}  // namespace farfield::chunks
