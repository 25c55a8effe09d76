#include "app/model/workshop/value_histogram.h"

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

bool ValueHistogram::reach(double value) {
  m_least = std::min(m_least, value);
  m_greatest = std::max(m_greatest, value);
  if (m_counts.empty()) {
    if (m_least == m_greatest) return false;
    // Everything until now had one value.
    const double other = value == m_greatest ? m_least : m_greatest;
    const double span = m_greatest - m_least;
    if (!std::isfinite(span) || !(span / kIntervals > 0)) return false;
    m_counts.assign(kIntervals, 0.0);
    m_low = m_least;
    m_width = 2 * span / kIntervals;
    m_counts[intervalOf(other)] += m_weight;
  }
  while (value < m_low || value >= m_low + m_width * kIntervals) {
    grow(value);
    if (!std::isfinite(m_width * kIntervals)) return false;
  }
  return true;
}

std::size_t ValueHistogram::intervalOf(double value) const {
  return std::min(kIntervals - 1, static_cast<std::size_t>((value - m_low) / m_width));
}

void ValueHistogram::add(double value, double weight) {
  if (!std::isfinite(value)) {
    m_notFinite += weight;
    return;
  }
  if (!(weight > 0)) return;
  const bool hasIntervals = reach(value);
  m_sum += weight * value;
  m_weight += weight;
  if (hasIntervals) m_counts[intervalOf(value)] += weight;
}

void ValueHistogram::addSpread(std::span<const double> values, double weight) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (!std::isfinite(mean) || *low == *high) return add(mean, weight);
  if (!(weight > 0)) return;
  const double least = *low, greatest = *high, span = greatest - least;
  const double middle = values.size() == 3 ? 3 * mean - least - greatest : 0;
  // Which part has values below `value`: on a line all occur equally often, on a triangle that of the middle corner most.
  const auto below = [&](double value) {
    const double up = std::clamp((value - least) / span, 0.0, 1.0), down = 1 - up;
    if (values.size() != 3) return up;
    const double top = std::clamp((middle - least) / span, 0.0, 1.0);
    return up <= top ? (top > 0 ? up * up / top : 0) : 1 - down * down / (1 - top);
  };
  reach(least);
  if (!reach(greatest)) return add(mean, weight);
  m_sum += weight * mean;
  m_weight += weight;
  // A few hundred parts are enough for what bars show; a triangle that spans all values is in as many intervals.
  constexpr std::size_t kMostParts = 256;
  const std::size_t first = intervalOf(least), last = intervalOf(greatest),
                    stride = (last - first) / kMostParts + 1;
  double before = 0;
  for (std::size_t n = first; n <= last; n += stride) {
    const double upTo = n + stride > last ? 1 : below(m_low + static_cast<double>(n + stride) * m_width);
    m_counts[std::min(last, n + stride / 2)] += weight * (upTo - before);
    before = upTo;
  }
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
