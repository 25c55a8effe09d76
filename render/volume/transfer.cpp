#include "render/volume/transfer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/float_digits.h"
#include "render/color/color_map.h"
#include "render/color/color_scale.h"

namespace farfield::volume {
namespace {

/// Alphas of 4,096 entries are half of a processor's first cache. A logarithmic scale goes over many decades, each of which is to have its
/// colours.
constexpr int kEntries = 4096, kLogarithmicEntries = 65536;

constexpr double kThroughConstant =
    0.6;  // of the light behind a volume of one value passes through its depth

constexpr std::ptrdiff_t kFewValues = 16;
constexpr double kNearMost = 0.25;  // of the range of values

std::uint32_t packed(const std::array<float, 3>& color) {
  std::uint32_t bits = 0;
  for (const float c : color)
    bits = bits << 10 | static_cast<std::uint32_t>(std::lround(std::clamp(c, 0.0F, 1.0F) * 1023));
  return bits;
}

/// Colours of values as a table holds them.
class PackedColors {
 public:
  explicit PackedColors(const scene::ColorScale& scale)
      : m_map(color::ColorMap::of(scale.map)),
        m_place(scale),
        m_nan(packed({scale.nanColor[0], scale.nanColor[1], scale.nanColor[2]})) {}
  std::uint32_t of(double value) const {
    const double t = m_place(value);
    return std::isnan(t) ? m_nan : packed(m_map.at(t));
  }

 private:
  color::ColorMap m_map;
  color::Normalizer m_place;
  std::uint32_t m_nan;
};

}  // namespace

std::uint32_t packedColor(const scene::ColorScale& scale, double value) {
  return PackedColors(scale).of(value);
}

void checkTransfer(const TransferFunction& transfer) {
  color::checkScale(transfer.color);
  if (transfer.opacity.empty()) throw Invalid("there are no opacities").at("transfer.opacity");
  for (std::size_t n = 0; n < transfer.opacity.size(); ++n) {
    const OpacityPoint& point = transfer.opacity[n];
    if (!std::isfinite(point.value) || !(point.opacity >= 0 && point.opacity <= 1))
      throw Invalid("point " + std::to_string(n) + " must be a finite value and an opacity of 0 to 1")
          .at("transfer.opacity");
    if (n > 0 && point.value < transfer.opacity[n - 1].value)
      throw Invalid("the values of the points must ascend").at("transfer.opacity");
  }
  if (!(transfer.unit > 0) || !std::isfinite(transfer.unit))
    throw Invalid("the length must be above 0").at("transfer.unit");
}

double opacityAt(const TransferFunction& transfer, double value) {
  const auto& points = transfer.opacity;
  const auto after = std::upper_bound(points.begin(), points.end(), value,
                                      [](double v, const OpacityPoint& point) { return v < point.value; });
  if (after == points.begin()) return points.front().opacity;
  if (after == points.end()) return points.back().opacity;
  const OpacityPoint &a = after[-1], &b = *after;
  return a.opacity + (b.opacity - a.opacity) * ((value - a.value) / (b.value - a.value));
}

namespace {

/// Of a table by bits: its highest value becomes about 2^kHighest, so that 68 decades below it are floats, whatever they are of.
constexpr int kHighest = 100;

std::int32_t bitsOf(double place) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return std::bit_cast<std::int32_t>(static_cast<float>(std::clamp(place, 0.0, kMost)));
}

/// Far below the least value above `origin` of which the function says something.
double leastAbove(double origin, const TransferFunction& transfer) {
  double least = std::numeric_limits<double>::max();
  const auto take = [&](double value) {
    if (value > origin) least = std::min(least, value - origin);
  };
  take(transfer.color.min);
  take(transfer.color.max);
  for (const OpacityPoint& point : transfer.opacity) take(point.value);
  return least / 1024;
}

/// Where opacity changes within a few entries, which are so wide.
template <class Width>
std::vector<std::array<double, 2>> narrowIntervals(const std::vector<OpacityPoint>& points, Width width) {
  constexpr double kFewEntries = 4, kLittle = 0.02;  // of the greatest opacity
  double peak = 0;
  for (const OpacityPoint& point : points) peak = std::max(peak, point.opacity);
  std::vector<std::array<double, 2>> narrow;
  for (std::size_t n = 0; n + 1 < points.size(); ++n) {
    const double from = points[n].value, to = points[n + 1].value;
    if (!(to > from) || to - from >= kFewEntries * width(to)) continue;
    // with the steps at its ends
    std::size_t first = n, last = n + 1;
    while (first > 0 && points[first - 1].value == from) --first;
    while (last + 1 < points.size() && points[last + 1].value == to) ++last;
    const auto [least, most] = std::minmax_element(
        points.begin() + static_cast<std::ptrdiff_t>(first),
        points.begin() + static_cast<std::ptrdiff_t>(last) + 1,
        [](const OpacityPoint& a, const OpacityPoint& b) { return a.opacity < b.opacity; });
    if (most->opacity - least->opacity > kLittle * peak) narrow.push_back({from, to});
  }
  return narrow;
}

}  // namespace

