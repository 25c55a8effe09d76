#include "core/base/anonymous_memory.h"

#include <sys/mman.h>

#include <cerrno>

#include "core/base/error.h"

namespace farfield {

AnonymousMemory::AnonymousMemory(std::uint64_t bytes, MemoryPages pages, const std::string& what) {
  const bool huge = pages == MemoryPages::Huge && bytes >= kHugePageBytes;
  // Room to begin at a huge page; untouched parts take address space only.
  m_mappedBytes = bytes + (huge ? kHugePageBytes : 0);
  m_mapping = ::mmap(nullptr, m_mappedBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (m_mapping == MAP_FAILED) throw ioError("memory for " + what + " was refused", errno);
  m_data = static_cast<std::byte*>(m_mapping);
  if (!huge) return;
  m_data += -reinterpret_cast<std::uintptr_t>(m_data) % kHugePageBytes;
  ::madvise(m_data, bytes, MADV_HUGEPAGE);  // fails if the kernel has none
}

AnonymousMemory::~AnonymousMemory() {
  ::munmap(m_mapping, m_mappedBytes);
}

}  // namespace farfield
