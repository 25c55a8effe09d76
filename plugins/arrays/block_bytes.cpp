#include "plugins/arrays/block_bytes.h"

#include <lz4.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/error.h"

namespace farfield::arrays {
namespace {

/// Bytes of blocks that are kept, of all arrays together: at least two blocks, and no more than can be searched quickly.
constexpr std::uint64_t kKeptBytes = 2 << 20;
constexpr std::size_t kMostKept = 64;
/// Blocks that threads may be unpacking at a time, with their packed bytes.
constexpr std::uint64_t kInWork = 4;

using Block = BlockCache::Block;

class BlockBytes final : public ByteSource {
 public:
  BlockBytes(CompressedBlocks blocks, std::shared_ptr<BlockCache> cache)
      : m_blocks(std::move(blocks)),
        m_cache(std::move(cache)),
        m_number(m_cache->add(m_blocks.blockBytes)),
        m_claim(m_cache->account().claimInEarnest(
            Purpose::Index, m_blocks.places.size() * sizeof(std::uint64_t), "a table of blocks")) {}

  std::uint64_t size() const override {
    const std::uint64_t count = m_blocks.places.size() - 1;
    return count == 0 ? 0 : (count - 1) * m_blocks.blockBytes + m_blocks.lastBlockBytes;
  }

  void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
    while (!out.empty()) {
      const std::uint64_t within = offset % m_blocks.blockBytes;
      const Block block = get(offset / m_blocks.blockBytes);
      const std::size_t bytes = std::min<std::uint64_t>(out.size(), block->size() - within);
      std::memcpy(out.data(), block->data() + within, bytes);
      out = out.subspan(bytes);
      offset += bytes;
    }
  }

 private:
  Block get(std::uint64_t number) const {
    if (Block kept = m_cache->find(m_number, number)) return kept;
    // two threads that want the same block may both unpack it: rare, and not worth waiting for
    Block block = unpack(number);
    m_cache->keep(m_number, number, block);
    return block;
  }

  Block unpack(std::uint64_t number) const {
    const auto n = static_cast<std::size_t>(number);
    const bool last = n + 2 == m_blocks.places.size();
    std::vector<std::byte> stored(static_cast<std::size_t>(m_blocks.places[n + 1] - m_blocks.places[n]));
    m_blocks.source->readAt(m_blocks.places[n], stored);
    auto out = std::make_shared<std::vector<std::byte>>(
        static_cast<std::size_t>(last ? m_blocks.lastBlockBytes : m_blocks.blockBytes));
    try {
      unpackBlock(m_blocks.codec, stored, *out);
    } catch (Error& error) {
      error.at("block " + std::to_string(number));
      throw;
    }
    return out;
  }

  CompressedBlocks m_blocks;
  std::shared_ptr<BlockCache> m_cache;
  std::uint64_t m_number;  ///< in the cache
  MemoryClaim m_claim;
};

}  // namespace

std::uint64_t BlockCache::add(std::uint64_t blockBytes) {
  const std::lock_guard lock(m_mutex);
  if (blockBytes > m_largest) {
    const std::uint64_t kept = std::max(kKeptBytes, 2 * blockBytes);
    // given back first, so that growing does not need both
    m_claim.release();
    m_claim =
        m_account.claimInEarnest(Purpose::Index, kept + 2 * kInWork * blockBytes, "blocks that are unpacked");
    m_mostKept = kept;
    m_largest = blockBytes;
  }
  return m_arrays++;
}

Block BlockCache::find(std::uint64_t array, std::uint64_t block) {
  const std::lock_guard lock(m_mutex);
  const auto found = std::find_if(m_kept.begin(), m_kept.end(), [&](const Kept& kept) {
    return kept.array == array && kept.block == block;
  });
  if (found == m_kept.end()) return nullptr;
  m_kept.splice(m_kept.begin(), m_kept, found);
  return found->bytes;
}

void BlockCache::keep(std::uint64_t array, std::uint64_t block, Block bytes) {
  const std::lock_guard lock(m_mutex);
  m_keptBytes += bytes->size();
  m_kept.push_front({array, block, std::move(bytes)});
  while (m_kept.size() > kMostKept || m_keptBytes > m_mostKept) {
    m_keptBytes -= m_kept.back().bytes->size();
    m_kept.pop_back();
  }
}

std::shared_ptr<const ByteSource> blockBytes(CompressedBlocks blocks, std::shared_ptr<BlockCache> cache) {
  return std::make_shared<BlockBytes>(std::move(blocks), std::move(cache));
}

void unpackBlock(BlockCodec codec, std::span<const std::byte> stored, std::span<std::byte> out) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<int>::max());
  bool good = false;
  if (codec == BlockCodec::Zlib) {
    uLongf bytes = out.size();
    good = uncompress(reinterpret_cast<Bytef*>(out.data()), &bytes,
                      reinterpret_cast<const Bytef*>(stored.data()), stored.size()) == Z_OK &&
           bytes == out.size();
  } else if (stored.size() <= kMost && out.size() <= kMost) {
    good = LZ4_decompress_safe(reinterpret_cast<const char*>(stored.data()),
                               reinterpret_cast<char*>(out.data()), static_cast<int>(stored.size()),
                               static_cast<int>(out.size())) == static_cast<int>(out.size());
  }
  if (!good) throw Corrupt("a compressed block does not unpack to its size", "copy the file again");
}

}  // namespace farfield::arrays
