#pragma once
// Which ends of blocks are outer faces of the data. Where blocks join or overlap, the end of one is a sheet inside of the flow, which shows
// little and hides what is behind it; a wall is an outer face wherever it lies. Found out from places just beyond the middles of some cells.

#include <cstdint>
#include <memory>
#include <optional>

#include "app/first/data_summary.h"
#include "core/fields/paged/paged_data.h"
#include "core/session/session.h"

namespace farfield::app {

/// Whether `surface` is a new one (newGridSurface()) of which sheets may lie inside of the data.
bool mayLieInside(const session::GridSurface& surface, const DataSummary& data);

/// `surface`, of which mayLieInside() says so, of those blocks alone in which most of it is an outer face at `step`; where there are none,
/// of another end of the blocks. None where `surface` is all that, where no end is, and where finding out takes long. `functions` is the
/// velocity, or nothing: where it is 0, and not beside it, is a wall. A part of a task; waits for pages. Throws what reading them throws.
std::optional<session::GridSurface> outerSheets(const session::GridSurface& surface, fields::PagedData& data,
                                                tasks::TaskContext& task,
                                                const std::shared_ptr<const fields::FunctionPlan>& functions,
                                                std::int64_t step);

}  // namespace farfield::app
