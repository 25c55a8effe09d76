#pragma once
// The visible part of straight lines and flat areas of the data, for painting: parts behind the eye and far
// beside the picture are cut off; a projection alone would lose a whole line with one such end.

#include <span>
#include <utility>
#include <vector>

#include "render/view/screen_map.h"

namespace farfield::view {

/// The ends of the line from `from` to `to` on the picture, widened by `margin` pixels on all sides; nothing
/// if it is not visible.
std::optional<std::pair<ScreenPoint, ScreenPoint>> seenLine(const ScreenMap& map, Vec3 from, Vec3 to,
                                                            double margin);

/// The corners, in order, of the visible part of a convex polygon; empty: none.
std::vector<ScreenPoint> seenArea(const ScreenMap& map, std::span<const Vec3> corners, double margin);

}  // namespace farfield::view
