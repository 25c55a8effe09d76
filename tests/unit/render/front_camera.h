#pragma once
// The camera of tests of what is seen where: five units before the origin, looking at it along -z.

#include <cmath>

#include "core/scene/scene.h"

namespace farfield::test {

/// Both kinds show the same part of the plane z = 0.
inline scene::Camera front(bool orthographic) {
  scene::Camera camera;
  camera.position = {0, 0, 5};
  camera.orthographic = orthographic;
  camera.orthographicHeight = 2 * 5 * std::tan(15 * M_PI / 180);
  return camera;
}

}  // namespace farfield::test
