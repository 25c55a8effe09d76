#pragma once
// The page edge of a store for which nobody asks for one.

#include "core/paging/pages/description.h"

namespace farfield::paging {

/// Nominal, in nodes: 32 where a node takes at most 8 bytes in all arrays of its block together, as in a
/// volume of one number, and 16 elsewhere. Why: docs/decisions/0047-page-edge-by-node.md.
int pageEdgeFor(const DatasetDescription& input);

}  // namespace farfield::paging
