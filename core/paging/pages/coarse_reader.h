#pragma once
// The coarser levels of data, read from the data: what a conversion makes them of, and what is seen of data that
// have none.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/paging/pages/box_reader.h"
#include "core/paging/pages/coarse_levels.h"

namespace farfield::paging {

/// Which levels of what.
struct CoarseChoice {
  int first = 0;                           ///< becomes level 0 of what is read
  int levels = 1;                          ///< from there on
  std::vector<std::uint32_t> arrays = {};  ///< of the fine data; empty: all
  std::optional<std::int64_t> step = {};   ///< it alone, as the only one; none: all
};

/// `fine` with the arrays of some levels: after those of a block at level `first` come its arrays of the next, and so
/// on. A value of a coarser level is made, row by row, of the rows of the data that it needs, through buffers of 64 KiB
/// or of a few nodes; where the data are computed, of the nodes that it needs. Numbers between nodes are interpolated
/// linearly; integers are those of the nearest node, and a node of a blanking array is blank if one of those around it
/// is. A ComponentReader where `fine` is one; of a LatticeReader the nodes of a box that is read are read together, which takes
/// up to eight times the memory of the box. Surfaces with names are left out above level 0.
std::unique_ptr<BoxReader> makeCoarseReader(std::shared_ptr<const BoxReader> fine,
                                            const CoarseChoice& choice);

}  // namespace farfield::paging
