#pragma once
// Volumes in a picture drawn by OpenGL: rays are cast up to opaque geometry, interval after interval between
// transparent layers, and everything is blended from front to back here.

#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/scene.h"
#include "render/egl/item_drawer.h"

namespace farfield::egl {

/// Pixels that edges of what is opaque cross: there the ray has two ends, one for the samples that see what is near, and one for
/// the others. The lowest row first.
struct RayEdges {
  std::vector<float> near, far;  ///< depths
  std::vector<float>
      color;  ///< 4 for each pixel: the part of what is near, times alpha, and alpha; 0: no edge
};

/// For one band of a picture. At edges of transparent layers a pixel's colour is mixed but its depth is that of one
/// sample. Volumes of modes other than Composite have one colour for a whole ray, and lie behind all
/// transparent layers. The nearest of several volumes comes first, interval by interval, which is right if
/// they do not overlap.
class RayBlend {
 public:
  static bool isNeeded(const scene::Scene& scene);

  RayBlend(const scene::Scene& scene, const ViewTransform& view, int height, const Band& band);

  /// Casts from the end of the last call to `depths`, and blends the layer at these depths behind it. Both as
  /// read from OpenGL, the lowest row first: depths 0 … 1 of the depth buffer; colours multiplied by alpha.
  /// Throws what casting throws.
  void addLayer(std::span<const float> depths, std::span<const std::uint8_t> layer);
  /// Casts to the `depths` of opaque geometry, and blends `picture`, the opaque one, behind everything. Where there are
  /// `edges`, their depths are taken instead.
  void finish(std::span<const float> depths, const RayEdges& edges, std::span<std::uint8_t> picture);

 private:
  void castTo(std::span<const float> depths, bool last);

  const scene::Scene& m_scene;
  const ViewTransform& m_view;
  int m_height;
  Band m_band;
  std::vector<const scene::SceneItem*> m_volumes;  ///< nearest first
  std::vector<float> m_from, m_to;                 ///< distances, top row first
  std::vector<float> m_cast, m_sum;                ///< 4 for each pixel, top row first
};

}  // namespace farfield::egl