TransferTable::TransferTable(const TransferFunction& transfer, double length) {
  const auto& points = transfer.opacity;
  // if opacity is constant, entries differ only in colour, and there are none if nothing is visible
  std::size_t first = 0, last = points.size() - 1;
  while (first < last && points[first].opacity == points[first + 1].opacity) ++first;
  while (last > first && points[last].opacity == points[last - 1].opacity) --last;
  double low = points[first].value, high = points[last].value;
  if (first == last) {
    low = transfer.color.min;
    high = transfer.color.max;
  } else if (points[first].opacity > 0 || points[last].opacity > 0) {
    low = std::min(low, transfer.color.min);
    high = std::max(high, transfer.color.max);
  }
  // What is below 0 has no logarithm. Even entries do, but where opacity changes within a few of them.
  const bool many = transfer.color.logarithmic;
  std::vector<double> values;
  if (many && low >= 0) {
    values = valuesByBits(0, low > 0 ? low : leastAbove(0, transfer), high);
  } else {
    values = evenValues(low, high, many);
    const auto even = [&](double) { return m_scale > 0 ? 1 / m_scale : 0; };
    if (!narrowIntervals(points, even).empty())
      values = valuesByBits(low, low + leastAbove(low, transfer), high);
  }
  if (m_shift > 0) divideNarrow(transfer, values);
  m_alpha.resize(values.size());
  m_color.resize(m_alpha.size());
  m_seenBefore.resize(m_alpha.size() + 1);
  const PackedColors colors(transfer.color);
  double before = 0;
  for (std::size_t n = 0; n < m_alpha.size(); ++n) {
    // the first is of all that is lower, too
    const double value = n == 0 ? low : values[n];
    const double given = opacityAt(transfer, value);
    m_alpha[n] =
        static_cast<float>(length > 0 ? -std::expm1(std::log1p(-given) * (length / transfer.unit)) : given);
    m_color[n] = colors.of(value);
    m_seenBefore[n + 1] = m_seenBefore[n] + (m_alpha[n] > 0);
    m_rising = m_rising && given >= before;
    before = given;
  }
}

std::vector<double> TransferTable::evenValues(double low, double high, bool many) {
  const int entries = many ? kLogarithmicEntries : kEntries;
  m_low = low;
  m_scale = high > low ? (entries - 1) / (high - low) : 0;
  if (!std::isfinite(m_scale)) m_scale = 0;
  std::vector<double> values;
  for (int n = 0; n < entries; ++n) values.push_back(m_scale > 0 ? low + n / m_scale : low);
  return values;
}

