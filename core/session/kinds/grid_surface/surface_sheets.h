#pragma once
// What a grid surface of a session means in a data set: sheets of nodes of its blocks.

#include <vector>

#include "core/extract/integrate_surfaces.h"
#include "core/session/session.h"

namespace farfield::session {

/// Block after block: the sheet itself where the range is one node thick along an axis, else the faces of the
/// box that have an area, in the order kmin, kmax, jmin, jmax, imin, imax. The normal of a face of a box
/// points out of it, that of a single sheet to the side where its index grows. A surface that the data name:
/// its sheets that have an area, with normals out of the block where they lie on its faces. Throws Invalid
/// naming the key when a block, nodes of it or such a surface are not there.
std::vector<extract::OrientedSurface> sheetsOf(const GridSurface& surface,
                                               const paging::DatasetDescription& description);

}  // namespace farfield::session
