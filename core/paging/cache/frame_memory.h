#pragma once
// Memory for frames, in size classes. See README.md here, "Frames of different sizes".

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace farfield::paging {

constexpr std::uint64_t kSmallestSlot = 4096;
/// Bookkeeping of a frame (descriptor, table entries) against the smallest slot.
constexpr std::uint64_t kBookkeepingShare = 32;
/// Of claimed bytes, those that frames have.
constexpr std::uint64_t frameBytesOf(std::uint64_t claimedBytes) {
  return claimedBytes - claimedBytes / kBookkeepingShare;
}
/// What has to be claimed for frames of so many bytes.
constexpr std::uint64_t withBookkeeping(std::uint64_t frameBytes) {
  return frameBytes + frameBytes / (kBookkeepingShare - 1) + 1;
}

/// Not thread-safe: the cache's mutex guards it. Addresses handed out stay mapped until destruction, so that
/// a reader which lost a race reads stale bytes, never unmapped memory.
class FrameMemory {
 public:
  /// The limit may be moved up to `mostBytes`. Where the memory is for a budget of many megabytes it asks for huge
  /// pages.
  FrameMemory(std::uint64_t limitBytes, std::uint64_t mostBytes, std::uint64_t budgetBytes)
      : m_most(mostBytes), m_budget(budgetBytes), m_limit(limitBytes) {}
  ~FrameMemory();
  FrameMemory(const FrameMemory&) = delete;
  FrameMemory& operator=(const FrameMemory&) = delete;

  /// What a frame of `bytes` is charged: at most an eighth more, a multiple of 4 KiB.
  static std::uint64_t slotBytes(std::uint64_t bytes);

  /// Sets aside the address space of a class. Throws Io.
  void prepare(std::uint64_t slotBytes);
  /// A slot of `slotBytes` (a prepared class; a value of slotBytes()), or nullptr when the limit leaves no
  /// room for it. Slots that are kept free for other classes are given to the operating system first where
  /// that makes room.
  std::byte* allocate(std::uint64_t slotBytes);
  /// Keeps the slot for its class, or gives its memory back where enough is kept already.
  void free(std::byte* slot, std::uint64_t slotBytes);

  std::uint64_t limitBytes() const { return m_limit; }
  /// Slots that are kept free go where the limit is lower than before.
  void setLimit(std::uint64_t bytes);
  bool isOverLimit() const { return m_charged > m_limit; }
  /// Bytes of all slots that hold memory.
  std::uint64_t chargedBytes() const { return m_charged; }

 private:
  struct SizeClass {
    std::byte* base = nullptr;
    std::uint64_t handedOut = 0;  ///< handed out so far, from the start of the range
    std::uint64_t capacity = 0;
    std::vector<std::uint32_t> resident;  ///< free, memory kept
    std::vector<std::uint32_t> released;  ///< free, memory given back
  };
  void releaseKept(std::uint64_t needed);

  const std::uint64_t m_most, m_budget;
  std::uint64_t m_limit, m_charged = 0, m_kept = 0;
  std::map<std::uint64_t, SizeClass> m_classes;  ///< by slot bytes
};

}  // namespace farfield::paging
