#pragma once
// Titles of legends, which the data may know better than by the function's name: with units.

#include <string>
#include <utility>

#include "core/scene/scene.h"

namespace farfield::scene {

/// Gives the legend of `scale` the look `look`. A title that it has stays if the look has none.
inline void setLegend(ColorScale& scale, const LegendLook& look) {
  std::string title = std::move(scale.legend.title);
  scale.legend = look;
  if (scale.legend.title.empty()) scale.legend.title = std::move(title);
}

/// Whether the title of this legend is the function's name, with its units perhaps, and none that somebody has given it: "pressure [Pa]", and not
/// "pressure [Pa] on the wing".
inline bool isNamedByFunction(const ColorScale& scale) {
  const std::string& title = scale.legend.title;
  return title.empty() || (title.starts_with(scale.title + " [") && title.ends_with(']'));
}

}  // namespace farfield::scene
