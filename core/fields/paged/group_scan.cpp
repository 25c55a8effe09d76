#include "core/fields/paged/group_scan.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>

#include "core/paging/location/cell_boxes.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define FARFIELD_AVX __attribute__((target("avx")))
#include <immintrin.h>
#endif

namespace farfield::fields {
namespace {
/// At least as large as those in boundsMayHold() for any cell of the group.
constexpr double kBoxMargin = 1e-8;
constexpr double kRoundingMargin = 2e-12;

/// The limits that x y z x y z … of nodes are compared with, as a pattern as long as a vector that begins at
/// any of the first three numbers.
template <class T>
using Pattern = std::array<T, 10>;

template <class T>
struct Limits {
  Pattern<T> low, high;  ///< numbers below `low` or above `high` are on a side
};

template <class T>
Pattern<T> repeated(T x, T y, T z) {
  return {x, y, z, x, y, z, x, y, z, x};
}
Limits<double> limitsOf(const std::array<double, 3>& low, const std::array<double, 3>& high, double) {
  return {repeated(low[0], low[1], low[2]), repeated(high[0], high[1], high[2])};
}
/// The same float32 numbers are on the same sides.
Limits<float> limitsOf(const std::array<double, 3>& low, const std::array<double, 3>& high, float) {
  using paging::roundedDown, paging::roundedUp;
  return {repeated(roundedUp(low[0]), roundedUp(low[1]), roundedUp(low[2])),
          repeated(roundedDown(high[0]), roundedDown(high[1]), roundedDown(high[2]))};
}

/// Bits of the numbers of a row.
struct Sides {
  std::uint32_t low = 0, high = 0;
};

template <class T>
Sides sidesOf(const T* value, int count, const Limits<T>& limits) {
  Sides sides;
  for (int n = 0; n < count; ++n) {
    const auto place = static_cast<std::size_t>(n % 3);
    sides.low |= static_cast<std::uint32_t>(value[n] < limits.low[place]) << n;
    sides.high |= static_cast<std::uint32_t>(value[n] > limits.high[place]) << n;
  }
  return sides;
}

#ifdef FARFIELD_AVX
FARFIELD_AVX inline __m256 load(const float* value) {
  return _mm256_loadu_ps(value);
}
FARFIELD_AVX inline __m256d load(const double* value) {
  return _mm256_loadu_pd(value);
}
/// Zero in lanes that are not wanted; nothing is read for them.
FARFIELD_AVX inline __m256 loadSome(const float* value, __m256i lanes) {
  return _mm256_maskload_ps(value, lanes);
}
FARFIELD_AVX inline __m256d loadSome(const double* value, __m256i lanes) {
  return _mm256_maskload_pd(value, lanes);
}
/// Adds the sides of a vector of numbers, the first of which is number n, at `place` of the pattern.
FARFIELD_AVX inline void add(__m256 values, int n, int place, const Limits<float>& limits, Sides& sides) {
  const __m256 low = _mm256_cmp_ps(values, _mm256_loadu_ps(limits.low.data() + place), _CMP_LT_OQ);
  const __m256 high = _mm256_cmp_ps(values, _mm256_loadu_ps(limits.high.data() + place), _CMP_GT_OQ);
  sides.low |= static_cast<std::uint32_t>(_mm256_movemask_ps(low)) << n;
  sides.high |= static_cast<std::uint32_t>(_mm256_movemask_ps(high)) << n;
}
FARFIELD_AVX inline void add(__m256d values, int n, int place, const Limits<double>& limits, Sides& sides) {
  const __m256d low = _mm256_cmp_pd(values, _mm256_loadu_pd(limits.low.data() + place), _CMP_LT_OQ);
  const __m256d high = _mm256_cmp_pd(values, _mm256_loadu_pd(limits.high.data() + place), _CMP_GT_OQ);
  sides.low |= static_cast<std::uint32_t>(_mm256_movemask_pd(low)) << n;
  sides.high |= static_cast<std::uint32_t>(_mm256_movemask_pd(high)) << n;
}

/// sidesOf() for rows `stride` apart.
template <class T>
FARFIELD_AVX void sidesOfRows(const T* row, std::int64_t stride, int count, const Limits<T>& limits,
                              std::span<Sides> sides) {
  constexpr int kMost = 3 * (kCellsPerGroup + 1), kWidth = 32 / sizeof(T);
  using Lane = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  std::array<Lane, 2 * kWidth> used{};
  std::fill_n(used.begin(), kWidth, Lane{-1});
  const int rest = count % kWidth;
  const __m256i tail = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(used.data() + kWidth - rest));
  for (Sides& each : sides) {
    Sides found;
#pragma GCC unroll 8
    for (int n = 0; n < kMost; n += kWidth) {
      if (n + kWidth <= count) {
        add(load(row + n), n, n % 3, limits, found);
      } else {
        if (n < count) add(loadSome(row + n, tail), n, n % 3, limits, found);
        break;
      }
    }
    const std::uint32_t bits = (std::uint32_t{1} << count) - 1;
    each = {found.low & bits, found.high & bits};
    row += stride;
  }
}
const bool kHasAvx = __builtin_cpu_supports("avx");
#endif
}  // namespace

