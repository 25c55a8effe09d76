#include "bench/objects/recorded_line.h"

#include <algorithm>
#include <cmath>

namespace farfield::bench {

void RecordedLine::vertex(Vec3 point, double time, std::span<const double> values) {
  m_vertices.push_back({point, {values[0], values[1], values[2]}, time});
}

Vec3 RecordedLine::at(double time) const {
  const auto later = std::partition_point(m_vertices.begin(), m_vertices.end(), [&](const Vertex& vertex) {
    return std::abs(vertex.time) <= std::abs(time);
  });
  if (later == m_vertices.end()) return m_vertices.back().point;
  if (later == m_vertices.begin()) return m_vertices.front().point;
  const Vertex &a = later[-1], &b = *later;
  const double h = b.time - a.time, s = (time - a.time) / h;
  return (1 + 2 * s) * (1 - s) * (1 - s) * a.point + s * (1 - s) * (1 - s) * h * a.velocity +
         s * s * (3 - 2 * s) * b.point + s * s * (s - 1) * h * b.velocity;
}

double deviation(const RecordedLine& line, const RecordedLine& truth, int samples) {
  double largest = 0;
  for (int n = 1; n <= samples; ++n) {
    const double time = truth.endTime() * n / samples;
    largest = std::max(largest, length(line.at(time) - truth.at(time)));
  }
  return largest;
}

}  // namespace farfield::bench
