#pragma once
// Index ranges of a session, where negative numbers count from the end, as nodes of a block.

#include "core/base/geometry.h"
#include "core/session/session.h"

namespace farfield::session {

/// The nodes that `range` means in block number `block`, of `dims`. Throws Invalid, which names the block and the axis, if they do not
/// exist.
IndexBox nodesOf(const IndexRange3& range, std::int64_t block, const Index3& dims);

}  // namespace farfield::session
