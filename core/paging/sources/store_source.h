#pragma once
// The pages of a store as a page source: the places come from the store's index, the bytes from its object,
// without HDF5.

#include <memory>

#include "core/paging/sources/placed_source.h"
#include "core/paging/store/store_file.h"

namespace farfield::paging {

using StoreSourceOptions = PlacedSourceOptions;

/// `account` outlives the source. Throws as PlacedSource.
std::unique_ptr<PlacedSource> makeStoreSource(std::shared_ptr<const StoreFile> store, MemoryAccount& account,
                                              const StoreSourceOptions& options = {});

}  // namespace farfield::paging
