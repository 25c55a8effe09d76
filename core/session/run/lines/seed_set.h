#pragma once
// The seeds of a session's object, resolved against the data.

#include <cstdint>
#include <memory>

#include "core/fields/paged/paged_data.h"
#include "core/flow/seeds.h"
#include "core/session/run/object_run.h"
#include "core/session/terms.h"

namespace farfield::session {

/// Throws Invalid, placed at "seeds", for blocks and nodes that the data do not have. Seeds that are spread over the data are so
/// over what is there at `step`; below 0: at any step. Their number does not depend on it. Nothing is read, so that those spread
/// over space are only as many as they should be: findSeeds() has where they are.
std::unique_ptr<flow::SeedSet> makeSeeds(const Seeds& seeds, const paging::DatasetDescription& description,
                                         std::int64_t step = -1);

/// The same, with what has to be read of the grid at `step`, by tasks of their own. Throws what reading throws as well.
std::unique_ptr<flow::SeedSet> findSeeds(const Seeds& seeds, const ObjectSurroundings& surroundings,
                                         std::int64_t step);

/// The position of seed `number` at `moment`. Coordinates of nodes are read by the task of `context`.
Vec3 seedOf(const flow::SeedSet& seeds, std::size_t number, fields::PagedData& data,
            tasks::TaskContext& context, fields::FieldTime moment);

}  // namespace farfield::session
