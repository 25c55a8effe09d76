#pragma once
// Hidden points and cells of structured grids of VTK, as blanking.

#include <optional>
#include <vector>

#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkfile {

/// Bits of kGhostName: points and cells that are not shown.
constexpr std::int64_t kHiddenPoint = 2, kHiddenCell = 32;

/// kGhostName of the nodes and of the cells of one step.
struct HiddenLists {
  std::optional<arrays::PlacedArray> points, cells;
};

/// Whether one number of the list has the bit; true where nothing was copied (a rehearsal). Reads all of it.
bool hasHidden(const VtkArray& list, std::int64_t bit);

/// The blanking (int16, 0 or 1) of a block of `nodes`, or of the centres of its cells (`ofCells`). A node is blank where it is hidden or all
/// cells around it are; a cell where it is hidden or a node of it is. `lists`: one per step.
arrays::ComputedArray hiddenNodes(std::vector<HiddenLists> lists, const Index3& nodes, bool ofCells);

}  // namespace farfield::vtkfile
