#pragma once
// Slices: where a plane cuts the cells of all blocks, as triangles with the plane's normal and function
// values. The points where the plane crosses a cell's edges are joined as in cell_contour.h. Values are
// interpolated linearly along the edges, which equals trilinear interpolation there. Cells with a blanked
// node (iblank 0) or a node with a coordinate that is not finite are left out, as everywhere.
//
// A node on the plane (plane.h) counts as above it, on the side of the normal. So if the plane coincides with
// a sheet of nodes, that sheet is the slice once, made by the cells below it. Only if no data lie below the
// plane, nodes on it count as below and the cells above make the sheet, so that a plane on the boundary of
// the data shows the boundary, on whichever side it is.
// So does one that is beside it within rounding (face_plane.h). Of data that move it is the boundary at the step.
//
// The work is cut into the tasks and groups of cell_groups.h, whose bounds tell which of them the plane can
// meet; of the others nothing is read. In a group that is cut, functions are read only at the nodes of cut
// cells. None of this depends on how data are paged.

#include <cstdint>

#include "core/extract/grid_surface.h"
#include "core/extract/overlaps.h"
#include "core/extract/plane.h"
#include "core/fields/groups/field_group.h"

namespace farfield::extract {

/// A plane through all blocks of a data set. Immutable.
class Slice {
 public:
  /// Throws Invalid if no block has cells with a volume.
  Slice(const paging::DatasetDescription& description, const Plane& plane, Overlaps overlaps = Overlaps::All);

  const Plane& plane() const { return m_plane; }
  std::size_t taskCount() const { return m_tasks.count(); }
  /// Computes part `number` of the slice, in patches of that number, each complete in itself; one task's
  /// work. Points on the border of two patches are in both, with equal values. Throws what gathering throws.
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
               const fields::FunctionPlan& functions, std::int64_t step, SurfaceSink& sink) const;
  /// The same of every n-th node or cell (coarse_surface.h), with the values of `functions.shown`.
  void extractCoarsely(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       const fields::SurfaceFunctions& functions, std::int64_t step, SurfaceSink& sink) const;
  /// The n of that for nodes; 0: there is none.
  std::int64_t coarseStride() const;

 private:
  std::size_t tasksMet() const;

  Plane m_plane;
  Bounds m_bounds;  ///< of all steps
  fields::CellTasks m_tasks;
  double m_side = 1;  ///< -1: nodes on the plane count as below it
  Overlaps m_overlaps;
};

/// Bytes that Slice::extract() needs per task for `functions`, for the memory plan.
std::uint64_t sliceTaskBytes(const fields::FunctionPlan& functions, Overlaps overlaps = Overlaps::All);

}  // namespace farfield::extract
