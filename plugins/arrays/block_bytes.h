#pragma once
// Bytes compressed in blocks of equal size, each by itself: any of them can be read by unpacking its block.
// The blocks unpacked last are kept, because neighbouring rows are in the same one.

#include <cstdint>
#include <memory>
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

/// `blocks.blockBytes` is at most kMostBlockBytes. Memory for the table and the blocks kept is claimed from
/// `account`. Reading throws Corrupt if a block does not unpack to its size.
std::shared_ptr<const ByteSource> blockBytes(CompressedBlocks blocks, MemoryAccount& account);

/// Unpacks one block to exactly `out.size()` bytes. Throws Corrupt.
void unpackBlock(BlockCodec codec, std::span<const std::byte> stored, std::span<std::byte> out);

}  // namespace farfield::arrays
