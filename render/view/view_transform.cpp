#include "render/view/view_transform.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/error.h"

namespace farfield::view {
namespace {

constexpr double kFloatSteps = 8388608;  // of numbers from one power of two to the next

}  // namespace

ViewTransform::ViewTransform(const scene::Scene& scene, int width, int height)
    : m_width(width), m_height(height) {
  const scene::Camera& camera = scene.camera;
  if (!isFinite(camera.position) || !isFinite(camera.target))
    throw Invalid("the position and the target must be finite").at("camera");
  m_orthographic = camera.orthographic;
  const bool goodView = m_orthographic
                            ? camera.orthographicHeight > 0 && std::isfinite(camera.orthographicHeight)
                            : camera.fieldOfViewDegrees > 0 && camera.fieldOfViewDegrees < 180;
  if (!goodView) throw Invalid("the height or angle of the view makes no sense").at("camera");

  if (!scene::isUsableStretch(camera.stretch)) throw Invalid("the stretch makes no sense").at("camera");

  const bool bounded = !scene.bounds.empty() && isFinite(scene.bounds.min) && isFinite(scene.bounds.max);
  m_frame.center = bounded ? scene.bounds.center() : scene::unstretched(camera.target, camera.stretch);
  double radius = bounded ? 0.5 * scene.bounds.diagonal() : 0;
  double seen = bounded ? 0.5 * scene::stretched(scene.bounds, camera.stretch).diagonal() : 0;
  if (!(radius > 0) || !(seen > 0)) radius = seen = length(camera.position - camera.target);
  if (!(radius > 0) || !std::isfinite(radius) || !std::isfinite(seen))
    throw Invalid("the scene has no finite size").at("camera");
  m_frame.factor = 1 / radius;
  m_unit = 1 / seen;
  m_axisScale = (radius / seen) * camera.stretch;

  const auto [right, up, back] = scene::axesOf(camera);
  const Vec3 eye = m_unit * (camera.position - scene::stretched(m_frame.center, camera.stretch));
  const Vec3 axes[3] = {right, up, back};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      m_turn[4 * column + row] = static_cast<float>(axes[row][column]);
      m_modelView[4 * column + row] = static_cast<float>(axes[row][column] * m_axisScale[column]);
    }
    m_turn[12 + row] = m_modelView[12 + row] = static_cast<float>(-dot(axes[row], eye));
  }
  m_turn[15] = m_modelView[15] = 1;

  // the unit ball around the middle holds the scene; a little more, so that nothing on its rim is cut off
  const double middle = dot(back, eye);
  m_near = middle - 1.01;
  m_far = middle + 1.01;
  double& half = m_halfHeight;
  if (m_orthographic) {
    half = 0.5 * camera.orthographicHeight * m_unit;
    if (m_far < 0.01) m_far = m_near + 2.02;
  } else {
    half = std::tan(camera.fieldOfViewDegrees * std::numbers::pi / 360);
    m_far = std::max(m_far, 0.01);
    // Who looks at something small from nearby sees it, however large the rest is.
    constexpr double kBefore = 0.01,   // of the way to what is looked at
        kUsual = 5e-4, kLeast = 1e-7;  // of the far plane, as numbers of depths are few
    const double nearby = kBefore * m_unit * length(camera.position - camera.target);
    m_near = std::max(m_near, std::clamp(nearby, kLeast * m_far, kUsual * m_far));
    // By the projection, what is far would all have one depth.
    constexpr double kDeep = 1e-4, kBeyond = 1000;
    m_isDeep = m_near < kDeep * m_far;
    if (m_isDeep) {
      const int doublings = 1 + std::ilogb(m_far / m_near);
      m_deepDepths = {static_cast<float>(1 / m_near),
                      static_cast<float>(1.0 / (kFloatSteps * (doublings + 1)))};
      m_far *= kBeyond;  // which cuts nothing then, however it is rounded
    }
  }
  m_halfWidth = half * width / height;
}

