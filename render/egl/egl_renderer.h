#pragma once
// Pictures of a scene on a machine without a display: what `farfield batchvis` writes.

#include <memory>
#include <string>

#include "core/scene/scene.h"
#include "render/color/image.h"

namespace farfield::egl {

struct EglOptions {
  int samples = 4;  ///< per pixel, for smooth edges; fewer where the driver has no more, 1 for none
};

/// Keeps an OpenGL context and its programs from one picture to the next. May be used from any thread, by
/// one at a time. The memory it takes depends neither on the amount of geometry nor on the size of the
/// picture, apart from the picture itself: large ones are drawn in bands, for each of which the geometry is
/// visited again. The same scene gives the same bytes, on one machine with one driver.
class EglRenderer {
 public:
  /// Throws Unsupported, naming what to install, where there is no OpenGL 3.3.
  explicit EglRenderer(EglOptions options = {});
  ~EglRenderer();
  EglRenderer(const EglRenderer&) = delete;
  EglRenderer& operator=(const EglRenderer&) = delete;

  /// The picture with its title and legends. Transparent things are shown in their true order, fragment by
  /// fragment, up to kMostLayers behind each other, volumes and slabs among them (ray_blend.h). Coordinates that are not finite are left out. Throws
  /// Invalid for sizes, cameras, colour scales and chunks that make no sense, and what the geometry throws.
  color::Image render(const scene::Scene& scene, int width, int height);

  /// What the driver says of itself.
  const std::string& driver() const;

  static constexpr int kMostLayers = 24;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::egl
