#pragma once
// The memory that reads land in before the cache decodes it: one mapping, claimed from the budget as a
// whole, handed out in pieces. One mapping rather than many buffers, because whatever the sizes asked
// for, all pieces given back are again the whole: the largest page always gets its turn. Pieces start at
// multiples of 4 KiB, as direct reads want them, and at the lowest address that fits, so that memory that was
// never needed is never touched (by the huge page, where the arena has room for one).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/anonymous_memory.h"
#include "core/base/memory_account.h"

namespace farfield::paging {

/// Sources take their staging memory in whole units of this.
constexpr std::uint64_t kStagingUnit = 4096;
constexpr std::uint64_t wholeStagingUnits(std::uint64_t bytes) {
  return (bytes + kStagingUnit - 1) / kStagingUnit * kStagingUnit;
}

/// Not thread-safe; its owner's lock guards it.
class StagingArena {
 public:
  /// Claims `bytes`, rounded up to whole units, from `account`, which outlives the arena. Throws OverBudget,
  /// in which `what` is named, and Io where the system has no memory.
  StagingArena(MemoryAccount& account, std::uint64_t bytes, const std::string& what);
  StagingArena(const StagingArena&) = delete;
  StagingArena& operator=(const StagingArena&) = delete;

  /// A piece of at least `bytes` > 0, cut to `bytes`; empty when it is not there now, or the system has no
  /// memory for knowing of another piece. Always succeeds when nothing is out and `bytes` is not more than
  /// bytes().
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
  /// Sorted by offset, never adjacent to one another. Has room for one more than there are pieces out.
  std::vector<Range> m_free;
  std::size_t m_out = 0;  ///< pieces
};

}  // namespace farfield::paging
