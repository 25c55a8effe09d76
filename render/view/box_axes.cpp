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

}  // namespace

BoxAxes boxAxes(const Bounds& bounds, const scene::Camera& camera, int width, int height, double em) {
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
    if (!(size > 3 * em)) continue;  // seen end-on
    PixelPoint away{-along[1] / size, along[0] / size};
    const PixelPoint off = 0.5 * (chosen.a + chosen.b) - middle;
    if (away[0] * off[0] + away[1] * off[1] < 0) away = -1.0 * away;
    made.strokes.push_back({chosen.a, chosen.b, false});
    const double low = bounds.min[axis], high = bounds.max[axis];
    const int most = std::clamp(static_cast<int>(size / (5 * em)), 2, 10);
    const color::Ticks ticks = color::linearTicks(low, high, most);
    // perspective: places along the edge are projected, not interpolated
    const Vec3 start = cornerOf(bounds, chosen.from);
    PixelPoint last{-1e9, -1e9};
    for (const color::Tick& tick : ticks.ticks) {
      Vec3 place = start;
      place[axis] = tick.value;
      const auto seen = map.project(place);
      if (!seen) continue;
      const PixelPoint at{seen->x, seen->y};
      made.strokes.push_back({at, at + 0.4 * em * away, false});
      if (tick.label.empty() || lengthOf(at - last) < 2.2 * em) continue;
      made.labels.push_back({at + 1.5 * em * away, tick.label});
      last = at;
    }
    std::string name(1, "xyz"[axis]);
    if (ticks.exponent != 0) name += " \u00d7" + color::powerOfTen(ticks.exponent);
    made.labels.push_back({0.5 * (chosen.a + chosen.b) + 3.2 * em * away, name});
  }
  return made;
}

std::optional<ScaleBar> scaleBar(const scene::Camera& camera, double width, double height) {
  constexpr double kMostShare = 0.2;
  const double pixel = ScreenMap(camera, width, height).pixelSize(camera.target);
  const double most = kMostShare * width * pixel;
  if (!(most > 0) || !std::isfinite(most)) return std::nullopt;
  // the greatest of 1, 2, 5 times a power of ten that has room
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  double length = power;
  for (const double factor : {2.0, 5.0})
    if (factor * power <= most) length = factor * power;
  return ScaleBar{length / pixel, color::formatNumber(length, 3)};
}

}  // namespace farfield::view
