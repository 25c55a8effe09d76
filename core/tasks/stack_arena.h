#pragma once
// The stacks of one processor's fibers: one mapping, cut into equal stacks, taken lowest first, so that memory
// is used only for as many as were in flight at once. Guard pages per stack would cost two mappings each, and
// a process may have 65,530. Instead a canary lies below each stack and is checked whenever the fiber leaves
// it; only the lowest stack has a guard page.
//
//   guard page | slack: page | stack 0 … top | stack 1 … top | …
//
// The cuts lie kCanaryBytes below page boundaries, so that the canary of a stack shares its page with the
// top of the stack below, which is in use anyway.

#include <cstddef>

namespace farfield::tasks::detail {

class StackArena {
 public:
  /// `stackBytes` is rounded up to whole pages, and to the least that an exception can be thrown on. Throws
  /// Io when there is no address space for it.
  StackArena(std::size_t count, std::size_t stackBytes);
  StackArena(const StackArena&) = delete;
  StackArena& operator=(const StackArena&) = delete;
  ~StackArena();

  std::size_t count() const { return m_count; }
  /// Usable bytes of one stack.
  std::size_t usableBytes() const { return m_stackBytes - kCanaryBytes; }
  /// The upper end of stack `index`, where it begins; 64-byte aligned.
  void* top(std::size_t index) const { return m_stacks + (index + 1) * m_stackBytes; }

  /// Before the stack is used.
  void placeCanary(std::size_t index);
  /// False: something has written below the stack's end.
  bool isIntact(std::size_t index) const;
  /// Gives the memory of stacks `first` and above back to the system. None of them is in use.
  void releaseFrom(std::size_t first);

 private:
  static constexpr std::size_t kCanaryBytes = 64;
  std::size_t m_count, m_stackBytes, m_mappedBytes;
  std::byte* m_mapping = nullptr;
  std::byte* m_stacks = nullptr;  ///< the lower end of stack 0, at its canary
};

}  // namespace farfield::tasks::detail
