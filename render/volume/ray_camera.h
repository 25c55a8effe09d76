#pragma once
// The rays of a picture, in double precision. A position on a ray is the distance from its origin, in the
// data's length unit: from the eye, or, without perspective, from the plane through the eye.

#include <array>
#include <optional>

#include "core/scene/scene.h"

namespace farfield::volume {

struct Ray {
  Vec3 origin, direction;  ///< unit length
};

/// Pixels x0 … x1-1, y0 … y1-1; row 0 is the top.
struct PixelBox {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x0 >= x1 || y0 >= y1; }
};

/// Immutable; thread-safe.
class RayCamera {
 public:
  /// The same view as view::ViewTransform for the same camera. Throws Invalid for a camera without a
  /// direction.
  RayCamera(const scene::Camera& camera, int width, int height);

  /// Through the middle of a pixel.
  Ray ray(int x, int y) const;
  /// The pixels in which a box may be seen.
  PixelBox project(const Bounds& box) const;
  /// Length of a pixel's edge at distance `depth` in front of the eye.
  double pixelSize(double depth) const;
  double depthOf(Vec3 point) const { return dot(m_eye - point, m_back); }
  int width() const { return m_width; }
  int height() const { return m_height; }
  bool orthographic() const { return m_orthographic; }
  Vec3 eye() const { return m_eye; }
  Vec3 right() const { return m_right; }
  Vec3 up() const { return m_up; }
  Vec3 back() const { return m_back; }  ///< from the target to the eye

 private:
  Vec3 through(int x, int y) const;

  int m_width, m_height;
  bool m_orthographic;
  Vec3 m_eye, m_right, m_up, m_back;
  double m_halfHeight;  ///< of the view; in perspective at distance 1
};

}  // namespace farfield::volume
