#pragma once
// Interval arithmetic: a result holds the results of the same computation for all numbers in the operands
// (Moore, "Interval Analysis", 1966), as the machine computes them, rounding included: + - * / and sqrt round
// to nearest, which keeps order; functions of the mathematical library get a margin of a few units in the
// last place.
//
// A computation may have no value (the root of a negative number is NaN). `mayBeNaN` records that, because a
// later step may have a value again: the lesser of NaN and 1.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/geometry.h"

// a namespace of its own, so that functions can have the names of the mathematical library
namespace farfield::intervals {

struct Interval {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  double low = kInfinity, high = -kInfinity;  ///< of the values that are numbers; none if low > high
  bool mayBeNaN = false;

  constexpr Interval() = default;
  // a number is an interval, so that formulas are written once for both
  // NOLINTNEXTLINE(google-explicit-constructor)
  constexpr Interval(double number) : low(number), high(number) {}
  constexpr Interval(double from, double to, bool nan = false) : low(from), high(to), mayBeNaN(nan) {}
  /// Any number, or NaN.
  static constexpr Interval any() { return {-kInfinity, kInfinity, true}; }

  bool empty() const { return !(low <= high); }
  bool holds(double number) const { return low <= number && number <= high; }
  bool operator==(const Interval&) const = default;
};

namespace detail {

/// Infinity minus infinity and infinity times zero have no value: then any result is possible.
inline Interval checked(double low, double high, bool nan) {
  if (std::isnan(low) || std::isnan(high)) return Interval::any();
  return {low, high, nan || std::isinf(low) || std::isinf(high)};
}

inline Interval none() {
  Interval interval;
  interval.mayBeNaN = true;
  return interval;
}

/// Wider by more than the error of functions of the mathematical library.
inline Interval widened(double low, double high, bool nan) {
  constexpr double kUnits = 8 * std::numeric_limits<double>::epsilon();
  const auto margin = [](double x) {
    return kUnits * std::abs(x) + std::numeric_limits<double>::denorm_min();
  };
  return std::isinf(low) || std::isinf(high) ? checked(low, high, nan)
                                             : checked(low - margin(low), high + margin(high), nan);
}

/// For a function that never decreases.
template <class Function>
Interval rising(const Interval& a, Function function) {
  return a.empty() ? none() : widened(function(a.low), function(a.high), a.mayBeNaN);
}

/// The part of `a` between `low` and `high`, where a function is defined.
inline Interval within(const Interval& a, double low, double high) {
  const bool all = a.low >= low && a.high <= high;
  return {std::max(a.low, low), std::min(a.high, high), a.mayBeNaN || !all};
}

}  // namespace detail

inline Interval operator-(const Interval& a) {
  return {-a.high, -a.low, a.mayBeNaN};
}
inline Interval operator+(const Interval& a, const Interval& b) {
  if (a.empty() || b.empty()) return detail::none();
  return detail::checked(a.low + b.low, a.high + b.high, a.mayBeNaN || b.mayBeNaN);
}
inline Interval operator-(const Interval& a, const Interval& b) {
  return a + -b;
}
inline Interval operator*(const Interval& a, const Interval& b) {
  if (a.empty() || b.empty()) return detail::none();
  const double products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  for (const double product : products)
    if (std::isnan(product)) return Interval::any();
  const auto [low, high] = std::minmax_element(std::begin(products), std::end(products));
  return detail::checked(*low, *high, a.mayBeNaN || b.mayBeNaN);
}
inline Interval operator/(const Interval& a, const Interval& b) {
  if (a.empty() || b.empty()) return detail::none();
  if (b.low <= 0 && b.high >= 0) return Interval::any();
  const double quotients[] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
  for (const double quotient : quotients)
    if (std::isnan(quotient)) return Interval::any();
  const auto [low, high] = std::minmax_element(std::begin(quotients), std::end(quotients));
  return detail::checked(*low, *high, a.mayBeNaN || b.mayBeNaN);
}
/// The product of a number with itself, which is never negative.
inline Interval squared(const Interval& a) {
  if (a.empty()) return detail::none();
  const double low = a.low * a.low, high = a.high * a.high;
  const bool hasZero = a.low <= 0 && a.high >= 0;
  return detail::checked(hasZero ? 0 : std::min(low, high), std::max(low, high), a.mayBeNaN);
}
inline double squared(double a) {
  return a * a;
}

inline Interval sqrt(const Interval& a) {
  const Interval in = detail::within(a, 0, Interval::kInfinity);
  if (in.empty()) return detail::none();
  return detail::checked(std::sqrt(in.low), std::sqrt(in.high), in.mayBeNaN);
}
inline Interval abs(const Interval& a) {
  if (a.empty()) return detail::none();
  if (a.low >= 0) return a;
  if (a.high <= 0) return -a;
  return {0, std::max(-a.low, a.high), a.mayBeNaN};
}
inline Interval exp(const Interval& a) {
  return detail::rising(a, [](double x) { return std::exp(x); });
}
inline Interval log(const Interval& a) {
  return detail::rising(detail::within(a, 0, Interval::kInfinity), [](double x) { return std::log(x); });
}
inline Interval log10(const Interval& a) {
  return detail::rising(detail::within(a, 0, Interval::kInfinity), [](double x) { return std::log10(x); });
}
inline Interval asin(const Interval& a) {
  return detail::rising(detail::within(a, -1, 1), [](double x) { return std::asin(x); });
}
inline Interval acos(const Interval& a) {
  return -detail::rising(detail::within(a, -1, 1), [](double x) { return -std::acos(x); });
}
inline Interval atan(const Interval& a) {
  return detail::rising(a, [](double x) { return std::atan(x); });
}
/// Sines and cosines are only known to be between -1 and 1.
inline Interval sin(const Interval& a) {
  return a.empty() ? detail::none() : Interval{-1, 1, a.mayBeNaN || std::isinf(a.low) || std::isinf(a.high)};
}
inline Interval cos(const Interval& a) {
  return sin(a);
}
inline Interval tan(const Interval& a) {
  return a.empty() ? detail::none() : Interval::any();
}
inline Interval atan2(const Interval& a, const Interval& b) {
  if (a.empty() || b.empty()) return detail::none();
  return detail::widened(-std::numbers::pi, std::numbers::pi, a.mayBeNaN || b.mayBeNaN);
}
inline Interval pow(const Interval& a, const Interval& b) {
  // 1 to the power of NaN is 1, and so is NaN to the power of 0
  if (a.mayBeNaN || b.mayBeNaN) return Interval::any();
  if (a.empty() || b.empty()) return detail::none();
  if (a.low <= 0) return Interval::any();
  // for a positive base it is monotonic in both arguments
  const double powers[] = {std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low),
                           std::pow(a.high, b.high)};
  const auto [low, high] = std::minmax_element(std::begin(powers), std::end(powers));
  return detail::widened(*low, *high, false);
}
inline Interval min(const Interval& a, const Interval& b) {
  if (a.mayBeNaN || b.mayBeNaN || a.empty() || b.empty()) return Interval::any();
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}
inline Interval max(const Interval& a, const Interval& b) {
  if (a.mayBeNaN || b.mayBeNaN || a.empty() || b.empty()) return Interval::any();
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}

/// A vector each of whose components is in an interval.
struct IntervalVec3 {
  Interval x, y, z;
};
inline Interval squaredLength(const IntervalVec3& v) {
  return squared(v.x) + squared(v.y) + squared(v.z);
}
inline double squaredLength(Vec3 v) {
  return dot(v, v);
}

}  // namespace farfield::intervals

namespace farfield {

using intervals::Interval;
using intervals::IntervalVec3;
using intervals::squared;
using intervals::squaredLength;

}  // namespace farfield
