#pragma once
// The HDF5 side of a store: groups, datasets, chunk indices and attributes around pages, index and catalog
// that are already in the file.

#include "core/paging/store/catalog.h"
#include "core/paging/writing/hdf5_objects.h"
#include "core/paging/writing/journal.h"
#include "core/paging/writing/placed_hdf5.h"

namespace farfield::paging::detail {

/// Adds the structures to `placed`. Writing placed.superblock afterwards makes the file an HDF5 file. Throws
/// Io.
void writeHdf5Structures(PlacedFile& placed, const Catalog& catalog, const Journal& journal,
                         ByteRange indexBytes, ByteRange catalogBytes);

}  // namespace farfield::paging::detail
