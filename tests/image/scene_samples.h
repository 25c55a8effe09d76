#pragma once
// Geometry for picture tests: small, in memory, handed out in chunks.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include "core/scene/scene.h"

namespace farfield::test {

struct Lines : scene::LineGeometry {
  std::vector<double> points, scalars, phases, radii, normals;
  std::vector<std::uint32_t> lengths;
  int repeat = 1;  // how often all of it is handed out

  void add(const std::vector<Vec3>& line, const std::vector<double>& values = {}) {
    for (const Vec3& p : line) points.insert(points.end(), {p.x, p.y, p.z});
    scalars.insert(scalars.end(), values.begin(), values.end());
    lengths.push_back(static_cast<std::uint32_t>(line.size()));
  }
  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    for (int i = 0; i < repeat; ++i) draw({points, scalars, lengths, phases, radii, normals});
  }
};

struct Triangles : scene::TriangleGeometry {
  std::vector<double> points, normals, scalars;
  std::vector<std::uint32_t> triangles;

  void visit(const std::function<void(const scene::TriangleChunk&)>& draw) const override {
    draw({points, normals, scalars, triangles});
  }
};

/// A square in the plane z, from -half to half, `values` at its corners (left below, right below, right
/// above, left above) or none.
inline std::shared_ptr<Triangles> square(double half, double z, std::vector<double> values = {},
                                         Vec3 center = {}) {
  auto made = std::make_shared<Triangles>();
  for (const auto& [x, y] : {std::pair(-half, -half), {half, -half}, {half, half}, {-half, half}}) {
    made->points.insert(made->points.end(), {center.x + x, center.y + y, center.z + z});
    made->normals.insert(made->normals.end(), {0, 0, 1});
  }
  made->scalars = std::move(values);
  made->triangles = {0, 1, 2, 0, 2, 3};
  return made;
}

/// A ball of triangles.
inline std::shared_ptr<Triangles> ball(double radius, int rings, Vec3 center = {}) {
  auto made = std::make_shared<Triangles>();
  const int columns = 2 * rings;
  for (int i = 0; i <= rings; ++i)
    for (int k = 0; k <= columns; ++k) {
      const double a = std::numbers::pi * i / rings, b = 2 * std::numbers::pi * k / columns;
      const Vec3 n{std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)};
      const Vec3 p = center + radius * n;
      made->points.insert(made->points.end(), {p.x, p.y, p.z});
      made->normals.insert(made->normals.end(), {n.x, n.y, n.z});
      made->scalars.push_back(n.x);
    }
  for (int i = 0; i < rings; ++i)
    for (int k = 0; k < columns; ++k) {
      const auto at = [&](int ring, int column) { return std::uint32_t(ring * (columns + 1) + column); };
      made->triangles.insert(made->triangles.end(), {at(i, k), at(i + 1, k), at(i, k + 1), at(i, k + 1),
                                                     at(i + 1, k), at(i + 1, k + 1)});
    }
  return made;
}

inline scene::Scene cornerScene() {
  scene::Scene scene;
  scene.bounds.add(Vec3{-1, -1, -1});
  scene.bounds.add(Vec3{1, 1, 1});
  scene.camera = scene::cameraFor(scene.bounds, {1, -2, 0.8}, {0, 0, 1}, 1.6);
  return scene;
}

inline scene::SceneItem plain(std::shared_ptr<const scene::TriangleGeometry> triangles, scene::Rgba color) {
  scene::SceneItem item;
  item.name = "surface";
  item.triangles = std::move(triangles);
  item.color = color;
  item.lighting = scene::Lighting::Off;
  return item;
}
inline scene::SceneItem plain(std::shared_ptr<const scene::LineGeometry> lines, scene::Rgba color,
                              double width) {
  scene::SceneItem item;
  item.name = "lines";
  item.lines = std::move(lines);
  item.color = color;
  item.widthPixels = width;
  item.lighting = scene::Lighting::Off;
  return item;
}

/// A fog between two planes z, of one colour: a piece of a ray of length 1 has `opacity`. Its rays go along -z, as in flatScene().
struct Fog : scene::VolumeGeometry {
  double low = -1, high = 1, opacity = 0.5, eye = 5;
  scene::Rgba color{1, 0, 0, 1};
  mutable std::vector<float> ends;  ///< of the last cast

