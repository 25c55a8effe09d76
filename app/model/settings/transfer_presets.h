#pragma once
// Opacities that are often wanted (core/scene/opacity_presets.h), as the window names them.

#include <QString>
#include <vector>

#include "core/scene/opacity_presets.h"

namespace farfield::app {

struct TransferPreset {
  std::size_t number;  ///< of scene::kOpacityPresets
  QString text, tip;
};

std::vector<TransferPreset> transferPresets();

}  // namespace farfield::app
