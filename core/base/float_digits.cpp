#include "core/base/float_digits.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace farfield {

double withFloatDigits(double value) {
  if (!(std::abs(value) <= std::numeric_limits<float>::max())) return value;
  const auto single = static_cast<float>(value);
  if (static_cast<double>(single) != value || value == std::trunc(value)) return value;
  char text[32];
  const auto written = std::to_chars(text, text + sizeof text, single);
  double shortest = value;
  std::from_chars(text, written.ptr, shortest);
  return shortest;
}

bool isOneFloat(double least, double greatest) {
  constexpr double kUnits = 8 * static_cast<double>(std::numeric_limits<float>::epsilon());
  const double apart = greatest - least;
  return std::isfinite(apart) && apart <= kUnits * std::max(std::abs(least), std::abs(greatest));
}

}  // namespace farfield
