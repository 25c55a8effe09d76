#pragma once
// Converts between positions in the data, stretched as the camera says, and on the screen, in double precision: for pointing,
// dragging and moving the camera. Drawing uses view_transform.h, which agrees with this but adds near and far planes.

#include <optional>

#include "core/scene/scene.h"

namespace farfield::view {

/// Pixels from the left and from the top of the picture; the middle of the first pixel is (0.5, 0.5).
struct ScreenPoint {
  double x = 0, y = 0;
};

/// A half line: origin + t * direction, t >= 0. The direction has unit length where nothing is stretched.
struct Ray {
  Vec3 origin, direction;
  Vec3 at(double t) const { return origin + t * direction; }
};

/// Whether a camera can be drawn with: finite, with a direction, an opening and a stretch.
bool isUsable(const scene::Camera& camera);

/// Immutable; thread-safe.
class ScreenMap {
 public:
  /// For a usable camera on a picture of `width` x `height` pixels.
  ScreenMap(const scene::Camera& camera, double width, double height);

  /// Where `place` is seen; nothing if it is not in front of the eye. May lie outside of the picture.
  std::optional<ScreenPoint> project(Vec3 place) const;
  /// Distance of `place` in front of the eye, along the line of sight, in the camera's units; negative behind.
  double depth(Vec3 place) const { return -dot(scene::stretched(place, m_stretch) - m_eye, m_axes.back); }
  /// The ray of all that is seen at a pixel.
  Ray ray(ScreenPoint pixel) const;
  /// The point seen at a pixel, at the depth of `like`.
  Vec3 place(ScreenPoint pixel, Vec3 like) const;
  /// The camera's units per pixel at the depth of `place` (the target's depth for a point not in front of the eye).
  double pixelSize(Vec3 place) const;

  Vec3 stretch() const { return m_stretch; }
  /// The same view, of places that are stretched already: those of the camera.
  ScreenMap ofStretched() const;

  bool isOrthographic() const { return m_orthographic; }
  const scene::CameraAxes& axes() const { return m_axes; }
  double width() const { return m_width; }
  double height() const { return m_height; }

 private:
  scene::CameraAxes m_axes;
  Vec3 m_eye, m_stretch;
  double m_width, m_height;
  bool m_orthographic;
  double m_half;         // half the height of the view; in perspective at distance 1
  double m_targetDepth;  // > 0
};

}  // namespace farfield::view
