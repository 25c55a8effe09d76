#pragma once
// A line as a checksum.

#include <cstdint>
#include <span>

#include "bench/shared/digest.h"
#include "core/flow/tracer.h"

namespace farfield::bench {

class LineDigest final : public flow::LineSink {
 public:
  void vertex(Vec3 point, double time, std::span<const double> values) override {
    for (int a = 0; a < 3; ++a) m_digest.add(point[a]);
    m_digest.add(time);
    for (const double value : values) m_digest.add(value);
    ++m_vertices;
  }
  std::uint64_t hash() const { return m_digest.hash(); }
  std::uint64_t vertices() const { return m_vertices; }

 private:
  Digest m_digest;
  std::uint64_t m_vertices = 0;
};

}  // namespace farfield::bench
