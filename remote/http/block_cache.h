#pragma once
// Recently read blocks of objects over HTTP, within a fixed number of bytes: headers, trailers, catalogs and
// rows are read in small pieces close together, and each request costs a round trip.
//
// A fetch of one block or of several consecutive ones is on its way -> there or failed; readers wait for it
// meanwhile. Fetches without readers are dropped, least recently used first.

#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "remote/http/object_ranges.h"

namespace farfield::http {

/// Thread-safe. Must not be called on the thread of the transfers, except from its callbacks.
class BlockCache {
 public:
  static constexpr std::uint64_t kBlockBytes = 64 * 1024;
  /// Per request; larger reads are not kept.
  static constexpr std::uint64_t kMostFetched = 16 * kBlockBytes;

  /// Keeps up to `mostBytes`.
  explicit BlockCache(std::uint64_t mostBytes);
  ~BlockCache();

  /// An object is known by its ranges, which must live as long as anything is requested of it.
  using Object = ObjectRanges;
  /// Fills `out` from `offset` on, inside the object and no longer than kMostFetched. Waits. Throws the error
  /// of a transfer, Cancelled (StoppableWaits).
  void read(Object& object, std::uint64_t offset, std::span<std::byte> out);
  /// Starts fetching what is absent, if there is room. Never waits.
  void expect(Object& object, std::uint64_t offset, std::uint64_t bytes) noexcept;
  /// Adds block 0, or the part of it that a smaller object has.
  void put(Object& object, std::vector<std::byte> first);
  /// Drops all of it, and waits for what is on its way.
  void forget(Object& object) noexcept;

 private:
  struct Fetch;
  using Key = std::pair<const void*, std::uint64_t>;
  using Pointer = std::shared_ptr<Fetch>;

  Pointer fetchLocked(std::unique_lock<std::mutex>& lock, Object& object, std::uint64_t first,
                      std::uint64_t last, bool isHint);
  void makeRoomLocked();
  void dropLocked(const Pointer& fetch);

  const std::uint64_t m_mostBytes;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::map<Key, Pointer> m_blocks;
  std::list<Pointer> m_fetches;  ///< most recently used first
  std::uint64_t m_bytes = 0;
};

}  // namespace farfield::http
