#pragma once
// VTKHDF files of type OverlappingAMR: per level boxes (AMRBox), a spacing, and the values of all cells of all boxes in a row.

#include <memory>

#include "plugins/amr/amr_dataset.h"
#include "plugins/hdf5/hdf5_reader.h"

namespace farfield::vtkhdf {

/// Whether that is the file's type.
bool isOverlappingAmr(const hdf5::Contents& contents);

/// Throws Corrupt, Unsupported (values of points alone, steps), OverBudget.
amr::AmrInput amrOf(const hdf5::OpenedHdf5& opened, const std::shared_ptr<chunks::ChunkCaches>& caches,
                    MemoryAccount& account);

}  // namespace farfield::vtkhdf
