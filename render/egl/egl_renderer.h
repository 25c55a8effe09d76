#pragma once
// Pictures of a scene on a machine without a display, for `farfield batchvis`.

#include <memory>
#include <string>

#include "core/scene/scene.h"
#include "render/color/image.h"

namespace farfield::egl {

struct EglOptions {
  int samples = 4;  ///< per pixel, for smooth edges; fewer where the driver has no more, 1 for none
};

/// Keeps an OpenGL context and its programs from one picture to the next. May be used from any thread, one at
/// a time. Apart from the picture itself, its memory depends neither on the amount of geometry nor on the
/// size of the picture: large ones are drawn in bands, and the geometry is visited again for each. The same
/// scene gives the same bytes, on one machine with one driver.
class EglRenderer {
 public:
  /// Throws Unsupported, naming what to install, if there is no OpenGL 3.3.
  explicit EglRenderer(EglOptions options = {});
  ~EglRenderer();
  EglRenderer(const EglRenderer&) = delete;
  EglRenderer& operator=(const EglRenderer&) = delete;

  /// The picture with its title and legends. Transparent items are shown in their true order, fragment by
  /// fragment, up to kMostLayers behind each other, with volumes and slabs among them (ray_blend.h).
  /// Coordinates that are not finite are left out. Tells how far it is (ToldProgress), and throws Cancelled soon after the calling thread's
  /// waits are stopped (StoppableWaits). Throws Invalid for impossible sizes, cameras, colour
  /// scales and chunks, and what the geometry throws.
  color::Image render(const scene::Scene& scene, int width, int height);

  /// The driver's name.
  const std::string& driver() const;

  static constexpr int kMostLayers = 24;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::egl
