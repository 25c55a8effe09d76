#pragma once
// The coarser levels of data, read from the data: what a conversion makes them of.

#include <memory>
#include <vector>

#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/coarse_levels.h"

namespace farfield::paging::detail {

/// `fine` with the arrays of `levels` levels, level 0 included: after those of a block come its arrays of
/// level 1, and so on. A value of a coarser level is made, row by row, of the rows of the data that it needs,
/// through buffers of 64 KiB or of a few nodes. Numbers between nodes are interpolated linearly; integers are
/// those of the nearest node, and a node of a blanking array is blank if one of those around it is. A ComponentReader
/// where `fine` is one. `fine` outlives it.
std::unique_ptr<BoxReader> makeCoarseReader(const BoxReader& fine, int levels);

}  // namespace farfield::paging::detail
