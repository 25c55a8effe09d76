#pragma once
// A camera that goes round what it looks at, for an animation of something that stands still.

#include <vector>

#include "core/scene/camera.h"

namespace farfield::scene {

struct Turntable {
  int pictures = 72;
  double degrees = 360;  ///< of the whole way; a full turn ends one picture before its beginning
  Vec3 axis{0, 0, 1};    ///< through the camera's target; of any length above 0
};

/// The cameras, of which the first is `from`.
std::vector<Camera> camerasOf(const Turntable& turntable, const Camera& from);

}  // namespace farfield::scene
