#pragma once
// VTK's own way of writing HDF5 files (VTKHDF: docs.vtk.org, "VTKHDF File Format"): images and unstructured grids, static or with
// steps, as the grids that other files of VTK have.

#include <vector>

#include "plugins/hdf5/hdf5_bytes.h"
#include "plugins/hdf5/hdf5_reader.h"
#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkhdf {

/// Whether it is for this reader: it has a group VTKHDF that is not a paged store's. Takes the file's mutex.
bool isVtkHdf(const hdf5::File& file);

/// One grid per step, at least one; their memory is claimed from `account` and added to `claims`. Throws Corrupt, Unsupported,
/// OverBudget, Cancelled (StoppableWaits).
std::vector<vtkfile::VtkGrid> gridsOf(const hdf5::OpenedHdf5& opened,
                                      const std::shared_ptr<chunks::ChunkCaches>& caches,
                                      MemoryAccount& account, std::vector<MemoryClaim>& claims);

}  // namespace farfield::vtkhdf
