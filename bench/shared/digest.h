#pragma once
// Results as checksums: benchmarks keep these instead of what they compute, to show that two runs gave
// bit-identical results, at no cost in memory or time.

#include <bit>
#include <cstdint>

namespace farfield::bench {

/// Of numbers in order. A value.
class Digest {
 public:
  void add(std::uint64_t value) {
    m_hash = (m_hash ^ value) * 0x9e3779b97f4a7c15ull;
    m_hash ^= m_hash >> 32;
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  std::uint64_t hash() const { return m_hash; }

 private:
  std::uint64_t m_hash = 0;
};

}  // namespace farfield::bench
