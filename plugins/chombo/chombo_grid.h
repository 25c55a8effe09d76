#pragma once
// Chombo's HDF5 files, and those of AMReX that follow them, as an adaptive grid. Of each level they have boxes, and the values of all
// boxes in a row: of a box one component after the other, with ghost cells around it as the file says.

#include <memory>

#include "plugins/amr/amr_dataset.h"
#include "plugins/hdf5/hdf5_reader.h"

namespace farfield::chombo {

/// Whether the file says that it is one.
bool isChombo(const hdf5::File& file);

/// Throws Corrupt, Unsupported, OverBudget.
amr::AmrInput inputOf(const hdf5::OpenedHdf5& opened, const std::shared_ptr<chunks::ChunkCaches>& caches,
                      MemoryAccount& account);

}  // namespace farfield::chombo
