#pragma once
// How many pixels of a picture one has in which widths are told.

#include "core/scene/scene.h"

namespace farfield::scene {

constexpr double kLeastLineScale = 0.1, kMostLineScale = 100;

/// Makes all lines of a scene `scale` times as wide, edges of cells as well, which become items of their own.
void scaleLines(Scene& scene, double scale);

}  // namespace farfield::scene
