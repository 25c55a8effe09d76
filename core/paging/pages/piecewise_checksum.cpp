#include "core/paging/pages/piecewise_checksum.h"

#include <algorithm>
#include <array>

#include "core/paging/pages/codec.h"

namespace farfield::paging {
namespace {

constexpr std::size_t kPartBytes = std::size_t{1} << 16;

}  // namespace

void PiecewiseChecksum::add(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), kPartBytes - m_part.size());
    m_part.insert(m_part.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes = bytes.subspan(count);
    if (m_part.size() < kPartBytes) continue;
    m_sum = withPart();
    m_part.clear();
  }
}

std::uint64_t PiecewiseChecksum::withPart() const {
  const std::array<std::uint64_t, 2> both = {m_sum, checksum(m_part)};
  return checksum(std::as_bytes(std::span(both)));
}

std::uint64_t PiecewiseChecksum::value() const {
  return m_part.empty() ? m_sum : withPart();
}

}  // namespace farfield::paging
