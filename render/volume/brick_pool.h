#pragma once
// The bricks of one source that are in memory, within a number of bytes that are claimed brick by brick.
// Bricks that no one holds stay until others need their memory, so that the next picture finds them.

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/memory_account.h"
#include "render/volume/brick_source.h"

namespace farfield::volume {

/// Used by one thread; held bricks may be filled and read by others.
class BrickPool {
 public:
  /// At most `mostBytes`, or what the account has, but always two bricks. The source and the account outlive
  /// it.
  BrickPool(const BrickSource& source, MemoryAccount& account, std::uint64_t mostBytes);

  struct Held {
    Brick* brick = nullptr;
    std::uint32_t slot = 0;
    bool toRead = false;  ///< it is not there yet; the holder fills it
  };
  /// Holds the brick of that number, once more if it is already held. Null if all memory is held by others.
  /// Throws OverBudget if not even two bricks fit.
  Held hold(std::int64_t number);
  void release(const Held& held);
  /// It could not be filled; it is dropped with its last release.
  void forget(const Held& held);
  bool has(std::int64_t number) const { return m_slots.contains(number); }
  /// Of a pool with two bricks, fewer than which it never has.
  static std::uint64_t leastBytes(const BrickFormat& format);
  /// It may have `mostBytes` by now, if that is more than what it may have.
  void widen(std::uint64_t mostBytes);
  /// Of the bricks that it has.
  std::uint64_t bytes() const;
  /// Most bricks at a time.
  std::size_t capacity() const { return m_capacity; }
  std::size_t held() const { return m_held; }

 private:
  struct Slot {
    std::int64_t number = -1;
    std::unique_ptr<Brick> brick;
    MemoryClaim claim;
    int holds = 0;
    bool used = false;
  };
  bool makeRoom();

  const BrickSource& m_source;
  MemoryAccount& m_account;
  std::size_t m_capacity, m_held = 0, m_hand = 0;
  std::vector<Slot> m_places;
  std::vector<std::uint32_t> m_empty;
  std::unordered_map<std::int64_t, std::uint32_t> m_slots;
};

}  // namespace farfield::volume
