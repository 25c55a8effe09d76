#include "render/view/box_axes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "render/color/ticks.h"
#include "render/view/screen_map.h"

namespace farfield::view {
namespace {

PixelPoint operator+(PixelPoint a, PixelPoint b) {
  return {a[0] + b[0], a[1] + b[1]};
}
PixelPoint operator-(PixelPoint a, PixelPoint b) {
  return {a[0] - b[0], a[1] - b[1]};
}
PixelPoint operator*(double s, PixelPoint a) {
  return {s * a[0], s * a[1]};
}
double lengthOf(PixelPoint a) {
  return std::hypot(a[0], a[1]);
}

/// A corner of the box by its bits: bit n is set at the greatest value along axis n.
Vec3 cornerOf(const Bounds& bounds, int bits) {
  Vec3 corner;
  for (int axis = 0; axis < 3; ++axis)
    corner[axis] = (bits >> axis & 1) ? bounds.max[axis] : bounds.min[axis];
  return corner;
}

/// On the picture, how far an edge lies from the middle of the box: the outline is farthest.
struct Edge {
  int from = 0, axis = 0;
  PixelPoint a{}, b{};
  double outside = 0;
};

/// Where a label goes: its middle, and half its size, as far as that follows from its letters.
struct Room {
  PixelPoint middle{}, half{};
  bool meets(const Room& other) const {
    return std::abs(middle[0] - other.middle[0]) < half[0] + other.half[0] &&
           std::abs(middle[1] - other.middle[1]) < half[1] + other.half[1];
  }
};

constexpr double kTick = 0.4;  ///< in letters

Room roomOf(const AxisLabel& label, double em) {
  // as wide as digits are, and a little apart
  const auto letters = std::count_if(label.text.begin(), label.text.end(),
                                     [](char byte) { return (static_cast<unsigned char>(byte) >> 6) != 2; });
  return {label.place, {0.32 * em * static_cast<double>(letters) + 0.15 * em, 0.6 * em}};
}

/// How far out, in letters, the middle of a number stands clear of its tick: the tick and a minus would be one dash.
double clearOfTick(const std::string& text, PixelPoint away, double em) {
  constexpr double kGap = 0.15;
  const Room room = roomOf({{}, text}, em);
  double least = INFINITY;
  for (std::size_t axis = 0; axis < 2; ++axis)
    if (away[axis] != 0)
      least = std::min(least, kTick + (room.half[axis] / em + kGap) / std::abs(away[axis]));
  return least;
}

/// Labels that keep out of one another's way: what has no room where it belongs goes a little farther out.
class Labels {
 public:
  Labels(std::vector<AxisLabel>& made, PixelPoint picture, double em, std::span<const PixelRect> taken)
      : m_made(made), m_picture(picture), m_em(em) {
    for (const PixelRect& each : taken)
      m_taken.push_back(Room{each.corner + 0.5 * each.size, 0.5 * each.size});
    m_foreign = m_taken.size();
  }
  /// Whether it would stand apart from what is no label, also where it has to go farther out.
  bool isApart(PixelPoint middle, double half) const {
    const Room room{middle, {half + (kFarther.back() + kApart) * m_em, kApart * m_em}};
    return std::none_of(m_taken.begin(), m_taken.begin() + static_cast<std::ptrdiff_t>(m_foreign),
                        [&](const Room& each) { return each.meets(room); });
  }
  enum class Need { MayBeLeftOut, OnTheOtherSide, MustBeThere };
  /// What must be there goes beside its place where there is no room farther out, at most `along` letters along the axis, and else
  /// nearer, at last to the other side of the axis. False where it is left out.
  bool put(PixelPoint from, PixelPoint away, double distance, const std::string& text, Need need,
           double along = 0) {
    const double side = need == Need::OnTheOtherSide ? -1 : 1;
    std::vector<double> wanted;
    for (const double more : kFarther) wanted.push_back(side * (distance + more));
    if (putBeside(from, away, wanted, text, along)) return true;
    if (need != Need::MustBeThere) return false;
    if (!putBeside(from, away, kNearer, text, along))
      m_made.push_back(inPicture({from + distance * m_em * away, text}));
    return true;
  }

