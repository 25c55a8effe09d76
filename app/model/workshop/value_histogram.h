#pragma once
// How often values occur, counted in one pass without knowing their range before: the intervals double their width
// whenever a value lies beyond them, so memory is fixed and a pass over data of any size is enough.

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace farfield::app {

/// Not thread-safe. Copies are small (64 KiB).
class ValueHistogram {
 public:
  /// Values that are not finite are weighed apart. `weight` >= 0.
  void add(double value, double weight = 1);
  /// Spreads `weight` over the values of a function that is linear on a line between two ends, or on a triangle of three corners, which
  /// have these `values`.
  void addSpread(std::span<const double> values, double weight);

  double weight() const { return m_weight; }
  double notFinite() const { return m_notFinite; }  ///< the weight of these
  std::optional<double> least() const { return m_weight > 0 ? std::optional(m_least) : std::nullopt; }
  std::optional<double> greatest() const { return m_weight > 0 ? std::optional(m_greatest) : std::nullopt; }
  /// Weighted.
  std::optional<double> mean() const { return m_weight > 0 ? std::optional(m_sum / m_weight) : std::nullopt; }

  /// The weights of `count` equal intervals from the least to the greatest value: each within the share of a narrow
  /// interval, a thousandth of the range or less. One interval where all values are equal; empty without values.
  std::vector<double> bars(std::size_t count) const;
  /// The same from `from` to `to`, between which all values lie. One interval where these are equal.
  std::vector<double> bars(std::size_t count, double from, double to) const;
  bool operator==(const ValueHistogram&) const = default;

 private:
  static constexpr std::size_t kIntervals = 8192;
  void grow(double value);
  /// Makes room for `value`. Whether there are intervals then.
  bool reach(double value);
  std::size_t intervalOf(double value) const;

  std::vector<double> m_counts;  ///< kIntervals of them once there are two different values
  double m_low = 0, m_width = 0;
  double m_least = std::numeric_limits<double>::infinity(), m_greatest = -m_least;
  double m_sum = 0, m_weight = 0, m_notFinite = 0;
};

}  // namespace farfield::app
