#pragma once
// Grid surfaces of one step: a task per patch, over all blocks.

#include <memory>
#include <vector>

#include "core/extract/integrate_surfaces.h"
#include "core/session/run/surfaces/surface_tasks.h"

namespace farfield::session {

/// Tasks for the patches of `sheets`, one sheet after the other.
std::unique_ptr<SurfaceTasks> tasksOfSheets(std::vector<extract::OrientedSurface> sheets,
                                            const paging::DatasetDescription& description,
                                            std::shared_ptr<const fields::FunctionPlan> functions);

}  // namespace farfield::session