/// The middles of cells, and both ends.
std::vector<double> TransferTable::valuesByBits(double origin, double low, double high) {
  high = std::max(high, low);
  m_low = origin;
  // Of what floats hold the march scales floats.
  const int exponent = std::ilogb(high - origin),
            most = exponent >= std::numeric_limits<float>::min_exponent - 1 ? 127 : 1000;
  m_scale = std::ldexp(1.0, std::clamp(kHighest - exponent, -1000, most));
  const std::int32_t first = std::max(bitsOf((low - origin) * m_scale),
                                      bitsOf(std::numeric_limits<float>::min())),
                     last = std::max(first, bitsOf((high - origin) * m_scale));
  m_shift = 1;
  while ((last >> m_shift) - (first >> m_shift) >= kLogarithmicEntries) ++m_shift;
  m_lowest = first >> m_shift << m_shift;
  m_highest = last | ((1 << m_shift) - 1);
  std::vector<double> values;
  for (std::int32_t n = m_lowest; n <= last; n += 1 << m_shift)
    values.push_back(valueOf(n + (1 << (m_shift - 1))));
  values.front() = low;
  values.back() = high;
  return values;
}

double TransferTable::valueOf(std::int32_t bits) const {
  return static_cast<double>(std::bit_cast<float>(bits)) / m_scale + m_low;
}

/// Cells in which opacity changes have many entries, as far as floats go.
void TransferTable::divideNarrow(const TransferFunction& transfer, std::vector<double>& values) {
  constexpr int kMostBits = 12;
  constexpr std::size_t kMostEntries = std::size_t{1} << 20;
  const auto cellOf = [this](double value) {
    const double place = (value - m_low) * m_scale;
    return static_cast<std::size_t>((std::clamp(bitsOf(place), m_lowest, m_highest) - m_lowest) >> m_shift);
  };
  const auto narrow = narrowIntervals(transfer.opacity, [&](double value) {
    const auto cell = static_cast<std::int32_t>(cellOf(value)) << m_shift;
    return valueOf(m_lowest + cell + (1 << m_shift)) - valueOf(m_lowest + cell);
  });
  if (narrow.empty()) return;
  std::vector<bool> divided(values.size());
  for (const auto& [from, to] : narrow)
    for (std::size_t cell = cellOf(from); cell <= cellOf(to); ++cell) divided[cell] = true;
  const auto count = static_cast<std::size_t>(std::count(divided.begin(), divided.end(), true));
  int bits = std::min(kMostBits, m_shift - 1);
  while (bits > 1 && count << bits > kMostEntries) --bits;
  const std::vector<double> middles = std::exchange(values, {});
  for (std::size_t cell = 0; cell < middles.size(); ++cell) {
    const int shift = divided[cell] ? m_shift - bits : m_shift;
    m_cells.push_back(static_cast<std::uint32_t>(values.size() << 5 | static_cast<std::size_t>(shift)));
    const std::int32_t begin = m_lowest + (static_cast<std::int32_t>(cell) << m_shift);
    if (divided[cell])
      for (std::int32_t n = 0; n < 1 << bits; ++n)
        values.push_back(valueOf(begin + (n << shift) + (1 << (shift - 1))));
    else
      values.push_back(middles[cell]);
  }
}

int TransferTable::entryOf(double value) const {
  const double place = (value - m_low) * m_scale;
  if (m_shift == 0) return place > -0.5 ? static_cast<int>(std::min<double>(place + 0.5, entries() - 1)) : 0;
  const std::int32_t at = place > 0 ? std::clamp(bitsOf(place), m_lowest, m_highest) - m_lowest : 0;
  const std::int32_t cell = at >> m_shift;
  if (m_cells.empty()) return cell;
  const std::uint32_t its = m_cells[static_cast<std::size_t>(cell)];
  return static_cast<int>(its >> 5) + ((at & ((1 << m_shift) - 1)) >> (its & 31));
}

bool TransferTable::isSeen(double low, double high) const {
  if (!(low <= high)) return false;
  // interpolated values may be off by a rounding error
  constexpr double kRounding = 1e-6;
  const double even = m_scale > 0 ? 0.25 / m_scale : 0;
  const auto margin = [&](double value) {
    return m_shift > 0 ? kRounding * std::max(std::abs(value), std::abs(m_low)) : even;
  };
  const int first = entryOf(low - margin(low)), last = entryOf(high + margin(high));
  return m_seenBefore[static_cast<std::size_t>(last) + 1] > m_seenBefore[static_cast<std::size_t>(first)];
}

