#pragma once
// Where a single node lies.

#include "core/fields/paged_data.h"

namespace farfield::fields {

/// Coordinates of `node` of `block` at `step`; may stop the calling task. Throws what gathering throws.
Vec3 nodeCoordinates(PagedData& data, tasks::TaskContext& context, int block, const Index3& node,
                     std::int64_t step);

}  // namespace farfield::fields
