#include "render/view/screen_clip.h"

#include <algorithm>
#include <functional>

namespace farfield::view {
namespace {

// Smallest depth, as a fraction of a pixel's size there: nearer than this, positions on the screen are
// unbounded.
constexpr double kNearest = 1e-3;

double nearDepth(const ScreenMap& map) {
  if (map.isOrthographic()) return -INFINITY;
  // the picture is `height` pixels of this size high, so this is a fraction of the distance to the target
  const Vec3 behind = map.ray({0, 0}).origin + map.axes().back;
  return kNearest * map.height() * map.pixelSize(behind);
}

/// Clips to the side where `distance` is not negative (I. Sutherland, G. Hodgman, 1974).
template <class Point>
std::vector<Point> cut(const std::vector<Point>& corners, const std::function<double(const Point&)>& distance,
                       const std::function<Point(const Point&, const Point&, double)>& between) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point &from = corners[i], &to = corners[(i + 1) % corners.size()];
    const double a = distance(from), b = distance(to);
    if (a >= 0) kept.push_back(from);
    if ((a >= 0) != (b >= 0)) kept.push_back(between(from, to, a / (a - b)));
  }
  return kept;
}

}  // namespace

std::vector<ScreenPoint> seenArea(const ScreenMap& map, std::span<const Vec3> corners, double margin) {
  const double least = nearDepth(map);
  std::vector<Vec3> before(corners.begin(), corners.end());
  if (!map.isOrthographic())
    before = cut<Vec3>(
        before, [&](const Vec3& p) { return map.depth(p) - least; },
        [](const Vec3& a, const Vec3& b, double t) { return a + t * (b - a); });
  std::vector<ScreenPoint> seen;
  for (const Vec3& p : before)
    if (const auto at = map.project(p)) seen.push_back(*at);
  const std::function<double(const ScreenPoint&)> edges[] = {
      [&](const ScreenPoint& p) { return p.x + margin; }, [&](const ScreenPoint& p) { return p.y + margin; },
      [&](const ScreenPoint& p) { return map.width() + margin - p.x; },
      [&](const ScreenPoint& p) { return map.height() + margin - p.y; }};
  for (const auto& inside : edges)
    seen = cut<ScreenPoint>(seen, inside, [](const ScreenPoint& a, const ScreenPoint& b, double t) {
      return ScreenPoint{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    });
  return seen;
}

std::optional<std::pair<ScreenPoint, ScreenPoint>> seenLine(const ScreenMap& map, Vec3 from, Vec3 to,
                                                            double margin) {
  if (!map.isOrthographic()) {
    const double least = nearDepth(map), a = map.depth(from) - least, b = map.depth(to) - least;
    if (a < 0 && b < 0) return std::nullopt;
    const Vec3 edge = a >= 0 && b >= 0 ? from : from + a / (a - b) * (to - from);
    if (a < 0) from = edge;
    if (b < 0) to = edge;
  }
  const auto first = map.project(from), last = map.project(to);
  if (!first || !last) return std::nullopt;
  // the part of the line inside all four edges (C. Cyrus, J. Beck, 1978)
  const double dx = last->x - first->x, dy = last->y - first->y;
  double begin = 0, end = 1;
  const auto keep = [&](double at, double way) {  // where at + t * way >= 0
    if (way == 0) {
      if (at < 0) end = -1;
    } else if (way > 0) {
      begin = std::max(begin, -at / way);
    } else {
      end = std::min(end, -at / way);
    }
  };
  keep(first->x + margin, dx);
  keep(first->y + margin, dy);
  keep(map.width() + margin - first->x, -dx);
  keep(map.height() + margin - first->y, -dy);
  if (begin > end) return std::nullopt;
  const auto at = [&](double t) { return ScreenPoint{first->x + t * dx, first->y + t * dy}; };
  return std::pair(at(begin), at(end));
}

}  // namespace farfield::view
