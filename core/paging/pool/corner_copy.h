#pragma once
// Copying the eight corner nodes of a cell out of one page as doubles: the innermost loop of everything that
// is traced. There is one function per number type and per usual component count, so that the loops are
// unrolled and vectorized; the right one is chosen when an array is bound.

#include <cstddef>
#include <cstdint>

#include "core/base/scalar_type.h"

namespace farfield::paging {

/// Where the nodes of a page lie, counted in numbers (not in bytes).
struct PageStrides {
  std::int64_t j = 0, k = 0;
};

/// Copies the nodes (i, j, k) … (i+1, j+1, k+1), all components, of which the first number is number `first`
/// of `page`, to `out`: component fastest, then i, j, k. Pure.
using CornerCopy = void (*)(const std::byte* page, std::int64_t first, PageStrides strides, int components,
                            double* out);
CornerCopy cornerCopyFor(ScalarType type, int components);

/// A node in a page: its first number is number `first`.
struct NodeAddress {
  const std::byte* page;
  std::int64_t first;
};
/// As CornerCopy, with the eight nodes wherever they are.
using ScatteredCopy = void (*)(const NodeAddress* places, int components, double* out);
ScatteredCopy scatteredCopyFor(ScalarType type, int components);

}  // namespace farfield::paging
