#pragma once
// Computes the coarser levels of data from the data, for conversion.

#include <memory>
#include <vector>

#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/coarse_levels.h"

namespace farfield::paging::detail {

/// `fine` with the arrays of `levels` levels, level 0 included: after a block's arrays come its arrays of
/// level 1, and so on. Values of a coarser level are computed row by row from the rows that they need,
/// through buffers of 64 KiB or of a few nodes. Between nodes numbers are interpolated linearly, integers are
/// those of the nearest node, and blanking is blank if a node around is. A ComponentReader if `fine` is one.
/// `fine` outlives it.
std::unique_ptr<BoxReader> makeCoarseReader(const BoxReader& fine, int levels);

}  // namespace farfield::paging::detail
