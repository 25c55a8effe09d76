#pragma once
// Of the outer faces of several boxes of an adaptive grid those parts that lie on the outside of all of them: where another box goes
// on there is no face. So their surface is that of the domain, and its range and its integrals are of what is seen.

#include <vector>

#include "core/extract/integrate_surfaces.h"

namespace farfield::session {

/// `sheets`, faces of boxes in any order, without what lies within the boxes that they are faces of; a face that does so in part is
/// cut into sheets along its cells. A cell that lies within them in part stays whole.
std::vector<extract::OrientedSurface> withoutInnerFaces(std::vector<extract::OrientedSurface> sheets,
                                                        const paging::DatasetDescription& description);

}  // namespace farfield::session
