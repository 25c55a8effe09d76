#include "plugins/chunks/chunk_cache.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/units.h"
#include "plugins/chunks/chunk_filters.h"

namespace farfield::chunks {
namespace {

/// Memory of chunks that are kept, unless a few of them are more.
constexpr std::uint64_t kKeptBytes = 4 << 20;
constexpr std::uint64_t kLeastPlaces = 3, kMostPlaces = 64;
/// Of chunks up to so many bytes, several are unpacked at a time.
constexpr std::uint64_t kSmallBytes = 256 << 10;

}  // namespace

ChunkCache::ChunkCache(std::uint64_t chunkBytes, std::uint64_t storedBytes, MemoryAccount& account)
    : m_chunkBytes(chunkBytes) {
  const std::uint64_t places =
      std::clamp(kKeptBytes / std::max<std::uint64_t>(chunkBytes, 1), kLeastPlaces, kMostPlaces);
  const std::uint64_t workers = chunkBytes <= kSmallBytes ? 4 : 1;
  const std::uint64_t bytes =
      places * chunkBytes + workers * (storedBytes + FilterChain::workBytes(chunkBytes));
  try {
    m_claim = account.claimInEarnest(Purpose::Index, bytes, "unpacking chunks of " + formatBytes(chunkBytes));
  } catch (OverBudget& error) {
    error.advise(error.action() +
                 ", or convert the file (farfield convert) on a machine with so much: its chunks can only be "
                 "read whole");
    throw;
  }
  m_places.resize(static_cast<std::size_t>(places));
  for (std::uint64_t n = 0; n < workers; ++n) m_work.push_back(std::make_unique<Work>());
}

ChunkCache::Place* ChunkCache::find(std::uint64_t owner, std::int64_t chunk) {
  for (Place& place : m_places)
    if (place.owner == owner && place.chunk == chunk) return &place;
  return nullptr;
}

ChunkCache::Place* ChunkCache::oldest() {
  Place* found = nullptr;
  for (Place& place : m_places)
    if (!place.loading && place.users == 0 && (!found || place.lastUse < found->lastUse)) found = &place;
  return found;
}

void ChunkCache::with(std::uint64_t owner, std::int64_t chunk, std::uint64_t bytes, const Load& load,
                      const Use& use) {
  Place* place = nullptr;
  {
    std::unique_lock lock(m_mutex);
    for (;;) {
      place = find(owner, chunk);
      if (place && !place->loading) break;
      if (!place && !m_work.empty()) {
        if (Place* const free = oldest()) {
          free->owner = owner;
          free->chunk = chunk;
          free->loading = true;
          std::unique_ptr<Work> work = std::move(m_work.back());
          m_work.pop_back();
          lock.unlock();
          std::exception_ptr error;
          try {
            free->bytes.reserve(static_cast<std::size_t>(m_chunkBytes));
            free->bytes.resize(static_cast<std::size_t>(bytes));
            load(free->bytes, *work);
          } catch (...) {
            error = std::current_exception();
          }
          lock.lock();
          m_work.push_back(std::move(work));
          free->loading = false;
          if (error) free->owner = 0;
          m_changed.notify_all();
          if (error) std::rethrow_exception(error);
          place = free;
          break;
        }
      }
      m_changed.wait(lock);
    }
    ++place->users;
    place->lastUse = ++m_uses;
  }
  // what uses a chunk copies from it and cannot fail
  use(std::span(place->bytes).first(static_cast<std::size_t>(bytes)));
  const std::lock_guard lock(m_mutex);
  if (--place->users == 0) m_changed.notify_all();
}

}  // namespace farfield::chunks
