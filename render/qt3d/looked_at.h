#pragma once
// Whether anything would be seen of a volume, were there anything to be seen in it.

#include "core/base/geometry.h"
#include "core/scene/volume.h"

namespace farfield::qt3d {

/// Whether the ray through the middle of `bounds`, or one near a corner, is in the picture and goes on through all of it: then what is there would be seen.
bool isLookedAt(Bounds bounds, const scene::VolumeLook& look, const scene::VolumeCast& cast);

}  // namespace farfield::qt3d
