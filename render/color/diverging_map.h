#pragma once
// The formula of the diverging map cool-warm, the only map that is computed.

#include <array>

#include "render/color/color_map.h"

namespace farfield::color {

/// 256 colours from `low` through a light grey to `high`, even in perceived lightness on both sides.
/// K. Moreland: Diverging Color Maps for Scientific Visualization (expanded), ISVC 2009, sections 4 and 5.
std::array<Rgb8, ColorMap::kEntries> divergingTable(Rgb8 low, Rgb8 high);

}  // namespace farfield::color
