#pragma once
// Pages that are chunks: how arrays in chunks are cut, so that a page reads its chunk and no other. Of chunks without filters a part can be
// read as well, so their pages are slabs: some layers of a chunk along k, which lie together in the file.

#include <vector>

#include "plugins/arrays/array_reader.h"

namespace farfield::chunks {

/// Whether the chunks of `placed` are the bytes of pages as they lie: nodes of the array's own type in the order of i, j and k, without
/// any filter, so that layers of a chunk along k are bytes in a row.
bool areSlabs(const arrays::PlacedArray& placed);

/// Cuts the arrays of block 0 as their chunks lie; those that are not in chunks like the first that is. Very small chunks are
/// taken several to a page. Claims what reading chunks needs (ChunkArray::prepare). False, and nothing is changed, if no array
/// is in chunks. Throws OverBudget.
bool cutByChunks(paging::DatasetDescription& description, const std::vector<arrays::ArrayPlace>& places);

}  // namespace farfield::chunks
