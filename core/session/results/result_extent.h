#pragma once
// The extent of results: the bounds of their points and the range of each value, updated as results come in,
// so that nothing has to be read again.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::session {

/// Not thread-safe.
class ResultExtent {
 public:
  explicit ResultExtent(int valuesPerPoint)
      : m_ranges(static_cast<std::size_t>(valuesPerPoint), kNothing), m_sizes(m_ranges.size()) {}

  /// `values` are as many as given to the constructor. Values that are not finite are ignored.
  void add(Vec3 point, std::span<const double> values);
  void add(const ResultExtent& other);
  /// As add(), for the bounds and ranges alone: usualLeast() knows nothing of it.
  void addToRanges(Vec3 point, const double* values) {
    m_bounds.add(point);
    for (std::array<double, 2>& range : m_ranges) {
      const double value = *values++;
      // not, if it is not finite
      if (value < range[0] && value >= -std::numeric_limits<double>::max()) range[0] = value;
      if (value > range[1] && value <= std::numeric_limits<double>::max()) range[1] = value;
    }
  }

  const Bounds& bounds() const { return m_bounds; }
  /// Least and greatest finite value number `value`; nothing if there is none.
  std::optional<std::array<double, 2>> range(int value) const;
  /// Where the positive values begin that are usual: three standard deviations of their logarithms below the mean of these.
  /// A power of two, the same in whatever order values come; nothing if none is positive.
  std::optional<double> usualLeast(int value) const;

 private:
  static constexpr std::array<double, 2> kNothing{std::numeric_limits<double>::infinity(),
                                                  -std::numeric_limits<double>::infinity()};
  /// Sums over the binary exponents of positive values.
  struct Sizes {
    std::int64_t count = 0, sum = 0, squares = 0;
  };
  Bounds m_bounds;
  std::vector<std::array<double, 2>> m_ranges;
  std::vector<Sizes> m_sizes;
};

}  // namespace farfield::session
