#pragma once
// Pages that are chunks: how arrays in chunks are cut, so that a page reads its chunk and no other.

#include <vector>

#include "plugins/arrays/array_reader.h"

namespace farfield::chunks {

/// Cuts the arrays of block 0 as their chunks lie; those that are not in chunks like the first that is. Very small chunks are
/// taken several to a page. Claims what reading chunks needs (ChunkArray::prepare). False, and nothing is changed, if no array
/// is in chunks. Throws OverBudget.
bool cutByChunks(paging::DatasetDescription& description, const std::vector<arrays::ArrayPlace>& places);

}  // namespace farfield::chunks
