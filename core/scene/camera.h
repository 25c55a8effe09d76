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

/// Unit vectors: to the right of the picture, up in it, and from the target to the eye.
struct CameraAxes {
  Vec3 right, up, back;
};
/// Throws Invalid (the eye is at the target, or a vector is not finite). If `camera.up` is along the line of
/// sight, z or y is up.
CameraAxes axesOf(const Camera& camera);

/// A camera that sees all of `bounds` at width:height `aspect`, from `direction` (from the target to the eye;
/// any length). Fills the picture with a small margin.
Camera cameraFor(const Bounds& bounds, Vec3 direction, Vec3 up, double aspect);
/// The same without perspective.
Camera orthographicCameraFor(const Bounds& bounds, Vec3 direction, Vec3 up, double aspect);

}  // namespace farfield::scene
