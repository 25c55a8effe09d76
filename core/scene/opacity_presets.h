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

/// The same for means along rays, which lie closer together than the values do, and seldom reach their ends: in place of `range` over
/// the values around the mean of those of `seen`, by a standard deviation to either side, and as far as opaque. There is a ray with a
/// mean above that of all, and one below.
std::vector<OpacityPoint> presetOpacityOfMeans(std::size_t preset, std::array<double, 2> range,
                                               const VolumeHistogram& seen);

/// What is chosen where nobody chooses, for `mode`: `usual` is for what lies one behind the other along a ray. Of the greatest value or
/// the mean there is one on each ray, which is seen by itself: opaque at the upper end, and clear below where `usual` begins.
/// The mean is below that more often than not, so that it begins at the lower end.
std::vector<OpacityPoint> usualOpacityFor(VolumeMode mode, std::array<double, 2> range,
                                          std::vector<OpacityPoint> usual);

}  // namespace farfield::scene