 private:
  static constexpr double kApart = 0.6;
  static constexpr double kBeside = 1.2;
  static constexpr std::array<double, 3> kFarther{0, 0.9, 1.8};
  static constexpr std::array<double, 4> kNearer{2.3, 1.4, -1.2, -2.1};

  bool putBeside(PixelPoint from, PixelPoint away, std::span<const double> distances, const std::string& text,
                 double along) {
    const PixelPoint beside{-away[1], away[0]};
    for (double shift = 0; shift <= along; shift += kBeside)
      for (const double side : {shift, -shift})
        for (const double distance : distances) {
          const AxisLabel label = inPicture({from + distance * m_em * away + side * m_em * beside, text});
          const Room room = roomOf(label, m_em);
          if (std::any_of(m_taken.begin(), m_taken.end(), [&](const Room& each) { return each.meets(room); }))
            continue;
          m_taken.push_back(room);
          m_made.push_back(label);
          return true;
        }
    return false;
  }

  /// All of it is written in the picture, so it may come nearer to others than it belongs.
  AxisLabel inPicture(AxisLabel label) const {
    const Room room = roomOf(label, m_em);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double half = room.half[axis] + 0.1 * m_em;
      label.place[axis] = std::clamp(label.place[axis], half, std::max(half, m_picture[axis] - half));
    }
    return label;
  }

  std::vector<AxisLabel>& m_made;
  PixelPoint m_picture{};
  std::vector<Room> m_taken;
  std::size_t m_foreign = 0;  ///< of them, from the first on
  double m_em;
};

constexpr double kAlike = 1e-6;

constexpr int kFewestNumbers = 2;  // one alone tells neither the scale nor the direction

/// At most `most`, or as many more as these need.
color::Ticks ticksOf(double low, double high, int most) {
  constexpr int kEnough = 10;
  for (;; ++most) {
    color::Ticks ticks = color::linearTicks(low, high, most);
    const auto numbers = std::count_if(ticks.ticks.begin(), ticks.ticks.end(),
                                       [](const color::Tick& each) { return !each.label.empty(); });
    if (numbers >= kFewestNumbers || most >= kEnough) return ticks;
  }
}

/// Part of a line, from 0 at its one end to 1 at the other.
struct Part {
  double from = 0, to = 1;
  bool isEmpty() const { return !(from < to); }
  /// What of it has p + t d in [low, high].
  void cut(double p, double d, double low, double high) {
    if (d == 0) {
      if (p < low || p > high) to = from;
      return;
    }
    const double a = (low - p) / d, b = (high - p) / d;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
};

/// An axis on the picture, and what of it can have numbers: what is seen of the edge, a little beside the picture too. Where one looks
/// along another axis and this one runs along a border, numbers stand at that border as at a ruler while the edge itself is farther out:
/// what lies in the picture has the same values.
struct SeenAxis {
  PixelPoint a{}, along{};            ///< of the edge
  Part part;                          ///< of it, on the picture
  std::optional<std::size_t> across;  ///< the direction of the picture in which it may be moved to the border
  PixelPoint picture{};

  SeenAxis(const Edge& edge, PixelPoint size, double margin, bool isFlat)
      : a(edge.a), along(edge.b - edge.a), picture(size) {
    constexpr double kAslant = 0.01;
    const double length = lengthOf(along);
    for (std::size_t axis = 0; axis < 2; ++axis)
      if (isFlat && std::abs(along[axis]) < kAslant * length) across = axis;
    for (std::size_t axis = 0; axis < 2; ++axis)
      if (axis != across) part.cut(a[axis], along[axis], -margin, size[axis] + margin);
  }
  double size() const { return (part.to - part.from) * lengthOf(along); }
  /// Of a place of the edge, where a number of it belongs; nothing if that is not on the picture.
  std::optional<PixelPoint> placeOf(PixelPoint at) const {
    const double t =
        (along[0] * (at[0] - a[0]) + along[1] * (at[1] - a[1])) / (along[0] * along[0] + along[1] * along[1]);
    constexpr double kRounding = 1e-9;
    if (!(t >= part.from - kRounding && t <= part.to + kRounding)) return std::nullopt;
    return atBorder(at);
  }
  PixelPoint atPart(double t) const { return atBorder(a + t * along); }
  PixelPoint middle() const { return atPart(0.5 * (part.from + part.to)); }

