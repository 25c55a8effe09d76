#pragma once
// Surfaces that lie at one place, and cameras from which they are looked at.

#include <QString>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "render/color/image.h"
#include "tests/image/scene_samples.h"

namespace farfield::test {

/// A square of so many cells along each side, in a plane that no axis is normal to, so that depths are rounded.
inline std::shared_ptr<Triangles> sheetAtOnePlace(int cells) {
  auto made = std::make_shared<Triangles>();
  const double size = std::sqrt(1 + 0.31 * 0.31 + 0.17 * 0.17);
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      const double x = 1.4 * i / cells - 0.7, y = 1.4 * j / cells - 0.7;
      made->points.insert(made->points.end(), {x, y, 0.31 * x - 0.17 * y});
      made->normals.insert(made->normals.end(), {-0.31 / size, 0.17 / size, 1 / size});
    }
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const auto at = std::uint32_t(j * (cells + 1) + i), up = at + std::uint32_t(cells) + 1;
      if (cells % 2 == 1)
        made->triangles.insert(made->triangles.end(), {at, at + 1, up + 1, at, up + 1, up});
      else
        made->triangles.insert(made->triangles.end(), {at, at + 1, up, at + 1, up + 1, up});
    }
  return made;
}

struct OnePlaceView {
  QString name;
  scene::Scene scene;  ///< without items
};

inline std::vector<OnePlaceView> onePlaceViews() {
  std::vector<OnePlaceView> views;
  const auto add = [&](const char* name, Vec3 position, Vec3 target, double size) {
    scene::Scene scene = flatScene();
    scene.bounds = {{-size, -size, -size}, {size, size, size}};
    scene.camera = {.position = position, .target = target, .up = {0, 1, 0}};
    views.push_back({name, scene});
  };
  add("as fitted", {0.6, -0.9, 5}, {}, 1);
  add("from below", {0.6, -0.9, -5}, {}, 1);
  add("aslant", {-2, 1.1, 0.2}, {}, 1);
  add("from nearby", {0.3, -0.2, 0.4}, {0.1, 0.1, 0}, 1);
  add("from very near", {0.02, -0.01, 0.05}, {0.01, 0.01, 0}, 1);
  add("in something large", {0.6, -0.9, 3}, {}, 40);
  add("in something very large", {0.6, -0.9, 3}, {}, 6e6);
  for (const double side : {1.0, -1.0}) {
    add("without perspective", {0.6, -0.9, 5 * side}, {}, 1);
    views.back().scene.camera.orthographic = true;
    views.back().scene.camera.orthographicHeight = 2;
  }
  return views;
}

/// Where `picture` does not have `expected` although all around `alone`, a picture of the later one only, has its `color`. Empty: nowhere;
/// also says where there is nothing to look at.
inline QString wrongAtOnePlace(const color::Image& picture, const color::Image& alone, scene::Rgba color,
                               scene::Rgba expected) {
  const auto is = [](const std::uint8_t* pixel, const scene::Rgba& wanted, int tolerance) {
    for (int c = 0; c < 3; ++c)
      if (std::abs(pixel[c] - std::lround(255 * wanted[c])) > tolerance) return false;
    return true;
  };
  int seen = 0, wrong = 0;
  for (int y = 1; y + 1 < alone.height(); ++y)
    for (int x = 1; x + 1 < alone.width(); ++x) {
      bool inside = true;
      for (int k = 0; k < 9; ++k) inside = inside && is(alone.pixel(x + k % 3 - 1, y + k / 3 - 1), color, 0);
      seen += inside;
      wrong += inside && !is(picture.pixel(x, y), expected, 2);
    }
  if (seen > 1000 && wrong == 0) return {};
  return QString("%1 of %2 pixels").arg(wrong).arg(seen);
}
inline QString wrongAtOnePlace(const color::Image& picture, const color::Image& alone, scene::Rgba color) {
  return wrongAtOnePlace(picture, alone, color, color);
}

}  // namespace farfield::test
