#pragma once
// Blocks of objects that were read over HTTP lately, within a fixed number of bytes: headers, trailers, catalogs and
// rows are read in small pieces that lie close together, and each request costs a round trip.
//
// A fetch of one block or of several that follow each other is on its way -> there or failed; whoever needs it
// meanwhile waits for it. Fetches that nobody waits for leave, those first that were used longest ago.

#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "remote/http/transfers.h"

namespace farfield::http {

/// Thread-safe. Not for the thread of the transfers, but for what it is called back by.
class BlockCache {
 public:
  static constexpr std::uint64_t kBlockBytes = 64 * 1024;
  /// Of one request; what is larger is not kept.
  static constexpr std::uint64_t kMostFetched = 16 * kBlockBytes;

  /// Keeps up to `mostBytes`. `transfers` outlives the cache.
  BlockCache(std::shared_ptr<Transfers> transfers, std::uint64_t mostBytes);
  ~BlockCache();

  /// An object in the cache. `generation` stays as long as anything is asked of it.
  struct Object {
    const void* id = nullptr;
    std::shared_ptr<HttpTarget> target;
    const paging::Generation* generation = nullptr;
  };
  /// Fills `out` from `offset` on, all of it within the object and no longer than kMostFetched. Waits. Throws what a
  /// transfer ends with.
  void read(const Object& object, std::uint64_t offset, std::span<std::byte> out);
  /// Begins to fetch what is not there, if there is room. Never waits.
  void expect(const Object& object, std::uint64_t offset, std::uint64_t bytes) noexcept;
  /// Puts block 0, or the beginning of it where the object is smaller, in.
  void put(const Object& object, std::vector<std::byte> first);
  /// Drops all of `id`, and waits for what is on its way.
  void forget(const void* id) noexcept;

 private:
  struct Fetch;
  using Key = std::pair<const void*, std::uint64_t>;
  using Pointer = std::shared_ptr<Fetch>;

  Pointer fetchLocked(std::unique_lock<std::mutex>& lock, const Object& object, std::uint64_t first,
                      std::uint64_t last, bool isHint);
  void makeRoomLocked();
  void dropLocked(const Pointer& fetch);

  const std::shared_ptr<Transfers> m_transfers;
  const std::uint64_t m_mostBytes;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::map<Key, Pointer> m_blocks;
  std::list<Pointer> m_fetches;  ///< latest use first
  std::uint64_t m_bytes = 0;
};

}  // namespace farfield::http
