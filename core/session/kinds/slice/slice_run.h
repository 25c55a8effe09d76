#pragma once
// Slices of one step: a task per plane and box of cells of every block. Most find that the plane does not
// meet their cells.

#include <vector>

#include "core/extract/slice.h"
#include "core/session/session.h"

namespace farfield::session {

/// The planes of a slice; the default origin is the middle of the data. Throws Invalid, which names the key.
std::vector<extract::Plane> planesOf(const Slice& slice, const paging::DatasetDescription& description);

}  // namespace farfield::session
