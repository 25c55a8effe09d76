#pragma once
// Isosurfaces: where a function has given values, as triangles with normals and the values of other
// functions. In each cell the surface of a value crosses edges at points, which are joined as in
// cell_contour.h. The point on an edge is interpolated linearly between the function's values at its ends. It
// is computed from the end below to the end above, so all cells that share an edge, in whatever group, page
// or block with a matching face, get exactly the same point, and the surface has no cracks.
//
// A node that has exactly the value counts as above it. Triangles that collapse there are left out, which
// makes no cracks. If the function has the value in whole cells, the surface is their border with lower
// values.
//
// Normals are the function's normalized gradient (field_group.h): they point to larger values, and triangles
// are counter-clockwise seen from there. Cells with a blanked node (iblank 0) or a value that is not finite
// are left out.
//
// The work is cut into the tasks and groups of cell_groups.h; field_group.h describes what is read. The
// result does not depend on how data are paged, or on which ranges of pages are known.

#include <cstdint>
#include <vector>

#include "core/extract/coarse_surface.h"
#include "core/extract/grid_surface.h"
#include "core/extract/overlaps.h"
#include "core/fields/groups/field_group.h"

namespace farfield::extract {

/// Surfaces of one or several values in all blocks of a data set. Immutable.
class Isosurface {
 public:
  /// `values` in any order; duplicates count once. Throws Invalid if no block has cells with a volume.
  Isosurface(const paging::DatasetDescription& description, std::vector<double> values,
             Overlaps overlaps = Overlaps::All);

  /// Ascending.
  const std::vector<double>& values() const { return m_values; }
  std::size_t taskCount() const { return m_tasks.count(); }
  /// Computes part `number`, in patches of that number, each of one value and complete in itself; one task's
  /// work. A node's values are those of `functions.shown`, then the value whose surface it is on. Points on
  /// the border of two patches are in both, at exactly the same position. Throws what gathering throws.
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
               const fields::SurfaceFunctions& functions, std::int64_t step, SurfaceSink& sink) const;
  /// The same of every n-th node or cell (coarse_surface.h).
  void extractCoarsely(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       const fields::SurfaceFunctions& functions, std::int64_t step, SurfaceSink& sink) const;
  /// The n of that for nodes; 0: there is none.
  std::int64_t coarseStride() const { return extract::coarseStride(taskCount()); }

 private:
  std::vector<double> m_values;
  fields::CellTasks m_tasks;
  Overlaps m_overlaps;
};

/// Bytes that Isosurface::extract() needs per task, for the memory plan.
std::uint64_t isosurfaceTaskBytes(const paging::DatasetDescription& description,
                                  const fields::SurfaceFunctions& functions,
                                  Overlaps overlaps = Overlaps::All);

}  // namespace farfield::extract
