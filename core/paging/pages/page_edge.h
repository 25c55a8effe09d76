#pragma once
// The default page edge of a store.

#include "core/paging/pages/description.h"

namespace farfield::paging {

/// The nodes, cells or faces of a page of an unstructured grid at nominal edge `edge`: as many as a cube of that
/// edge has nodes.
constexpr std::int64_t listPage(int edge) {
  return std::int64_t{edge} * edge * edge;
}

/// Of unstructured grids 10. Nominal, in nodes: 32 if a node takes at most 8 bytes in all arrays of its block together, as in a volume
/// of one number, else 16 (docs/decisions/0047-page-edge-by-node.md).
int pageEdgeFor(const DatasetDescription& input);

}  // namespace farfield::paging
