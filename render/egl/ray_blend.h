#pragma once
// Volumes in a picture that OpenGL draws: rays are cast up to what is opaque, interval after interval between
// transparent layers, and all of it is blended from front to back on this side.

#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/scene.h"
#include "render/egl/item_drawer.h"

namespace farfield::egl {

/// For one band of a picture. Where the edges of what is drawn pass through a pixel, its colour is mixed but its depth is that of one
/// sample. Volumes of modes other than Composite have one colour for a whole ray: they lie behind all transparent
/// layers. The nearest of several come first, interval by interval, which is right where they do not overlap.
class RayBlend {
 public:
  static bool isNeeded(const scene::Scene& scene);

  RayBlend(const scene::Scene& scene, const ViewTransform& view, int height, const Band& band);

  /// Casts from where the last call ended to `depths`, and puts the layer that has them behind it. Both as OpenGL reads them,
  /// the lowest row first: depths 0 … 1 of the depth buffer; colours multiplied by alpha. Throws what
  /// casting throws.
  void addLayer(std::span<const float> depths, std::span<const std::uint8_t> layer);
  /// Casts to `depths` of what is opaque, and puts `picture`, the opaque one, behind all.
  void finish(std::span<const float> depths, std::span<std::uint8_t> picture);

 private:
  void castTo(std::span<const float> depths, bool last);

  const scene::Scene& m_scene;
  const ViewTransform& m_view;
  int m_height;
  Band m_band;
  std::vector<const scene::SceneItem*> m_volumes;  ///< the nearest first
  std::vector<float> m_from, m_to;                 ///< distances, of the top row first
  std::vector<float> m_cast, m_sum;                ///< 4 for each pixel, of the top row first
};

}  // namespace farfield::egl
