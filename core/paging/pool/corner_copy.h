#pragma once
// Copying the eight corner nodes of a cell out of one page as doubles: the innermost loop of everything that
// is traced. There is one function per number type and per usual component count, so that the loops are
// unrolled and vectorized; the right one is chosen when an array is bound.

#include <array>
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

/// A page as a cell sees it that lies in several.
struct CellPiece {
  const std::byte* page;
  std::int64_t first;  ///< number of the cell's lowest node, as if the page went on to it
  PageStrides strides;
};
/// As CornerCopy, of a cell that lies across borders: corner c, whose bits 1, 2, 4 say on which side of the
/// cell it is along each axis, lies in the page of `pieces[c & across]`.
using CrossingCopy = void (*)(const CellPiece* pieces, int components, double* out);
/// By `across`, the bits of the axes along which borders are crossed.
using CrossingCopies = std::array<CrossingCopy, 8>;
const CrossingCopies& crossingCopiesFor(ScalarType type, int components);

}  // namespace farfield::paging
