#pragma once
// Arrays of Zarr and N5 as gridded data: by the CF conventions where they have names of dimensions (Xarray), images of OME-Zarr with
// their levels, others by their extents.

#include <memory>
#include <string>

#include "plugins/cf/cf_reader.h"
#include "plugins/zarr/zarr_chunks.h"

namespace farfield::zarr {

struct ZarrData {
  cf::CfData data;
  bool inChunks = false;  ///< pages are chunks
  int levels = 1;         ///< of an image
};

/// With the options `variable`, `vectors`, `origin`, `spacing` and, of images, `level`, counted from the finest. Throws Corrupt, Unsupported, Invalid,
/// OverBudget.
ZarrData describeZarr(const std::shared_ptr<const paging::ByteStores>& stores, const std::string& root,
                      const arrays::Options& options, const std::shared_ptr<chunks::ChunkCaches>& caches,
                      MemoryAccount& account);

}  // namespace farfield::zarr
