#pragma once
// The position from which a picture is seen.

#include "core/base/geometry.h"

namespace farfield::scene {

/// Looks from `position` at `target`.
struct Camera {
  Vec3 position{0, 0, 1}, target{0, 0, 0}, up{0, 1, 0};
  double fieldOfViewDegrees = 30;  ///< vertical; perspective only
  bool orthographic = false;
  double orthographicHeight = 1;  ///< of the view, in data units
};

/// A camera that sees all of `bounds` at width:height `aspect`, from `direction` (from the target to the eye;
/// any length). Fills the picture with a small margin.
Camera cameraFor(const Bounds& bounds, Vec3 direction, Vec3 up, double aspect);
/// The same without perspective.
Camera orthographicCameraFor(const Bounds& bounds, Vec3 direction, Vec3 up, double aspect);

}  // namespace farfield::scene
