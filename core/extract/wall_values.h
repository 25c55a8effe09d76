#pragma once
// What functions have on a wall at one place of it. Functions on walls have values at the nodes of faces of structured blocks and nowhere
// else, so a sampler, which reads cells, finds none; but a place on such a face, as the cursor points at one, has those that are drawn there.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/geometry.h"
#include "core/fields/functions/functions.h"
#include "core/fields/paged/paged_data.h"

namespace farfield::extract {

/// Of the faces of the block in which the cell `cell` (i, j, k) lies near the end of: at the place that is nearest to `point`, in the data's
/// coordinates, and no farther from it than `reach`, the values of `functions` (outputCount() of them), bilinear between the nodes as they are
/// drawn. Nothing where no face is so near, where its cells are blanked, and in unstructured blocks. `cell` is where a sampler found the point.
/// Part of a task's work, which has no other cursor meanwhile; throws what gathering throws.
std::optional<std::vector<double>> valuesOnWall(fields::PagedData& data, tasks::TaskContext& context,
                                                const fields::FunctionPlan& functions, int block,
                                                const Index3& cell, Vec3 point, double reach,
                                                std::int64_t step);

}  // namespace farfield::extract
