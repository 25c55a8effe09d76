#pragma once
// VTK's XML files of structured grids: ImageData (.vti), RectilinearGrid (.vtr), StructuredGrid (.vts).

#include <memory>

#include "core/base/memory_account.h"
#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkfile {

/// With `copy` false what would have to be copied (text, base64) has no values. What reading needs is claimed from
/// `account`, which outlives the grid. Throws Corrupt, Unsupported (other kinds of data, by name), OverBudget, Io.
VtkGrid readXmlGrid(std::shared_ptr<const arrays::ByteSource> file, bool copy, MemoryAccount& account);

/// What the file says that it holds ("ImageData"); empty where that is not found near its beginning.
std::string xmlTypeOf(const arrays::ByteSource& file);

}  // namespace farfield::vtkfile
