#pragma once
// Copying the eight corner nodes of a cell out of pages as doubles: the innermost loop of everything that
// is traced. There is one function per number type and per usual component count, so that the loops are
// unrolled and vectorized; the right one is chosen when an array is bound.

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/geometry.h"
#include "core/base/scalar_type.h"

namespace farfield::paging {

/// From a node of a page to the next along each axis, counted in numbers (not in bytes). `i` is the number of
/// components.
struct PageStrides {
  std::int64_t i = 0, j = 0, k = 0;
};

/// The nodes of a page, and the cells whose corners all lie in it.
struct PageCells {
  Index3 first{0, 0, 0};                        ///< node
  std::array<std::uint64_t, 3> cells{0, 0, 0};  ///< along each axis: a node fewer than the page has
  const std::byte* data = nullptr;              ///< component fastest, then i, j, k
  PageStrides strides;
};

/// Copies the nodes (i, j, k) … (i+1, j+1, k+1), all components, of the cell whose lowest node is `cell`, to
/// `out`: component fastest, then i, j, k. False, and nothing is done, where the cell does not lie in the
/// page. Pure.
using CellCopy = bool (*)(const PageCells& page, const Index3& cell, double* out);
CellCopy cellCopyFor(ScalarType type, int components);

/// A page as a cell sees it that lies in several.
struct CellPiece {
  const std::byte* page;
  std::int64_t first;  ///< number of the cell's lowest node, as if the page went on to it
  const PageStrides* strides;
};
/// As CellCopy, of a cell that lies across borders: corner c, whose bits 1, 2, 4 say on which side of the
/// cell it is along each axis, lies in the page of `pieces[c & across]`.
using CrossingCopy = void (*)(const CellPiece* pieces, double* out);
/// By `across`, the bits of the axes along which borders are crossed.
using CrossingCopies = std::array<CrossingCopy, 8>;
const CrossingCopies& crossingCopiesFor(ScalarType type, int components);

}  // namespace farfield::paging
