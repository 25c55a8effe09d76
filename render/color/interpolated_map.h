#pragma once
// Converts maps as other programs describe them, a few colours and a space to mix them in, to the points that
// sessions keep.

#include <array>
#include <span>
#include <vector>

#include "core/scene/color_choice.h"

namespace farfield::color {

/// How VTK's colour transfer functions mix neighbouring points. Step: each point's colour extends down to the
/// point before. Hsv takes the short way around the circle of hues.
enum class MixingSpace { Rgb, Hsv, HsvNoWrap, Lab, Diverging, Step };

struct MixingPoint {
  double place = 0;
  std::array<double, 3> color{};  ///< red, green, blue; 0 … 1, sRGB
};

/// The points of a session's map: as few as give the same table of 256 colours, each component within one of
/// 255. `points` ascend over any range, which becomes 0 … 1. Throws Invalid for fewer than two, for positions
/// that do not ascend or are all the same, and for numbers that are not finite or not colours.
std::vector<scene::MapPoint> writtenOut(MixingSpace space, std::span<const MixingPoint> points);

}  // namespace farfield::color
