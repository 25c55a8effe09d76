#pragma once
// The cells of an unstructured block as VTK lists them: types, corners, and where the corners of each begin.

#include "core/base/memory_account.h"
#include "core/paging/writing/hdf5_objects.h"

namespace farfield::paging::detail {

/// Adds the datasets Types, Connectivity and Offsets, and NumberOfCells and NumberOfConnectivityIds, to `group`.
/// Reads array number `array` of the catalog, which is in the file already, page by page. Cells without a volume whose upper corners
/// are the lower ones are triangles and quadrilaterals. Throws Io, Corrupt, OverBudget.
void writeVtkCells(PlacedFile& placed, hid_t group, const Catalog& catalog, std::uint32_t array,
                   const Journal& journal, MemoryAccount& account);

}  // namespace farfield::paging::detail
