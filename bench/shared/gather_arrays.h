#pragma once
// Arrays of floats in memory and gathers from them without pages: the limits with which gathers through
// cursors are compared. The number of components is a compile-time constant.

#include <bit>
#include <cstdint>
#include <memory>

#include "core/base/anonymous_memory.h"
#include "core/base/geometry.h"

namespace farfield::bench {

/// The lowest node of a gather.
struct GatherCell {
  std::int32_t i = 0, j = 0, k = 0;
};

/// The value of a component at a node: a cheap hash, different everywhere.
inline float nodeValue(std::int64_t i, std::int64_t j, std::int64_t k, int component) {
  std::uint64_t x = static_cast<std::uint64_t>(i + 4096 * (j + 4096 * (k + 4096 * component)));
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15ull;
  return static_cast<float>(x >> 40) * 0x1p-24f;
}

/// Floats, zero and touched: in huge pages, if the system gives them, as frames of pages are, so that only
/// the look-up differs; or in ordinary ones.
class FloatMemory {
 public:
  explicit FloatMemory(std::size_t count, MemoryPages pages = MemoryPages::Huge)
      : m_memory(wholeHugePages(count * sizeof(float)), pages, "an array to compare with") {
    std::uninitialized_value_construct_n(data(), count);
  }
  float* data() { return reinterpret_cast<float*>(m_memory.data()); }
  const float* data() const { return reinterpret_cast<const float*>(m_memory.data()); }

 private:
  AnonymousMemory m_memory;
};

/// i fastest, components interleaved.
template <int C>
class PlainArray {
 public:
  explicit PlainArray(const Index3& dims, MemoryPages pages)
      : m_dims(dims), m_values(static_cast<std::size_t>(product(dims) * C), pages) {
    float* out = m_values.data();
    for (std::int64_t k = 0; k < dims[2]; ++k)
      for (std::int64_t j = 0; j < dims[1]; ++j)
        for (std::int64_t i = 0; i < dims[0]; ++i)
          for (int c = 0; c < C; ++c) *out++ = nodeValue(i, j, k, c);
  }
  void gather(const GatherCell& cell, double* out) const {
    const float* const from = m_values.data() + linear({cell.i, cell.j, cell.k}, m_dims) * C;
    const std::int64_t row = m_dims[0] * C, layer = m_dims[1] * row;
    for (int n = 0; n < 2 * C; ++n) {
      out[n] = from[n];
      out[2 * C + n] = from[row + n];
      out[4 * C + n] = from[layer + n];
      out[6 * C + n] = from[layer + row + n];
    }
  }

 private:
  Index3 m_dims;
  FloatMemory m_values;
};

/// Bricks of 2^n nodes along each axis, one after the other; the last ones of an axis are padded.
template <int C>
class BrickedArray {
 public:
  BrickedArray(const Index3& dims, int edge)
      : m_shift(std::countr_zero(std::bit_ceil(static_cast<unsigned>(edge)))),
        m_mask((std::int64_t{1} << m_shift) - 1),
        m_bricks{(dims[0] + m_mask) >> m_shift, (dims[1] + m_mask) >> m_shift, (dims[2] + m_mask) >> m_shift},
        m_values(static_cast<std::size_t>(product(m_bricks) * C) << (3 * m_shift)) {
    for (std::int64_t k = 0; k < dims[2]; ++k)
      for (std::int64_t j = 0; j < dims[1]; ++j)
        for (std::int64_t i = 0; i < dims[0]; ++i)
          for (int c = 0; c < C; ++c)
            m_values.data()[partI(i) + partJ(j) + partK(k) + c] = nodeValue(i, j, k, c);
  }
  void gather(const GatherCell& cell, double* out) const {
    const std::int64_t i[2] = {partI(cell.i), partI(cell.i + 1)}, j[2] = {partJ(cell.j), partJ(cell.j + 1)},
                       k[2] = {partK(cell.k), partK(cell.k + 1)};
    for (int corner = 0; corner < 8; ++corner) {
      const float* const from = m_values.data() + i[corner & 1] + j[corner >> 1 & 1] + k[corner >> 2];
      for (int c = 0; c < C; ++c) out[corner * C + c] = from[c];
    }
  }

 private:
  // a node's offset is a sum of one term per axis
  std::int64_t partI(std::int64_t i) const { return (((i >> m_shift) << (3 * m_shift)) + (i & m_mask)) * C; }
  std::int64_t partJ(std::int64_t j) const {
    return (((j >> m_shift) * m_bricks[0] << (3 * m_shift)) + ((j & m_mask) << m_shift)) * C;
  }
  std::int64_t partK(std::int64_t k) const {
    return (((k >> m_shift) * m_bricks[0] * m_bricks[1] << (3 * m_shift)) + ((k & m_mask) << (2 * m_shift))) *
           C;
  }

  int m_shift;
  std::int64_t m_mask;
  Index3 m_bricks;
  FloatMemory m_values;
};

}  // namespace farfield::bench
