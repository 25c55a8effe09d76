#include "render/view/screen_clip.h"

#include <array>
#include <cmath>

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

/// How far along the way between two numbers of other signs 0 is. Counted from the number that is nearer to 0, which is the first if
/// `fromFirst`: nothing is left of a near place beside one that is very far away.
struct Crossing {
  double part;
  bool fromFirst;
};

Crossing crossing(double a, double b) {
  if (std::abs(a) <= std::abs(b)) return {a / (a - b), true};
  return {b / (b - a), false};
}

/// What of the picture's plane is seen: the side of a line along an axis.
struct Edge {
  double ScreenPoint::*across, ScreenPoint::*along;
  double place, sign;
  double inside(const ScreenPoint& at) const { return sign * (at.*across - place); }
  ScreenPoint between(const ScreenPoint& from, const ScreenPoint& to) const {
    const auto [part, fromFirst] = crossing(inside(from), inside(to));
    const ScreenPoint &near = fromFirst ? from : to, &far = fromFirst ? to : from;
    ScreenPoint at;
    at.*across = place;
    at.*along = near.*along + part * (far.*along - near.*along);
    return at;
  }
};

std::array<Edge, 4> edgesOf(const ScreenMap& map, double margin) {
  constexpr auto kX = &ScreenPoint::x, kY = &ScreenPoint::y;
  return {{{kX, kY, -margin, 1},
           {kX, kY, map.width() + margin, -1},
           {kY, kX, -margin, 1},
           {kY, kX, map.height() + margin, -1}}};
}

/// What lies so far in front of the eye that it has a place on the screen.
struct Front {
  const ScreenMap& map;
  double least;
  double inside(const Vec3& at) const { return map.depth(at) - least; }
  Vec3 between(const Vec3& from, const Vec3& to) const {
    const auto [part, fromFirst] = crossing(inside(from), inside(to));
    return fromFirst ? from + part * (to - from) : to + part * (from - to);
  }
};

/// Clips to one side (I. Sutherland, G. Hodgman, 1974).
template <class Point, class Side>
std::vector<Point> cut(const std::vector<Point>& corners, const Side& side) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point &from = corners[i], &to = corners[(i + 1) % corners.size()];
    const bool fromInside = side.inside(from) >= 0, toInside = side.inside(to) >= 0;
    if (fromInside) kept.push_back(from);
    if (fromInside != toInside) kept.push_back(side.between(from, to));
  }
  return kept;
}

/// The same for a line; whether anything is left of it.
template <class Point, class Side>
bool cutLine(Point& from, Point& to, const Side& side) {
  const bool fromInside = side.inside(from) >= 0, toInside = side.inside(to) >= 0;
  if (!fromInside && !toInside) return false;
  if (fromInside != toInside) (fromInside ? to : from) = side.between(from, to);
  return true;
}

}  // namespace

std::vector<ScreenPoint> seenArea(const ScreenMap& map, std::span<const Vec3> corners, double margin) {
  std::vector<Vec3> before(corners.begin(), corners.end());
  if (!map.isOrthographic()) before = cut(before, Front{map, nearDepth(map)});
  std::vector<ScreenPoint> seen;
  for (const Vec3& p : before)
    if (const auto at = map.project(p)) seen.push_back(*at);
  for (const Edge& edge : edgesOf(map, margin)) seen = cut(seen, edge);
  return seen;
}

std::optional<std::pair<ScreenPoint, ScreenPoint>> seenLine(const ScreenMap& map, Vec3 from, Vec3 to,
                                                            double margin) {
  if (!map.isOrthographic() && !cutLine(from, to, Front{map, nearDepth(map)})) return std::nullopt;
  auto first = map.project(from), last = map.project(to);
  if (!first || !last) return std::nullopt;
  for (const Edge& edge : edgesOf(map, margin))
    if (!cutLine(*first, *last, edge)) return std::nullopt;
  return std::pair(*first, *last);
}

}  // namespace farfield::view
