#include "core/session/result_extent.h"

#include <algorithm>
#include <cmath>

namespace farfield::session {

void ResultExtent::add(Vec3 point, std::span<const double> values) {
  m_bounds.add(point);
  for (std::size_t n = 0; n < m_ranges.size(); ++n) {
    if (!std::isfinite(values[n])) continue;
    m_ranges[n][0] = std::min(m_ranges[n][0], values[n]);
    m_ranges[n][1] = std::max(m_ranges[n][1], values[n]);
  }
}

void ResultExtent::add(const ResultExtent& other) {
  m_bounds.add(other.m_bounds);
  for (std::size_t n = 0; n < m_ranges.size(); ++n) {
    m_ranges[n][0] = std::min(m_ranges[n][0], other.m_ranges[n][0]);
    m_ranges[n][1] = std::max(m_ranges[n][1], other.m_ranges[n][1]);
  }
}

std::optional<std::array<double, 2>> ResultExtent::range(int value) const {
  const std::array<double, 2>& range = m_ranges[static_cast<std::size_t>(value)];
  if (range[0] > range[1]) return std::nullopt;
  return range;
}

}  // namespace farfield::session
