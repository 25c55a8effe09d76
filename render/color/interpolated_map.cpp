#include "render/color/interpolated_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "render/color/color_spaces.h"

namespace farfield::color {
namespace {

Rgb8 rounded(const Triple& color) {
  Rgb8 out;
  for (std::size_t c = 0; c < 3; ++c)
    out[c] = static_cast<std::uint8_t>(std::lround(255 * std::clamp(color[c], 0.0, 1.0)));
  return out;
}

Triple mixed(const Triple& a, const Triple& b, double t) {
  return {(1 - t) * a[0] + t * b[0], (1 - t) * a[1] + t * b[1], (1 - t) * a[2] + t * b[2]};
}

/// Hue 0 … 1, saturation, value: A. R. Smith, Color gamut transform pairs, SIGGRAPH 1978.
Triple hsvOf(const Triple& rgb) {
  const auto [r, g, b] = rgb;
  const double most = std::max({r, g, b}), span = most - std::min({r, g, b});
  if (!(span > 0)) return {0, 0, most};
  double hue = most == r ? (g - b) / span : most == g ? 2 + (b - r) / span : 4 + (r - g) / span;
  hue /= 6;
  return {hue - std::floor(hue), span / most, most};
}

Triple rgbOfHsv(const Triple& hsv) {
  const double hue = 6 * (hsv[0] - std::floor(hsv[0]));
  const auto part = [&](double offset) {
    const double k = std::fmod(offset + hue, 6.0);
    return hsv[2] * (1 - hsv[1] * std::clamp(std::min(k, 4 - k), 0.0, 1.0));
  };
  return {part(5), part(3), part(1)};
}

Rgb8 mixedInHsv(const Triple& a, const Triple& b, double t, bool wrap) {
  Triple low = hsvOf(a), high = hsvOf(b);
  if (wrap && std::abs(low[0] - high[0]) > 0.5) (low[0] > high[0] ? low : high)[0] -= 1;
  return rounded(rgbOfHsv(mixed(low, high, t)));
}

/// Moreland (color_spaces.h), section 5: through a light grey if two saturated colours differ much in hue.
Rgb8 mixedDiverging(const Rgb8& a, const Rgb8& b, double t) {
  constexpr double kSaturated = 0.05, kLight = 88;
  Triple low = mshOf(labOf(a)), high = mshOf(labOf(b));
  const double turn = std::abs(std::remainder(low[2] - high[2], 2 * std::numbers::pi));
  if (low[1] > kSaturated && high[1] > kSaturated && turn > std::numbers::pi / 3) {
    const Triple middle{std::max({low[0], high[0], kLight}), 0, 0};
    if (t < 0.5) {
      high = middle;
      t *= 2;
    } else {
      low = middle;
      t = 2 * t - 1;
    }
  }
  if (low[1] < kSaturated && high[1] > kSaturated)
    low[2] = unsaturatedHue(high, low[0]);
  else if (high[1] < kSaturated && low[1] > kSaturated)
    high[2] = unsaturatedHue(low, high[0]);
  return rgbOf(labOfMsh(mixed(low, high, t)));
}

Rgb8 mix(MixingSpace space, const MixingPoint& low, const MixingPoint& high, double t) {
  switch (space) {
    case MixingSpace::Rgb:
      return rounded(mixed(low.color, high.color, t));
    case MixingSpace::Hsv:
    case MixingSpace::HsvNoWrap:
      return mixedInHsv(low.color, high.color, t, space == MixingSpace::Hsv);
    case MixingSpace::Lab:
      return rgbOf(mixed(labOf(rounded(low.color)), labOf(rounded(high.color)), t));
    case MixingSpace::Diverging:
      return mixedDiverging(rounded(low.color), rounded(high.color), t);
    case MixingSpace::Step:
      return rounded(t > 0 ? high.color : low.color);
  }
  return {};
}

void check(std::span<const MixingPoint> points) {
  if (points.size() < 2) throw Invalid("a colour map needs two points at least");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const MixingPoint& point = points[i];
    if (!std::isfinite(point.place)) throw Invalid("the place of a colour is not a finite number");
    if (i > 0 && point.place < points[i - 1].place) throw Invalid("the places of the colours do not ascend");
    for (const double part : point.color)
      if (!(part >= 0 && part <= 1)) throw Invalid("a colour has a part outside of 0 to 1");
  }
  const double span = points.back().place - points.front().place;
  if (!(span > 0) || !std::isfinite(span)) throw Invalid("all colours are at one place");
}

std::array<Rgb8, ColorMap::kEntries> tableOf(MixingSpace space, std::span<const MixingPoint> points) {
  std::array<Rgb8, ColorMap::kEntries> table;
  const double first = points.front().place, span = points.back().place - first;
  std::size_t next = 1;
  for (int i = 0; i < ColorMap::kEntries; ++i) {
    const double place = first + span * i / (ColorMap::kEntries - 1.0);
    while (next + 1 < points.size() && points[next].place < place) ++next;
    const MixingPoint &low = points[next - 1], &high = points[next];
    const double width = high.place - low.place;
    table[static_cast<std::size_t>(i)] =
        mix(space, low, high, width > 0 ? std::clamp((place - low.place) / width, 0.0, 1.0) : 1);
  }
  return table;
}

/// Whether the straight line from entry `from` to entry `to` misses those between by at most one of 255.
bool isStraight(const std::array<Rgb8, ColorMap::kEntries>& table, int from, int to) {
  const Rgb8 &low = table[static_cast<std::size_t>(from)], &high = table[static_cast<std::size_t>(to)];
  for (int i = from + 1; i < to; ++i) {
    const double t = static_cast<double>(i - from) / (to - from);
    for (std::size_t c = 0; c < 3; ++c)
      if (std::abs((1 - t) * low[c] + t * high[c] - table[static_cast<std::size_t>(i)][c]) > 1) return false;
  }
  return true;
}

}  // namespace

std::vector<scene::MapPoint> writtenOut(MixingSpace space, std::span<const MixingPoint> points) {
  check(points);
  const auto table = tableOf(space, points);
  constexpr int kLast = ColorMap::kEntries - 1;
  std::vector<scene::MapPoint> out;
  for (int at = 0;;) {
    out.push_back({at / static_cast<double>(kLast), table[static_cast<std::size_t>(at)]});
    if (at == kLast) return out;
    int to = at + 1;
    while (to < kLast && isStraight(table, at, to + 1)) ++to;
    at = to;
  }
}

}  // namespace farfield::color
