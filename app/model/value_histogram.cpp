#include "app/model/value_histogram.h"

#include <algorithm>
#include <cmath>

namespace farfield::app {

void ValueHistogram::grow(double value) {
  // Pairs become one; the new half is on the side where the value lies.
  const bool down = value < m_low;
  std::vector<double> counts(kIntervals, 0.0);
  const std::size_t shift = down ? kIntervals / 2 : 0;
  for (std::size_t n = 0; n < kIntervals; ++n) counts[shift + n / 2] += m_counts[n];
  if (down) m_low -= m_width * kIntervals;
  m_width *= 2;
  m_counts = std::move(counts);
}

void ValueHistogram::add(double value, double weight) {
  if (!std::isfinite(value)) {
    m_notFinite += weight;
    return;
  }
  if (!(weight > 0)) return;
  const bool first = m_weight == 0;
  m_least = first ? value : std::min(m_least, value);
  m_greatest = first ? value : std::max(m_greatest, value);
  m_sum += weight * value;
  const double before = m_weight;
  m_weight += weight;
  if (m_counts.empty()) {
    if (m_least == m_greatest) return;
    // Everything until now had one value.
    const double other = value == m_greatest ? m_least : m_greatest;
    const double span = m_greatest - m_least;
    if (!std::isfinite(span) || !(span / kIntervals > 0)) return;
    m_counts.assign(kIntervals, 0.0);
    m_low = m_least;
    m_width = 2 * span / kIntervals;
    m_counts[std::min(kIntervals - 1, static_cast<std::size_t>((other - m_low) / m_width))] += before;
  }
  while (value < m_low || value >= m_low + m_width * kIntervals) {
    grow(value);
    if (!std::isfinite(m_width * kIntervals)) return;
  }
  m_counts[std::min(kIntervals - 1, static_cast<std::size_t>((value - m_low) / m_width))] += weight;
}

std::vector<double> ValueHistogram::bars(std::size_t count) const {
  return bars(count, m_least, m_greatest);
}

std::vector<double> ValueHistogram::bars(std::size_t count, double from, double to) const {
  if (m_weight == 0 || count == 0) return {};
  if (!(from < to) || (m_counts.empty() && m_least < m_greatest)) return {m_weight};
  std::vector<double> bars(count, 0.0);
  const auto add = [&](double value, double weight) {
    const double place = std::clamp((value - from) / (to - from), 0.0, 1.0) * static_cast<double>(count);
    bars[std::min(count - 1, static_cast<std::size_t>(place))] += weight;
  };
  if (m_counts.empty()) add(m_least, m_weight);
  for (std::size_t n = 0; n < m_counts.size(); ++n)
    // By its middle, kept within what there is.
    if (m_counts[n] != 0)
      add(std::clamp(m_low + (static_cast<double>(n) + 0.5) * m_width, m_least, m_greatest), m_counts[n]);
  return bars;
}

}  // namespace farfield::app
