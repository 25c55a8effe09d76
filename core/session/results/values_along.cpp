#include "core/session/results/values_along.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/session/results/joined_lines.h"

namespace farfield::session {
namespace {

/// Of the extent of the lines: nodes that blocks share are written once for each of them, in single precision perhaps.
constexpr double kMeets = 1e-7;

/// Visits the first `most` vertices, piece by piece: how many a piece has, and the chunk and where they begin in it.
template <class Visit>
void visitPieces(const scene::LineGeometry& lines, std::uint64_t most, const Visit& visit) {
  lines.visit([&](const scene::LineChunk& chunk) {
    std::size_t at = 0;
    for (const std::uint32_t length : chunk.lengths) {
      const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(length, most));
      if (count > 0) visit(count, chunk, at);
      most -= count;
      at += length;
    }
  });
}

/// Of a piece: 1 where it goes with what it follows, -1 where it goes against it, as the half of a line upstream of its seed does, 0 where it
/// follows nothing. By its phases, which grow with what it follows.
int wayOf(const scene::LineChunk& chunk, std::size_t first, std::size_t count) {
  if (chunk.phases.empty()) return 0;
  const double grows = chunk.phases[first + count - 1] - chunk.phases[first];
  return grows > 0 ? 1 : grows < 0 ? -1 : 0;
}

/// Turns it round where more of its points go against what it follows: where nothing leaves a seed, as on a line of separation, the way
/// upstream is all there is of it, and comes first.
void goAlong(std::vector<LinePiece>& line, const std::vector<int>& ways,
             const std::vector<std::uint32_t>& lengths) {
  std::int64_t along = 0;
  for (const LinePiece& piece : line)
    along +=
        std::int64_t{lengths[piece.number]} * (piece.backward ? -ways[piece.number] : ways[piece.number]);
  if (along >= 0) return;
  std::reverse(line.begin(), line.end());
  for (LinePiece& piece : line) piece.backward = !piece.backward;
}

std::vector<double> distancesAlong(const std::vector<Vec3>& points,
                                   const std::vector<std::uint32_t>& lengths) {
  std::vector<double> distances;
  distances.reserve(points.size());
  std::size_t first = 0;
  for (const std::uint32_t count : lengths) {
    double distance = 0;
    for (std::size_t n = first; n < first + count; ++n) {
      if (n > first) distance += length(points[n] - points[n - 1]);
      distances.push_back(distance);
    }
    first += count;
  }
  return distances;
}

}  // namespace

bool hasLines(const Shape& shape) {
  return std::holds_alternative<Isolines>(shape) || std::holds_alternative<Streamlines>(shape) ||
         std::holds_alternative<SurfaceLines>(shape);
}

Object linesBy(const Object& object, const std::string& function) {
  Object made;
  made.name = "lines";
  made.data = object.data;
  made.shape = withoutLooks(object.shape);
  if (auto* const lines = std::get_if<Streamlines>(&made.shape)) {
    lines->form = LineForm::Lines;
    lines->radius = {};
    lines->dashes = 1;  // so that vertices have phases, which tell the way of a line
  }
  made.color.by = function;
  return made;
}

std::uint64_t AlongCollector::bytesFor(std::uint64_t points, std::size_t functions) {
  // As they are drawn, as they are in order, and what their ends are found by; each with its place along the line.
  return points * (3 * sizeof(Vec3) + (2 + functions) * sizeof(double) + 2 * sizeof(std::uint32_t));
}

std::uint64_t AlongCollector::pointsOf(const scene::LineGeometry* lines) {
  std::uint64_t count = 0;
  if (lines) lines->visit([&](const scene::LineChunk& chunk) { count += chunk.points.size() / 3; });
  return count;
}

void AlongCollector::add(const scene::LineGeometry* lines) {
  const std::uint64_t drawn = pointsOf(lines);
  const bool isFirst = m_made.values.empty();
  if (!isFirst && drawn != m_made.drawn)
    throw Error("the lines were others when they were computed once more");
  std::vector<Vec3> points;
  std::vector<double> values;
  std::vector<std::uint32_t> lengths, begins;
  std::vector<int> ways;
  values.reserve(std::min(drawn, m_most));
  if (isFirst) points.reserve(std::min(drawn, m_most));
  if (lines)
    visitPieces(*lines, m_most, [&](std::uint32_t count, const scene::LineChunk& chunk, std::size_t first) {
      lengths.push_back(count);
      begins.push_back(static_cast<std::uint32_t>(values.size()));
      ways.push_back(wayOf(chunk, first, count));
      for (std::size_t n = first; n < first + count; ++n) {
        values.push_back(chunk.scalars.empty() ? 0 : chunk.scalars[n]);
        if (isFirst)
          points.push_back({chunk.points[3 * n], chunk.points[3 * n + 1], chunk.points[3 * n + 2]});
      }
    });
  if (isFirst) {
    m_made.drawn = drawn;
    m_made.isPart = drawn > m_most;
    Bounds bounds;
    for (const Vec3& point : points)
      if (isFinite(point)) bounds.add(point);
    for (auto& line : joinedLines(points, lengths, kMeets * bounds.diagonal())) {
      goAlong(line, ways, lengths);
      const std::size_t before = m_order.size();
      for (const LinePiece& piece : line) {
        const std::uint32_t count = lengths[piece.number], begin = begins[piece.number];
        // Where pieces meet there is one point.
        for (std::uint32_t n = m_order.size() > before ? 1 : 0; n < count; ++n)
          m_order.push_back(piece.backward ? begin + count - 1 - n : begin + n);
      }
      m_made.lengths.push_back(static_cast<std::uint32_t>(m_order.size() - before));
    }
    m_made.points.reserve(m_order.size());
    for (const std::uint32_t n : m_order) m_made.points.push_back(points[n]);
    m_made.distances = distancesAlong(m_made.points, m_made.lengths);
  }
  std::vector<double>& ordered = m_made.values.emplace_back();
  ordered.reserve(m_order.size());
  for (const std::uint32_t n : m_order) ordered.push_back(values[n]);
}

}  // namespace farfield::session
