#pragma once
// VTK's unstructured grids: lists of cells by their points, from legacy or XML files, as the input of an
// arranged mesh. The shapes and their numbers: VTK User's Guide, "VTK File Formats"; vtkCellType.h.
//
// Quadratic cells and those of higher order are read by their corners. Polyhedra are cut in tetrahedra from their
// lowest point to the triangles of their faces, each cut from its lowest point, so that neighbours agree. Cells
// without a volume are left out.

#include <memory>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/data/mesh_data.h"
#include "core/paging/arranging/mesh_input.h"
#include "plugins/vtkfile/displaced_mesh.h"
#include "plugins/vtkfile/vtk_grid.h"

namespace farfield::vtkfile {

/// What an unstructured data set is made of.
struct VtkMeshData {
  std::shared_ptr<const paging::MeshInput> input;
  std::vector<double> times;
  std::vector<std::string> explain;
};

/// From unstructured grids, one per step, on the points and cells of the first. Throws Unsupported if the grid
/// changes, Corrupt.
VtkMeshData meshOf(std::vector<VtkGrid> grids, const std::vector<std::string>& files);

/// The data of all steps, each with the files that its values come from, opened: on one grid, or where cells change on a grid for each.
/// `options` without what the grids say: times and explanation. Nodes are moved as `displacement` says. Throws what meshOf, displace and
/// openMesh throw.
std::unique_ptr<fields::OpenData> openSteps(std::vector<VtkGrid> grids, const std::vector<std::string>& files,
                                            fields::MeshDataOptions options, MemoryAccount& account,
                                            const DisplacementOptions& displacement = {});

}  // namespace farfield::vtkfile
