#pragma once
// A store of one regular block is also a VTKHDF ImageData: VTK and ParaView open it if they have its codec
// (gzip and none always; zstd and lz4 with HDF5's plug-ins).
//
// Format: VTK's "VTKHDF" file format, ImageData. With one time step it is version 1.0, whose arrays have no
// time axis: the pages are entered in additional datasets, so that they are in the file once and listed
// twice. With several steps it is version 2.0, and the arrays are hard links.

#include "core/paging/writing/hdf5_objects.h"

namespace farfield::paging::detail {

bool isVtkImage(const DatasetDescription& description);

/// Adds the group VTKHDF to `file`, which has /farfield already.
void writeVtkImage(PlacedFile& placed, hid_t file, const Catalog& catalog, const Journal& journal);

}  // namespace farfield::paging::detail
