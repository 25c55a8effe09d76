#pragma once
// Colour spaces in which maps are made: CIELAB, where distances are about those that the eye sees, and its
// polar form Msh (magnitude, saturation angle, hue angle) of K. Moreland, Diverging Color Maps for Scientific
// Visualization (expanded), ISVC 2009.

#include <array>

#include "render/color/color_map.h"

namespace farfield::color {

using Triple = std::array<double, 3>;

/// L, a, b under D65.
Triple labOf(Rgb8 color);
/// Clamped to the colours of sRGB.
Rgb8 rgbOf(const Triple& lab);
/// All 0 for black.
Triple mshOf(const Triple& lab);
Triple labOfMsh(const Triple& msh);
/// The hue that an unsaturated colour of `magnitude` needs so that the transition from it to `saturated`
/// looks straight.
double unsaturatedHue(const Triple& saturated, double magnitude);

}  // namespace farfield::color
