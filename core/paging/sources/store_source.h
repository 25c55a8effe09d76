#pragma once
// The pages of a store as a page source without HDF5: places from the store's index, bytes from its object.

#include <memory>

#include "core/paging/sources/placed_source.h"
#include "core/paging/store/store_file.h"

namespace farfield::paging {

using StoreSourceOptions = PlacedSourceOptions;

/// `account` outlives the source. Throws as PlacedSource.
std::unique_ptr<PlacedSource> makeStoreSource(std::shared_ptr<const StoreFile> store, MemoryAccount& account,
                                              const StoreSourceOptions& options = {});

}  // namespace farfield::paging
