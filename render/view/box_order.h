#pragma once
// Which of several boxes is seen before which.

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/camera.h"

namespace farfield::view {

/// Numbers of `boxes`, such that what is seen before another comes first. Boxes that a plane across an axis keeps apart are in
/// their true order, as long as no three hide each other in a circle; others by how far their middles are from the eye.
std::vector<std::size_t> frontToBack(std::span<const Bounds> boxes, const scene::Camera& camera);

}  // namespace farfield::view
