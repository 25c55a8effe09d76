#include "core/extract/isolines.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace farfield::extract {

IsolineCutter::IsolineCutter(std::span<const double> values, int valuesPerNode)
    : m_values(values), m_width(3 + static_cast<std::size_t>(valuesPerNode)) {
  m_segments.reserve(kMostSegments);
  m_crossings.reserve(kMostCrossings);
  m_line.reserve(kMostSegments + 1);
  m_vertex.reserve(m_width + 3);
}

std::uint64_t IsolineCutter::bytesFor(int valuesPerNode) {
  return sizeof(IsolineCutter) + kMostSegments * sizeof(Segment) + kMostCrossings * sizeof(Crossing) +
         (kMostSegments + 1) * sizeof(Number) +
         (6 + static_cast<std::uint64_t>(valuesPerNode)) * sizeof(double);
}

void IsolineCutter::cut(const SurfacePatch& patch, IsolineSink& sink) {
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  for (std::size_t at = 0; at < patch.values.size(); at += m_width - 3) {
    if (!std::isfinite(patch.values[at])) continue;
    least = std::min(least, patch.values[at]);
    greatest = std::max(greatest, patch.values[at]);
  }
  // a node with the least value is above a value that it has, and nothing is below
  const auto first = std::upper_bound(m_values.begin(), m_values.end(), least);
  for (auto value = first; value != m_values.end() && *value <= greatest; ++value) {
    for (std::size_t triangle = 0; triangle < patch.triangles.size();) {
      triangle = findSegments(patch, *value, triangle);
      for (std::size_t n = 0; n < m_segments.size(); ++n) {
        Crossing& from = m_crossings[m_segments[n].from];
        if (m_segments[n].used || from.more <= 0) continue;
        --from.more;
        follow(static_cast<Number>(n), patch, *value, sink);
      }
      // what is left is closed
      for (std::size_t n = 0; n < m_segments.size(); ++n)
        if (!m_segments[n].used) follow(static_cast<Number>(n), patch, *value, sink);
    }
  }
}

/// Those of the triangles from `t` on, as many as there is room for; returns the first triangle that is left.
std::size_t IsolineCutter::findSegments(const SurfacePatch& patch, double value, std::size_t t) {
  m_segments.clear(), m_crossings.clear();
  m_numberOf.clear();
  const auto at = [&](std::uint32_t node) { return patch.values[(m_width - 3) * node]; };
  // a triangle that is touched in a node has a crossing, but no segment
  for (; t < patch.triangles.size() && m_segments.size() < kMostSegments &&
         m_crossings.size() + 2 <= kMostCrossings;
       t += 3) {
    const std::array<std::uint32_t, 3> nodes{patch.triangles[t], patch.triangles[t + 1],
                                             patch.triangles[t + 2]};
    std::array<bool, 3> above;
    bool finite = true;
    for (std::size_t n = 0; n < 3; ++n) {
      finite = finite && std::isfinite(at(nodes[n]));
      above[n] = at(nodes[n]) >= value;
    }
    if (!finite) continue;
    Segment segment;
    for (std::size_t n = 0; n < 3; ++n) {
      const std::size_t next = (n + 1) % 3;
      if (above[n] && !above[next]) segment.from = crossing(at(nodes[n]) == value, nodes[next], nodes[n]);
      if (!above[n] && above[next]) segment.to = crossing(at(nodes[next]) == value, nodes[n], nodes[next]);
    }
    // not crossed, or touched in one node
    if (segment.from == segment.to) continue;
    m_segments.push_back(segment);
  }
  for (std::size_t n = m_segments.size(); n-- > 0;) {
    Segment& segment = m_segments[n];
    segment.nextFrom = m_crossings[segment.from].first;
    m_crossings[segment.from].first = static_cast<Number>(n);
    ++m_crossings[segment.from].more;
    --m_crossings[segment.to].more;
  }
  return t;
}

IsolineCutter::Number IsolineCutter::crossing(bool onNode, std::uint32_t below, std::uint32_t above) {
  Number& known = m_numberOf.of(onNode ? above : below, above);
  if (known != kNone) return known;
  known = static_cast<Number>(m_crossings.size());
  m_crossings.push_back(
      {.below = static_cast<Number>(onNode ? above : below), .above = static_cast<Number>(above)});
  return known;
}

/// Passes on the line that begins with `segment`, as far as segments go that are not used yet.
void IsolineCutter::follow(Number segment, const SurfacePatch& patch, double value, IsolineSink& sink) {
  m_line.clear();
  m_line.push_back(m_segments[segment].from);
  while (segment != kNone) {
    Segment& its = m_segments[segment];
    its.used = true;
    m_line.push_back(its.to);
    Number& next = m_crossings[its.to].first;
    while (next != kNone && m_segments[next].used) next = m_segments[next].nextFrom;
    segment = next;
  }
  sink.line(value, m_line.size());
  for (const Number crossing : m_line) pass(m_crossings[crossing], patch, value, sink);
}

void IsolineCutter::pass(const Crossing& crossing, const SurfacePatch& patch, double value,
                         IsolineSink& sink) {
  const std::size_t values = m_width - 3, below = crossing.below, above = crossing.above;
  const double low = patch.values[values * below], high = patch.values[values * above];
  const bool onNode = below == above;
  const double share = onNode ? 1 : (value - low) / (high - low);
  m_vertex.clear();
  const auto add = [&](double from, double to) {
    // not multiplied by a share of 0: the other value may be NaN
    m_vertex.push_back(onNode ? to : from + share * (to - from));
  };
  for (std::size_t a = 0; a < 3; ++a) add(patch.points[3 * below + a], patch.points[3 * above + a]);
  m_vertex.push_back(value);
  for (std::size_t v = 1; v < values; ++v)
    add(patch.values[values * below + v], patch.values[values * above + v]);
  const double side = patch.seenFromBehind ? -1 : 1;
  for (std::size_t a = 0; a < 3; ++a)
    add(side * patch.normals[3 * below + a], side * patch.normals[3 * above + a]);
  sink.vertex(m_vertex);
}

}  // namespace farfield::extract
