#include "core/scene/line_scale.h"

#include <cstddef>
#include <utility>

namespace farfield::scene {

void scaleLines(Scene& scene, double scale) {
  if (scale == 1) return;
  const std::size_t count = scene.items.size();
  for (std::size_t n = 0; n < count; ++n) {
    scene.items[n].widthPixels *= scale;
    if (!scene.items[n].edges) continue;
    SceneItem edges = edgesOf(scene.items[n]);
    edges.widthPixels *= scale;
    scene.items[n].edges = nullptr;
    scene.items.push_back(std::move(edges));
  }
}

}  // namespace farfield::scene
