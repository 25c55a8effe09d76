#pragma once
// A spool file whose beginning is in memory, as far as there is room under the budget: what particles keep between
// intervals is written and read again at each of them, and much of it never has to reach a disk.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

#include "core/base/anonymous_memory.h"
#include "core/base/memory_account.h"
#include "core/session/results/spool_file.h"

namespace farfield::session {

/// Memory that several spools may have together, in pieces of one size. Thread-safe.
class SpoolRoom {
 public:
  static constexpr std::uint64_t kPieceBytes = kHugePageBytes;
  using Piece = std::unique_ptr<AnonymousMemory>;

  /// At most `mostBytes`, and only where more than half of the budget of `account` is free. The account outlives this.
  SpoolRoom(MemoryAccount& account, std::uint64_t mostBytes) : m_account(account), m_most(mostBytes) {}
  /// Null if there is no room. It is zeros, or what was given back.
  Piece take();
  void giveBack(std::vector<Piece> pieces);
  /// There is no more room, and what was given back goes.
  void close();

 private:
  bool claim();

  MemoryAccount& m_account;
  const std::uint64_t m_most;
  std::mutex m_mutex;
  bool m_isClosed = false;
  MemoryClaim m_claim;
  std::vector<Piece> m_free;
};

/// As SpoolFile, but what is reserved is zeros only in a room of which nothing was given back.
class RoomySpool {
 public:
  /// `room` null: all of it is on disk. Throws Io.
  RoomySpool(const std::filesystem::path& folder, std::uint64_t reservedBytes,
             std::shared_ptr<SpoolRoom> room);
  ~RoomySpool();
  RoomySpool(const RoomySpool&) = delete;
  RoomySpool& operator=(const RoomySpool&) = delete;

  std::uint64_t allocate(std::uint64_t bytes);
  std::uint64_t length() const { return m_file.length(); }
  void write(std::uint64_t offset, std::span<const std::byte> data);
  void read(std::uint64_t offset, std::span<std::byte> out) const;
  std::size_t readSome(std::uint64_t offset, std::span<std::byte> out) const;
  /// Where so many bytes from `offset` on lie together in memory; null if they do not. To be read and written there as by read() and write().
  std::byte* inPlace(std::uint64_t offset, std::uint64_t bytes) const;
  /// What is in memory goes to the disk, and stays there, and the room is closed; others may read meanwhile, but nobody write, or have a place of inPlace(). Throws
  /// Io; what is in memory then stays.
  void leaveMemory();
  /// How much of it is in memory.
  std::uint64_t bytesInMemory() const { return m_inMemory.load(std::memory_order_acquire); }

 private:
  void makeRoomUpTo(std::uint64_t end);
  std::size_t readMemory(std::uint64_t offset, std::span<std::byte> out) const;
  /// Calls `work(in memory, part)` for the parts of a range that are in memory, piece by piece; returns how much that was.
  template <class Bytes, class Work>
  std::size_t inMemory(std::uint64_t offset, Bytes bytes, Work work) const;

  const std::shared_ptr<SpoolRoom> m_room;
  SpoolFile m_file;
  std::mutex m_mutex;                   ///< for the pieces, which readers find by m_inMemory
  mutable std::shared_mutex m_leaving;  ///< they stay while somebody reads
  bool m_full = false;
  std::vector<std::unique_ptr<AnonymousMemory>>
      m_pieces;  ///< never moves: has its capacity from the beginning
  std::atomic<std::uint64_t> m_inMemory{0};
};

}  // namespace farfield::session
