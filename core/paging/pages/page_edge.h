#pragma once
// The default page edge of a store.

#include "core/paging/pages/description.h"

namespace farfield::paging {

/// Nominal, in nodes: 32 if a node takes at most 8 bytes in all arrays of its block together, as in a volume
/// of one number, else 16 (docs/decisions/0047-page-edge-by-node.md).
int pageEdgeFor(const DatasetDescription& input);

}  // namespace farfield::paging
