#include "render/color/diverging_map.h"

#include <algorithm>
#include <cmath>

#include "render/color/color_spaces.h"

namespace farfield::color {
std::array<Rgb8, ColorMap::kEntries> divergingTable(Rgb8 low, Rgb8 high) {
  const Triple ends[2] = {mshOf(labOf(low)), mshOf(labOf(high))};
  const double middle = std::max({ends[0][0], ends[1][0], 88.0});
  std::array<Rgb8, ColorMap::kEntries> table;
  for (int i = 0; i < ColorMap::kEntries; ++i) {
    const double t = i / (ColorMap::kEntries - 1.0);
    const Triple& end = ends[t < 0.5 ? 0 : 1];
    const double toMiddle = 1 - std::abs(2 * t - 1);  // 0 at the end, 1 in the middle
    const Triple white{middle, 0, unsaturatedHue(end, middle)};
    Triple msh;
    for (int c = 0; c < 3; ++c) msh[c] = (1 - toMiddle) * end[c] + toMiddle * white[c];
    table[i] = rgbOf(labOfMsh(msh));
  }
  return table;
}

}  // namespace farfield::color
