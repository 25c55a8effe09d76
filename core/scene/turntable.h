#pragma once
// A camera that goes round what is shown, for an animation of something that stands still.

#include <vector>

#include "core/scene/camera.h"

namespace farfield::scene {

struct Turntable {
  int pictures = 72;
  double degrees = 360;  ///< of the whole way; a full turn ends one picture before its beginning
  Vec3 axis{0, 0, 1};    ///< of any length above 0
};

/// Whether all of `bounds`, in data coordinates, is in a picture of width:height `aspect`; its corners may lie a little beyond.
bool seesAll(const Camera& camera, const Bounds& bounds, double aspect);

struct Turn {
  std::vector<Camera> cameras;
  double farther = 1;  ///< than the camera from which it was made, so that all stays in the picture
};

/// The cameras of a turn that begins at `from`, for pictures of width:height `aspect`. Where that camera sees all of `bounds`, the turn is
/// about their middle, which stays where it is in the picture, and from as far as it takes for them to stay within `room`, or within
/// what they take at first where that is more; the first camera is `from` then, or that from farther away. Who sees a part of them
/// looks at something: the turn is about the target of the camera.
Turn turnOf(const Turntable& turntable, const Camera& from, const Bounds& bounds, double aspect,
            const PictureRoom& room = {});

}  // namespace farfield::scene
