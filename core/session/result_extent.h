#pragma once
// How far results reach: the box of their points and the range of each of their values, kept up as results
// come in, so that nobody has to read them again to ask.

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::session {

/// Not thread-safe.
class ResultExtent {
 public:
  explicit ResultExtent(int valuesPerPoint) : m_ranges(static_cast<std::size_t>(valuesPerPoint), kNothing) {}

  /// `values` are as many as the constructor was told. Values that are not finite do not count.
  void add(Vec3 point, std::span<const double> values);
  void add(const ResultExtent& other);

  const Bounds& bounds() const { return m_bounds; }
  /// Least and greatest finite value number `value`; none where there is none.
  std::optional<std::array<double, 2>> range(int value) const;

 private:
  static constexpr std::array<double, 2> kNothing{std::numeric_limits<double>::infinity(),
                                                  -std::numeric_limits<double>::infinity()};
  Bounds m_bounds;
  std::vector<std::array<double, 2>> m_ranges;
};

}  // namespace farfield::session
