#pragma once
// Memory for frames, in size classes. See README.md here, "Frames of different sizes".

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace farfield::paging {

constexpr std::uint64_t kSmallestSlot = 4096;
/// Bookkeeping of a frame (descriptor, table entries) is at most this share of the smallest slot.
constexpr std::uint64_t kBookkeepingShare = 32;
/// Bytes for frames out of `claimedBytes`.
constexpr std::uint64_t frameBytesOf(std::uint64_t claimedBytes) {
  return claimedBytes - claimedBytes / kBookkeepingShare;
}
/// Bytes to claim for `frameBytes` of frames.
constexpr std::uint64_t withBookkeeping(std::uint64_t frameBytes) {
  return frameBytes + frameBytes / (kBookkeepingShare - 1) + 1;
}

/// Not thread-safe: the cache's mutex guards it. Addresses handed out stay mapped until destruction, so that
/// a reader that lost a race reads stale bytes, never unmapped memory.
class FrameMemory {
 public:
  /// The limit may be raised up to `mostBytes`. For a budget of many megabytes it asks for huge pages.
  FrameMemory(std::uint64_t limitBytes, std::uint64_t mostBytes, std::uint64_t budgetBytes)
      : m_most(mostBytes), m_budget(budgetBytes), m_limit(limitBytes) {}
  ~FrameMemory();
  FrameMemory(const FrameMemory&) = delete;
  FrameMemory& operator=(const FrameMemory&) = delete;

  /// What a frame of `bytes` is charged: at most an eighth more than `bytes`, a multiple of 4 KiB.
  static std::uint64_t slotBytes(std::uint64_t bytes);

  /// Reserves the address space of a class. Throws Io.
  void prepare(std::uint64_t slotBytes);
  /// A slot of `slotBytes` (a prepared class; a value of slotBytes()), or nullptr if the limit leaves no
  /// room. Free slots of other classes are returned to the operating system first if that makes room.
  std::byte* allocate(std::uint64_t slotBytes);
  /// Keeps the slot for its class, or returns its memory to the system if enough are kept already.
  void free(std::byte* slot, std::uint64_t slotBytes);

  std::uint64_t limitBytes() const { return m_limit; }
  /// Lowers or raises the limit; free slots above a lower limit are returned to the system.
  void setLimit(std::uint64_t bytes);
  bool isOverLimit() const { return m_charged > m_limit; }
  /// Bytes of all slots that hold memory.
  std::uint64_t chargedBytes() const { return m_charged; }

 private:
  struct SizeClass {
    std::byte* base = nullptr;
    std::uint64_t handedOut = 0;  ///< slots, from the start of the range
    std::uint64_t capacity = 0;
    std::vector<std::uint32_t> resident;  ///< free slots whose memory is kept
    std::vector<std::uint32_t> released;  ///< free slots without memory
  };
  void releaseKept(std::uint64_t needed);

  const std::uint64_t m_most, m_budget;
  std::uint64_t m_limit, m_charged = 0, m_kept = 0;
  std::map<std::uint64_t, SizeClass> m_classes;  ///< by slot bytes
};

}  // namespace farfield::paging
