#pragma once
// Opacities that are often wanted, by the range of the values and how often each occurs.

#include <QString>
#include <array>
#include <vector>

#include "core/scene/volume.h"

namespace farfield::app {

struct TransferPreset {
  const char* key;  ///< "ramp"
  QString text, tip;
  /// For colours from `range`. `usual` is what is chosen where nobody chooses.
  std::vector<scene::OpacityPoint> (*points)(std::array<double, 2> range,
                                             const std::vector<scene::OpacityPoint>& usual);
};

std::vector<TransferPreset> transferPresets();

}  // namespace farfield::app
