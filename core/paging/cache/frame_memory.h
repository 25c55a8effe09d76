#pragma once
// Memory for frames, in size classes. See README.md here, "Frames of different sizes".

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace farfield::paging {

/// Not thread-safe: the cache's mutex guards it. Addresses handed out stay mapped until destruction, so that
/// a reader which lost a race reads stale bytes, never unmapped memory.
class FrameMemory {
 public:
  explicit FrameMemory(std::uint64_t limitBytes) : m_limit(limitBytes) {}
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

  std::uint64_t m_limit, m_charged = 0, m_kept = 0;
  std::map<std::uint64_t, SizeClass> m_classes;  ///< by slot bytes
};

}  // namespace farfield::paging
