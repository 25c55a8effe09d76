#include "render/view/screen_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace farfield::view {
namespace {

// Scaled first: the square of a tiny or huge component cannot be divided by.
Vec3 unit(Vec3 v) {
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (!(largest > 0)) return v;
  v = (1 / largest) * v;
  return (1 / length(v)) * v;
}

}  // namespace

bool isUsable(const scene::Camera& camera) {
  if (!isFinite(camera.position) || !isFinite(camera.target) || !isFinite(camera.up)) return false;
  const Vec3 way = camera.position - camera.target;
  if (!isFinite(way) || way == Vec3{} || !scene::isUsableStretch(camera.stretch)) return false;
  if (camera.orthographic) return camera.orthographicHeight > 0 && std::isfinite(camera.orthographicHeight);
  return camera.fieldOfViewDegrees > 0 && camera.fieldOfViewDegrees < 180;
}

ScreenMap::ScreenMap(const scene::Camera& camera, double width, double height)
    : m_axes(scene::axesOf(camera)),
      m_eye(camera.position),
      m_stretch(camera.stretch),
      m_width(width),
      m_height(height),
      m_orthographic(camera.orthographic),
      m_half(camera.orthographic ? 0.5 * camera.orthographicHeight
                                 : std::tan(camera.fieldOfViewDegrees * std::numbers::pi / 360)),
      m_targetDepth(length(camera.position - camera.target)) {}

std::optional<ScreenPoint> ScreenMap::project(Vec3 place) const {
  const Vec3 way = scene::stretched(place, m_stretch) - m_eye;
  const double before = -dot(way, m_axes.back);
  if (!m_orthographic && !(before > 1e-9 * m_targetDepth)) return std::nullopt;
  const double scale = 0.5 * m_height / (m_orthographic ? m_half : m_half * before);
  const ScreenPoint at{0.5 * m_width + scale * dot(way, m_axes.right),
                       0.5 * m_height - scale * dot(way, m_axes.up)};
  if (!std::isfinite(at.x) || !std::isfinite(at.y)) return std::nullopt;
  return at;
}

Ray ScreenMap::ray(ScreenPoint pixel) const {
  const double right = (pixel.x - 0.5 * m_width) / (0.5 * m_height) * m_half;
  const double up = (0.5 * m_height - pixel.y) / (0.5 * m_height) * m_half;
  const Vec3 sideways = right * m_axes.right + up * m_axes.up;
  const Vec3 origin = m_orthographic ? m_eye + sideways : m_eye;
  const Vec3 direction = m_orthographic ? -m_axes.back : unit(sideways - m_axes.back);
  return {scene::unstretched(origin, m_stretch), scene::unstretched(direction, m_stretch)};
}

Vec3 ScreenMap::place(ScreenPoint pixel, Vec3 like) const {
  const Ray at = ray(pixel);
  double before = depth(like);
  if (!m_orthographic && !(before > 0)) before = m_targetDepth;
  return at.at(before / -dot(scene::stretched(at.direction, m_stretch), m_axes.back));
}

ScreenMap ScreenMap::ofStretched() const {
  ScreenMap map = *this;
  map.m_stretch = scene::kUnstretched;
  return map;
}

double ScreenMap::pixelSize(Vec3 place) const {
  if (m_orthographic) return 2 * m_half / m_height;
  const double before = depth(place);
  return 2 * m_half * (before > 0 ? before : m_targetDepth) / m_height;
}

}  // namespace farfield::view
