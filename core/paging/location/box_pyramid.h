#pragma once
// The whole location pyramid of a block in memory, for data opened in place.

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/location/cell_boxes.h"
#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/description.h"

namespace farfield::paging {

struct BoxPyramid {
  std::vector<Index3> dims;                  ///< entries per axis of each level
  std::vector<std::vector<CellBox>> levels;  ///< i fastest; empty for a block without cells along an axis
  MemoryClaim claim;                         ///< for the levels
};

/// Reads the coordinates and iblank (if the block has it) of `block` at `step` once, in windows of a few MiB
/// (at least one group of cells), on `threads`. Throws OverBudget, Cancelled, Invalid if the block has no
/// coordinates, and what the reader throws.
BoxPyramid buildBoxPyramid(const BoxReader& reader, int block, std::int64_t step, MemoryAccount& account,
                           tasks::LoopThreads& threads, std::stop_token stop = {});

/// The least memory with which buildBoxPyramid works for `block` of `data`; 0 if there is nothing to build.
std::uint64_t leastPyramidBytes(const DatasetDescription& data, int block);

/// Appends the levels above level 0 until one has a single entry, for a block of `cells` cells.
void finishPyramid(const Index3& cells, BoxPyramid& pyramid);

}  // namespace farfield::paging
