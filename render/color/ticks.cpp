#include "render/color/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace farfield::color {
namespace {

/// From so many on, logarithmic scales have marks at powers of ten.
constexpr double kDecadesLabelled = 1.5;

std::string fixedNumber(double value, int decimals) {
  char text[400];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  std::string number = text;
  if (number.find_first_not_of("-0.") == std::string::npos && number[0] == '-') number.erase(0, 1);
  if (number[0] == '-') number.replace(0, 1, "\u2212");
  return number;
}

void dropTrailingZeros(std::string& number) {
  if (number.find('.') == std::string::npos) return;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
}

bool isZero(const std::string& number) {
  return number.find_first_not_of("0.") == std::string::npos;
}

// In digits that show nothing of it. What is small, but not nothing, says so; a power of ten of numbers that are times a
// power of ten already would not be read.
std::string smallNumber(double value, int exponent) {
  return exponent != 0 && std::abs(value) < 1e-4 ? "0" : formatNumber(value, 2);
}

// An end of a range of that size: one digit more than its marks, if it is not 0; another where one digit alone would be another
// number, as 0.2 is for 0.193 and 5 for 4.978.
std::string endNumber(double value, int decimals, double size, int exponent) {
  constexpr double kOther = 4e-3;  // of the value
  value = withoutRounding(value, size);
  std::string longer = fixedNumber(value, decimals + 1);
  if (value != 0 && isZero(longer)) return smallNumber(value, exponent);
  if (longer.back() == '0') longer = fixedNumber(value, decimals);
  const std::size_t first = longer.find_first_of("123456789");
  const double power = std::pow(10.0, decimals + 1);
  const bool isOther = std::abs(std::round(value * power) / power - value) > kOther * std::abs(value);
  const bool isOneDigit = first != std::string::npos && first + 1 == longer.size();
  return isOther && isOneDigit ? fixedNumber(value, decimals + 2) : longer;
}

// The power of ten to take out of all labels so that they stay short.
int commonExponent(double largest) {
  if (largest == 0) return 0;
  const int exponent = static_cast<int>(std::floor(std::log10(largest)));
  if (exponent >= -3 && exponent < 5) return 0;
  return static_cast<int>(std::floor(exponent / 3.0)) * 3;
}

// v / 10^exponent, without computing a power that may not be finite.
double scaled(double v, int exponent) {
  return exponent < -300 ? v * 1e300 * std::pow(10.0, -exponent - 300) : v / std::pow(10.0, exponent);
}

// The smallest of 1, 2, 5, 10 times a power of ten that divides `span` into at most `most` parts.
double niceStep(double span, int most) {
  const double raw = span / most;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw * (1 - 1e-12)) return factor * power;
  return 10 * power;
}

int decimalsOf(double step) {
  return std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
}

}  // namespace

double withoutRounding(double value, double size) {
  return std::abs(value) < 1e-9 * std::abs(size) ? 0 : value;
}

double plainNumber(double value, double within) {
  // No number of digits makes 0 of what is left of it by rounding.
  if (std::abs(value) <= within) return 0;
  constexpr int kAllDigits = 17;
  for (int digits = 1; digits < kAllDigits; ++digits) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    const double plain = std::strtod(text, nullptr);
    if (std::abs(plain - value) <= within) return plain;
  }
  return value;
}

std::string formatNumber(double value, int digits) {
  if (value == 0) return "0";
  char text[64];
  std::snprintf(text, sizeof text, "%.*e", digits - 1, value);
  const int exponent = std::atoi(std::string(text).substr(std::string(text).find('e') + 1).c_str());
  if (exponent >= -4 && exponent < 6) {
    std::string number = fixedNumber(value, std::max(0, digits - 1 - exponent));
    dropTrailingZeros(number);
    return number;
  }
  std::string mantissa = std::string(text).substr(0, std::string(text).find('e'));
  dropTrailingZeros(mantissa);
  if (mantissa[0] == '-') mantissa.replace(0, 1, "\u2212");
  return mantissa + "\u00d7" + powerOfTen(exponent);
}

std::string powerOfTen(int exponent) {
  static const char* const kRaised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                        "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = "10";
  if (exponent < 0) text += "\u207b";
  for (const char c : std::to_string(std::abs(exponent))) text += kRaised[c - '0'];
  return text;
}