namespace {

/// Each value is a thing of its own, as labels are.
bool areFew(std::span<const std::uint64_t> histogram) {
  return std::count_if(histogram.begin(), histogram.end(), [](std::uint64_t n) { return n > 0; }) <=
         kFewValues;
}

/// In which of the intervals of min … max `border` lies, where it is the background rather than the most frequent one: where values
/// are few each is a thing of its own, else neighbours of the most frequent one are a part of it.
std::optional<double> backgroundAround(double min, double max, std::span<const std::uint64_t> histogram,
                                       double most, std::optional<double> border) {
  if (!border || !(min <= *border && *border <= max)) return std::nullopt;
  const auto bins = static_cast<double>(histogram.size());
  const double its = std::min(std::floor((*border - min) / (max - min) * bins), bins - 1);
  const double near = areFew(histogram) ? 0 : kNearMost * bins;
  return std::abs(its - most) > near ? std::optional(its) : std::nullopt;
}

}  // namespace

namespace {

/// Of the values from `first` to behind `last`, those in the most frequent interval left out, how many there are at which something of
/// `points` is seen, and how many there are.
struct SeenValues {
  double seen = 0, all = 0;
};
SeenValues seenValues(const std::vector<OpacityPoint>& points, double min, double max,
                      std::span<const std::uint64_t> histogram, std::size_t first, std::size_t last) {
  constexpr double kFaint = 0.1;  // of the greatest opacity
  double peak = 0;
  for (const OpacityPoint& point : points) peak = std::max(peak, point.opacity);
  const auto most =
      static_cast<std::size_t>(std::max_element(histogram.begin(), histogram.end()) - histogram.begin());
  TransferFunction transfer;
  transfer.opacity = points;
  const double width = (max - min) / static_cast<double>(histogram.size());
  SeenValues values;
  for (std::size_t n = first; n < last; ++n) {
    if (n == most) continue;
    const double value = min + (static_cast<double>(n) + 0.5) * width;
    values.all += static_cast<double>(histogram[n]);
    if (opacityAt(transfer, value) >= kFaint * peak) values.seen += static_cast<double>(histogram[n]);
  }
  return values;
}

/// The share of the values, those in the most frequent interval left out, at which something of `points` is seen.
double seenPart(const std::vector<OpacityPoint>& points, double min, double max,
                std::span<const std::uint64_t> histogram) {
  const SeenValues values = seenValues(points, min, max, histogram, 0, histogram.size());
  return values.all > 0 ? values.seen / values.all : 1;
}

/// Where in `histogram` the part `share` of all values has been passed.
std::size_t quantile(std::span<const std::uint64_t> histogram, double share) {
  const double all = std::accumulate(histogram.begin(), histogram.end(), 0.0);
  double passed = 0;
  std::size_t n = 0;
  while (n + 1 < histogram.size() && passed + static_cast<double>(histogram[n]) < share * all)
    passed += static_cast<double>(histogram[n++]);
  return n;
}

/// Opacities that rise from the background in the interval `most` to both ends, where it has about as much range on either side, something
/// worth seeing lies on both, and it is in the middle by its nature: it is 0, between values of both signs, or near what half of the volume has.
std::optional<std::vector<OpacityPoint>> bothSides(double min, double max,
                                                   std::span<const std::uint64_t> histogram, std::size_t most,
                                                   double peak) {
  constexpr double kMiddle = 1.0 / 3, kNearBackground = 1.0 / 32, kLeast = 0.02;  // of the range
  constexpr double kWorthSeeing = 0.1;  // of what is seen on the other side
  const auto bins = static_cast<double>(histogram.size());
  const double width = max - min, place = (static_cast<double>(most) + 0.5) / bins;
  if (place < kMiddle || place > 1 - kMiddle) return std::nullopt;
  const auto near = static_cast<std::size_t>(std::ceil(kNearBackground * bins));
  const std::size_t from = most - std::min(most, near), to = std::min(histogram.size(), most + near + 1);
  const double all = std::accumulate(histogram.begin(), histogram.end(), 0.0),
               around = std::accumulate(histogram.begin() + static_cast<std::ptrdiff_t>(from),
                                        histogram.begin() + static_cast<std::ptrdiff_t>(to), 0.0);
  const double low = min + static_cast<double>(from) / bins * width,
               high = min + static_cast<double>(to) / bins * width;
  const bool isSigned = min < 0 && max > 0 && low <= 0 && high >= 0;
  if (!isSigned && (around < 0.5 * all || areFew(histogram))) return std::nullopt;
  // The half of the values that is nearest is the background, as it is where opacities are of one side.
  const auto lower = static_cast<double>(std::min(most, quantile(histogram, 0.25))),
             upper = static_cast<double>(std::max(most, quantile(histogram, 0.75)) + 1);
  const double middle = min + place * width;
  const double below = std::max(min + 0.2 * (middle - min),
                                std::min(min + lower / bins * width, middle - kLeast * width)),
               above = std::min(max - 0.2 * (max - middle),
                                std::max(min + upper / bins * width, middle + kLeast * width));
  std::vector<OpacityPoint> points{{min, peak}, {min + 0.5 * (below - min), 0.35 * peak},   {below, 0},
                                   {above, 0},  {above + 0.5 * (max - above), 0.35 * peak}, {max, peak}};
  const double seenBelow = seenValues(points, min, max, histogram, 0, most).seen,
               seenAbove = seenValues(points, min, max, histogram, most + 1, histogram.size()).seen;
  const auto [less, more] = std::minmax(seenBelow, seenAbove);
  if (!(less > 0) || less < kWorthSeeing * more) return std::nullopt;
  return points;
}

std::vector<OpacityPoint> opacityOver(double min, double max, std::span<const std::uint64_t> histogram,
                                      double crossing, std::optional<double> border) {
  // One value all over, up to the rounding of what was interpolated: nothing of it is more than the rest, and what lies behind is seen.
  if (!(max > min) || isOneFloat(min, max))
    return {{min, 1 - std::pow(kThroughConstant, 1 / std::max(crossing, 1.0))}};
  std::uint64_t total = 0;
  for (const std::uint64_t count : histogram) total += count;
  const double width = max - min;
  // a value that half of the volume shares is taken for background, on its side of the range
  double start = min + 0.1 * width;
  bool fromAbove = false;
  // A third of the volume's depth at the upper end's opacity is then nearly opaque, also where that is a million of the finest edges.
  const double peak = std::clamp(1 - std::pow(0.02, 3 / std::max(crossing, 3.0)), 1e-12, 0.95);
  if (total > 0) {
    const auto bins = static_cast<double>(histogram.size());
    const auto most =
        static_cast<double>(std::max_element(histogram.begin(), histogram.end()) - histogram.begin());
    std::uint64_t below = 0;
    std::size_t median = 0;
    while (median < histogram.size() && 2 * (below + histogram[median]) < total) below += histogram[median++];
    const auto around = backgroundAround(min, max, histogram, most, border);
    if (!around)
      if (auto both = bothSides(min, max, histogram, static_cast<std::size_t>(most), peak))
        return *std::move(both);
    const double background = around.value_or(most), middle = around.value_or(static_cast<double>(median));
    fromAbove = background + 0.5 > 0.75 * bins;
    const double edge = (std::max(background, middle) + 1) / bins;
    start = fromAbove ? min + (std::min(background, middle) / bins) * width
                      : min + std::clamp(edge, 0.02, 0.8) * width;
  }
  if (fromAbove) {
    start = std::max(start, min + 0.2 * width);
    return {{min, peak}, {min + 0.5 * (start - min), 0.35 * peak}, {start, 0}};
  }
  return {{start, 0}, {start + 0.5 * (max - start), 0.35 * peak}, {max, peak}};
}

/// The intervals, from one to behind another, outside of which lie next to no values; the most frequent interval is not counted among them.
std::array<std::size_t, 2> withoutOutliers(std::span<const std::uint64_t> histogram) {
  constexpr double kNextToNone = 0.005;
  const auto most = std::max_element(histogram.begin(), histogram.end());
  const double all = std::accumulate(histogram.begin(), histogram.end(), 0.0) - static_cast<double>(*most);
  const auto left = [&](auto from) {
    double passed = 0;
    std::size_t n = 0;
    for (; n < histogram.size(); ++n) {
      const std::uint64_t& count = from(n);
      if (&count != &*most) passed += static_cast<double>(count);
      if (&count == &*most || passed > kNextToNone * all) break;
    }
    return n;
  };
  const std::size_t below = left([&](std::size_t n) -> const std::uint64_t& { return histogram[n]; });
  const std::size_t above =
      left([&](std::size_t n) -> const std::uint64_t& { return histogram[histogram.size() - 1 - n]; });
  return {below, histogram.size() - above};
}

/// Whether next to none of all values lie where something of `points` is seen.
bool hideNearlyAll(const std::vector<OpacityPoint>& points, double min, double max,
                   std::span<const std::uint64_t> histogram) {
  constexpr double kNextToNone = 0.0003;
  const SeenValues values = seenValues(points, min, max, histogram, 0, histogram.size());
  return values.seen < kNextToNone * std::accumulate(histogram.begin(), histogram.end(), 0.0);
}

/// Whether values differ all over the interval, and are no background.
bool areSpread(const scene::VolumeHistogram& values) {
  const double all = std::accumulate(values.counts.begin(), values.counts.end(), 0.0);
  const auto most = std::max_element(values.counts.begin(), values.counts.end());
  return values.range[1] > values.range[0] && !isOneFloat(values.range[0], values.range[1]) &&
         !areFew(values.counts) && 2 * static_cast<double>(*most) < all;
}

std::vector<OpacityPoint> opacityWithoutOutliers(double min, double max,
                                                 std::span<const std::uint64_t> histogram, double crossing,
                                                 std::optional<double> border) {
  constexpr double kNextToNothing = 0.01;
  std::vector<OpacityPoint> points = opacityOver(min, max, histogram, crossing, border);
  if (histogram.empty() || !(max > min) || seenPart(points, min, max, histogram) >= kNextToNothing)
    return points;
  // A few values that lie far off have the range to themselves: the others are seen as if those were not.
  const auto [first, behind] = withoutOutliers(histogram);
  const double width = (max - min) / static_cast<double>(histogram.size());
  const double least = min + static_cast<double>(first) * width,
               greatest = min + static_cast<double>(behind) * width;
  if (behind < first + 2) return points;
  std::vector<OpacityPoint> nearer =
      opacityOver(least, greatest, histogram.subspan(first, behind - first), crossing, border);
  return seenPart(nearer, min, max, histogram) > seenPart(points, min, max, histogram) ? nearer : points;
}

}  // namespace

std::vector<OpacityPoint> automaticOpacity(double min, double max, std::span<const std::uint64_t> histogram,
                                           double crossing, std::optional<double> border,
                                           const scene::VolumeHistogram* nearlyAll) {
  std::vector<OpacityPoint> points = opacityWithoutOutliers(min, max, histogram, crossing, border);
  // Of a long tail a few values are seen here and there, and nothing of the body that they lie in.
  if (!nearlyAll || !areSpread(*nearlyAll) || nearlyAll->range[0] < min || nearlyAll->range[1] > max ||
      !hideNearlyAll(points, min, max, histogram))
    return points;
  return opacityWithoutOutliers(nearlyAll->range[0], nearlyAll->range[1], nearlyAll->counts, crossing, {});
}

}  // namespace farfield::volume
