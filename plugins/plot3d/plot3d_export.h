#pragma once
// Writes any data with coordinates and conserved variables as PLOT3D files, streamed, at any size.

#include <filesystem>
#include <vector>

#include "core/paging/pages/box_slabs.h"

namespace farfield::plot3d {

/// STEM.xyz, then STEM.q, or STEM_0000.q … for several steps.
std::vector<std::filesystem::path> plot3dFiles(const paging::DatasetDescription& data,
                                               const std::filesystem::path& stem);

/// Writes `data`, whose blocks all have "xyz" and "q", into these files: C binary, little-endian, multi grid,
/// in the precision of block 0's xyz, with iblank if block 0 has it; the attributes "mach.0", … become the
/// headers. Throws Io, Cancelled.
void writePlot3d(const paging::BoxReader& data, const std::filesystem::path& stem,
                 const paging::SlabOptions& options = {});

}  // namespace farfield::plot3d
