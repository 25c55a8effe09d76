#include "core/session/kinds/streamlines/line_particles.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace farfield::session {
namespace {

constexpr std::size_t kVerticesPerChunk = 65'536;
// A segment that is drawn shows one particle at most.
constexpr double kMostSpan = 0.5;
constexpr double kMostPerStep = 32;
// In radii: particles that are nearer to one another look no different, and where the flow all but stands there would be so many of them
// that drawing them leaves no time for those on the fast lines.
constexpr double kLeastApart = 0.5;
// Phases count from near by, so that floats tell them apart: whole particles of them make no difference.
constexpr double kMostPhase = 16;
// Of times that no flow takes; beyond, numbers have no fractions left.
constexpr double kLastPhase = 1e12;

struct Vertex {
  Vec3 place;
  double phase = 0, radius = 0, scalar = 0;
};

Vertex between(const Vertex& a, const Vertex& b, double part) {
  const auto mix = [part](double from, double to) { return from + part * (to - from); };
  return {a.place + part * (b.place - a.place), mix(a.phase, b.phase), mix(a.radius, b.radius),
          mix(a.scalar, b.scalar)};
}

/// Collects strips until a chunk is full.
class Builder {
 public:
  Builder(const LineSurfaceStyle& style, const DashStyle& particles,
          const std::function<void(const scene::LineChunk&)>& draw)
      : m_style(style), m_particles(particles), m_draw(draw) {}

  void beginLine() {
    m_last.reset();
    m_wholes = 0;
  }

  void vertex(const double* numbers) {
    const double phase =
        std::clamp(numbers[m_particles.column] / m_particles.period, -kLastPhase, kLastPhase) - m_wholes;
    Vertex next{{numbers[0], numbers[1], numbers[2]},
                phase,
                radiusAt(m_style, numbers),
                m_style.column ? numbers[*m_style.column] : 0};
    if (!m_last) return begin(next);
    if (std::abs(m_last->phase) > kMostPhase) {
      const double wholes = std::round(m_last->phase);
      m_wholes += wholes;
      next.phase -= wholes;
      m_last->phase -= wholes;
      begin(*m_last);
    }
    if (const double span = next.phase - m_last->phase, most = mostUpTo(next); std::abs(span) > most) {
      const double wholes = std::trunc(span) - std::copysign(most - 1, span);
      m_wholes += wholes;
      next.phase -= wholes;
    }
    const double pieces = std::max(1.0, std::ceil(std::abs(next.phase - m_last->phase) / kMostSpan));
    const Vertex from = *m_last;
    for (double piece = 1; piece < pieces; ++piece) add(between(from, next, piece / pieces));
    add(next);
  }

  void flush() {
    while (!m_lengths.empty() && m_lengths.back() == 0) m_lengths.pop_back();
    if (!m_points.empty()) m_draw({m_points, m_scalars, m_lengths, m_phases, m_radii});
    m_points.clear();
    m_scalars.clear();
    m_lengths.clear();
    m_phases.clear();
    m_radii.clear();
  }

 private:
  /// How many particles there may be on the way to `next`, a whole number.
  double mostUpTo(const Vertex& next) const {
    const double apart = kLeastApart * std::min(m_last->radius, next.radius);
    if (!(apart > 0)) return kMostPerStep;
    return std::clamp(std::ceil(length(next.place - m_last->place) / apart), 1.0, kMostPerStep);
  }
  void begin(const Vertex& vertex) {
    if (m_phases.size() + 2 > kVerticesPerChunk) flush();
    m_lengths.push_back(0);
    put(vertex);
  }
  void add(const Vertex& vertex) {
    if (m_phases.size() == kVerticesPerChunk) {
      flush();
      m_lengths.push_back(0);
      put(*m_last);  // goes on in the next chunk
    }
    put(vertex);
  }
  void put(const Vertex& vertex) {
    m_points.insert(m_points.end(), {vertex.place.x, vertex.place.y, vertex.place.z});
    if (m_style.column) m_scalars.push_back(vertex.scalar);
    m_phases.push_back(vertex.phase);
    m_radii.push_back(vertex.radius);
    ++m_lengths.back();
    m_last = vertex;
  }

  const LineSurfaceStyle& m_style;
  const DashStyle& m_particles;
  const std::function<void(const scene::LineChunk&)>& m_draw;
  std::vector<double> m_points, m_scalars, m_phases, m_radii;
  std::vector<std::uint32_t> m_lengths;
  std::optional<Vertex> m_last;  ///< of the line
  double m_wholes = 0;           ///< particles that its phases are short of
};

class LineParticles final : public scene::LineGeometry {
 public:
  LineParticles(std::shared_ptr<const Polylines> lines, const LineSurfaceStyle& style,
                const DashStyle& particles)
      : m_lines(std::move(lines)), m_style(style), m_particles(particles) {}

  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    Builder builder(m_style, m_particles, draw);
    visitLineVertices(*m_lines, builder);
    builder.flush();
  }

 private:
  std::shared_ptr<const Polylines> m_lines;
  LineSurfaceStyle m_style;
  DashStyle m_particles;
};

}  // namespace

std::shared_ptr<const scene::LineGeometry> lineParticles(std::shared_ptr<const Polylines> lines,
                                                         const LineSurfaceStyle& style,
                                                         const DashStyle& particles) {
  return std::make_shared<LineParticles>(std::move(lines), style, particles);
}

}  // namespace farfield::session
