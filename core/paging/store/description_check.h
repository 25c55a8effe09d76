#pragma once
// The rules that a description must satisfy, checked when a store is opened and when a store's writer begins.
// Code that reads pages relies on them and does not check again.
//
// Steps      at least one; their times finite and ascending. An array has one step or all.
// Blocks     at least one, with a number of nodes that can be counted. Bounds, if any, finite and min <= max.
//            A regular block has a finite origin and a finite spacing, not 0 along an axis of several nodes.
// Arrays     at least one; sorted by block; names valid in HDF5 and unique in the block; as many names of
//            components as components, or none.
// Pages      at most 4 GiB each, at most 2^40 per array, sizes whose products do not overflow.
// Roles      Every array of a level of detail has the dims that the block has there (coarse_levels.h).
//            Coordinates: 3 x f32 or f64, once for each level of detail of a curvilinear block, never of a
//            regular one.
//            Blanking: one i16, once, exactly in the blocks that say they have it.
//            Location bounds: 6 x f32 of a curvilinear block; all levels of the pyramid or none, with the
//            dims that follow from the block's cells, and as many steps as the coordinates.
//            Variables: one name has the same components, under the same names, in all blocks.
// Surfaces   a name, one node thick, inside their block.

#include "core/paging/pages/description.h"

namespace farfield::paging {

/// Throws Invalid, which names block, array or surface and what is wrong with it.
void checkDescription(const DatasetDescription& description);

}  // namespace farfield::paging
