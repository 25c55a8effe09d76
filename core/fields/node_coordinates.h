#pragma once
// Where a single node lies.

#include "core/fields/field_time.h"
#include "core/fields/paged_data.h"

namespace farfield::fields {

/// Coordinates of `node` of `block` at `time`; may stop the calling task. Throws what gathering throws.
Vec3 nodeCoordinates(PagedData& data, tasks::TaskContext& context, int block, const Index3& node,
                     FieldTime time);

}  // namespace farfield::fields