GroupScan::GroupScan(const CellGroup& group, Vec3 point) : m_cells(group.cells.size) {
  for (int a = 0; a < 3; ++a) {
    const double low = group.bounds.min[a], high = group.bounds.max[a];
    const double margin =
        kBoxMargin * (high - low) + kRoundingMargin * std::max(std::abs(low), std::abs(high));
    m_low[static_cast<std::size_t>(a)] = point[a] - margin;
    m_high[static_cast<std::size_t>(a)] = point[a] + margin;
  }
}

template <class T>
void GroupScan::addRows(const IndexBox& part, const T* xyz, std::int64_t strideJ, std::int64_t strideK) {
  assert(part.first[0] + part.size[0] <= kNodesPerAxis && part.first[1] + part.size[1] <= kNodesPerAxis &&
         part.first[2] + part.size[2] <= kNodesPerAxis);
  const Limits<T> limits = limitsOf(m_low, m_high, T{});
  const auto shift = static_cast<int>(3 * part.first[0]), count = static_cast<int>(3 * part.size[0]);
  std::array<Sides, kNodesPerAxis> found;
  const std::span rows(found.data(), static_cast<std::size_t>(part.size[1]));
  for (std::int64_t k = 0; k < part.size[2]; ++k) {
    const T* const layer = xyz + k * strideK;
#ifdef FARFIELD_AVX
    if (kHasAvx)
      sidesOfRows(layer, strideJ, count, limits, rows);
    else
#endif
      for (std::size_t j = 0; j < rows.size(); ++j)
        rows[j] = sidesOf(layer + static_cast<std::int64_t>(j) * strideJ, count, limits);
    RowBits& isLow = m_isLow[static_cast<std::size_t>(part.first[2] + k)];
    RowBits& isHigh = m_isHigh[static_cast<std::size_t>(part.first[2] + k)];
    auto j = static_cast<std::size_t>(part.first[1]);
    for (const Sides& sides : rows) {
      isLow[j] |= sides.low << shift;
      isHigh[j++] |= sides.high << shift;
    }
  }
}
void GroupScan::add(const IndexBox& part, const void* xyz, ScalarType type, std::int64_t first,
                    std::int64_t strideJ, std::int64_t strideK) {
  if (type == ScalarType::F32)
    addRows(part, static_cast<const float*>(xyz) + first, strideJ, strideK);
  else
    addRows(part, static_cast<const double*>(xyz) + first, strideJ, strideK);
}

std::array<GroupScan::Row, kCellsPerGroup> GroupScan::layer(std::int64_t k) const {
  const auto at = static_cast<std::size_t>(k);
  const RowBits &lowBelow = m_isLow[at], &lowAbove = m_isLow[at + 1];
  const RowBits &highBelow = m_isHigh[at], &highAbove = m_isHigh[at + 1];
  constexpr std::uint32_t kEachNode = 0x1249249;
  const std::uint32_t cells = kEachNode & ((std::uint32_t{1} << (3 * m_cells[0])) - 1);
  std::array<std::uint32_t, kCellsPerGroup> left;
  for (std::size_t j = 0; j < kCellsPerGroup; ++j) {
    const std::uint32_t low = lowBelow[j] & lowBelow[j + 1] & lowAbove[j] & lowAbove[j + 1];
    const std::uint32_t high = highBelow[j] & highBelow[j + 1] & highAbove[j] & highAbove[j + 1];
    // three bits on is the same axis of the next node
    const std::uint32_t out = (low & low >> 3) | (high & high >> 3);
    left[j] = cells & ~(out | out >> 1 | out >> 2);
  }
  std::array<Row, kCellsPerGroup> rows;
  for (std::int64_t j = 0; j < m_cells[1]; ++j)
    rows[static_cast<std::size_t>(j)] = Row(left[static_cast<std::size_t>(j)]);
  return rows;
}

}  // namespace farfield::fields
