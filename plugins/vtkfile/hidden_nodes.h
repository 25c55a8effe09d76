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

/// Numbers that are looked at when data are opened; where there are more, some may be hidden.
constexpr std::int64_t kMostLookedAt = 1 << 24;

/// Whether one number of the list has the bit. True as well where that is not known: where nothing was copied (a rehearsal), and where the list has more
/// numbers than are `left` to be looked at, which becomes less.
bool hasHidden(const VtkArray& list, std::int64_t bit, std::int64_t& left);

/// The blanking (int16, 0 or 1) of a block of `nodes`, or of the centres of its cells (`ofCells`). A node is blank where it is hidden or all
/// cells around it are; a cell where it is hidden or a node of it is. `lists`: one per step.
arrays::ComputedArray hiddenNodes(std::vector<HiddenLists> lists, const Index3& nodes, bool ofCells);

}  // namespace farfield::vtkfile
