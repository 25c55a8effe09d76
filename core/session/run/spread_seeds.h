#pragma once
// Seeds at nodes scattered over all blocks: what shows a data set of which nobody has said yet where to look.
// They are as dense as the grid is, since whoever made the grid put its nodes where something happens.

#include <cstdint>
#include <memory>

#include "core/flow/seeds.h"
#include "core/paging/pages/description.h"

namespace farfield::session {

/// `count` nodes, block after block, shared out in proportion to the nodes inside the blocks (those not on
/// their faces, where walls are and nothing flows), but at least one for each where there are as many. Within
/// a block they follow the additive recurrence with the generalized golden ratio, whose parts are evenly
/// spread however many are taken (M. Roberts, "The unreasonable effectiveness of quasirandom sequences",
/// 2018). Throws Invalid for a count below one, and where there are no blocks.
std::unique_ptr<flow::SeedSet> spreadSeeds(const paging::DatasetDescription& description, std::int64_t count);

}  // namespace farfield::session
