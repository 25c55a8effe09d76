#include "core/fields/group_scan.h"

#include <algorithm>
#include <cmath>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace farfield::fields {
namespace {
/// At least those of boxMayHold() for any cell of the group.
constexpr double kBoxMargin = 1e-8;
constexpr double kRoundingMargin = 2e-12;

/// Bits of the nodes of a row, bit i each.
struct RowBits {
  unsigned low = 0, high = 0;
};

/// Which of `count` numbers, three apart, are below `low`, and which above `high`.
inline RowBits compareRow(const double* value, std::int64_t count, double low, double high) {
  RowBits row;
  std::int64_t i = 0;
#ifdef __SSE2__
  const __m128d lows = _mm_set1_pd(low), highs = _mm_set1_pd(high);
  for (; i + 2 <= count; i += 2, value += 6) {
    const __m128d two = _mm_loadh_pd(_mm_load_sd(value), value + 3);
    row.low |= static_cast<unsigned>(_mm_movemask_pd(_mm_cmplt_pd(two, lows))) << i;
    row.high |= static_cast<unsigned>(_mm_movemask_pd(_mm_cmpgt_pd(two, highs))) << i;
  }
#endif
  for (; i < count; ++i, value += 3) {
    row.low |= static_cast<unsigned>(*value < low) << i;
    row.high |= static_cast<unsigned>(*value > high) << i;
  }
  return row;
}
}  // namespace

GroupScan::GroupScan(const CellGroup& group, Vec3 point)
    : m_nodesI(group.cells.size[0] + 1), m_nodesJ(group.cells.size[1] + 1) {
  for (int a = 0; a < 3; ++a) {
    const double low = group.box.min[a], high = group.box.max[a];
    const double margin =
        kBoxMargin * (high - low) + kRoundingMargin * std::max(std::abs(low), std::abs(high));
    m_low[static_cast<std::size_t>(a)] = point[a] - margin;
    m_high[static_cast<std::size_t>(a)] = point[a] + margin;
  }
  for (std::int64_t j = 0; j + 1 < m_nodesJ; ++j)
    m_cells |= ((std::uint64_t{1} << (m_nodesI - 1)) - 1) << (kCellsPerGroup * j);
}

std::uint64_t GroupScan::between(const Layer& below, const Layer& above) {
  Sides sides;
  std::uint64_t cells = m_cells;
  for (std::size_t n = 0; n < 3 && cells != 0; ++n) {
    const std::size_t axis = m_axes[n];
    if (!m_last.known[axis]) findSides(below, axis, m_last);
    findSides(above, axis, sides);
    cells &= ~((m_last.low[axis] & sides.low[axis]) | (m_last.high[axis] & sides.high[axis]));
    if (cells == 0) std::swap(m_axes[0], m_axes[n]);
  }
  m_last = sides;
  return cells;
}

void GroupScan::findSides(const Layer& layer, std::size_t axis, Sides& sides) const {
  const double low = m_low[axis], high = m_high[axis];
  // The usual count known to the compiler, for whole groups.
  const auto rowAt = [&](std::int64_t j) {
    return m_nodesI == kNodesPerAxis
               ? compareRow(layer.data() + 3 * kNodesPerAxis * j + axis, kNodesPerAxis, low, high)
               : compareRow(layer.data() + 3 * m_nodesI * j + axis, m_nodesI, low, high);
  };
  std::uint64_t cellsLow = 0, cellsHigh = 0;
  RowBits before = rowAt(0);
  for (std::int64_t j = 1; j < m_nodesJ; ++j) {
    const RowBits row = rowAt(j);
    const unsigned bothLow = row.low & before.low, bothHigh = row.high & before.high;
    cellsLow |= static_cast<std::uint64_t>(bothLow & bothLow >> 1 & 0xff) << (kCellsPerGroup * (j - 1));
    cellsHigh |= static_cast<std::uint64_t>(bothHigh & bothHigh >> 1 & 0xff) << (kCellsPerGroup * (j - 1));
    before = row;
  }
  sides.low[axis] = cellsLow;
  sides.high[axis] = cellsHigh;
  sides.known[axis] = true;
}

}  // namespace farfield::fields
