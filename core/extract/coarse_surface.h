#pragma once
// What slices and isosurfaces look like before their cells are cut: the same surface through every n-th node
// (fields/groups/coarse_group.h), in unstructured blocks through every n-th cell, enlarged (fields/groups/unstructured_field_group.h). It is for who watches: a window shows it at once, and puts the surface itself in its place, task by
// task, as it is computed. Files never have it.

#include <cstdint>
#include <span>

#include "core/extract/grid_surface.h"
#include "core/fields/groups/coarse_group.h"

namespace farfield::extract {

/// The n of which so many tasks of 32³ cells take some hundredths of a second of a processor: a power of two up to 32. 0 where
/// there are so few that the surface itself is as soon there.
std::int64_t coarseStride(std::size_t tasks);
/// The same for the cells of unstructured blocks, any number from 8 on.
std::int64_t coarseCellStride(std::size_t tasks);

/// A coarse surface, of all tasks alike.
struct CoarseCut {
  std::int64_t stride = 0;                    ///< of nodes along each axis, or of cells
  std::span<const double> values;             ///< ascending
  fields::CoarseGroup::OfPlace ofPlace = {};  ///< empty: of `functions.by`
};

/// Passes the triangles of `cells` of a structured block to `sink`, as patches `number`; one task's work. A node's values are
/// those of `functions.shown`, then, of surfaces of a function, the value whose surface it is on. Throws what gathering throws.
void cutCoarsely(const CoarseCut& cut, int block, const IndexBox& cells, std::size_t number,
                 fields::PagedData& data, tasks::TaskContext& context,
                 const fields::SurfaceFunctions& functions, std::int64_t step, SurfaceSink& sink);
/// The same of the cells of `groups` of an unstructured block.
void cutListedCoarsely(const CoarseCut& cut, int block, std::span<const fields::CellGroup> groups,
                       std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                       const fields::SurfaceFunctions& functions, std::int64_t step, SurfaceSink& sink);
/// Memory of that.
std::uint64_t coarseBytes(const paging::DatasetDescription& description,
                          const fields::SurfaceFunctions& functions);

}  // namespace farfield::extract
