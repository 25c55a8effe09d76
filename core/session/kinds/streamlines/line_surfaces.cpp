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
constexpr double kMostTurn = std::numbers::pi / 16;  // of a ribbon from ring to ring
constexpr double kLeastLean = 1e-6;  // of two directions that are not opposite; 2 of equal ones

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
    Ring next;
    next.place = {numbers[0], numbers[1], numbers[2]};
    const double* const v = numbers + m_style.vector;
    next.along = {v[0], v[1], v[2]};
    if (m_rings > 0 && length(next.place - m_last.place) == 0) return;
    if (!(length(next.along) > 0) || !isFinite(next.along))
      next.along = m_rings > 0 ? next.place - m_last.place : Vec3{1, 0, 0};
    next.along = (1 / length(next.along)) * next.along;
    next.radius = radiusAt(m_style, numbers);
    next.scalar = m_style.column ? numbers[*m_style.column] : 0;
    const double turned = isRibbon() && m_style.turned ? m_style.twist * numbers[*m_style.turned] : 0;
    const double turn = m_rings > 0 ? withoutWholes(turned - m_turned) : 0;
    m_turned = turned;
    // What turns fast goes round in several steps, or its edges would cut through the line.
    const double pieces = std::max(1.0, std::ceil(std::abs(turn) / kMostTurn));
    const Ring from = m_last;
    for (double piece = 1; piece < pieces; ++piece) add(between(from, next, piece / pieces), turn / pieces);
    add(next, turn / pieces);
  }

  void flush() {
    if (!m_triangles.empty()) m_draw({m_points, m_normals, m_scalars, m_triangles});
    m_points.clear();
    m_normals.clear();
    m_scalars.clear();
    m_triangles.clear();
  }

 private:
  /// What is across the line at a place of it.
  struct Ring {
    Vec3 place, along, normal;
    double radius = 0, scalar = 0;
  };
  /// But for the normal.
  static Ring between(const Ring& a, const Ring& b, double part) {
    const auto mix = [part](auto from, auto to) { return from + part * (to - from); };
    Ring ring{
        mix(a.place, b.place), mix(a.along, b.along), {}, mix(a.radius, b.radius), mix(a.scalar, b.scalar)};
    const double size = length(ring.along);
    ring.along = size > 0 ? (1 / size) * ring.along : a.along;
    return ring;
  }
  /// A turn that ends at the same angle, and goes round twice at most.
  static double withoutWholes(double turn) {
    constexpr double kWhole = 2 * std::numbers::pi;
    if (!std::isfinite(turn)) return 0;
    return std::abs(turn) < 2 * kWhole ? turn : std::copysign(kWhole, turn) + std::fmod(turn, kWhole);
  }
  /// The next ring of the line, whose normal is that of the last one, carried along and turned about the line.
  void add(Ring next, double turn) {
    // Carried along: as the least rotation from the last direction to the new one does it.
    Vec3 normal;
    const Vec3 both = m_last.along + next.along;
    if (const double lean = dot(m_last.along, both); m_rings > 0 && lean > kLeastLean)
      normal = m_last.normal - (dot(m_last.normal, next.along) / lean) * both;
    if (!(length(normal) > 0.5)) normal = anyNormal(next.along);
    next.normal = (1 / length(normal)) * normal;
    if (turn != 0)
      next.normal = std::cos(turn) * next.normal + std::sin(turn) * cross(next.along, next.normal);
    if (m_points.size() / 3 + 4 * (kSides + 1) > kVerticesPerChunk) {
      flush();
      if (m_rings > 0) ring(m_last);  // goes on in the next chunk
    }
    ring(next);
    if (m_rings > 0) join();
    if (m_style.form == LineForm::Arrows) {
      m_sinceHead += m_rings > 0 ? length(next.place - m_last.place) : kBetweenHeads * next.radius / 2;
      if (m_sinceHead > kBetweenHeads * next.radius) {
        head(next);
        m_sinceHead = 0;
      }
    }
    m_last = next;
    ++m_rings;
  }
  std::uint32_t add(Vec3 place, Vec3 normal, double scalar) {
    m_points.insert(m_points.end(), {place.x, place.y, place.z});
    m_normals.insert(m_normals.end(), {normal.x, normal.y, normal.z});
    if (m_style.column) m_scalars.push_back(scalar);
    return static_cast<std::uint32_t>(m_points.size() / 3 - 1);
  }
  bool isRibbon() const { return m_style.form == LineForm::Ribbons; }
  /// Across the line at a vertex: around it, or from edge to edge.
  void ring(const Ring& its) {
    const auto& [place, along, normal, radius, scalar] = its;
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
  void head(const Ring& its) {
    const auto& [place, along, normal, radius, scalar] = its;
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
  Ring m_last;          ///< of the line
  double m_turned = 0;  ///< there
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
