#include "core/session/kinds/streamlines/line_surfaces.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace farfield::session {
namespace {

constexpr std::size_t kVerticesPerChunk = 65'536;
constexpr std::uint32_t kSides = 10;  // of tubes and heads
// Of arrows, in radii of their tube.
constexpr double kHeadLength = 7, kHeadRadius = 2.8, kBetweenHeads = 60;

/// A direction at a right angle to `along`, which is of length 1.
Vec3 anyNormal(Vec3 along) {
  int least = 0;
  for (int a = 1; a < 3; ++a)
    if (std::abs(along[a]) < std::abs(along[least])) least = a;
  Vec3 axis;
  axis[least] = 1;
  const Vec3 normal = cross(along, axis);
  return (1 / length(normal)) * normal;
}

/// Collects triangles until a chunk is full.
class Builder {
 public:
  Builder(const LineSurfaceStyle& style, const std::function<void(const scene::TriangleChunk&)>& draw)
      : m_style(style), m_draw(draw) {}

  void beginLine() {
    m_rings = 0;
    m_sinceHead = 0;
  }

  void vertex(const double* numbers) {
    const Vec3 place{numbers[0], numbers[1], numbers[2]};
    const double* const v = numbers + m_style.vector;
    Vec3 along{v[0], v[1], v[2]};
    if (m_rings > 0 && length(place - m_place) == 0) return;
    if (!(length(along) > 0) || !isFinite(along)) along = m_rings > 0 ? place - m_place : Vec3{1, 0, 0};
    along = (1 / length(along)) * along;
    // Carried along: what of the last normal is at a right angle to the new direction.
    Vec3 normal = m_rings > 0 ? m_normal - dot(m_normal, along) * along : anyNormal(along);
    if (!(length(normal) > 1e-6)) normal = anyNormal(along);
    normal = (1 / length(normal)) * normal;
    const double radius = radiusAt(m_style, numbers);
    const double scalar = m_style.column ? numbers[*m_style.column] : 0;
    if (m_points.size() / 3 + 4 * (kSides + 1) > kVerticesPerChunk) {
      flush();
      if (m_rings > 0) ring(m_place, m_along, m_normal, m_radius, m_scalar);  // goes on in the next chunk
    }
    ring(place, along, normal, radius, scalar);
    if (m_rings > 0) join();
    if (m_style.form == LineForm::Arrows) {
      m_sinceHead += m_rings > 0 ? length(place - m_place) : kBetweenHeads * radius / 2;
      if (m_sinceHead > kBetweenHeads * radius) {
        head(place, along, normal, radius, scalar);
        m_sinceHead = 0;
      }
    }
    m_place = place;
    m_along = along;
    m_normal = normal;
    m_radius = radius;
    m_scalar = scalar;
    ++m_rings;
  }

  void flush() {
    if (!m_triangles.empty()) m_draw({m_points, m_normals, m_scalars, m_triangles});
    m_points.clear();
    m_normals.clear();
    m_scalars.clear();
    m_triangles.clear();
  }

 private:
  std::uint32_t add(Vec3 place, Vec3 normal, double scalar) {
    m_points.insert(m_points.end(), {place.x, place.y, place.z});
    m_normals.insert(m_normals.end(), {normal.x, normal.y, normal.z});
    if (m_style.column) m_scalars.push_back(scalar);
    return static_cast<std::uint32_t>(m_points.size() / 3 - 1);
  }
  bool isRibbon() const { return m_style.form == LineForm::Ribbons; }
  /// Across the line at a vertex: around it, or from edge to edge.
  void ring(Vec3 place, Vec3 along, Vec3 normal, double radius, double scalar) {
    const Vec3 across = cross(along, normal);
    m_before = m_first;
    m_first = static_cast<std::uint32_t>(m_points.size() / 3);
    if (isRibbon()) {
      add(place - radius * normal, across, scalar);
      add(place + radius * normal, across, scalar);
      return;
    }
    for (std::uint32_t n = 0; n < kSides; ++n) {
      const double angle = 2 * std::numbers::pi * n / kSides;
      const Vec3 out = std::cos(angle) * normal + std::sin(angle) * across;
      add(place + radius * out, out, scalar);
    }
  }
  /// The last two rings.
  void join() {
    const std::uint32_t a = m_before, b = m_first;
    const std::uint32_t sides = isRibbon() ? 1 : kSides;
    for (std::uint32_t n = 0; n < sides; ++n) {
      const std::uint32_t next = isRibbon() ? 1 : (n + 1) % kSides;
      m_triangles.insert(m_triangles.end(), {a + n, a + next, b + next, a + n, b + next, b + n});
    }
  }
  void head(Vec3 place, Vec3 along, Vec3 normal, double radius, double scalar) {
    const Vec3 across = cross(along, normal);
    const double slope = kHeadRadius / kHeadLength;
    const std::uint32_t tip = add(place + kHeadLength * radius * along, along, scalar);
    const std::uint32_t foot = add(place, -1.0 * along, scalar);
    const auto rim = static_cast<std::uint32_t>(m_points.size() / 3);
    for (std::uint32_t n = 0; n < kSides; ++n) {
      const double angle = 2 * std::numbers::pi * n / kSides;
      const Vec3 out = std::cos(angle) * normal + std::sin(angle) * across;
      const Vec3 shaded = out + slope * along;
      add(place + kHeadRadius * radius * out, (1 / length(shaded)) * shaded, scalar);
    }
    for (std::uint32_t n = 0; n < kSides; ++n) {
      const std::uint32_t next = rim + (n + 1) % kSides;
      m_triangles.insert(m_triangles.end(), {rim + n, next, tip, rim + n, foot, next});
    }
  }

  const LineSurfaceStyle& m_style;
  const std::function<void(const scene::TriangleChunk&)>& m_draw;
  std::vector<double> m_points, m_normals, m_scalars;
  std::vector<std::uint32_t> m_triangles;
  std::uint64_t m_rings = 0;                ///< of the line
  std::uint32_t m_before = 0, m_first = 0;  ///< first vertices of its last two rings
  double m_sinceHead = 0;
  Vec3 m_place, m_along, m_normal;
  double m_radius = 0, m_scalar = 0;
};

class LineSurfaces final : public scene::TriangleGeometry {
 public:
  LineSurfaces(std::shared_ptr<const Polylines> lines, const LineSurfaceStyle& style)
      : m_lines(std::move(lines)), m_style(style) {}

  void visit(const std::function<void(const scene::TriangleChunk&)>& draw) const override {
    Builder builder(m_style, draw);
    visitLineVertices(*m_lines, builder);
    builder.flush();
  }

 private:
  std::shared_ptr<const Polylines> m_lines;
  LineSurfaceStyle m_style;
};

}  // namespace

double radiusAt(const LineSurfaceStyle& style, const double* vertex) {
  if (!style.byColumn) return style.radius;
  const auto& by = *style.byColumn;
  const double span = by.values[1] - by.values[0];
  const double part = span > 0 ? (vertex[by.column] - by.values[0]) / span : 0;
  if (!std::isfinite(part)) return by.radii[0];
  return by.radii[0] + std::clamp(part, 0.0, 1.0) * (by.radii[1] - by.radii[0]);
}

std::shared_ptr<const scene::TriangleGeometry> lineSurfaces(std::shared_ptr<const Polylines> lines,
                                                            const LineSurfaceStyle& style) {
  return std::make_shared<LineSurfaces>(std::move(lines), style);
}

}  // namespace farfield::session