/// As resources/shaders/peel.glsl counts: a float from 1 on is its exponent and its fraction, one after the other.
double ViewTransform::deepDistance(float depth) const {
  const double doublings = depth / m_deepDepths[1] / kFloatSteps, whole = std::floor(doublings);
  return std::ldexp(1 + doublings - whole, static_cast<int>(whole)) / m_deepDepths[0];
}

double ViewTransform::distanceTo(int x, int y, float depth) const {
  if (!(depth < 1)) return std::numeric_limits<double>::infinity();
  const double before = 2.0 * depth - 1;
  if (m_orthographic) return (m_near + (before + 1) / 2 * (m_far - m_near)) / m_unit;
  const double forward =
      m_isDeep ? deepDistance(depth) : 2 * m_far * m_near / (m_far + m_near - before * (m_far - m_near));
  const double across = m_halfWidth * (2 * (x + 0.5) / m_width - 1);
  const double upwards = m_halfHeight * (1 - 2 * (y + 0.5) / m_height);
  return forward * std::sqrt(1 + across * across + upwards * upwards) / m_unit;
}

Matrix4 ViewTransform::projection(int firstRow, int rows) const {
  // the rows' part of the whole picture, which goes from 1 at the top to -1 at the bottom
  const double top = 1 - 2.0 * firstRow / m_height, bottom = 1 - 2.0 * (firstRow + rows) / m_height;
  const double stretch = 2 / (top - bottom), shift = -(top + bottom) / (top - bottom);
  const double depth = m_far - m_near;
  Matrix4 m{};
  m[0] = static_cast<float>(1 / m_halfWidth);
  m[5] = static_cast<float>(stretch / m_halfHeight);
  if (m_orthographic) {
    m[13] = static_cast<float>(shift);
    m[10] = static_cast<float>(-2 / depth);
    m[14] = static_cast<float>(-(m_far + m_near) / depth);
    m[15] = 1;
  } else {
    m[9] = static_cast<float>(-shift);
    m[10] = static_cast<float>(-(m_far + m_near) / depth);
    m[14] = static_cast<float>(-2 * m_far * m_near / depth);
    m[11] = -1;
  }
  return m;
}

std::array<float, 4> ViewTransform::inCamera(const scene::ClipPlane& plane) const {
  const Vec3 across = scene::unstretched(plane.normal, m_axisScale);  // as normals are stretched
  const double size = length(across);
  const auto origin = m_frame.local(plane.origin.x, plane.origin.y, plane.origin.z);
  std::array<float, 4> made{0, 0, 0, 1};
  if (!(size > 0) || !std::isfinite(size)) return made;
  double offset = 0;
  for (std::size_t row = 0; row < 3; ++row) {
    double normal = 0, place = m_modelView[12 + row];
    for (std::size_t column = 0; column < 3; ++column) {
      normal += m_turn[4 * column + row] * across[static_cast<int>(column)] / size;
      place += m_modelView[4 * column + row] * origin[column];
    }
    made[row] = static_cast<float>(normal);
    offset -= normal * place;
  }
  made[3] = static_cast<float>(offset);
  return made;
}

ClipUniforms clipUniforms(const scene::Clip& clip, const ViewTransform& view) {
  // What lies in a plane, as a slice there does, is kept. Shaders have it as it is after rounding: the scene is about 1 large, and as
  // far away as it was moved.
  const auto& place = view.modelView();
  const float rounding = 1e-6F * (1 + std::abs(place[12]) + std::abs(place[13]) + std::abs(place[14]));
  ClipUniforms uniforms{};
  const std::vector<scene::ClipPlane> planes = allPlanes(clip);
  for (std::size_t n = 0; n < scene::Clip::kMostInShaders; ++n) {
    std::array<float, 4> plane =
        n < planes.size() ? view.inCamera(planes[n]) : std::array<float, 4>{0, 0, 0, 1};
    plane[3] += rounding;
    std::copy(plane.begin(), plane.end(), uniforms[n / 4].begin() + static_cast<std::ptrdiff_t>(4 * (n % 4)));
  }
  return uniforms;
}

}  // namespace farfield::view
