#pragma once
// Lines as checksums: what benchmarks keep of the lines they trace, enough to see that two runs made the same
// lines to the bit, without memory or time that would show in the measurement.

#include <bit>
#include <cstdint>
#include <span>

#include "core/flow/tracer.h"

namespace farfield::bench {

class LineDigest final : public flow::LineSink {
 public:
  void vertex(Vec3 point, double time, std::span<const double> values) override {
    for (int a = 0; a < 3; ++a) mix(point[a]);
    mix(time);
    for (const double value : values) mix(value);
    ++m_vertices;
  }
  std::uint64_t hash() const { return m_hash; }
  std::uint64_t vertices() const { return m_vertices; }

 private:
  void mix(double value) {
    m_hash = (m_hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15ull;
    m_hash ^= m_hash >> 32;
  }
  std::uint64_t m_hash = 0, m_vertices = 0;
};

}  // namespace farfield::bench
