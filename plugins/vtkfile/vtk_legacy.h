#pragma once
// VTK's legacy files (.vtk) of grids: structured points, rectilinear, structured and unstructured grids, in text or binary
// (big-endian). The format: VTK User's Guide, "VTK File Formats", simple legacy formats.

#include <memory>

#include "plugins/vtkfile/data_arrays.h"
#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkfile {

/// Binary values are read in place; text is copied, unless `copy` is false: then it has no values. Throws
/// Corrupt, Unsupported (other kinds of data, by name), Io. Text goes to the copy of `shared`.
VtkGrid readLegacyGrid(std::shared_ptr<const arrays::ByteSource> file, bool copy, SharedArrays& shared);

}  // namespace farfield::vtkfile
