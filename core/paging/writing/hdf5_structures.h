#pragma once
// The HDF5 side of a store: groups, datasets, chunk indices and attributes around pages, index and catalog
// that are already in the file.

#include <filesystem>

#include "core/base/memory_account.h"
#include "core/paging/store/catalog.h"
#include "core/paging/writing/hdf5_objects.h"
#include "core/paging/writing/journal.h"
#include "core/paging/writing/placed_hdf5.h"

namespace farfield::paging::detail {

/// Adds the structures to `placed`, with `forVtk` also those of vtk_grid.h. Writing placed.superblock afterwards makes the
/// file an HDF5 file. Throws Io, OverBudget.
void writeHdf5Structures(PlacedFile& placed, const Catalog& catalog, const Journal& journal,
                         ByteRange indexBytes, ByteRange catalogBytes, bool forVtk, MemoryAccount& account);

/// Whether the HDF5 file at `path` has a group VTKHDF. Throws Io.
bool listsVtk(const std::filesystem::path& path);

}  // namespace farfield::paging::detail
