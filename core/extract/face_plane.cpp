#include "core/extract/face_plane.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace farfield::extract {
namespace {

constexpr double kSixDigits = 5e-6;  // of the data's size
constexpr double kFloats = std::numeric_limits<float>::epsilon(), kMostOfSize = 1e-3;

/// The corners of `bounds` on which a plane's distance is least and greatest.
std::array<Vec3, 2> endsAlong(Vec3 normal, const Bounds& bounds) {
  Vec3 low = bounds.min, high = bounds.max;
  for (int a = 0; a < 3; ++a)
    if (normal[a] < 0) std::swap(low[a], high[a]);
  return {low, high};
}

double roundingAt(Vec3 normal, Vec3 low, Vec3 high) {
  const double size = dot(normal, high - low);
  double far = 0;
  for (int a = 0; a < 3; ++a) far += std::abs(normal[a]) * std::max(std::abs(low[a]), std::abs(high[a]));
  return std::max(kSixDigits * size, std::min(kFloats * far, kMostOfSize * size));
}

}  // namespace

Plane broughtTo(const Bounds& bounds, const Plane& plane) {
  if (bounds.empty() || !isFinite(bounds.min) || !isFinite(bounds.max)) return plane;
  const Vec3 normal = plane.normal();
  const auto [low, high] = endsAlong(normal, bounds);
  const double above = plane.distance(low), below = plane.distance(high);
  const double beside = above > 0 ? above : below < 0 ? below : 0;
  if (beside == 0 || std::abs(beside) > roundingAt(normal, low, high)) return plane;
  return {plane.origin() + beside * normal, normal};
}

bool reachesBelow(const Plane& plane, const Bounds& part, const Bounds& bounds) {
  if (part.empty() || bounds.empty()) return false;
  const Vec3 normal = plane.normal();
  const auto [low, high] = endsAlong(normal, bounds);
  return plane.distance(endsAlong(normal, part)[0]) < -roundingAt(normal, low, high);
}

bool liesBelow(const Plane& plane, const Bounds& bounds) {
  if (bounds.empty()) return false;
  const auto [low, high] = endsAlong(plane.normal(), bounds);
  const Vec3 normal = plane.normal();
  return Plane(plane.origin() - roundingAt(normal, low, high) * normal, normal).isBelow(bounds);
}

}  // namespace farfield::extract
