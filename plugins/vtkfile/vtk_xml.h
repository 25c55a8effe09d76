#pragma once
// VTK's XML files of grids: ImageData (.vti), RectilinearGrid (.vtr), StructuredGrid (.vts), UnstructuredGrid
// (.vtu).

#include <memory>

#include "core/base/memory_account.h"
#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkfile {

/// With `copy` false values that need a copy (text, base64) are missing. Memory for reading is claimed from
/// `account`, which outlives the grid. Throws Corrupt, Unsupported (other kinds of data, by name),
/// OverBudget, Io.
VtkGrid readXmlGrid(std::shared_ptr<const arrays::ByteSource> file, bool copy, MemoryAccount& account);

/// The type named in the file ("ImageData"); empty if it is not found near the beginning.
std::string xmlTypeOf(const arrays::ByteSource& file);

}  // namespace farfield::vtkfile
