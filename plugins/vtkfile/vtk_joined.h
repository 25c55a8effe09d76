#pragma once
// Several grids as one: the pieces of a grid, and blocks of unstructured grids, whose lists follow one another.

#include <map>
#include <string>
#include <vector>

#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkfile {

/// Structured pieces that were placed in the whole (PieceOf), or unstructured grids in a row. At least one. Throws Unsupported
/// if they do not fit together, Corrupt if none has cells.
VtkGrid joined(std::vector<VtkGrid> grids);

/// Unstructured blocks as one grid; if there are several, with a variable "block" on its cells, the number of each. At least
/// one block. Throws as joined().
VtkGrid joinedBlocks(std::vector<VtkGrid> blocks);

/// Says the titles of blocks, as far as they have some.
void sayTitles(const std::vector<std::string>& titles, std::vector<std::string>& explain,
               std::map<std::string, std::string>& attributes);

/// Data of one block each, as one data set; `titles` are those of the blocks. Variables that not all have are left out, with a
/// line in `explain`. At least one.
VtkData joined(std::vector<VtkData> blocks, const std::vector<std::string>& titles);

}  // namespace farfield::vtkfile
