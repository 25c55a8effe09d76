#pragma once
// Blanking of sheets of nodes of an adaptive grid's boxes. What finer boxes cover is blanked by the nodes in the middles of cells
// (plugins/amr), so a sheet between cells, as the ends of a box are, has no blanked nodes of its own, though its cells are covered.
//
// Private to the folder.

#include <span>

#include "core/fields/paged/paged_data.h"

namespace farfield::extract::detail {

/// Blanks the nodes of `sheet`, one thick along `axis`, beside which all nodes are blank, those between the middles of covered
/// cells; only of adaptive grids. `iblank` is what the sheet has itself. May stop the task; throws what gathering throws.
void blankCovered(paging::Cursor& cursor, const fields::BlockSlots& slots,
                  const paging::DatasetDescription& description, int block, const IndexBox& sheet, int axis,
                  std::span<double> iblank);

}  // namespace farfield::extract::detail
