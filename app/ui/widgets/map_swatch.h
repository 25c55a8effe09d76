#pragma once
// Colour maps as small pictures.

#include <QPixmap>

#include "core/scene/color_choice.h"
#include "render/color/color_vision.h"

namespace farfield::ui {

/// The map from left to right, `size` in points; grey where the map is unknown.
QPixmap swatchOf(const scene::MapChoice& map, const QSize& size, color::Vision vision, double pixelRatio);

}  // namespace farfield::ui
