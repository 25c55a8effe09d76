#pragma once
// Handles: what a user drags in the view to place seeds and slices. Here only their data; handle_drag.h hits
// and moves them, the back end draws them.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/scene/scene.h"

namespace farfield::view {

enum class HandleKind {
  Point,  ///< {position}
  Line,   ///< {from, to}: a rake; its middle moves both ends
  Patch,  ///< {origin, end of axis 1, end of axis 2}: a parallelogram of seeds; its middle moves it all
  Plane,  ///< {origin, normal as a vector of any length}: the origin moves along the normal, the tip turns it
  Box,    ///< {min, max}: each face moves along its axis, the middle moves it all
};

/// Number of positions of a handle of `kind`.
constexpr std::size_t positionCount(HandleKind kind) {
  return kind == HandleKind::Point ? 1 : kind == HandleKind::Patch ? 3 : 2;
}

struct Handle {
  std::string id;
  HandleKind kind = HandleKind::Point;
  std::vector<Vec3> positions;  ///< positionCount() of them, in data coordinates
  scene::Rgba color{0.95f, 0.6f, 0.1f, 1};
  Bounds box = {};  ///< of a plane: shows its cut with the box, and stays inside; empty: a small square
  /// Seeds along the line, or along the axes of the patch or box, which are marked; 0: none are.
  std::array<std::int64_t, 3> seeds{};
  Bounds data =
      {};  ///< marks outside of it are hollow; while a knob is held, lines through it lead to its faces
  /// Which of its marks, in the order of seedsOf(), lie in no cell of the data, as long as it is where it was when that was found out.
  struct Known {
    std::vector<Vec3> positions;
    std::vector<bool> outside;
  } known = {};
};

/// The places of its marks, with the handle as it is, in the order of the seeds; of very many an even part.
std::vector<Vec3> seedsOf(const Handle& handle);

}  // namespace farfield::view
