#pragma once
// The steps of a CGNS file (BaseIterativeData_t, ZoneIterativeData_t): their times, and which grids and solutions of a zone belong
// to which.

#include "plugins/cgns/cgns_zones.h"

namespace farfield::cgns {

/// Sets the times of `base`: those of the file if they ascend, else the numbers of the steps; one step if it has none, or as many
/// as there are solutions with numbered names in its first zone. Throws Corrupt.
void readTimes(const Tree& tree, Base& base);

/// The coordinates of a zone at each step, or once. Throws Corrupt if there are none.
std::vector<const Node*> gridsOf(const Tree& tree, const Base& base, const Node& zone,
                                 std::vector<std::string>& notes);

/// Solutions of one kind: one for each step, or one for all.
using SolutionSteps = std::vector<const Node*>;
/// Those of a zone at vertices or cells.
std::vector<SolutionSteps> solutionsOf(const Tree& tree, const Base& base, const Node& zone, bool onCells,
                                       std::vector<std::string>& notes);

}  // namespace farfield::cgns
