#pragma once
// A store's grids as VTKHDF data sets, for stores that other programs are to open (an image needs no asking,
// vtk_image.h). Pages are not written again: datasets list them a second time, or are hard links.
//
// One unstructured block is an UnstructuredGrid. VTK wants the values of all steps in one row, and lets the
// steps begin anywhere in it: so a step begins with a chunk, and what lies between the last node of one
// and the first of the next is the padding of a page. Only the lists of cells are written for VTK, because it numbers
// corners in another order: 33 bytes a cell before compression.
//
// Structured blocks are a StructuredGrid or RectilinearGrid, several are a MultiBlockDataSet of them.

#include "core/base/memory_account.h"
#include "core/paging/writing/hdf5_objects.h"

namespace farfield::paging::detail {

/// Whether writeVtkGrid() has a form for it.
bool isVtkGrid(const DatasetDescription& description);

/// Adds the group VTKHDF to `file`, which has /farfield already. Throws Io, OverBudget.
void writeVtkGrid(PlacedFile& placed, hid_t file, const Catalog& catalog, const Journal& journal,
                  MemoryAccount& account);

}  // namespace farfield::paging::detail
