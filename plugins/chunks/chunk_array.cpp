#include "plugins/chunks/chunk_array.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"

namespace farfield::chunks {

ChunkStore::Stored PlacedChunks::read(std::int64_t chunk, std::uint64_t mostBytes,
                                      paging::Scratch& buffer) const {
  const Place at = place(chunk);
  if (at.bytes == 0) return {};
  if (at.bytes > mostBytes || at.offset > m_object->size() || at.bytes > m_object->size() - at.offset)
    throw Corrupt("chunk " + std::to_string(chunk) + " cannot have " + std::to_string(at.bytes) +
                      " bytes at byte " + std::to_string(at.offset),
                  "check that the copy is complete");
  if (buffer.size() < at.bytes) buffer.resize(static_cast<std::size_t>(at.bytes));
  const std::span<std::byte> bytes(buffer.data(), static_cast<std::size_t>(at.bytes));
  m_object->readAt(at.offset, bytes);
  return {bytes, at.skipped};
}

std::shared_ptr<ChunkCache> ChunkCaches::cacheFor(std::uint64_t chunkBytes, std::uint64_t storedBytes) {
  const std::lock_guard lock(m_mutex);
  for (const auto& cache : m_caches)
    if (cache->chunkBytes() >= chunkBytes && cache->chunkBytes() / 2 <= chunkBytes) return cache;
  m_caches.push_back(std::make_shared<ChunkCache>(chunkBytes, storedBytes, m_account));
  return m_caches.back();
}

void ChunkCaches::note(std::uint64_t chunkBytes, std::uint64_t storedBytes) {
  const std::lock_guard lock(m_mutex);
  std::uint64_t& most = m_noted[chunkBytes];
  most = std::max(most, storedBytes);
}

void ChunkCaches::prepareAll() {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sizes;
  {
    const std::lock_guard lock(m_mutex);
    sizes.assign(m_noted.rbegin(), m_noted.rend());
  }
  for (const auto& [chunkBytes, storedBytes] : sizes) cacheFor(chunkBytes, storedBytes);
}

ChunkArray::ChunkArray(ChunkArrayOptions options)
    : ChunkedBytes(options.counts, options.chunks, options.elementBytes),
      m_store(std::move(options.store)),
      m_filters(std::move(options.filters)),
      m_fill(std::move(options.fill)),
      m_mostStored(m_filters.mostStoredBytes(static_cast<std::uint64_t>(chunkBytes()))),
      m_storeBytes(options.storeBytes),
      m_caches(std::move(options.caches)),
      m_number(m_caches->nextNumber()) {
  if (std::all_of(m_fill.begin(), m_fill.end(), [](std::byte byte) { return byte == std::byte{0}; }))
    m_fill.clear();
  m_caches->note(static_cast<std::uint64_t>(chunkBytes()), m_mostStored + m_storeBytes);
}

void ChunkArray::prepare() const {
  const std::lock_guard lock(m_mutex);
  if (!m_cache)
    m_cache = m_caches->cacheFor(static_cast<std::uint64_t>(chunkBytes()), m_mostStored + m_storeBytes);
}

void ChunkArray::withChunk(std::int64_t chunk, const Use& use) const {
  prepare();
  const auto load = [&](std::span<std::byte> out, ChunkCache::Work& work) {
    try {
      unpack(m_store->read(chunk, m_mostStored, work.stored), out, work.filtered);
    } catch (Error& error) {
      error.at("chunk " + std::to_string(chunk));
      throw;
    }
  };
  m_cache->with(m_number, chunk, static_cast<std::uint64_t>(chunkBytes()), load, use);
}

void ChunkArray::unpack(const ChunkStore::Stored& stored, std::span<std::byte> chunk,
                        paging::Scratch& work) const {
  if (!stored.bytes.empty()) return m_filters.undo(stored.bytes, stored.skipped, chunk, work);
  if (m_fill.empty()) {
    std::memset(chunk.data(), 0, chunk.size());
    return;
  }
  for (std::size_t at = 0; at < chunk.size(); at += m_fill.size())
    std::memcpy(chunk.data() + at, m_fill.data(), std::min(m_fill.size(), chunk.size() - at));
}

}  // namespace farfield::chunks
