#pragma once
// VTK's XML files of grids: ImageData (.vti), RectilinearGrid (.vtr), StructuredGrid (.vts), UnstructuredGrid
// (.vtu).

#include <memory>
#include <optional>

#include "plugins/vtkfile/data_arrays.h"
#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkfile {

/// What a file is a piece of.
struct PieceOf {
  /// Of a structured grid, all pieces together: the first node and the counts of nodes.
  std::optional<IndexBox> whole = {};
};

/// With `copy` false values that need a copy (text, base64) are missing. Memory for reading is claimed from
/// the account of `shared`, which outlives the grid. Throws Corrupt, Unsupported (other kinds of data, by name),
/// OverBudget, Io.
/// A file that is a `piece` of a grid is placed in it; it may be empty, and cells that are marked as those of other pieces
/// (kGhostName) are not among its values.
VtkGrid readXmlGrid(std::shared_ptr<const arrays::ByteSource> file, bool copy, SharedArrays& shared,
                    const PieceOf* piece = nullptr);

/// The type named in the file ("ImageData"); empty if it is not found near the beginning.
std::string xmlTypeOf(const arrays::ByteSource& file);

}  // namespace farfield::vtkfile
