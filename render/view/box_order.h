#pragma once
// The order in which several boxes are seen.

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/camera.h"

namespace farfield::view {

/// Indices of `boxes`, in data coordinates, those seen first coming first. Boxes separated by a plane across an axis are in their
/// true order, unless three hide each other in a cycle; others by the distance of their middles from the eye.
std::vector<std::size_t> frontToBack(std::span<const Bounds> boxes, const scene::Camera& camera);

}  // namespace farfield::view
