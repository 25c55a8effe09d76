#pragma once
// Opacities of volumes that are often wanted, by the range of the values.

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/scene/volume.h"

namespace farfield::scene {

/// "ramp": the greater the value, the less transparent. "falling": the smaller. "solid": opaque from the middle of the values on.
/// "ends": the smallest and the greatest, as of what goes both ways from 0. "shells": thin layers of four values.
inline constexpr std::array kOpacityPresets = {"ramp", "falling", "solid", "ends", "shells"};

/// Of the preset of that number, for colours from `range`. `usual` is what is chosen where nobody chooses: what is to be
/// seen into is as opaque as that at most.
std::vector<OpacityPoint> presetOpacity(std::size_t preset, std::array<double, 2> range,
                                        const std::vector<OpacityPoint>& usual);

}  // namespace farfield::scene
