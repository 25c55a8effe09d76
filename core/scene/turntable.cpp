#include "core/scene/turntable.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace farfield::scene {
namespace {

constexpr double kBeyond = 1.1;  ///< where corners of what is all seen may lie, in half pictures

/// `v` turned about the unit vector `axis` (O. Rodrigues, 1840).
Vec3 turned(Vec3 v, Vec3 axis, double angle) {
  return std::cos(angle) * v + std::sin(angle) * cross(axis, v) + (1 - std::cos(angle)) * dot(axis, v) * axis;
}

/// Rigidly about an axis through `place`.
Camera turned(const Camera& camera, Vec3 place, Vec3 axis, double angle) {
  Camera result = camera;
  result.target = place + turned(camera.target - place, axis, angle);
  result.position = result.target + turned(camera.position - camera.target, axis, angle);
  result.up = turned(camera.up, axis, angle);
  return result;
}

/// So many times as far from `place`, which stays where it is in the picture.
Camera fartherFrom(const Camera& camera, Vec3 place, double times) {
  if (times == 1) return camera;
  Camera result = camera;
  result.target = place + times * (camera.target - place);
  result.position = place + times * (camera.position - place);
  result.orthographicHeight = times * camera.orthographicHeight;
  return result;
}

std::array<Vec3, 8> cornersOf(const Bounds& bounds) {
  std::array<Vec3, 8> corners;
  for (std::size_t corner = 0; corner < 8; ++corner)
    corners[corner] = {corner & 1 ? bounds.max.x : bounds.min.x, corner & 2 ? bounds.max.y : bounds.min.y,
                       corner & 4 ? bounds.max.z : bounds.min.z};
  return corners;
}

/// A place or a way as a camera sees it: to the right and up, of a half picture at depth 1, and how deep that is.
struct Seen {
  double right, up, depth;
};

class Eye {
 public:
  Eye(const Camera& camera, double aspect)
      : m_camera(camera),
        m_axes(axesOf(camera)),
        m_high(camera.orthographic ? camera.orthographicHeight / 2
                                   : std::tan(camera.fieldOfViewDegrees / 360 * std::numbers::pi)),
        m_wide(m_high * aspect) {}

  Seen place(Vec3 at) const {
    const Seen seen = way(at - m_camera.position);
    return {seen.right, seen.up, m_camera.orthographic ? 1 : seen.depth};
  }
  Seen way(Vec3 way) const {
    return {dot(way, m_axes.right) / m_wide, dot(way, m_axes.up) / m_high,
            m_camera.orthographic ? 0 : -dot(way, m_axes.back)};
  }

 private:
  const Camera& m_camera;
  CameraAxes m_axes;
  double m_high, m_wide;
};

/// What `bounds`, stretched as the camera has it, take of the picture. None: a part is beside the eye or behind it.
std::optional<PictureRoom> takenBy(const Bounds& bounds, const Camera& camera, double aspect) {
  const Eye eye(camera, aspect);
  PictureRoom taken{INFINITY, -INFINITY, INFINITY, -INFINITY};
  for (const Vec3& corner : cornersOf(bounds)) {
    const Seen seen = eye.place(corner);
    if (!(seen.depth > 0)) return std::nullopt;
    const double x = seen.right / seen.depth, y = seen.up / seen.depth;
    taken.left = std::min(taken.left, x), taken.right = std::max(taken.right, x);
    taken.bottom = std::min(taken.bottom, y), taken.top = std::max(taken.top, y);
  }
  return taken;
}

bool isInPicture(const PictureRoom& taken) {
  return taken.left >= -kBeyond && taken.right <= kBeyond && taken.bottom >= -kBeyond && taken.top <= kBeyond;
}

/// How many times as far from `middle` as `camera` is, at least 1, `corners` are within `room`, in which `middle` is.
double leastTimes(const Camera& camera, Vec3 middle, const std::array<Vec3, 8>& corners, double aspect,
                  const PictureRoom& room) {
  const Eye eye(camera, aspect);
  const Seen at = eye.place(middle);
  double times = 1;
  // `times` as far a corner is at  times at + way, which is within a limit L if  times at.right + way.right <= L (times at.depth + way.depth).
  const auto keep = [&](double limit, double place, double way, double depth, double sign) {
    const double left = sign * (limit * at.depth - place), needed = sign * (way - limit * depth);
    if (left > 0 && needed > left * times) times = needed / left;
  };
  for (const Vec3& corner : corners) {
    const Seen way = eye.way(corner - middle);
    keep(room.right, at.right, way.right, way.depth, 1);
    keep(room.left, at.right, way.right, way.depth, -1);
    keep(room.top, at.up, way.up, way.depth, 1);
    keep(room.bottom, at.up, way.up, way.depth, -1);
  }
  return times;
}

}  // namespace

bool seesAll(const Camera& camera, const Bounds& bounds, double aspect) {
  if (bounds.empty()) return false;
  const auto taken = takenBy(stretched(bounds, camera.stretch), camera, aspect);
  return taken && isInPicture(*taken);
}

Turn turnOf(const Turntable& turntable, const Camera& from, const Bounds& bounds, double aspect,
            const PictureRoom& room) {
  const Vec3 axis = (1 / std::max(length(turntable.axis), 1e-300)) * turntable.axis;
  const int pictures = std::max(1, turntable.pictures);
  // The picture after the last of a full turn would be the first once more.
  const bool full = std::abs(turntable.degrees) >= 360;
  const double step =
      turntable.degrees / 180 * std::numbers::pi / std::max(1, full ? pictures : pictures - 1);
  const bool isWhole = seesAll(from, bounds, aspect);
  const Bounds seen = isWhole ? stretched(bounds, from.stretch) : Bounds{};
  const Vec3 middle = isWhole ? seen.center() : from.target;
  Turn turn;
  for (int n = 0; n < pictures; ++n) turn.cameras.push_back(turned(from, middle, axis, n * step));
  if (!isWhole) return turn;
  PictureRoom most = room;
  const PictureRoom first = *takenBy(seen, from, aspect);
  most.left = std::max(-1.0, std::min(room.left, first.left));
  most.right = std::min(1.0, std::max(room.right, first.right));
  most.bottom = std::max(-1.0, std::min(room.bottom, first.bottom));
  most.top = std::min(1.0, std::max(room.top, first.top));
  const std::array<Vec3, 8> corners = cornersOf(seen);
  for (const Camera& camera : turn.cameras)
    turn.farther = std::max(turn.farther, leastTimes(camera, middle, corners, aspect, most));
  constexpr double kRounding = 1e-9;
  if (turn.farther < 1 + kRounding) turn.farther = 1;
  for (Camera& camera : turn.cameras) camera = fartherFrom(camera, middle, turn.farther);
  return turn;
}

}  // namespace farfield::scene
