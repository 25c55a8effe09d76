#pragma once
// Bytes compressed in blocks of equal size, each by itself: any of them can be read by unpacking its block.
// The blocks unpacked last are kept, because neighbouring rows are in the same one.

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/memory_account.h"
#include "plugins/arrays/byte_source.h"

namespace farfield::arrays {

enum class BlockCodec : std::uint8_t { Zlib, Lz4 };

struct CompressedBlocks {
  std::shared_ptr<const ByteSource> source;
  BlockCodec codec = BlockCodec::Zlib;
  std::uint64_t blockBytes = 0;      ///< size of an unpacked block
  std::uint64_t lastBlockBytes = 0;  ///< of the last one
  /// Offsets of the blocks in `source`, and the end of the last: one more than there are blocks, ascending,
  /// within `source`.
  std::vector<std::uint64_t> places;
};

/// The largest block that is unpacked in memory; data with larger ones are copied.
constexpr std::uint64_t kMostBlockBytes = 4 << 20;

/// The blocks of any number of arrays that were unpacked last. Thread-safe.
class BlockCache {
 public:
  /// Memory is claimed from `account`, which outlives this, when the first array comes.
  explicit BlockCache(MemoryAccount& account) : m_account(account) {}
  MemoryAccount& account() const { return m_account; }
  /// Makes room for an array with blocks of that size; returns a number for it. Throws OverBudget.
  std::uint64_t add(std::uint64_t blockBytes);

  using Block = std::shared_ptr<const std::vector<std::byte>>;
  /// Null if it is not kept.
  Block find(std::uint64_t array, std::uint64_t block);
  void keep(std::uint64_t array, std::uint64_t block, Block bytes);

 private:
  struct Kept {
    std::uint64_t array = 0, block = 0;
    Block bytes;
  };
  MemoryAccount& m_account;
  std::mutex m_mutex;
  MemoryClaim m_claim;
  std::uint64_t m_arrays = 0, m_largest = 0, m_keptBytes = 0, m_mostKept = 0;
  std::list<Kept> m_kept;  ///< most recently used first
};

/// `blocks.blockBytes` is at most kMostBlockBytes. Memory for the table is claimed from the account of `cache`. Reading throws
/// Corrupt if a block does not unpack to its size.
std::shared_ptr<const ByteSource> blockBytes(CompressedBlocks blocks, std::shared_ptr<BlockCache> cache);

/// Unpacks one block to exactly `out.size()` bytes. Throws Corrupt.
void unpackBlock(BlockCodec codec, std::span<const std::byte> stored, std::span<std::byte> out);

}  // namespace farfield::arrays
