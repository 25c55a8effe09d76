// The axes of a camera, and the camera that shows all of a box. The distance is exact, not that of the bounding sphere, so that a flat
// or long data set also fills the picture.

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/error.h"
#include "core/scene/camera.h"

namespace farfield::scene {
namespace {

constexpr PictureRoom kRoom;

Vec3 normalized(Vec3 v, Vec3 otherwise) {
  // scaled first: the square of a tiny or huge component cannot be divided by
  const double largest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  if (!(largest > 0) || !std::isfinite(largest)) return otherwise;
  v = (1 / largest) * v;
  return (1 / length(v)) * v;
}

Vec3 unit(Vec3 v, const char* problem) {
  v = normalized(v, {});
  if (v == Vec3{}) throw Invalid(problem).at("camera");
  return v;
}

// The limits of one axis of the picture. A corner at sideways place c and depth z (towards the eye from the
// centre of the box) is seen by an eye at sideways place e and distance d at (c - e) / (slope (d - z)); that
// lies within [low, high] if  c + low' z - low' d >= e >= c + high' z - high' d, primes for "times slope".
struct Fit {
  double low, high;          // times the slope
  double upper = INFINITY;   // min of c + low' z
  double lower = -INFINITY;  // max of c + high' z
  Fit(double lowEdge, double highEdge, double slope) : low(lowEdge * slope), high(highEdge * slope) {}
  void add(double c, double z) {
    upper = std::min(upper, c + low * z);
    lower = std::max(lower, c + high * z);
  }
  double leastDistance() const { return (lower - upper) / (high - low); }
  double eye(double distance) const { return 0.5 * ((upper - low * distance) + (lower - high * distance)); }
};

Camera fittedCamera(const Bounds& data, Vec3 direction, Vec3 up, double aspect, Vec3 stretch,
                    bool orthographic) {
  Camera camera;
  camera.orthographic = orthographic;
  camera.stretch = stretch;
  const Bounds bounds = stretched(data, stretch);
  if (bounds.empty() || !isFinite(bounds.min) || !isFinite(bounds.max)) return camera;
  if (!(aspect > 0) || !std::isfinite(aspect)) aspect = 1;
  const Vec3 back = normalized(direction, {0, 0, 1});
  up = normalized(up, {0, 1, 0});
  // an `up` along the line of sight is useless; take the axis furthest from it
  if (length(cross(up, back)) < 1e-6) up = std::abs(back.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
  const Vec3 right = normalized(cross(up, back), {1, 0, 0});
  up = cross(back, right);

  // without perspective the distance is the half height, and depth does not matter
  const double slope = orthographic ? 1 : std::tan(camera.fieldOfViewDegrees / 2 * M_PI / 180);
  Fit horizontal(kRoom.left, kRoom.right, slope * aspect), vertical(kRoom.bottom, kRoom.top, slope);
  const Vec3 center = bounds.center();
  double nearest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p = Vec3{corner & 1 ? bounds.max.x : bounds.min.x, corner & 2 ? bounds.max.y : bounds.min.y,
                        corner & 4 ? bounds.max.z : bounds.min.z} -
                   center;
    horizontal.add(dot(p, right), orthographic ? 0 : dot(p, back));
    vertical.add(dot(p, up), orthographic ? 0 : dot(p, back));
    nearest = std::max(nearest, dot(p, back));
  }
  // not nearer: a box without width (a point, a line seen from its end) fits at any distance
  const double size = std::max({bounds.diagonal(), 1e-12 * length(center), 1e-300});
  double distance = std::max(horizontal.leastDistance(), vertical.leastDistance());
  if (!orthographic)
    distance = std::max(distance, nearest + 0.1 * size);
  else if (!(distance > 1e-6 * size))
    distance = 0.1 * size;  // of what is deep, but has a width, depth does not count
  const Vec3 shift = horizontal.eye(distance) * right + vertical.eye(distance) * up;
  camera.target = center + shift;
  camera.up = up;
  if (orthographic) {
    camera.orthographicHeight = 2 * distance;
    // the same size at the target with perspective, should it be turned on
    distance /= std::tan(camera.fieldOfViewDegrees / 2 * M_PI / 180);
  }
  camera.position = camera.target + distance * back;
  return camera;
}

}  // namespace

CameraAxes axesOf(const Camera& camera) {
  const Vec3 back = unit(camera.position - camera.target, "the position and the target are the same point");
  Vec3 right = cross(camera.up, back);
  if (!(length(right) > 1e-12 * length(camera.up)))
    right = cross(std::abs(back.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{0, 1, 0}, back);
  right = unit(right, "the upward direction must be finite");
  return {right, cross(back, right), back};
}

Camera cameraFor(const Bounds& bounds, Vec3 direction, Vec3 up, double aspect, Vec3 stretch) {
  return fittedCamera(bounds, direction, up, aspect, stretch, false);
}

Camera orthographicCameraFor(const Bounds& bounds, Vec3 direction, Vec3 up, double aspect, Vec3 stretch) {
  return fittedCamera(bounds, direction, up, aspect, stretch, true);
}

bool isUsableStretch(Vec3 stretch) {
  for (int axis = 0; axis < 3; ++axis)
    if (!(stretch[axis] >= kLeastStretch && stretch[axis] <= kMostStretch)) return false;
  return true;
}

Vec3 fillingStretch(const Bounds& bounds, double shortSide) {
  Vec3 stretch = kUnstretched;
  if (bounds.empty() || !isFinite(bounds.max - bounds.min)) return stretch;
  const Vec3 size = bounds.max - bounds.min;
  std::array<int, 3> axes{0, 1, 2};
  std::sort(axes.begin(), axes.end(), [&](int a, int b) { return size[a] < size[b]; });
  const double shortest = size[axes[0]], middle = size[axes[1]], longest = size[axes[2]];
  constexpr double kFlat = 1e-6;  // what is no longer than that is a sheet, in which nothing would be seen
  // one digit, which is short to read and to say; no more is needed for what is about cubic
  const auto oneDigit = [](double wanted) {
    const double exponent = std::floor(std::log10(wanted)), power = std::pow(10.0, std::abs(exponent));
    return exponent < 0 ? std::round(wanted * power) / power : std::round(wanted / power) * power;
  };
  // A map under a tall axis stays one, too: one number says it, and it is the axis's own.
  if (shortest > 0 && middle < kShortSide * longest && shortest >= kShortSide * middle) {
    stretch[axes[2]] = oneDigit(std::max(shortest / longest, kLeastStretch));
    return stretch;
  }
  for (int axis = 0; axis < 3; ++axis)
    if (size[axis] > kFlat * longest && size[axis] < shortSide * longest)
      stretch[axis] = std::max(1.0, oneDigit(std::min(longest / size[axis], kMostStretch)));
  return stretch;
}

}  // namespace farfield::scene
