#pragma once
// The summary of a page, row by row, at memory speed: minima and maxima are kept in lanes over all rows and
// folded into components once, at the end. PageSummary::add does the same for a whole page in one piece; the
// rows of a window, which are short, would spend their time folding.

#include <cstddef>
#include <limits>
#include <type_traits>

#include "core/paging/store/page_summary.h"

namespace farfield::paging::detail {

/// For arrays whose number of components divides kLanes.
template <class T>
class RowSummary {
 public:
  /// Divisible by all numbers of components up to six; fixed, so that compilers vectorize the loops.
  static constexpr std::size_t kLanes = 60;
  static bool serves(int components) {
    return components > 0 && kLanes % static_cast<std::size_t>(components) == 0;
  }

  RowSummary() {
    for (std::size_t n = 0; n < kLanes; ++n) {
      m_low[n] = std::numeric_limits<T>::max();
      m_high[n] = std::numeric_limits<T>::lowest();
      m_poison[n] = 0;
    }
  }

  /// Takes in `count` values, of whole nodes.
  void add(const T* row, std::size_t count) {
    for (; count >= kLanes; count -= kLanes, row += kLanes)
      for (std::size_t n = 0; n < kLanes; ++n) addLane(n, row[n]);
    for (std::size_t n = 0; n < count; ++n) addLane(n, row[n]);
  }

  /// False where a value was not finite: the lanes are of no use then.
  bool allFinite() const {
    T sum = 0;
    for (const T poison : m_poison) sum += poison;
    return sum == 0;
  }

  /// Folds the lanes into `summary`. Where fewer values than lanes came, the idle lanes hold nothing.
  void foldInto(PageSummary& summary) const {
    const std::size_t components = summary.components.size();
    for (std::size_t n = 0; n < kLanes; ++n) {
      if (m_low[n] > m_high[n]) continue;
      ValueRange& range = summary.components[n % components];
      if (static_cast<double>(m_low[n]) < range.min) range.min = static_cast<double>(m_low[n]);
      if (static_cast<double>(m_high[n]) > range.max) range.max = static_cast<double>(m_high[n]);
    }
  }

 private:
  void addLane(std::size_t n, T value) {
    m_low[n] = value < m_low[n] ? value : m_low[n];
    m_high[n] = value > m_high[n] ? value : m_high[n];
    // x - x is 0 for finite x and NaN otherwise.
    if constexpr (std::is_floating_point_v<T>) m_poison[n] += value - value;
  }

  T m_low[kLanes], m_high[kLanes], m_poison[kLanes];
};

}  // namespace farfield::paging::detail
