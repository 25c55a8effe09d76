#pragma once
// Slices of one step: a task per plane and box of cells of every block. Most find that the plane does not
// meet their cells. Those with an index are grid surfaces, between nodes too.

#include <vector>

#include "core/extract/integrate_surfaces.h"
#include "core/session/session.h"

namespace farfield::session {

/// The planes of a slice; the default origin is the middle of the data. Throws Invalid, which names the key.
std::vector<extract::Plane> planesOf(const Slice& slice, const paging::DatasetDescription& description);
/// Its surfaces, place by place, block after block; normals to the side where the index grows. Blocks that have no such
/// place are left out if all are meant. Throws Invalid, which names the key.
std::vector<extract::OrientedSurface> sheetsOf(const IndexSlice& slice,
                                               const paging::DatasetDescription& description);

}  // namespace farfield::session
