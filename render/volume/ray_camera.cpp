#include "render/volume/ray_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/error.h"

namespace farfield::volume {

RayCamera::RayCamera(const scene::Camera& camera, int width, int height)
    : m_width(width), m_height(height), m_orthographic(camera.orthographic), m_eye(camera.position) {
  const scene::CameraAxes axes = scene::axesOf(camera);
  m_right = axes.right, m_up = axes.up, m_back = axes.back;
  m_halfHeight = m_orthographic ? 0.5 * camera.orthographicHeight
                                : std::tan(camera.fieldOfViewDegrees * std::numbers::pi / 360);
  if (!(m_halfHeight > 0) || !std::isfinite(m_halfHeight))
    throw Invalid("the height or angle of the view makes no sense").at("camera");
}

Vec3 RayCamera::through(int x, int y) const {
  const double scale = m_halfHeight / m_height;
  return (2 * x + 1 - m_width) * scale * m_right - (2 * y + 1 - m_height) * scale * m_up;
}

Ray RayCamera::ray(int x, int y) const {
  const Vec3 across = through(x, y);
  if (m_orthographic) return {m_eye + across, -m_back};
  const Vec3 direction = across - m_back;
  return {m_eye, (1 / length(direction)) * direction};
}

double RayCamera::pixelSize(double depth) const {
  return 2 * m_halfHeight / m_height * (m_orthographic ? 1 : std::max(depth, 0.0));
}

PixelBox RayCamera::project(const Bounds& box) const {
  const PixelBox all{0, 0, m_width, m_height};
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  bool before = false;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p = Vec3{corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
                        corner & 4 ? box.max.z : box.min.z} -
                   m_eye;
    const double depth = -dot(p, m_back);
    if (depth > 0) before = true;
    // a corner beside or behind the eye has no position on the screen
    if (!m_orthographic && !(depth > 1e-9 * length(p))) {
      low[0] = low[1] = -INFINITY;
      high[0] = high[1] = INFINITY;
      continue;
    }
    const double scale = m_height / (m_halfHeight * (m_orthographic ? 1 : depth));
    const double at[2] = {0.5 * (m_width + dot(p, m_right) * scale), 0.5 * (m_height - dot(p, m_up) * scale)};
    for (int a = 0; a < 2; ++a) {
      low[a] = std::min(low[a], at[a]);
      high[a] = std::max(high[a], at[a]);
    }
  }
  if (!before) return {};
  const auto cut = [](double v, int most) { return static_cast<int>(std::clamp<double>(v, 0, most)); };
  // pixels whose middle may be inside; one more on each side for rounding
  return {cut(std::floor(low[0] - 1), all.x1), cut(std::floor(low[1] - 1), all.y1),
          cut(std::ceil(high[0] + 1), all.x1), cut(std::ceil(high[1] + 1), all.y1)};
}

}  // namespace farfield::volume
