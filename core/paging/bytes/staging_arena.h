#pragma once
// The memory that reads fill before the cache decodes it: one mapping, claimed from the budget as a whole and
// handed out in pieces. One mapping rather than many buffers, because pieces given back join up again, so
// that the largest page always finds room in the end. Pieces start at multiples of 4 KiB, for direct reads,
// and at the lowest free address, so that memory that was never needed is never touched (by the huge page, if
// the arena has room for one).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/anonymous_memory.h"
#include "core/base/memory_account.h"

namespace farfield::paging {

/// Sources claim staging memory in multiples of this.
constexpr std::uint64_t kStagingUnit = 4096;
constexpr std::uint64_t wholeStagingUnits(std::uint64_t bytes) {
  return (bytes + kStagingUnit - 1) / kStagingUnit * kStagingUnit;
}

/// Not thread-safe; its owner's lock guards it.
class StagingArena {
 public:
  /// Claims `bytes`, rounded up to whole units, from `account`, which outlives the arena. Throws OverBudget,
  /// which names `what`, and Io if the system has no memory.
  StagingArena(MemoryAccount& account, std::uint64_t bytes, const std::string& what);
  StagingArena(const StagingArena&) = delete;
  StagingArena& operator=(const StagingArena&) = delete;

  /// A piece of at least `bytes` > 0, cut to `bytes`; empty if none is free or no memory is left for
  /// bookkeeping. Always succeeds when no piece is out and `bytes` <= bytes().
  std::span<std::byte> tryTake(std::uint64_t bytes) noexcept;
  /// Gives back exactly what tryTake returned.
  void giveBack(std::span<std::byte> piece) noexcept;

  std::uint64_t bytes() const { return m_claim.bytes(); }

 private:
  struct Range {
    std::uint64_t offset, bytes;
  };
  MemoryClaim m_claim;
  AnonymousMemory m_memory;
  /// Sorted by offset, never adjacent. Has room for one more than there are pieces out.
  std::vector<Range> m_free;
  std::size_t m_out = 0;  ///< pieces
};

}  // namespace farfield::paging
