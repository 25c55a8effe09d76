#pragma once
// Faces of an unstructured block as a patch of a surface. Each face has nodes of its own, so that it is flat
// shaded and values on cells stay apart. Private to the folder.

#include <span>
#include <vector>

#include "core/extract/face_links.h"
#include "core/extract/surface_patch.h"
#include "core/fields/functions/functions.h"
#include "core/fields/paged/listed_cells.h"
#include "core/fields/paged/paged_data.h"

namespace farfield::extract::detail {

/// Memory of a reader for `count` faces at a time, beside the patch.
std::uint64_t listedFacesBytes(const fields::FunctionPlan& functions, std::int64_t count);

/// Belongs to one task.
class FaceReader {
 public:
  /// Of faces of `block`; `functions` outlive it.
  FaceReader(int block, fields::PagedData& data, tasks::TaskContext& context,
             const fields::FunctionPlan& functions, std::int64_t step);
  /// The faces {first, 0, 0} … of `faces`. Throws what gathering throws, Corrupt.
  FacePatch read(const IndexBox& faces);
  /// Their corners alone, as node numbers. Throws the same.
  std::vector<FaceCorners> corners(const IndexBox& faces);
  /// Where nodes of the block are.
  std::vector<Vec3> points(std::span<const std::int64_t> nodes);

 private:
  /// As stored: a cell and four corners of each.
  std::vector<double> numbersOf(const IndexBox& faces);

  const paging::BlockDescription& m_grid;
  const fields::FunctionPlan& m_functions;
  paging::Cursor m_cursor;
  fields::BlockSlots m_slots;
  int m_facesSlot, m_cellsSlot;
  fields::ListedFunctions m_values;
};

}  // namespace farfield::extract::detail
