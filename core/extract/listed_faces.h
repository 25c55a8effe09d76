#pragma once
// Faces of an unstructured block as a patch of a surface. Each face has nodes of its own, so that it is flat
// shaded and values on cells stay apart. Private to the folder.

#include "core/extract/surface_patch.h"
#include "core/fields/functions.h"
#include "core/fields/paged_data.h"

namespace farfield::extract::detail {

/// Memory of readFaces() for `count` faces, beside the patch.
std::uint64_t listedFacesBytes(const fields::FunctionPlan& functions, std::int64_t count);

/// Reads the faces {first, 0, 0} … of `faces` of `block`. Throws what gathering throws, Corrupt.
FacePatch readFaces(const IndexBox& faces, int block, fields::PagedData& data, tasks::TaskContext& context,
                    const fields::FunctionPlan& functions, std::int64_t step);

}  // namespace farfield::extract::detail
