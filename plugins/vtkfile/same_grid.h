#pragma once
// Whether two steps of an unstructured grid have the same cells, and the same points: they are compared where they are not
// read from the same places.

#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkfile {

/// Whether both have as many points, and cells of the same types between the same numbers of points. Waits. Throws Io, Corrupt.
bool sameCells(const VtkGrid& a, const VtkGrid& b);
/// Whether the points of both, of which there are as many, are at the same places. Waits. Throws Io, Corrupt.
bool samePoints(const VtkGrid& a, const VtkGrid& b);

}  // namespace farfield::vtkfile