Ticks linearTicks(double min, double max, int most) {
  Ticks result;
  result.exponent = commonExponent(std::max(std::abs(min), std::abs(max)));
  const double low = scaled(min, result.exponent), high = scaled(max, result.exponent);
  const double span = high - low, size = std::max(std::abs(low), std::abs(high));
  // a range narrower than the digits of its ends cannot have meaningful marks
  if (!(span > 1e-13 * size)) {
    // as many digits as are left of the difference of two times of single precision
    result.first = result.last = formatNumber(low, 5);
    return result;
  }
  double step = niceStep(span, most);
  while (std::floor(high / step + 1e-9) - std::ceil(low / step - 1e-9) + 1 > most)
    step = niceStep(step * 1.5, 1);
  const int decimals = decimalsOf(step);
  const double firstMultiple = std::ceil(low / step - 1e-9), lastMultiple = std::floor(high / step + 1e-9);
  for (int i = 0; i <= lastMultiple - firstMultiple; ++i) {
    const double value = (firstMultiple + i) * step;
    const double place = std::clamp((value - low) / span, 0.0, 1.0);
    result.ticks.push_back({min + place * (max - min), place, fixedNumber(value, decimals)});
  }
  result.first = endNumber(low, decimals, size, result.exponent);
  result.last = endNumber(high, decimals, size, result.exponent);
  return result;
}

Ticks logarithmicTicks(double min, double max, int most) {
  const double low = std::log10(min), high = std::log10(max), span = high - low;
  const auto placeOf = [&](double value) {
    return span > 0 ? std::clamp((std::log10(value) - low) / span, 0.0, 1.0) : 0.0;
  };
  if (span < kDecadesLabelled) {
    Ticks result = linearTicks(min, max, most);
    for (Tick& tick : result.ticks) tick.place = placeOf(tick.value);
    return result;
  }
  Ticks result;
  const int firstDecade = static_cast<int>(std::ceil(low - 1e-9));
  const int lastDecade = static_cast<int>(std::floor(high + 1e-9));
  const int every = std::max(1, (lastDecade - firstDecade + most) / most);
  const bool plain = low > -4 && high < 5;
  for (int decade = firstDecade - 1; decade <= lastDecade; ++decade) {
    for (int factor = 1; factor < 10; ++factor) {
      const double value = factor * std::pow(10.0, decade);
      if (value < min * (1 - 1e-9) || value > max * (1 + 1e-9)) continue;
      if (factor > 1 && every > 1) continue;
      std::string label;
      if (factor == 1 && decade % every == 0) label = plain ? formatNumber(value, 1) : powerOfTen(decade);
      result.ticks.push_back({value, placeOf(value), label});
    }
  }
  result.first = formatNumber(min, 3);
  result.last = formatNumber(max, 3);
  return result;
}

Ticks bandTicks(double min, double max, bool logarithmic, int bands, int most) {
  Ticks result = logarithmic ? logarithmicTicks(min, max, most) : linearTicks(min, max, most);
  if (result.ticks.empty() && result.first == result.last) return result;
  result.ticks.clear();
  const double low = scaled(min, result.exponent), high = scaled(max, result.exponent);
  const double size = std::max(std::abs(low), std::abs(high));
  const auto borderAt = [&](int border) {
    const double place = static_cast<double>(border) / bands;
    return logarithmic ? low * std::pow(high / low, place) : low + place * (high - low);
  };
  // Over decades digits differ from border to border; else all have as many decimals.
  const bool decades = logarithmic && std::log10(max) - std::log10(min) >= kDecadesLabelled;
  // as many as the width needs, unless it never ends; or three digits of the smallest
  const double width = borderAt(1) - low;
  int decimals = decimalsOf(width);
  if (logarithmic)
    decimals = std::max(decimals, decimalsOf(low / 100));
  else
    while (decimals < decimalsOf(width) + 2 &&
           std::abs(width * std::pow(10.0, decimals) - std::round(width * std::pow(10.0, decimals))) > 1e-6)
      ++decimals;
  const auto end = [&](double value) {
    value = withoutRounding(value, size);
    const std::string number = fixedNumber(value, decimals);
    return value != 0 && isZero(number) ? smallNumber(value, result.exponent) : number;
  };
  if (!decades) result.first = end(low), result.last = end(high);
  const int every = (bands - 2) / std::max(1, most) + 1;
  for (int border = 1; border < bands; ++border) {
    const double place = static_cast<double>(border) / bands;
    const double value = logarithmic ? min * std::pow(max / min, place) : min + place * (max - min);
    std::string label;
    if (border % every == 0)
      label = decades ? formatNumber(value, 3) : fixedNumber(borderAt(border), decimals);
    result.ticks.push_back({value, place, std::move(label)});
  }
  return result;
}

}  // namespace farfield::color
