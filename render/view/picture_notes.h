#pragma once
// Everything that is written onto a finished picture: title, legends, texts, axes, a bar of known length. Both back
// ends call it, so that the window and batch pictures say the same.

#include <vector>

#include "render/color/legend.h"

namespace farfield::view {

/// Writes what `scene` asks for. Returns the boxes of the legends.
std::vector<color::LegendBox> writeNotes(color::Image& image, const scene::Scene& scene);

}  // namespace farfield::view
