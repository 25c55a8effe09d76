#include "core/paging/cache/frame_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "core/base/error.h"

namespace farfield::paging {
namespace {
constexpr std::uint64_t kLeastForHugePages = std::uint64_t{64} << 20;
constexpr std::uint64_t kWithoutHugePages = std::uint64_t{2} << 20;  ///< at the start of each class
/// The share of the limit that may stay free but allocated, for reuse in its class.
constexpr std::uint64_t kKeptShare = 16;
}  // namespace

std::uint64_t FrameMemory::slotBytes(std::uint64_t bytes) {
  const std::uint64_t step = std::max(kSmallestSlot, std::bit_floor(std::max<std::uint64_t>(bytes, 1)) / 8);
  return (bytes + step - 1) / step * step;
}

FrameMemory::~FrameMemory() {
  for (auto& [slotBytes, group] : m_classes)
    if (group.base) ::munmap(group.base, group.capacity * slotBytes);
}

void FrameMemory::releaseKept(std::uint64_t needed) {
  for (auto& [slotBytes, group] : m_classes) {
    while (!group.resident.empty() && m_charged + needed > m_limit) {
      const std::uint32_t slot = group.resident.back();
      group.resident.pop_back();
      ::madvise(group.base + slot * slotBytes, slotBytes, MADV_DONTNEED);
      group.released.push_back(slot);
      m_charged -= slotBytes;
      m_kept -= slotBytes;
    }
  }
}

void FrameMemory::setLimit(std::uint64_t bytes) {
  m_limit = bytes;
  releaseKept(0);
}

void FrameMemory::prepare(std::uint64_t slotBytes) {
  SizeClass& group = m_classes[slotBytes];
  if (group.base || slotBytes > m_most) return;
  group.capacity = m_most / slotBytes;
  void* const range = ::mmap(nullptr, group.capacity * slotBytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) throw ioError("address space for page frames", errno);
  group.base = static_cast<std::byte*>(range);
  // Without huge pages, scattered look-ups in a large range miss the TLB each time. But a huge page that is
  // only partly used is memory that was not charged, and clearing it takes longer than small data gain. So
  // small budgets, and the start of each class, go without.
  const std::uint64_t bytes = group.capacity * slotBytes;
  if (std::min(m_budget, m_most) >= kLeastForHugePages && bytes > kWithoutHugePages)
    ::madvise(group.base + kWithoutHugePages, bytes - kWithoutHugePages, MADV_HUGEPAGE);
}

std::byte* FrameMemory::allocate(std::uint64_t slotBytes) {
  SizeClass& group = m_classes[slotBytes];
  if (!group.resident.empty()) {
    const std::uint32_t slot = group.resident.back();
    group.resident.pop_back();
    m_kept -= slotBytes;
    return group.base + slot * slotBytes;
  }
  if (m_charged + slotBytes > m_limit && m_kept > 0) releaseKept(slotBytes);
  if (m_charged + slotBytes > m_limit) return nullptr;
  std::uint32_t slot;
  if (!group.released.empty()) {
    slot = group.released.back();
    group.released.pop_back();
  } else {
    slot = static_cast<std::uint32_t>(group.handedOut++);
  }
  m_charged += slotBytes;
  return group.base + slot * slotBytes;
}

void FrameMemory::free(std::byte* slot, std::uint64_t slotBytes) {
  SizeClass& group = m_classes[slotBytes];
  const auto number = static_cast<std::uint32_t>(static_cast<std::uint64_t>(slot - group.base) / slotBytes);
  if (m_kept + slotBytes <= m_limit / kKeptShare && m_charged <= m_limit) {
    group.resident.push_back(number);
    m_kept += slotBytes;
    return;
  }
  ::madvise(slot, slotBytes, MADV_DONTNEED);
  group.released.push_back(number);
  m_charged -= slotBytes;
}

}  // namespace farfield::paging
