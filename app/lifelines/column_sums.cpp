#include "app/lifelines/column_sums.h"

#include <algorithm>
#include <cmath>

namespace farfield::lifelines {

ColumnSums::ColumnSums(double begin, double end, int count)
    : m_begin(begin),
      m_end(end),
      m_partial(static_cast<std::size_t>(count)),
      m_steps(static_cast<std::size_t>(count) + 1) {}

void ColumnSums::add(double from, double to, double weight) {
  from = std::max(from, m_begin);
  to = std::min(to, m_end);
  if (!(to > from)) return;
  const auto count = static_cast<double>(m_partial.size());
  const double scale = count / (m_end - m_begin);
  const double first = (from - m_begin) * scale, last = (to - m_begin) * scale;
  const auto column = [&](double place) {
    return static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, count - 1));
  };
  const std::size_t a = column(first), b = column(last);
  if (a == b) {
    m_partial[a] += weight * (last - first);
    return;
  }
  m_partial[a] += weight * (static_cast<double>(a + 1) - first);
  m_partial[b] += weight * (last - static_cast<double>(b));
  m_steps[a + 1] += weight;
  m_steps[b] -= weight;
}

std::vector<float> ColumnSums::values() const {
  std::vector<float> values(m_partial.size());
  double whole = 0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    whole += m_steps[n];
    values[n] = static_cast<float>(std::max(0.0, whole + m_partial[n]));
  }
  return values;
}

}  // namespace farfield::lifelines
