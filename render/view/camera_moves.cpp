#include "render/view/camera_moves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace farfield::view {
namespace {

using scene::Camera;

// Limits of the distance to the target and of the height of an orthographic view: beyond these, floats
// overflow.
constexpr double kLeastDistance = 1e-150, kMostDistance = 1e150;

double halfHeightAtOne(const Camera& camera) {
  return std::tan(camera.fieldOfViewDegrees * std::numbers::pi / 360);
}

Vec3 turned(Vec3 v, Vec3 axis, double angle) {  // Rodrigues; the axis has unit length
  const double c = std::cos(angle), s = std::sin(angle);
  return c * v + s * cross(axis, v) + ((1 - c) * dot(axis, v)) * axis;
}

// Axes as a unit quaternion (w, x, y, z): the rotation of x, y, z into them.
using Quaternion = std::array<double, 4>;

Quaternion quaternionOf(const scene::CameraAxes& axes) {
  // m[row][column], columns are the axes. Shepperd's method: divide by the largest of the four.
  const double m[3][3] = {{axes.right.x, axes.up.x, axes.back.x},
                          {axes.right.y, axes.up.y, axes.back.y},
                          {axes.right.z, axes.up.z, axes.back.z}};
  const double trace = m[0][0] + m[1][1] + m[2][2];
  Quaternion q{};
  if (trace > 0) {
    const double s = 2 * std::sqrt(1 + trace);
    q = {s / 4, (m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s};
  } else {
    int i = m[1][1] > m[0][0] ? 1 : 0;
    if (m[2][2] > m[i][i]) i = 2;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double s = 2 * std::sqrt(1 + m[i][i] - m[j][j] - m[k][k]);
    q[0] = (m[k][j] - m[j][k]) / s;
    q[std::size_t(1 + i)] = s / 4;
    q[std::size_t(1 + j)] = (m[j][i] + m[i][j]) / s;
    q[std::size_t(1 + k)] = (m[k][i] + m[i][k]) / s;
  }
  return q;
}

scene::CameraAxes axesOf(const Quaternion& q) {
  const auto [w, x, y, z] = q;
  return {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
          {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
          {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
}

Quaternion between(Quaternion a, Quaternion b, double t) {
  double cosine = 0;
  for (std::size_t i = 0; i < 4; ++i) cosine += a[i] * b[i];
  if (cosine < 0) {  // the same rotation, the shorter way
    cosine = -cosine;
    for (double& part : b) part = -part;
  }
  double first = 1 - t, second = t;
  if (cosine < 0.9999) {
    const double angle = std::acos(cosine);
    first = std::sin((1 - t) * angle) / std::sin(angle);
    second = std::sin(t * angle) / std::sin(angle);
  }
  Quaternion q{};
  double norm = 0;
  for (std::size_t i = 0; i < 4; ++i) norm += (q[i] = first * a[i] + second * b[i]) * q[i];
  for (double& part : q) part /= std::sqrt(norm);
  return q;
}

double betweenRatios(double from, double to, double t) {
  return from > 0 && to > 0 ? from * std::pow(to / from, t) : to;
}

Camera moved(Camera camera, Vec3 by) {
  camera.position = camera.position + by;
  camera.target = camera.target + by;
  return camera;
}

}  // namespace

Camera rotated(const Camera& camera, double yaw, double pitch, double roll) {
  const scene::CameraAxes axes = scene::axesOf(camera);
  // the scene turns one way, so the camera goes the other
  const auto turn = [&](Vec3 v) {
    v = turned(v, axes.up, -yaw);
    v = turned(v, axes.right, -pitch);
    return turned(v, axes.back, roll);
  };
  Camera result = camera;
  result.position = camera.target + turn(camera.position - camera.target);
  result.up = turn(axes.up);
  return isUsable(result) ? result : camera;
}

Camera turned(const Camera& camera, Vec3 axis, double yaw, double pitch) {
  constexpr double kFromPole = 0.02;  // radians: there is no "up" at the pole itself
  const double size = length(axis);
  if (!(size > 0)) return rotated(camera, yaw, pitch);
  axis = (1 / size) * axis;
  const Vec3 way = camera.position - camera.target;
  const Vec3 back = (1 / length(way)) * way;
  // angle between the axis and the way to the eye, which pitch changes
  const double now = std::acos(std::clamp(dot(axis, back), -1.0, 1.0));
  const double wanted = std::clamp(now - pitch, kFromPole, std::numbers::pi - kFromPole);
  Vec3 right = cross(axis, back);
  if (length(right) < 1e-6) right = scene::axesOf(camera).right;
  right = (1 / length(right)) * right;
  Camera result = camera;
  result.position = camera.target + turned(turned(way, right, wanted - now), axis, -yaw);
  result.up = axis;
  return isUsable(result) ? result : camera;
}

Vec3 axisOf(Vec3 direction) {
  int most = 2;
  for (const int axis : {1, 0})
    if (std::abs(direction[axis]) > std::abs(direction[most])) most = axis;
  Vec3 result;
  result[most] = direction[most] < 0 ? -1 : 1;
  return result;
}

Camera panned(const Camera& camera, ScreenPoint from, ScreenPoint to, double width, double height) {
  const ScreenMap map = ScreenMap(camera, width, height).ofStretched();
  const Camera result = moved(camera, map.place(from, camera.target) - map.place(to, camera.target));
  return isUsable(result) ? result : camera;
}

Camera zoomed(const Camera& camera, double factor, ScreenPoint anchor, double width, double height) {
  if (!(factor > 0) || !std::isfinite(factor)) return camera;
  const ScreenMap map = ScreenMap(camera, width, height).ofStretched();
  const Vec3 held = map.place(anchor, camera.target), way = camera.position - camera.target;
  Camera result = moved(camera, (1 - 1 / factor) * (held - camera.target));
  if (camera.orthographic) {
    result.orthographicHeight = std::clamp(camera.orthographicHeight / factor, kLeastDistance, kMostDistance);
  } else {
    result.position = result.target + (1 / factor) * way;
    // stops before the target and the eye become the same number, or too far apart for numbers
    const double distance = length(result.position - result.target);
    if (!(distance > 1e-12 * length(result.target)) || !(distance > kLeastDistance) ||
        !(distance < kMostDistance))
      return camera;
  }
  return isUsable(result) ? result : camera;
}

Camera centeredOn(const Camera& camera, Vec3 target) {
  const Camera result = moved(camera, scene::stretched(target, camera.stretch) - camera.target);
  return isUsable(result) ? result : camera;
}

Camera withProjection(const Camera& camera, bool orthographic) {
  if (camera.orthographic == orthographic) return camera;
  Camera result = camera;
  result.orthographic = orthographic;
  const Vec3 way = camera.position - camera.target;
  if (!(result.fieldOfViewDegrees > 0 && result.fieldOfViewDegrees < 180))
    result.fieldOfViewDegrees = Camera{}.fieldOfViewDegrees;
  if (orthographic)
    result.orthographicHeight = 2 * length(way) * halfHeightAtOne(result);
  else
    result.position =
        camera.target + (camera.orthographicHeight / (2 * halfHeightAtOne(result)) / length(way)) * way;
  return isUsable(result) ? result : camera;
}

Camera fitted(const Camera& like, const Bounds& bounds, Vec3 direction, Vec3 up, double aspect) {
  if (bounds.empty() || !isFinite(bounds.min) || !isFinite(bounds.max)) return like;
  const Camera result = like.orthographic
                            ? scene::orthographicCameraFor(bounds, direction, up, aspect, like.stretch)
                            : scene::cameraFor(bounds, direction, up, aspect, like.stretch);
  return isUsable(result) ? result : like;
}

Camera atTheLeft(const Camera& camera, const Bounds& bounds, double part, double width, double height) {
  if (!(part < 1) || bounds.empty()) return camera;
  // By the middle of what they take: with perspective what is near moves farther than what the camera looks at.
  const auto middleIn = [&](const Camera& its, double pixels) -> std::optional<double> {
    const ScreenMap map(its, pixels, height);
    double left = INFINITY, right = -INFINITY;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3 place;
      for (int axis = 0; axis < 3; ++axis) place[axis] = (corner >> axis & 1 ? bounds.max : bounds.min)[axis];
      const auto seen = map.project(place);
      if (!seen) return std::nullopt;
      left = std::min(left, seen->x), right = std::max(right, seen->x);
    }
    return 0.5 * (left + right);
  };
  const auto wanted = middleIn(camera, part * width);
  if (!wanted) return camera;
  const Vec3 right = scene::axesOf(camera).right;
  const auto isFarEnough = [&](double way) {
    const auto middle = middleIn(moved(camera, way * right), width);
    return middle && *middle <= *wanted;
  };
  double near = 0, far = 0.5 * (1 - part) * width *
                         ScreenMap(camera, width, height).ofStretched().pixelSize(camera.target);
  for (int n = 0; n < 60 && !isFarEnough(far); ++n) near = std::exchange(far, 2 * far);
  for (int n = 0; n < 60; ++n) {
    const double way = 0.5 * (near + far);
    (isFarEnough(way) ? far : near) = way;
  }
  const Camera result = moved(camera, far * right);
  return isUsable(result) ? result : camera;
}

Camera seeingAll(const Camera& camera, double seenAspect, double aspect) {
  if (!(seenAspect > 0) || !(aspect > 0) || aspect >= seenAspect) return camera;
  constexpr double kMostDegrees = 179;  // of cameras in sessions
  const double factor = seenAspect / aspect;
  Camera result = camera;
  result.orthographicHeight *= factor;
  result.fieldOfViewDegrees =
      std::min(kMostDegrees, std::atan(factor * halfHeightAtOne(camera)) * 360 / std::numbers::pi);
  return isUsable(result) ? result : camera;
}

Camera between(const Camera& from, const Camera& to, double t) {
  if (t >= 1) return to;
  const Camera start = withProjection(from, to.orthographic);
  const double distance =
      betweenRatios(length(start.position - start.target), length(to.position - to.target), t);
  const scene::CameraAxes axes =
      axesOf(between(quaternionOf(scene::axesOf(start)), quaternionOf(scene::axesOf(to)), t));
  Camera camera = to;
  camera.target = start.target + t * (to.target - start.target);
  for (int axis = 0; axis < 3; ++axis) {
    const double first = start.stretch[axis], last = to.stretch[axis];
    if (first == last) continue;
    camera.stretch[axis] = betweenRatios(first, last, t);
    // what lies in the data goes where they are stretched to; how far it looks beside them stays
    const double way = (camera.stretch[axis] - first) / (last - first);
    camera.target[axis] = start.target[axis] + way * (to.target[axis] - start.target[axis]);
  }
  camera.position = camera.target + distance * axes.back;
  camera.up = axes.up;
  camera.fieldOfViewDegrees =
      start.fieldOfViewDegrees + t * (to.fieldOfViewDegrees - start.fieldOfViewDegrees);
  camera.orthographicHeight = betweenRatios(start.orthographicHeight, to.orthographicHeight, t);
  return isUsable(camera) ? camera : to;
}

Camera withStretch(const Camera& camera, Vec3 stretch, const Bounds& bounds) {
  if (!scene::isUsableStretch(stretch)) return camera;
  const double before = scene::stretched(bounds, camera.stretch).diagonal(),
               after = scene::stretched(bounds, stretch).diagonal();
  const double factor = before > 0 && after > 0 && std::isfinite(after / before) ? after / before : 1;
  Camera result = camera;
  result.stretch = stretch;
  // the place in the data that it looks at, and how far beside them: flat data are mostly looked at from beside
  const Vec3 place = scene::unstretched(camera.target, camera.stretch);
  Vec3 within = place;
  for (int axis = 0; axis < 3 && !bounds.empty(); ++axis)
    within[axis] = std::clamp(place[axis], bounds.min[axis], bounds.max[axis]);
  result.target =
      scene::stretched(within, stretch) + factor * scene::stretched(place - within, camera.stretch);
  result.position = result.target + factor * (camera.position - camera.target);
  result.orthographicHeight = factor * camera.orthographicHeight;
  return isUsable(result) ? result : camera;
}

}  // namespace farfield::view
