#pragma once
// One pass over the coordinates of a block that is opened in place: its bounds and its location pyramid. It
// takes most of the time of opening, so if the reader stores components separately each is read by itself, in
// the order of the file, by several threads, and every number is copied once at most.

#include <stop_token>

#include "core/base/geometry.h"
#include "core/base/memory_account.h"
#include "core/paging/location/box_pyramid.h"
#include "core/paging/pages/box_reader.h"
#include "core/tasks/loop_threads.h"

namespace farfield::paging {

struct CoordinateScan {
  Bounds bounds;       ///< of the nodes whose three coordinates are finite, blank ones included
  BoxPyramid pyramid;  ///< as buildBoxPyramid makes it
};

/// Of `block`, which has coordinates, at `step`. Claims what buildBoxPyramid claims, and more if there is
/// room. Throws as it does.
CoordinateScan scanCoordinates(const BoxReader& reader, int block, std::int64_t step, MemoryAccount& account,
                               tasks::LoopThreads& threads, std::stop_token stop = {});

/// The same bounds alone, of array `xyz`. Throws Cancelled and what the reader throws.
Bounds nodeBounds(const BoxReader& reader, std::uint32_t xyz, std::int64_t step, std::stop_token stop = {});

}  // namespace farfield::paging
