#pragma once
// What a description must be for code to rely on it: the one list of rules that a catalog is held to when a
// store is opened and a store's writer when it begins. Whoever reads pages counts on them and looks no more.
//
// Steps      at least one; their times finite and ascending. An array has one step or all.
// Blocks     at least one, of nodes that can be counted. Bounds, where given, finite and the right way round.
//            A regular block has a finite origin and a finite spacing, not 0 along an axis of several nodes.
// Arrays     at least one; sorted by block, of names that HDF5 can take and that no other array of the block
//            has; as many names of components as components, or none.
// Pages      no larger than 4 GiB, no more than 2^40 of an array, sizes that no product of them overflows.
// Roles      Everything of a level of detail has the dims that the block has there (coarse_levels.h).
//            Coordinates: 3 x f32 or f64, once for each level of detail of a curvilinear block, which cannot be
//            without, and never of a regular one.
//            Blanking: one i16, once; in blocks that say they have it, and in no others.
//            Location bounds: 6 x f32 of a curvilinear block; all levels of the pyramid or none, with the
//            dims that follow from the block's cells, and as many steps as the coordinates.
//            Variables: of one name have the same components, under the same names, in all blocks.
// Surfaces   one node thick, inside their block, and have a name.

#include "core/paging/pages/description.h"

namespace farfield::paging {

/// Throws Invalid naming block, array or surface and what is wrong with it.
void checkDescription(const DatasetDescription& description);

}  // namespace farfield::paging
