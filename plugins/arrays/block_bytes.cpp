#include "plugins/arrays/block_bytes.h"

#include <lz4.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <list>
#include <mutex>
#include <utility>

#include "core/base/error.h"

namespace farfield::arrays {
namespace {

/// Bytes of blocks that are kept: at least two blocks, and no more than can be searched quickly.
constexpr std::uint64_t kKeptBytes = 2 << 20;
/// Blocks that threads may be unpacking at a time, with their packed bytes.
constexpr std::uint64_t kInWork = 4;

using Block = std::shared_ptr<const std::vector<std::byte>>;

class BlockBytes final : public ByteSource {
 public:
  BlockBytes(CompressedBlocks blocks, MemoryAccount& account)
      : m_blocks(std::move(blocks)),
        m_kept(std::clamp<std::uint64_t>(kKeptBytes / m_blocks.blockBytes, 2, 64)),
        m_claim(account.claimInEarnest(
            Purpose::Index,
            m_blocks.places.size() * sizeof(std::uint64_t) + (m_kept + 2 * kInWork) * m_blocks.blockBytes,
            "blocks that are unpacked")) {}

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
    {
      const std::lock_guard lock(m_mutex);
      const auto found = std::find_if(m_recent.begin(), m_recent.end(),
                                      [&](const auto& kept) { return kept.first == number; });
      if (found != m_recent.end()) {
        m_recent.splice(m_recent.begin(), m_recent, found);
        return found->second;
      }
    }
    // two threads that want the same block may both unpack it: rare, and not worth waiting for
    Block block = unpack(number);
    const std::lock_guard lock(m_mutex);
    m_recent.emplace_front(number, block);
    if (m_recent.size() > m_kept) m_recent.pop_back();
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
  std::uint64_t m_kept;
  MemoryClaim m_claim;
  mutable std::mutex m_mutex;
  mutable std::list<std::pair<std::uint64_t, Block>> m_recent;  // most recently used first
};

}  // namespace

std::shared_ptr<const ByteSource> blockBytes(CompressedBlocks blocks, MemoryAccount& account) {
  return std::make_shared<BlockBytes>(std::move(blocks), account);
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
