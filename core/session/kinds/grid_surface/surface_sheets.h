#pragma once
// The sheets of nodes of a data set that a grid surface of a session stands for.

#include <vector>

#include "core/extract/integrate_surfaces.h"
#include "core/session/session.h"

namespace farfield::session {

/// False for a line of nodes, which a narrow sheet becomes at a coarse level: nothing of it can be drawn.
bool hasArea(const paging::DatasetDescription& description, const paging::NamedSurface& surface);

/// Block after block: the sheet itself if the range is one node thick along an axis, else the faces of the
/// box that have an area, in the order kmin, kmax, jmin, jmax, imin, imax. The normal of a face of a box
/// points out of it, that of a single sheet to the side where its index grows. A surface named in the data:
/// its sheets that have an area, with normals out of the block if they lie on its faces. Of whole boxes of adaptive grids those
/// parts of their faces that are outside of all of them (outer_faces.h). Throws Invalid,
/// which names the key, if a block, its nodes or such a surface do not exist, or no sheet has an area.
std::vector<extract::OrientedSurface> sheetsOf(const GridSurface& surface,
                                               const paging::DatasetDescription& description);

}  // namespace farfield::session