 private:
  PixelPoint atBorder(PixelPoint at) const {
    if (across) at[*across] = std::clamp(at[*across], 0.0, picture[*across]);
    return at;
  }
};

/// The value along axis `axis`, from `low` to `high`, of the place of the edge from `start` on that is seen at the part `t` of the edge
/// on the picture: perspective makes the one grow faster than the other.
double valueSeenAt(const ScreenMap& map, Vec3 start, int axis, double low, double high, const SeenAxis& seen,
                   double t) {
  if (t <= 0) return low;
  if (t >= 1) return high;
  const double wanted = t * lengthOf(seen.along);
  double from = 0, to = 1;
  for (int n = 0; n < 60; ++n) {
    const double middle = 0.5 * (from + to);
    Vec3 place = start;
    place[axis] = low + middle * (high - low);
    const auto at = map.project(place);
    if (at && lengthOf(PixelPoint{at->x, at->y} - seen.a) < wanted)
      from = middle;
    else
      to = middle;
  }
  return low + 0.5 * (from + to) * (high - low);
}

double leastOf(Vec3 stretch) {
  return std::min({stretch.x, stretch.y, stretch.z});
}

/// Along which axes the picture's width runs.
std::vector<int> axesAcross(const scene::Camera& camera) {
  constexpr double kLeast = 1e-3;  // less is not seen
  const Vec3 right = scene::axesOf(camera).right;
  std::vector<int> axes;
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(right[axis]) > kLeast) axes.push_back(axis);
  return axes;
}

}  // namespace

