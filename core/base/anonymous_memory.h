#pragma once
// Memory mapped from the operating system, for ranges whose pages matter.

#include <cstddef>
#include <cstdint>
#include <string>

namespace farfield {

constexpr std::uint64_t kHugePageBytes = std::uint64_t{2} << 20;
constexpr std::uint64_t wholeHugePages(std::uint64_t bytes) {
  return (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
}

enum class MemoryPages {
  Ordinary,  ///< pages of the usual size
  Huge       ///< begins at a huge page and asks for huge pages; the system may give ordinary ones
};

/// A range of zeros owned by one object. It takes memory only where it is touched, by the huge page if there
/// are any. Does not charge a budget.
class AnonymousMemory {
 public:
  /// `bytes` > 0. A range of less than kHugePageBytes has no huge pages. Throws Io, which names `what` ("page
  /// frames"), if the system refuses.
  AnonymousMemory(std::uint64_t bytes, MemoryPages pages, const std::string& what);
  ~AnonymousMemory();
  AnonymousMemory(const AnonymousMemory&) = delete;
  AnonymousMemory& operator=(const AnonymousMemory&) = delete;

  /// Starts at a multiple of the system's page size.
  std::byte* data() const { return m_data; }

 private:
  std::uint64_t m_mappedBytes;
  void* m_mapping;
  std::byte* m_data;
};

}  // namespace farfield
