#pragma once
// Copying the eight corner nodes of a cell out of pages as doubles: the innermost loop of everything that
// is traced. There is one function per number type and per usual component count, so that the loops are
// unrolled and vectorized; the right one is chosen when an array is bound.

#include <cstddef>
#include <cstdint>

#include "core/base/geometry.h"
#include "core/base/scalar_type.h"

namespace farfield::paging {

/// The addresses of the nodes of a page: numbers, component fastest, then i, j, k.
struct NodePlaces {
  std::intptr_t origin = 0;          ///< address of node (0, 0, 0), as if the page extended to it
  std::int64_t i = 0, j = 0, k = 0;  ///< bytes from a node to the next along each axis

  /// Address of a node, in the page or not.
  std::intptr_t of(const Index3& node) const { return origin + node[0] * i + node[1] * j + node[2] * k; }
};

/// Copies the nodes (i, j, k) … (i+1, j+1, k+1), all components, of a cell that lies in one page to `out`:
/// component fastest, then i, j, k. `lowest` is the address of its lowest node. Pure.
using CellCopy = void (*)(std::intptr_t lowest, const NodePlaces& places, double* out);
CellCopy cellCopyFor(ScalarType type, int components);

/// A page, for a cell that lies in several.
struct CellPiece {
  std::intptr_t lowest;  ///< address of the cell's lowest node, as if the page extended to it
  const NodePlaces* places;
};
/// As CellCopy, for a cell that crosses page borders along the axes in `across`: corner c, whose bits 1, 2, 4
/// are its side along i, j, k, lies in the page of `pieces[c & across]`.
using CrossingCopy = void (*)(const CellPiece* pieces, unsigned across, double* out);
CrossingCopy crossingCopyFor(ScalarType type, int components);

}  // namespace farfield::paging