BoxAxes boxAxes(const Bounds& bounds, const scene::Camera& camera, int width, int height, double em,
                std::span<const PixelRect> taken, const std::array<std::string, 3>& names) {
  BoxAxes made;
  if (bounds.empty() || !isFinite(bounds.min) || !isFinite(bounds.max)) return made;
  const ScreenMap map(camera, width, height);
  std::array<PixelPoint, 8> corners{};
  PixelPoint middle{};
  for (int bits = 0; bits < 8; ++bits) {
    const auto seen = map.project(cornerOf(bounds, bits));
    if (!seen) return made;
    corners[static_cast<std::size_t>(bits)] = {seen->x, seen->y};
    middle = middle + 0.125 * corners[static_cast<std::size_t>(bits)];
  }
  const PixelPoint picture{static_cast<double>(width), static_cast<double>(height)};
  Labels labels(made.labels, picture, em, taken);
  constexpr double kEndOn = 3,  // letters: a shorter axis is seen end-on
      kBeside = 1;              // the picture, where edges have numbers, too
  int axesSeen = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double longest = 0;
    for (int bits = 0; bits < 8; ++bits)
      longest = std::max(longest, lengthOf(corners[static_cast<std::size_t>(bits | 1 << axis)] -
                                           corners[static_cast<std::size_t>(bits)]));
    axesSeen += longest > kEndOn * em;
  }
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Edge> edges;
    for (int bits = 0; bits < 8; ++bits) {
      if (bits >> axis & 1) continue;
      Edge edge{bits, axis, corners[static_cast<std::size_t>(bits)],
                corners[static_cast<std::size_t>(bits | 1 << axis)], 0};
      made.strokes.push_back({edge.a, edge.b, true});
      const PixelPoint along = edge.b - edge.a, off = 0.5 * (edge.a + edge.b) - middle;
      const double size = lengthOf(along);
      // across the edge; and of two as far out the lower one, where axes are looked for
      if (size > 0) edge.outside = std::abs(along[0] * off[1] - along[1] * off[0]) / size + 1e-3 * off[1];
      edges.push_back(edge);
    }
    const Edge& chosen = *std::max_element(
        edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.outside < b.outside; });
    const PixelPoint along = chosen.b - chosen.a;
    const double size = lengthOf(along);
    if (!(size > kEndOn * em) || !std::isfinite(size)) continue;
    PixelPoint away{-along[1] / size, along[0] / size};
    const PixelPoint off = 0.5 * (chosen.a + chosen.b) - middle;
    if (away[0] * off[0] + away[1] * off[1] < 0) away = -1.0 * away;
    made.strokes.push_back({chosen.a, chosen.b, false});
    const double low = bounds.min[axis], high = bounds.max[axis];
    const SeenAxis seenAxis(chosen, picture, kBeside * em, axesSeen < 3);
    if (seenAxis.part.isEmpty()) continue;
    // perspective: places along the edge are projected, not interpolated
    const Vec3 start = cornerOf(bounds, chosen.from);
    const double first = valueSeenAt(map, start, axis, low, high, seenAxis, seenAxis.part.from),
                 behind = valueSeenAt(map, start, axis, low, high, seenAxis, seenAxis.part.to);
    if (!(first < behind)) continue;
    const int most = std::clamp(static_cast<int>(seenAxis.size() / (5 * em)), 2, 10);
    const color::Ticks ticks = ticksOf(first, behind, most);
    PixelPoint last{-1e9, -1e9};
    int numbers = 0;
    std::vector<AxisLabel> leftOut;  // where they belong: at the axis
    for (const color::Tick& tick : ticks.ticks) {
      Vec3 place = start;
      place[axis] = tick.value;
      const auto seen = map.project(place);
      if (!seen) continue;
      const auto belongs = seenAxis.placeOf({seen->x, seen->y});
      if (!belongs) continue;
      const PixelPoint at = *belongs;
      made.strokes.push_back({at, at + kTick * em * away, false});
      if (tick.label.empty() || lengthOf(at - last) < 2.2 * em) continue;
      if (labels.put(at, away, std::max(1.5, clearOfTick(tick.label, away, em)), tick.label,
                     Labels::Need::MayBeLeftOut))
        ++numbers;
      else
        leftOut.push_back({at, tick.label});
      last = at;
    }
    if (numbers < kFewestNumbers)
      for (const AxisLabel& each : leftOut)
        labels.put(each.place, away, std::max(1.5, clearOfTick(each.text, away, em)), each.text,
                   Labels::Need::OnTheOtherSide);
    std::string name = names[static_cast<std::size_t>(axis)];
    if (ticks.exponent != 0) name += " \u00d7" + color::powerOfTen(ticks.exponent);
    PixelPoint from = seenAxis.middle(), outwards = away;
    double distance = 3.2;
    const double narrow =
        roomOf({{}, name.substr(names[static_cast<std::size_t>(axis)].size() - 1)}, em).half[0];
    if (const double times = camera.stretch[axis] / leastOf(camera.stretch); times > 1 + kAlike)
      name += " " + color::formatNumber(times, 3) + ":1";
    if (const double half = roomOf({{}, name}, em).half[0]; half > narrow) {
      // not on the numbers; where it would be cut off, or lie beside a legend as if it were of that, it stands over the upper end
      from[0] += (half - narrow) * away[0];
      const PixelPoint at = from + distance * em * away;
      if (at[0] < half || at[0] > width - half || !labels.isApart(at, half)) {
        const double end = (chosen.a[1] < chosen.b[1]) ? seenAxis.part.from : seenAxis.part.to;
        from = seenAxis.atPart(end);
        if (width > 2 * half) from[0] = std::clamp(from[0], half, width - half);
        outwards = {0, -1};
        distance = 1;
      }
    }
    labels.put(from, outwards, distance, name, Labels::Need::MustBeThere, 0.5 * seenAxis.size() / em);
  }
  return made;
}

std::optional<ScaleBar> scaleBar(const scene::Camera& camera, double width, double height) {
  constexpr double kMostShare = 0.2;
  const std::vector<int> axes = axesAcross(camera);
  const double times = camera.stretch[axes.front()];
  for (const int axis : axes)
    if (std::abs(camera.stretch[axis] - times) > kAlike * times)
      return ScaleBar{0, "no scale: axes are stretched differently"};
  const double pixel = ScreenMap(camera, width, height).ofStretched().pixelSize(camera.target) / times;
  const double most = kMostShare * width * pixel;
  if (!(most > 0) || !std::isfinite(most)) return std::nullopt;
  // the greatest of 1, 2, 5 times a power of ten that has room
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  double length = power;
  for (const double factor : {2.0, 5.0})
    if (factor * power <= most) length = factor * power;
  ScaleBar bar{length / pixel, color::formatNumber(length, 3)};
  std::string alike;
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(camera.stretch[axis] - times) <= kAlike * times)
      alike += (alike.empty() ? "" : ", ") + std::string(1, "xyz"[axis]);
  if (alike.size() < std::string("x, y, z").size()) bar.text += " (" + alike + ")";
  return bar;
}

}  // namespace farfield::view
