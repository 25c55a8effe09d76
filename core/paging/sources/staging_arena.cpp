#include "core/paging/sources/staging_arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cerrno>

#include "core/base/error.h"

namespace farfield::paging {
namespace {
constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
}

StagingArena::StagingArena(MemoryAccount& account, std::uint64_t bytes, const std::string& what) {
  if (bytes > account.budgetBytes())  // also keeps the rounding below from wrapping around
    m_claim = account.claim(Purpose::Staging, bytes, what);
  m_bytes = wholeStagingUnits(std::max<std::uint64_t>(bytes, 1));
  m_claim = account.claim(Purpose::Staging, m_bytes, what);
  // A direct read into small pages of memory goes to the disk as a list of as many pieces, a read into a huge
  // page as one: on disks that a hypervisor provides that alone is worth a tenth to a third of the rate.
  const bool huge = m_bytes >= kHugePage;
  m_mappedBytes = m_bytes + (huge ? kHugePage : 0);
  m_mapping = ::mmap(nullptr, m_mappedBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (m_mapping == MAP_FAILED) throw ioError("memory for " + what + " was refused", errno);
  m_base = static_cast<std::byte*>(m_mapping);
  if (huge) {
    m_base += -reinterpret_cast<std::uintptr_t>(m_base) % kHugePage;
    ::madvise(m_base, m_bytes, MADV_HUGEPAGE);  // refused where the kernel has none, and then it does without
  }
  m_free.push_back({0, m_bytes});
}

StagingArena::~StagingArena() {
  ::munmap(m_mapping, m_mappedBytes);
}

std::span<std::byte> StagingArena::tryTake(std::uint64_t bytes) {
  if (bytes == 0 || bytes > m_bytes) return {};
  const std::uint64_t need = wholeStagingUnits(bytes);
  for (auto range = m_free.begin(); range != m_free.end(); ++range) {
    if (range->bytes < need) continue;
    const std::span<std::byte> piece(m_base + range->offset, bytes);
    range->offset += need;
    range->bytes -= need;
    if (range->bytes == 0) m_free.erase(range);
    return piece;
  }
  return {};
}

void StagingArena::giveBack(std::span<std::byte> piece) {
  assert(!piece.empty() && piece.data() >= m_base && piece.data() + piece.size() <= m_base + m_bytes);
  Range range{static_cast<std::uint64_t>(piece.data() - m_base), wholeStagingUnits(piece.size())};
  auto next = std::lower_bound(m_free.begin(), m_free.end(), range,
                               [](const Range& a, const Range& b) { return a.offset < b.offset; });
  if (next != m_free.end() && range.offset + range.bytes == next->offset) {
    range.bytes += next->bytes;
    next = m_free.erase(next);
  }
  if (next != m_free.begin() && std::prev(next)->offset + std::prev(next)->bytes == range.offset)
    std::prev(next)->bytes += range.bytes;
  else
    m_free.insert(next, range);
}

}  // namespace farfield::paging
