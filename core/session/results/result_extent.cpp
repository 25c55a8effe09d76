#include "core/session/results/result_extent.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace farfield::session {
namespace {

/// Of a positive number. What is smaller than any normal number counts as the least of these.
std::int64_t exponentOf(double value) {
  constexpr int kFractionBits = 52, kBias = 1023;
  return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(value) >> kFractionBits) - kBias;
}

}  // namespace

void ResultExtent::add(Vec3 point, std::span<const double> values) {
  m_bounds.add(point);
  for (std::size_t n = 0; n < m_ranges.size(); ++n) {
    if (!std::isfinite(values[n])) continue;
    m_ranges[n][0] = std::min(m_ranges[n][0], values[n]);
    m_ranges[n][1] = std::max(m_ranges[n][1], values[n]);
    if (!(values[n] > 0)) continue;
    const std::int64_t exponent = exponentOf(values[n]);
    ++m_sizes[n].count;
    m_sizes[n].sum += exponent;
    m_sizes[n].squares += exponent * exponent;
  }
}

void ResultExtent::add(const ResultExtent& other) {
  m_bounds.add(other.m_bounds);
  for (std::size_t n = 0; n < m_ranges.size(); ++n) {
    m_ranges[n][0] = std::min(m_ranges[n][0], other.m_ranges[n][0]);
    m_ranges[n][1] = std::max(m_ranges[n][1], other.m_ranges[n][1]);
    m_sizes[n].count += other.m_sizes[n].count;
    m_sizes[n].sum += other.m_sizes[n].sum;
    m_sizes[n].squares += other.m_sizes[n].squares;
  }
}

std::optional<std::array<double, 2>> ResultExtent::range(int value) const {
  const std::array<double, 2>& range = m_ranges[static_cast<std::size_t>(value)];
  if (range[0] > range[1]) return std::nullopt;
  return range;
}

std::optional<double> ResultExtent::usualLeast(int value) const {
  constexpr double kDeviations = 3;
  const Sizes& sizes = m_sizes[static_cast<std::size_t>(value)];
  if (sizes.count == 0) return std::nullopt;
  const auto count = static_cast<double>(sizes.count);
  const double mean = static_cast<double>(sizes.sum) / count;
  const double variance = std::max(0.0, static_cast<double>(sizes.squares) / count - mean * mean);
  return std::ldexp(1.0, static_cast<int>(std::floor(mean - kDeviations * std::sqrt(variance))));
}

}  // namespace farfield::session
