#pragma once
// Seeds at nodes scattered over all blocks: a first view of unknown data. They are as dense as the grid,
// since grids are refined where something happens.

#include <cstdint>
#include <memory>

#include "core/flow/seeds.h"
#include "core/paging/pages/description.h"

namespace farfield::session {

/// `count` nodes, block after block, in proportion to the nodes inside the blocks (not on their faces, where
/// walls are and nothing flows), but at least one for each block if there are enough. Within a block they
/// follow the additive recurrence with the generalized golden ratio, every prefix of which is evenly spread
/// (M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018). Throws Invalid for a count
/// below one, and if there are no blocks. Of grids that change only those blocks count that are there at `step`; below 0: all.
std::unique_ptr<flow::SeedSet> spreadSeeds(const paging::DatasetDescription& description, std::int64_t count,
                                           std::int64_t step = -1);

}  // namespace farfield::session
