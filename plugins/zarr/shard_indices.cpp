#include "plugins/zarr/shard_indices.h"

#include <algorithm>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/units.h"

namespace farfield::zarr {
namespace {

constexpr std::uint64_t kEntryBytes = 16, kSumBytes = 4;
/// Of one index, and of all that are kept.
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20;
constexpr std::uint64_t kKeptOfArray = 64;
constexpr std::size_t kMostKept = 256;
/// Small ones are read by several threads at a time.
constexpr std::uint64_t kSmallBytes = std::uint64_t{64} << 10;

int loadersOf(std::uint64_t indexBytes) {
  return indexBytes <= kSmallBytes ? 4 : 1;
}

}  // namespace

std::uint64_t ShardIndices::add(std::int64_t shards, std::int64_t chunks) {
  const auto count = static_cast<std::uint64_t>(chunks);
  if (count > kMostBytes / kEntryBytes)
    throw Unsupported("has shards of " + std::to_string(chunks) + " chunks",
                      "rewrite it with smaller shards");
  const std::uint64_t bytes = count * kEntryBytes;
  m_largest = std::max(m_largest, bytes);
  const std::uint64_t kept =
      std::min(kKeptOfArray, static_cast<std::uint64_t>(std::max<std::int64_t>(1, shards)));
  m_mostBytes = std::min(m_mostBytes + kept * bytes, std::max(kMostBytes, m_largest));
  // one that is read is there twice: as it is stored, and checked
  const std::uint64_t loading =
      static_cast<std::uint64_t>(loadersOf(m_largest)) * (2 * m_largest + kSumBytes);
  m_claim = {};
  m_claim = m_account.claimInEarnest(Purpose::Index, m_mostBytes + loading,
                                     "indices of shards of up to " + formatBytes(m_largest));
  return ++m_arrays;
}

const Shard* ShardIndices::find(std::uint64_t array, const std::vector<std::int64_t>& shard) {
  const auto found = std::find_if(m_kept.begin(), m_kept.end(), [&](const Kept& kept) {
    return kept.array == array && kept.shard == shard;
  });
  if (found == m_kept.end()) return nullptr;
  m_kept.splice(m_kept.begin(), m_kept, found);
  return &found->its;
}

void ShardIndices::keep(Kept kept) {
  const std::size_t bytes = kept.its.index.size();
  while (!m_kept.empty() && (m_bytes + bytes > m_mostBytes || m_kept.size() >= kMostKept)) {
    m_bytes -= m_kept.back().its.index.size();
    m_kept.pop_back();
  }
  m_bytes += bytes;
  m_kept.push_front(std::move(kept));
}

ShardIndices::Place ShardIndices::placeOf(std::uint64_t array, const std::vector<std::int64_t>& shard,
                                          std::int64_t within, const Load& load) {
  const auto placeIn = [&](const Shard& its) -> Place {
    if (!its.object) return {};
    const std::byte* const entry = its.index.data() + static_cast<std::size_t>(within) * kEntryBytes;
    return {its.object, farfield::load<std::uint64_t>(entry), farfield::load<std::uint64_t>(entry + 8)};
  };
  std::unique_lock lock(m_mutex);
  for (;;) {
    if (const Shard* const known = find(array, shard)) return placeIn(*known);
    if (m_loading < loadersOf(m_largest)) break;
    m_read.wait(lock);
  }
  ++m_loading;
  lock.unlock();
  Kept loaded{array, shard, {}};
  std::exception_ptr failure;
  try {
    loaded.its = load();
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  --m_loading;
  m_read.notify_all();
  if (failure) std::rethrow_exception(failure);
  const Place place = placeIn(loaded.its);
  if (!find(array, shard)) keep(std::move(loaded));
  return place;
}

}  // namespace farfield::zarr
