#pragma once
// All grids that a request leads to: those of the files that it names, and of the files that these name (vtk_list.h). A file
// of pieces becomes one grid, a file of blocks several; a series has a step for each time.

#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"
#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkfile {

struct VtkBlock {
  std::string title;  ///< of the block and the groups around it; may be empty
  VtkGrid grid;
};
struct VtkStep {
  std::string file;  ///< of the request or the series
  std::vector<VtkBlock> blocks;
};
struct VtkFiles {
  std::vector<VtkStep> steps;
  std::vector<std::string> names;  ///< of all files that values come from, and of those that name them
  paging::ByteObjects objects;     ///< the same where URLs named them
  std::uint64_t storedBytes = 0;
  std::vector<std::string> notes;
  std::vector<MemoryClaim> memory;  ///< of what is said here

  bool areListed() const { return steps.front().blocks.front().grid.kind == VtkKind::Unstructured; }
};

/// Looks at all files, of the blocks those that the option `block` (a number or a title) chooses. With `copy` false values that
/// need a copy are missing. `account` outlives the result. Throws NotFound, Corrupt, Unsupported, Invalid (no such block, or
/// blocks of structured and of unstructured grids), OverBudget, Io, Cancelled.
VtkFiles readFiles(const fields::OpenRequest& request, const paging::ByteStores& stores,
                   MemoryAccount& account, bool copy);

}  // namespace farfield::vtkfile
