#pragma once
// The position from which a picture is seen.

#include "core/base/geometry.h"

namespace farfield::scene {

/// Looks from `position` at `target`.
/// Data are seen as if their coordinates had been multiplied by `stretch`, along each axis by a number above 0. All other
/// places, directions and lengths of a camera are of that stretched space; so what moves a camera need not know of it, and
/// what is known in data coordinates goes there with stretched().
struct Camera {
  Vec3 position{0, 0, 1}, target{0, 0, 0}, up{0, 1, 0};
  double fieldOfViewDegrees = 30;  ///< vertical; perspective only
  bool orthographic = false;
  double orthographicHeight = 1;  ///< of the view, in data units, stretched
  Vec3 stretch{1, 1, 1};
  bool operator==(const Camera&) const = default;
};

/// Beyond these floats end.
constexpr double kLeastStretch = 1e-9, kMostStretch = 1e9;
constexpr Vec3 kUnstretched{1, 1, 1};

/// From data coordinates to the camera's, and back. Where nothing is stretched both return the same numbers.
inline Vec3 stretched(Vec3 place, Vec3 stretch) {
  return {place.x * stretch.x, place.y * stretch.y, place.z * stretch.z};
}
inline Vec3 unstretched(Vec3 place, Vec3 stretch) {
  return {place.x / stretch.x, place.y / stretch.y, place.z / stretch.z};
}
inline Bounds stretched(const Bounds& bounds, Vec3 stretch) {
  return {stretched(bounds.min, stretch), stretched(bounds.max, stretch)};
}
/// Whether it can be drawn with.
bool isUsableStretch(Vec3 stretch);

/// Unit vectors: to the right of the picture, up in it, and from the target to the eye.
struct CameraAxes {
  Vec3 right, up, back;
};
/// Throws Invalid (the eye is at the target, or a vector is not finite). If `camera.up` is along the line of
/// sight, z or y is up.
CameraAxes axesOf(const Camera& camera);

/// The part of a picture that data may take, in units where it goes from -1 to 1: a margin on all sides, a little more at the top for the
/// title, and a strip on the right for the legends.
struct PictureRoom {
  double left = -0.92, right = 0.68, bottom = -0.90, top = 0.86;
};

/// A camera that sees all of `bounds`, in data coordinates, at width:height `aspect`, from `direction` (from the target to the
/// eye; any length). Fills the picture with a small margin.
Camera cameraFor(const Bounds& bounds, Vec3 direction, Vec3 up, double aspect, Vec3 stretch = kUnstretched);
/// The same without perspective.
Camera orthographicCameraFor(const Bounds& bounds, Vec3 direction, Vec3 up, double aspect,
                             Vec3 stretch = kUnstretched);

/// Sides of this part of the longest, and longer ones, are left as they are where nobody asked: a map that is twice as wide as high is to stay one.
constexpr double kShortSide = 0.2;

/// Makes sides of `bounds` that are shorter than `shortSide` times the longest about as long as it, in numbers of one digit; one without
/// length stays as it is. Where one side is longer than both others, which are about alike, it is made as short as they are.
Vec3 fillingStretch(const Bounds& bounds, double shortSide = kShortSide);

}  // namespace farfield::scene
