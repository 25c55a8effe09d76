#pragma once
// From data coordinates to the screen. The large part is subtracted in double precision here: what reaches
// OpenGL in float lies around the middle of the scene and is about one unit large, so that a model far from
// the origin, or of nanometres, does not jitter. Local coordinates are not stretched, so that geometry is the same however
// the view is; the camera's are, and are about one unit large again.

#include <array>

#include "core/scene/scene.h"
#include "render/view/vertex_arrays.h"

namespace farfield::view {

/// Columns first, as OpenGL reads it.
using Matrix4 = std::array<float, 16>;

/// Planes for the three uniforms clipFirst, clipSecond, clipThird of the shaders, a column each.
using ClipUniforms = std::array<Matrix4, 3>;

/// Immutable; thread-safe.
class ViewTransform {
 public:
  /// The view of `scene.camera` on a picture of `width` x `height` pixels. Near and far planes enclose
  /// `scene.bounds`. Throws Invalid for a camera that is not finite or has no direction.
  ViewTransform(const scene::Scene& scene, int width, int height);

  /// Points relative to the middle of the scene, in units of its half diagonal.
  const LocalFrame& frame() const { return m_frame; }
  /// From local to camera coordinates (x right, y up, z towards the eye).
  const Matrix4& modelView() const { return m_modelView; }
  /// The two parts of modelView(): local coordinates are multiplied by axisScale(), all 1 where nothing is stretched, and then
  /// turned and moved.
  Vec3 axisScale() const { return m_axisScale; }
  const Matrix4& turn() const { return m_turn; }
  /// From camera to clip coordinates, for the rows [firstRow, firstRow + rows) of the picture; row 0 is the
  /// top.
  Matrix4 projection(int firstRow, int rows) const;
  bool orthographic() const { return m_orthographic; }
  /// A plane as shaders take it: (n, d) keeps what has n . p + d >= 0 in camera coordinates.
  std::array<float, 4> inCamera(const scene::ClipPlane& plane) const;
  /// Whether so much lies between what is nearest and what is farthest that depths are distances in floating point, as the shaders
  /// write them where DEEP is defined.
  bool isDeep() const { return m_isDeep; }
  /// For these: by how much distances are multiplied, to be 1 at the near plane; and then steps of floats from 1 on, to be 1 at the end.
  std::array<float, 2> deepDepths() const { return m_deepDepths; }
  /// Distance, in the camera's units, of what has `depth` (0 … 1) along the ray through the middle of pixel (x, y),
  /// counted from the top left: from the eye, or, without perspective, from the camera's plane across the
  /// view. Infinite for 1, where nothing is.
  double distanceTo(int x, int y, float depth) const;

 private:
  double deepDistance(float depth) const;

  LocalFrame m_frame;
  Matrix4 m_modelView{}, m_turn{};
  Vec3 m_axisScale{1, 1, 1};
  double m_unit = 1;  // camera coordinates per unit of the camera
  bool m_orthographic = false;
  int m_width, m_height;
  bool m_isDeep = false;
  std::array<float, 2> m_deepDepths{1, 1};
  double m_near = 0, m_far = 1;              // in front of the eye, camera coordinates
  double m_halfWidth = 1, m_halfHeight = 1;  // of the view; in perspective at distance 1
};

/// At most Clip::kMostInShaders planes; the rest of the uniforms keeps everything. They keep what lies in them but for rounding.
ClipUniforms clipUniforms(const scene::Clip& clip, const ViewTransform& view);

}  // namespace farfield::view