  Bounds bounds() const override { return {{-1, -1, low}, {1, 1, high}}; }
  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
    ends.assign(cast.to.begin(), cast.to.end());
    for (std::size_t n = 0; n < cast.to.size(); ++n) {
      const double from = std::max(cast.from.empty() ? 0.0 : double(cast.from[n]), eye - high);
      const double to = std::min(double(cast.to[n]), eye - low);
      const double alpha = 1 - std::pow(1 - opacity, std::max(0.0, to - from));
      for (std::size_t c = 0; c < 3; ++c) rgba[4 * n + c] = static_cast<float>(alpha * color[c]);
      rgba[4 * n + 3] = static_cast<float>(alpha);
    }
    return true;
  }
};

inline scene::SceneItem fog(std::shared_ptr<const Fog> volume) {
  scene::SceneItem item;
  item.name = "fog";
  item.volume = std::move(volume);
  return item;
}

/// Hands out a set, and from then on the next, where there is one.
struct Slabs : scene::SlabGeometry {
  mutable std::shared_ptr<const scene::SlabSet> set, next;
  std::shared_ptr<const scene::SlabSet> current() const override {
    auto now = set;
    if (next) set = next;
    return now;
  }
};

/// A slab in the plane z, from -0.9 to 0.9: red and half transparent green above, blue and nothing below.
inline std::shared_ptr<scene::SlabSet> quarters(double z) {
  scene::Slab slab;
  slab.points = {{-0.9, -0.9, z}, {0.9, -0.9, z}, {0.9, 0.9, z}, {-0.9, 0.9, z}};
  slab.places = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  slab.triangles = {{0, 1, 2}, {0, 2, 3}};
  auto image = std::make_shared<scene::SlabImage>();
  image->width = image->height = 8;
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      const bool left = x < 4, above = y < 4;
      const std::array<std::uint8_t, 4> color =
          left ? (above ? std::array<std::uint8_t, 4>{255, 0, 0, 255}
                        : std::array<std::uint8_t, 4>{0, 0, 255, 255})
               : (above ? std::array<std::uint8_t, 4>{0, 128, 0, 128} : std::array<std::uint8_t, 4>{});
      image->rgba.insert(image->rgba.end(), color.begin(), color.end());
    }
  slab.image = image;
  auto set = std::make_shared<scene::SlabSet>();
  set->slabs.push_back(std::move(slab));
  return set;
}

/// An empty white scene, seen along -z so that y from -1 to 1 fills the picture.
inline scene::Scene flatScene() {
  scene::Scene scene;
  scene.bounds.add(Vec3{-1, -1, -1});
  scene.bounds.add(Vec3{1, 1, 1});
  scene.camera.position = {0, 0, 5};
  scene.camera.orthographic = true;
  scene.camera.orthographicHeight = 2;
  return scene;
}

/// Seen from nearby a white square with a black line on it, and millions of times as far away two walls, red before blue, which come in either
/// order. Right of the middle the red one is half transparent.
inline scene::Scene deepScene(bool redFirst) {
  constexpr double kFar = 6e6;
  scene::Scene scene;
  scene.bounds.add(Vec3{-kFar, -kFar, -kFar});
  scene.bounds.add(Vec3{kFar, kFar, kFar});
  scene.camera.position = {0, 0, 5};
  scene.camera.target = {0, 0, 0};
  scene.camera.up = {0, 1, 0};
  auto line = std::make_shared<Lines>();
  line->add({{-0.4, 0, 0}, {0.4, 0, 0}});
  const auto red = plain(square(kFar, -0.9 * kFar, {}, {-kFar, 0, 0}), {1, 0, 0, 1}),
             blue = plain(square(kFar, -0.99 * kFar), {0, 0, 1, 1});
  auto veil = plain(square(kFar, -0.9 * kFar, {}, {kFar, 0, 0}), {1, 0, 0, 1});
  veil.opacity = 0.5;
  scene.items = {redFirst ? red : blue, redFirst ? blue : red, plain(square(0.5, 0), {1, 1, 1, 1}),
                 plain(line, {0, 0, 0, 1}, 4), veil};
  return scene;
}

}  // namespace farfield::test
