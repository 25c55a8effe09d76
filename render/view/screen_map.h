#pragma once
// Between places in the data and places on the screen, in double precision: for pointing, dragging and moving
// the camera. Drawing uses view_transform.h, which agrees with this but adds near and far planes.

#include <optional>

#include "core/scene/scene.h"

namespace farfield::view {

/// Pixels from the left and from the top of the picture; the middle of the first pixel is (0.5, 0.5).
struct ScreenPoint {
  double x = 0, y = 0;
};

/// A half line: origin + t * direction, t >= 0. The direction has unit length.
struct Ray {
  Vec3 origin, direction;
  Vec3 at(double t) const { return origin + t * direction; }
};

/// Whether a camera can be drawn with: finite, looks somewhere, has an opening.
bool isUsable(const scene::Camera& camera);

/// Three unit vectors at right angles: to the right and up on the screen, and towards the eye.
struct ViewAxes {
  Vec3 right, up, back;
};
/// Of a usable camera. An upward direction along the line of sight is replaced.
ViewAxes axesOf(const scene::Camera& camera);

/// Immutable; thread-safe.
class ScreenMap {
 public:
  /// Of a usable camera on a picture of `width` x `height` pixels.
  ScreenMap(const scene::Camera& camera, double width, double height);

  /// Where `place` is seen, or nothing for what is not before the eye. May lie outside of the picture.
  std::optional<ScreenPoint> project(Vec3 place) const;
  /// How far `place` lies before the eye, along the line of sight; negative behind.
  double depth(Vec3 place) const { return -dot(place - m_eye, m_axes.back); }
  /// All that is seen at a pixel.
  Ray ray(ScreenPoint pixel) const;
  /// The place seen at a pixel, as far before the eye as `like`.
  Vec3 place(ScreenPoint pixel, Vec3 like) const;
  /// Data units per pixel at the depth of `place` (at the target's depth for what is not before the eye).
  double pixelSize(Vec3 place) const;

  bool isOrthographic() const { return m_orthographic; }
  const ViewAxes& axes() const { return m_axes; }
  double width() const { return m_width; }
  double height() const { return m_height; }

 private:
  ViewAxes m_axes;
  Vec3 m_eye;
  double m_width, m_height;
  bool m_orthographic;
  double m_half;         // half the height of the view; at distance 1 where it is a perspective
  double m_targetDepth;  // > 0
};

}  // namespace farfield::view
