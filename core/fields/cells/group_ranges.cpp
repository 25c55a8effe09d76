#include "core/fields/cells/group_ranges.h"

#include <algorithm>
#include <limits>

#include "core/fields/cells/typed_numbers.h"

namespace farfield::fields {
namespace {

constexpr std::size_t kMostColumns = static_cast<std::size_t>(kCellsPerGroup * kGroupsPerGroup + 1);

/// Comparisons with what is not a number are false. Compilers make vectors of this.
template <class T>
void widen(const T* row, std::size_t count, T* __restrict low, T* __restrict high) {
  for (std::size_t n = 0; n < count; ++n) {
    low[n] = row[n] < low[n] ? row[n] : low[n];
    high[n] = row[n] > high[n] ? row[n] : high[n];
  }
}

}  // namespace

void GroupRanges::open(const IndexBox& cells) {
  m_cells = cells;
  for (std::size_t a = 0; a < 3; ++a) m_groups[a] = (cells.size[a] + kCellsPerGroup - 1) / kCellsPerGroup;
  m_ranges.fill({});
}

GroupRanges::Touched GroupRanges::touchedBy(const IndexBox& part) const {
  Touched touched;
  for (std::size_t a = 0; a < 3; ++a) {
    // a node on a border belongs to the groups on both sides
    const std::int64_t first = part.first[a] - m_cells.first[a];
    touched.from[a] = first <= 0 ? 0 : (first - 1) / kCellsPerGroup;
    touched.end[a] = std::min(m_groups[a], (first + part.size[a] - 1) / kCellsPerGroup + 1);
  }
  return touched;
}

std::array<std::int64_t, 2> GroupRanges::nodesOf(const IndexBox& part, std::size_t axis,
                                                 std::int64_t group) const {
  const std::int64_t first = m_cells.first[axis] + group * kCellsPerGroup - part.first[axis];
  return {std::max<std::int64_t>(0, first), std::min(part.size[axis], first + kCellsPerGroup + 1)};
}

Interval& GroupRanges::at(std::int64_t i, std::int64_t j, std::int64_t k) {
  return m_ranges[static_cast<std::size_t>(linear({i, j, k}, m_groups))];
}

const Interval& GroupRanges::of(const CellGroup& group) const {
  Index3 at;
  for (std::size_t a = 0; a < 3; ++a) at[a] = (group.cells.first[a] - m_cells.first[a]) / kCellsPerGroup;
  return of(at);
}

template <class T>
void GroupRanges::addNumbers(const IndexBox& part, const T* first, const Numbers& strides) {
  const Touched groups = touchedBy(part);
  const auto columns = static_cast<std::size_t>(part.size[0]);
  std::array<T, kMostColumns> low, high, row;
  const auto rowAt = [&](const T* at) {
    if (strides.strideI == 1) return at;
    for (std::size_t n = 0; n < columns; ++n) row[n] = at[static_cast<std::int64_t>(n) * strides.strideI];
    return static_cast<const T*>(row.data());
  };
  for (std::int64_t gk = groups.from[2]; gk < groups.end[2]; ++gk)
    for (std::int64_t gj = groups.from[1]; gj < groups.end[1]; ++gj) {
      std::fill_n(low.begin(), columns, std::numeric_limits<T>::max());
      std::fill_n(high.begin(), columns, std::numeric_limits<T>::lowest());
      const auto [fromK, endK] = nodesOf(part, 2, gk);
      const auto [fromJ, endJ] = nodesOf(part, 1, gj);
      for (std::int64_t k = fromK; k < endK; ++k)
        for (std::int64_t j = fromJ; j < endJ; ++j)
          widen(rowAt(first + j * strides.strideJ + k * strides.strideK), columns, low.data(), high.data());
      for (std::int64_t gi = groups.from[0]; gi < groups.end[0]; ++gi) {
        const auto [fromI, endI] = nodesOf(part, 0, gi);
        Interval& range = at(gi, gj, gk);
        range.low = std::min(range.low,
                             static_cast<double>(*std::min_element(low.begin() + fromI, low.begin() + endI)));
        range.high = std::max(
            range.high, static_cast<double>(*std::max_element(high.begin() + fromI, high.begin() + endI)));
      }
    }
}

void GroupRanges::add(const IndexBox& part, const Numbers& numbers) {
  withNumbers(numbers.numbers, numbers.type,
              [&](const auto* all) { addNumbers(part, all + numbers.first, numbers); });
}

void GroupRanges::add(const IndexBox& part, double number) {
  const Touched groups = touchedBy(part);
  for (std::int64_t k = groups.from[2]; k < groups.end[2]; ++k)
    for (std::int64_t j = groups.from[1]; j < groups.end[1]; ++j)
      for (std::int64_t i = groups.from[0]; i < groups.end[0]; ++i) {
        Interval& range = at(i, j, k);
        range.low = std::min(range.low, number);
        range.high = std::max(range.high, number);
      }
}

}  // namespace farfield::fields
