#pragma once
// The summary of a page, row by row, at memory speed: minima and maxima are kept in lanes over all rows and
// combined into components once, at the end. PageSummary::add does the same for a whole page at once; with
// the short rows of a window it would spend its time combining.

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "core/paging/store/page_summary.h"

namespace farfield::paging::detail {

/// For arrays of `kComponents` components.
template <class T, int kComponents>
class RowSummary {
 public:
  RowSummary() {
    for (std::size_t n = 0; n < kLanes; ++n) {
      m_low[n] = std::numeric_limits<T>::max();
      m_high[n] = std::numeric_limits<T>::lowest();
      m_poison[n] = 0;
    }
  }

  /// Adds `count` values, whole nodes.
  void add(const T* row, std::size_t count) {
    // local copies stay in registers
    Lanes low = m_low, high = m_high, poison = m_poison;
    for (; count >= kLanes; count -= kLanes, row += kLanes)
      for (std::size_t n = 0; n < kLanes; ++n) addLane(row[n], low[n], high[n], poison[n]);
    for (std::size_t n = 0; n < count; ++n) addLane(row[n], low[n], high[n], poison[n]);
    m_low = low;
    m_high = high;
    m_poison = poison;
  }

  /// False if a value was not finite: the lanes are then useless.
  bool allFinite() const {
    T sum = 0;
    for (const T poison : m_poison) sum += poison;
    return sum == 0;
  }

  /// Combines the lanes into `summary`.
  void foldInto(PageSummary& summary) const {
    for (std::size_t n = 0; n < kLanes; ++n) {
      if (m_low[n] > m_high[n]) continue;
      ValueRange& range = summary.components[n % kComponents];
      if (static_cast<double>(m_low[n]) < range.min) range.min = static_cast<double>(m_low[n]);
      if (static_cast<double>(m_high[n]) > range.max) range.max = static_cast<double>(m_high[n]);
    }
  }

 private:
  /// whole vectors, whole nodes, and few enough to stay in registers
  static constexpr std::size_t kLanes = kComponents == 1 ? 16 : 4 * kComponents;
  using Lanes = std::array<T, kLanes>;

  static void addLane(T value, T& low, T& high, T& poison) {
    low = value < low ? value : low;
    high = value > high ? value : high;
    // x - x is 0 for finite x and NaN otherwise.
    if constexpr (std::is_floating_point_v<T>) poison += value - value;
  }

  Lanes m_low, m_high, m_poison;
};

}  // namespace farfield::paging::detail
