#include "core/extract/plane.h"

#include <algorithm>
#include <limits>

#include "core/base/error.h"

namespace farfield::extract {
namespace {

/// Bound on the rounding error of a distance: of the differences, the products, their sum and the normal,
/// each at most half of this times the sum below; at most eight of them add up.
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
/// Larger for bounds, so that none are left out because of rounding.
constexpr double kBoxMargin = 16 * std::numeric_limits<double>::epsilon();

/// The magnitude to which the rounding error of a distance at `point` is relative.
double magnitude(Vec3 normal, Vec3 point, Vec3 origin) {
  double sum = 0;
  for (int a = 0; a < 3; ++a) sum += std::abs(normal[a]) * (std::abs(point[a]) + std::abs(origin[a]));
  return sum;
}

}  // namespace

Plane::Plane(Vec3 origin, Vec3 normal) : m_origin(origin) {
  if (!isFinite(origin)) throw Invalid("the plane's origin is not finite").at("origin");
  const double largest = std::max({std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)});
  if (!isFinite(normal) || !(largest > 0))
    throw Invalid("the plane's normal has no direction", "give one such as [0, 0, 1]").at("normal");
  // scaled first: squares of very large or small numbers overflow or vanish
  const Vec3 scaled{normal.x / largest, normal.y / largest, normal.z / largest};
  const double size = length(scaled);
  m_normal = {scaled.x / size, scaled.y / size, scaled.z / size};
}

double Plane::distance(Vec3 point) const {
  if (!isFinite(point)) return std::numeric_limits<double>::quiet_NaN();
  const double distance = dot(m_normal, point - m_origin);
  return std::abs(distance) <= kRounding * magnitude(m_normal, point, m_origin) ? 0 : distance;
}

bool Plane::mayMeet(const Bounds& bounds) const {
  if (bounds.empty()) return false;
  double reach = 0, margin = 0;
  for (int a = 0; a < 3; ++a) {
    reach += 0.5 * std::abs(m_normal[a]) * (bounds.max[a] - bounds.min[a]);
    margin += std::abs(m_normal[a]) *
              (std::max(std::abs(bounds.min[a]), std::abs(bounds.max[a])) + std::abs(m_origin[a]));
  }
  // written so that infinite bounds are not left out
  return !(std::abs(dot(m_normal, bounds.center() - m_origin)) > reach + kBoxMargin * margin);
}

bool Plane::isBelow(const Bounds& bounds) const {
  if (bounds.empty()) return false;
  Vec3 lowest;
  for (int a = 0; a < 3; ++a) lowest[a] = m_normal[a] >= 0 ? bounds.min[a] : bounds.max[a];
  return distance(lowest) >= 0;
}

std::array<Vec3, 3> axesAround(Vec3 normal) {
  int least = 0;
  for (int a = 1; a < 3; ++a)
    if (std::abs(normal[a]) < std::abs(normal[least])) least = a;
  Vec3 axis;
  axis[least] = 1;
  const Vec3 across = cross(normal, axis);
  const Vec3 second = (1 / length(across)) * across;
  return {cross(second, normal), second, normal};
}

}  // namespace farfield::extract
