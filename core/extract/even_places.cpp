#include "core/extract/even_places.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/extract/plane.h"
#include "core/extract/stretch.h"

namespace farfield::extract {
namespace {

/// Across one triangle, and counted from the origin of the data, where numbers still tell neighbours apart.
constexpr double kMostLines = 20'000, kFarthestLine = 1e12;

/// In units of the lattice, along its two directions.
struct Point2 {
  double u, v;
  bool operator==(const Point2&) const = default;
  auto operator<=>(const Point2&) const = default;
};

/// Twice the area of a, b, p; positive if they are counter-clockwise. The same number, but for its sign, whichever end of the
/// edge comes first.
double twiceArea(const Point2& a, const Point2& b, const Point2& p) {
  const auto ordered = [&p](const Point2& low, const Point2& high) {
    return (high.u - low.u) * (p.v - low.v) - (high.v - low.v) * (p.u - low.u);
  };
  return a < b ? ordered(a, b) : -ordered(b, a);
}

/// Whether p lies to the left of the edge from a to b. A place on the edge counts as moved by a little along u, and by
/// much less along v, so that it lies on one side for the triangles on both.
bool isLeft(double area, const Point2& a, const Point2& b) {
  if (area != 0) return area > 0;
  return a.v != b.v ? b.v < a.v : b.u > a.u;
}

}  // namespace

EvenPlaces::EvenPlaces(double spacing, int valuesPerNode, const std::optional<Vec3>& normal, Vec3 stretch)
    : m_spacing(spacing),
      m_stretch(stretch),
      m_valueCount(static_cast<std::size_t>(valuesPerNode)),
      m_axes(normal ? axesAround(stretchedNormal(*normal, stretch))
                    : std::array{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}),
      m_flat(normal.has_value()),
      m_values(m_valueCount) {}

void EvenPlaces::find(const SurfacePatch& patch, PlaceSink& sink) {
  for (std::size_t t = 0; t < patch.triangles.size(); t += 3)
    findIn({patch.triangles[t], patch.triangles[t + 1], patch.triangles[t + 2]}, patch, sink);
}

void EvenPlaces::findIn(const std::array<std::uint32_t, 3>& nodes, const SurfacePatch& patch,
                        PlaceSink& sink) {
  const auto vectorAt = [&](std::span<const double> numbers, std::uint32_t node) {
    const std::size_t at = std::size_t{3} * node;
    return Vec3{numbers[at], numbers[at + 1], numbers[at + 2]};
  };
  std::array<Vec3, 3> corners;
  for (std::size_t n = 0; n < 3; ++n) corners[n] = times(vectorAt(patch.points, nodes[n]), m_stretch);
  const Vec3 area = cross(corners[1] - corners[0], corners[2] - corners[0]);
  std::size_t across = 2;
  for (std::size_t a = 0; a < 2 && !m_flat; ++a)
    if (std::abs(dot(area, m_axes[a])) > std::abs(dot(area, m_axes[across]))) across = a;
  const double facing = dot(area, m_axes[across]);
  if (!(std::abs(facing) > 0)) return;

  const Vec3 along = m_axes[(across + 1) % 3], up = m_axes[(across + 2) % 3];
  std::array<Point2, 3> flat;
  for (std::size_t n = 0; n < 3; ++n)
    flat[n] = {dot(corners[n], along) / m_spacing, dot(corners[n], up) / m_spacing};
  const auto [lowU, highU] = std::minmax({flat[0].u, flat[1].u, flat[2].u});
  const auto [lowV, highV] = std::minmax({flat[0].v, flat[1].v, flat[2].v});
  const auto isTooFine = [](double low, double high) {
    return !(high - low < kMostLines && std::max(std::abs(low), std::abs(high)) < kFarthestLine);
  };
  if (isTooFine(lowU, highU) || isTooFine(lowV, highV))
    throw Invalid("the spacing is too small for a triangle of this surface", "choose a larger one")
        .at("spacing");
  const bool turned = facing < 0;
  for (double v = std::ceil(lowV); v <= highV; ++v)
    for (double u = std::ceil(lowU); u <= highU; ++u) {
      const Point2 place{u, v};
      std::array<double, 3> weights;  // of the corner opposite to each edge
      bool inside = true;
      for (std::size_t n = 0; n < 3 && inside; ++n) {
        const Point2 &a = flat[(n + 1) % 3], &b = flat[(n + 2) % 3];
        weights[n] = twiceArea(a, b, place);
        inside = isLeft(weights[n], a, b) != turned;
      }
      const double sum = inside ? weights[0] + weights[1] + weights[2] : 0;
      if (!inside || sum == 0) continue;
      for (double& weight : weights) weight /= sum;
      const auto weighted = [&](const auto& at) {
        return weights[0] * at(0) + weights[1] * at(1) + weights[2] * at(2);
      };
      const Vec3 point = weighted([&](std::size_t n) { return corners[n]; });
      const Vec3 normal = weighted([&](std::size_t n) { return vectorAt(patch.normals, nodes[n]); });
      for (std::size_t value = 0; value < m_valueCount; ++value)
        m_values[value] =
            weighted([&](std::size_t n) { return patch.values[m_valueCount * nodes[n] + value]; });
      const Vec3 outside = length(normal) > 0 ? normal : times(area, m_stretch);
      sink.place(over(point, m_stretch), (1 / length(outside)) * outside, m_values);
    }
}

}  // namespace farfield::extract
