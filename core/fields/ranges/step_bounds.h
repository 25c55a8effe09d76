#pragma once
// Bounds of data that move at one step: those of their blocks hold all steps.

#include <functional>
#include <optional>

#include "core/base/geometry.h"
#include "core/fields/paged/paged_data.h"

namespace farfield::fields {

/// Of all blocks at `step`, by the top of their location bounds; nothing if block `block`, of whom asks, does not move. Block after
/// block, that one first, until what is known so far `isEnough`. May stop the task; throws what gathering throws.
std::optional<Bounds> boundsAtStep(PagedData& data, tasks::TaskContext& context, int block, std::int64_t step,
                                   const std::function<bool(const Bounds&)>& isEnough);

}  // namespace farfield::fields
