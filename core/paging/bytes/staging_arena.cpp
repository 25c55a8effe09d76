#include "core/paging/bytes/staging_arena.h"

#include <algorithm>
#include <cassert>

namespace farfield::paging {
namespace {

constexpr std::size_t kRanges = 64;

/// `bytes` in whole units, claimed. Throws OverBudget.
MemoryClaim claimUnits(MemoryAccount& account, std::uint64_t bytes, const std::string& what) {
  // More than the budget is refused unrounded: rounding it up could overflow.
  if (bytes > account.budgetBytes()) account.claim(Purpose::Staging, bytes, what);
  return account.claim(Purpose::Staging, wholeStagingUnits(std::max<std::uint64_t>(bytes, 1)), what);
}

}  // namespace

// Huge pages: a direct read into small pages reaches the disk as a list of as many pieces, a read into a huge
// page as one. On virtual disks that alone is worth a tenth to a third of the rate.
StagingArena::StagingArena(MemoryAccount& account, std::uint64_t bytes, const std::string& what)
    : m_claim(claimUnits(account, bytes, what)), m_memory(m_claim.bytes(), MemoryPages::Huge, what) {
  m_free.reserve(kRanges);
  m_free.push_back({0, this->bytes()});
}

std::span<std::byte> StagingArena::tryTake(std::uint64_t bytes) noexcept {
  if (bytes == 0 || bytes > this->bytes()) return {};
  if (m_out + 2 > m_free.capacity()) try {
      m_free.reserve(2 * m_free.capacity());
    } catch (const std::bad_alloc&) {
      return {};
    }
  const std::uint64_t need = wholeStagingUnits(bytes);
  for (auto range = m_free.begin(); range != m_free.end(); ++range) {
    if (range->bytes < need) continue;
    const std::span<std::byte> piece(m_memory.data() + range->offset, bytes);
    range->offset += need;
    range->bytes -= need;
    if (range->bytes == 0) m_free.erase(range);
    ++m_out;
    return piece;
  }
  return {};
}

void StagingArena::giveBack(std::span<std::byte> piece) noexcept {
  --m_out;
  assert(!piece.empty() && piece.data() >= m_memory.data() &&
         piece.data() + piece.size() <= m_memory.data() + this->bytes());
  Range range{static_cast<std::uint64_t>(piece.data() - m_memory.data()), wholeStagingUnits(piece.size())};
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
