#pragma once
// Vertices hold their place on the colour map, made for one scale, and are drawn with another without being made anew: places on
// linear scales differ by a factor and an offset.

#include "core/scene/scene.h"
#include "render/qt3d/prepared_item.h"

namespace farfield::qt3d {

/// Whether places made for the scale `built` can be drawn with `scale`: not where the rounding of floats would be seen, nor
/// where values that were too far outside of `built` to be told apart lie within `scale`.
bool canBeMoved(const scene::ColorScale& built, const scene::ColorScale& scale);

/// `scale` must be one that `built` can be moved to.
void movePlaces(Look& look, const scene::ColorScale& built, const scene::ColorScale& scale);

}  // namespace farfield::qt3d
