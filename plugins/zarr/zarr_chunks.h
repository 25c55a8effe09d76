#pragma once
// Chunks of Zarr and N5: an object each, or ranges of objects that hold many ("shards").

#include <memory>

#include "plugins/chunks/chunk_array.h"
#include "plugins/zarr/shard_indices.h"
#include "plugins/zarr/zarr_node.h"

namespace farfield::zarr {

/// The numbers of an array without `why`, as bytes in a row in the order of node.order. Throws Corrupt,
/// Unsupported, OverBudget.
std::shared_ptr<const arrays::ByteSource> bytesOf(const std::shared_ptr<const paging::ByteStores>& stores,
                                                  const std::string& root, const ArrayNode& node,
                                                  const std::shared_ptr<chunks::ChunkCaches>& caches,
                                                  const std::shared_ptr<ShardIndices>& indices);

/// Bytes from a number to the next along each dimension in that row.
std::vector<std::int64_t> stridesOf(const ArrayNode& node);

}  // namespace farfield::zarr
