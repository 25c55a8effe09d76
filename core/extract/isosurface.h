#pragma once
// Isosurfaces: where a function has some values, as triangles with normals and the values of other functions. In each cell
// the surface of a value crosses edges at points, which are joined as cell_contour.h says; where on an edge a point
// lies follows from the function's values at its ends, linear between them, as the field is along edges. A point is computed
// from the end below to the end above, so all cells that share an edge, in whatever group, page or block with a
// matching face, agree on it to the last bit, and the surface has no cracks.
//
// A node that has the value counts as above it. Triangles that collapse there are left out; what is left has no cracks.
// Where the function has the value in whole cells, the surface is their border with what is less.
//
// Normals are the function's gradient, normalized (field_group.h): they point to larger values, and seen from there
// triangles turn left. Cells with a blanked node (iblank 0) or a value that is not finite are left out.
//
// The work is cut into the tasks and groups of cell_groups.h; what is read of them says field_group.h. None of what
// comes out depends on how data are paged, or on what is known of pages beforehand.

#include <cstdint>
#include <vector>

#include "core/extract/grid_surface.h"
#include "core/fields/field_group.h"

namespace farfield::extract {

/// Surfaces of one or several values in all blocks of a data set. Immutable.
class Isosurface {
 public:
  /// `values` in any order; one that is there twice counts once. Throws Invalid when no block has cells with a volume.
  Isosurface(const paging::DatasetDescription& description, std::vector<double> values);

  /// Ascending.
  const std::vector<double>& values() const { return m_values; }
  std::size_t taskCount() const { return m_tasks.count(); }
  /// Computes part `number`, in patches of that number, each of one value and complete in itself; one task's work. A
  /// node's values are those of `functions.shown`, then the value whose surface it is on. Points on the border of two patches are
  /// in both, at the same place. Throws what gathering throws.
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
               const fields::SurfaceFunctions& functions, std::int64_t step, SurfaceSink& sink) const;

 private:
  std::vector<double> m_values;
  fields::CellTasks m_tasks;
};

/// Bytes that Isosurface::extract() needs per task, for the memory plan.
std::uint64_t isosurfaceTaskBytes(const paging::DatasetDescription& description,
                                  const fields::SurfaceFunctions& functions);

}  // namespace farfield::extract
