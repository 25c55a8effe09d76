#pragma once
// Data as plain numbers, streamed, whatever the size.

#include <filesystem>
#include <vector>

#include "core/paging/pages/box_slabs.h"

namespace farfield::cli {

/// Little-endian, components interleaved, i fastest, no header: a file per block, array and step,
/// STEM[_bN]_ARRAY[_0000].raw. Returns the names. Throws Io, Cancelled.
std::vector<std::filesystem::path> writeRaw(const paging::BoxReader& data, const std::filesystem::path& stem,
                                            const paging::SlabOptions& options);

}  // namespace farfield::cli
