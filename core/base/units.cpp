#include "core/base/units.h"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/base/error.h"

namespace farfield {

std::uint64_t parseBytes(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, number);
  const Invalid wrong("'" + std::string(text) + "' is not a size",
                      "write a number and K, M, G or T, such as 200M");
  if (status != std::errc() || !std::isfinite(number) || number < 0) throw wrong;
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  double factor = 1;
  if (!unit.empty()) {
    switch (unit.front()) {
      case 'k':
      case 'K':
        factor = 1024.0;
        break;
      case 'm':
      case 'M':
        factor = 1024.0 * 1024;
        break;
      case 'g':
      case 'G':
        factor = 1024.0 * 1024 * 1024;
        break;
      case 't':
      case 'T':
        factor = 1024.0 * 1024 * 1024 * 1024;
        break;
      case 'b':
      case 'B':
        break;
      default:
        throw wrong;
    }
    unit.remove_prefix(1);
    if (!unit.empty() && unit != "B" && unit != "iB") throw wrong;
  }
  const double bytes = std::round(number * factor);
  if (bytes > 9.0e18) throw wrong;
  return static_cast<std::uint64_t>(bytes);
}

std::string formatBytes(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  double value = static_cast<double>(bytes);
  while (value >= 1024 && unit < 6) {
    value /= 1024;
    ++unit;
  }
  char text[40];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

std::string formatSeconds(double seconds) {
  char text[48];
  if (seconds > 0 && seconds < 9.5e-4)
    std::snprintf(text, sizeof text, "%.0f µs", seconds * 1e6);
  else if (seconds < 1)
    std::snprintf(text, sizeof text, "%.0f ms", seconds * 1e3);
  else if (seconds < 60)
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  else if (seconds < 3600)
    std::snprintf(text, sizeof text, "%d min %d s", static_cast<int>(seconds) / 60,
                  static_cast<int>(seconds) % 60);
  else
    // in floating point: an estimate from almost no progress can be longer than an int holds
    std::snprintf(text, sizeof text, "%.0f h %.0f min", std::floor(seconds / 3600),
                  std::floor(std::fmod(seconds, 3600) / 60));
  return text;
}

std::string formatRounded(double value) {
  if (value != value) return "nan";  // whichever sign it has
  char text[32];
  const auto result = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6);
  return std::string(text, result.ptr);
}

std::string formatNumber(double value) {
  if (value != value) return "nan";  // whichever sign it has
  char text[32];
  const auto result = std::to_chars(text, text + sizeof text, value);
  return std::string(text, result.ptr);
}

}  // namespace farfield
