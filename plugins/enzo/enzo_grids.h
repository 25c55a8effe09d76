#pragma once
// Enzo's grids with their values: boxes of cells on levels that their sizes tell.

#include <functional>
#include <memory>

#include "plugins/amr/amr_dataset.h"
#include "plugins/enzo/enzo_hierarchy.h"
#include "plugins/hdf5/hdf5_reader.h"

namespace farfield::enzo {

/// An HDF5 file of the set.
struct SetFile {
  hdf5::OpenedHdf5 opened;
  /// The bytes of one of its datasets.
  std::function<std::shared_ptr<const arrays::ByteSource>(const hdf5::Dataset&)> bytesOf;
};

/// `open` finds a file by the name that grids have. Grids of one file are asked for one after the other. Throws Corrupt,
/// Unsupported, OverBudget.
amr::AmrInput inputOf(std::vector<Grid> grids, const std::function<SetFile(const std::string& name)>& open,
                      MemoryAccount& account);

}  // namespace farfield::enzo
