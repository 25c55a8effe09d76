#pragma once
// Sample data as files, streamed in slabs of fixed size, whatever the size of the data.

#include <filesystem>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/paging/box_reader.h"

namespace farfield::cli {

struct SampleWriting {
  std::stop_token stop;
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;  ///< in nodes
};

/// PLOT3D, C binary, little-endian, multi grid: STEM.xyz (with iblank where the sample has it) and STEM.q, or
/// STEM_0000.q … for several steps. Returns the names. Throws Io, Cancelled.
std::vector<std::filesystem::path> writePlot3dSample(const paging::BoxReader& sample,
                                                     const std::filesystem::path& stem,
                                                     const SampleWriting& writing);

/// Plain numbers, little-endian, components interleaved, i fastest, no header: a file per block, array and
/// step, STEM[_bN]_ARRAY[_0000].raw. Returns the names. Throws Io, Cancelled.
std::vector<std::filesystem::path> writeRawSample(const paging::BoxReader& sample,
                                                  const std::filesystem::path& stem,
                                                  const SampleWriting& writing);

}  // namespace farfield::cli
