#pragma once
// What is seen of straight lines and flat areas of the data, as painters draw them: parts behind the eye and
// far beside the picture are cut off, where a projection alone would lose all of a line with one such end.

#include <span>
#include <utility>
#include <vector>

#include "render/view/screen_map.h"

namespace farfield::view {

/// Of the line from `from` to `to`: its ends on the picture made wider by `margin` pixels on all sides, or
/// nothing where none of it is seen.
std::optional<std::pair<ScreenPoint, ScreenPoint>> seenLine(const ScreenMap& map, Vec3 from, Vec3 to,
                                                            double margin);

/// Of a convex polygon with these corners: the corners of the part that is seen, in order; empty: none.
std::vector<ScreenPoint> seenArea(const ScreenMap& map, std::span<const Vec3> corners, double margin);

}  // namespace farfield::view
