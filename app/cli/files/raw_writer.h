#pragma once
// Data as plain numbers, streamed, whatever the size.

#include <filesystem>
#include <vector>

#include "core/paging/pages/box_slabs.h"

namespace farfield::cli {

/// A file per block, array and step, STEM[_bN]_ARRAY[_0000].raw.
std::vector<std::filesystem::path> rawFiles(const paging::DatasetDescription& data,
                                            const std::filesystem::path& stem);

/// Writes these files: little-endian, components interleaved, i fastest, no header. Throws Io, Cancelled.
void writeRaw(const paging::BoxReader& data, const std::filesystem::path& stem,
              const paging::SlabOptions& options);

}  // namespace farfield::cli
