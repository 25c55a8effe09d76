#pragma once
// Any data with coordinates and conserved variables as PLOT3D files, streamed, whatever the size.

#include <filesystem>
#include <vector>

#include "core/paging/pages/box_slabs.h"

namespace farfield::plot3d {

/// Writes `data`, whose blocks all have "xyz" and "q": C binary, little-endian, multi grid, in the precision
/// of block 0's xyz. STEM.xyz (with iblank where block 0 has it) and STEM.q, or STEM_0000.q … for several
/// steps; the attributes "mach.0", … become the headers. Returns the names, the grid first. Throws Io,
/// Cancelled.
std::vector<std::filesystem::path> writePlot3d(const paging::BoxReader& data,
                                               const std::filesystem::path& stem,
                                               const paging::SlabOptions& options = {});

}  // namespace farfield::plot3d
