#pragma once
// One pass over the coordinates of a block that is opened as it is: its bounds and its location pyramid. How
// long data take to open is how long this takes, so where the reader keeps components apart each is read for
// itself, in the order of the file, by several threads, and no number is moved more than once.

#include <stop_token>

#include "core/base/geometry.h"
#include "core/base/memory_account.h"
#include "core/paging/location/box_pyramid.h"
#include "core/paging/pages/box_reader.h"
#include "core/tasks/loop_threads.h"

namespace farfield::paging {

struct CoordinateScan {
  Bounds bounds;       ///< of the nodes whose three coordinates are finite, blank ones too
  BoxPyramid pyramid;  ///< as buildBoxPyramid makes it
};

/// Of `block`, which has coordinates, at `step`. Claims what buildBoxPyramid claims, and more where there is room.
/// Throws as it does.
CoordinateScan scanCoordinates(const BoxReader& reader, int block, std::int64_t step, MemoryAccount& account,
                               tasks::LoopThreads& threads, std::stop_token stop = {});

/// The same bounds alone, of array `xyz`. Throws Cancelled and what the reader throws.
Bounds nodeBounds(const BoxReader& reader, std::uint32_t xyz, std::int64_t step, std::stop_token stop = {});

}  // namespace farfield::paging
