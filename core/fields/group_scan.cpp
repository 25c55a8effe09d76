#include "core/fields/group_scan.h"

#include <algorithm>
#include <cmath>

namespace farfield::fields {
namespace {
/// At least those of boxMayHold() for any cell of the group.
constexpr double kBoxMargin = 1e-8;
constexpr double kRoundingMargin = 2e-12;
}  // namespace

GroupScan::GroupScan(const CellGroup& group, Vec3 point)
    : m_nodesI(group.cells.size[0] + 1), m_nodesJ(group.cells.size[1] + 1) {
  for (int a = 0; a < 3; ++a) {
    const double low = group.box.min[a], high = group.box.max[a];
    const double margin =
        kBoxMargin * (high - low) + kRoundingMargin * std::max(std::abs(low), std::abs(high));
    m_low[a] = point[a] - margin;
    m_high[a] = point[a] + margin;
  }
}

std::uint64_t GroupScan::add(const Layer& xyz) {
  std::array<std::uint8_t, kNodesPerLayer> sides;
  for (std::int64_t n = 0; n < m_nodesI * m_nodesJ; ++n) {
    const double x = xyz[3 * n], y = xyz[3 * n + 1], z = xyz[3 * n + 2];
    sides[n] = static_cast<std::uint8_t>(x < m_low.x) | static_cast<std::uint8_t>((x > m_high.x) << 1) |
               static_cast<std::uint8_t>((y < m_low.y) << 2) |
               static_cast<std::uint8_t>((y > m_high.y) << 3) |
               static_cast<std::uint8_t>((z < m_low.z) << 4) | static_cast<std::uint8_t>((z > m_high.z) << 5);
  }
  std::uint64_t cells = 0;
  for (std::int64_t j = 0; j + 1 < m_nodesJ; ++j)
    for (std::int64_t i = 0; i + 1 < m_nodesI; ++i) {
      const std::int64_t node = i + m_nodesI * j;
      const std::uint8_t common =
          sides[node] & sides[node + 1] & sides[node + m_nodesI] & sides[node + m_nodesI + 1];
      const std::int64_t cell = i + kCellsPerGroup * j;
      if (m_hasBelow && (common & m_below[cell]) == 0) cells |= std::uint64_t{1} << cell;
      m_below[cell] = common;
    }
  m_hasBelow = true;
  return cells;
}

}  // namespace farfield::fields
