#pragma once
// Lines kept whole, for comparison at equal times.

#include <span>
#include <vector>

#include "core/flow/tracer.h"

namespace farfield::bench {

class RecordedLine final : public flow::LineSink {
 public:
  void vertex(Vec3 point, double time, std::span<const double> values) override;
  std::size_t vertices() const { return m_vertices.size(); }
  /// Of the last vertex; signed.
  double endTime() const { return m_vertices.empty() ? 0 : m_vertices.back().time; }
  /// The point at `time`: cubic Hermite between the vertices; after the end the last point. There must be a
  /// vertex.
  Vec3 at(double time) const;

 private:
  struct Vertex {
    Vec3 point, velocity;
    double time;
  };
  std::vector<Vertex> m_vertices;
};

/// The largest distance between two lines from one seed at `samples` equal times up to the end of `truth`.
double deviation(const RecordedLine& line, const RecordedLine& truth, int samples);

}  // namespace farfield::bench
