#pragma once
// Where the last nodes of structured blocks repeat the value of the node beside them. Values of cells are known at centres of cells;
// blocks reach to the ends of the grid by nodes there that have the value of the cell beside (cell_samples.h, and amr_boxes.h at the
// border of the data). Such an end says nothing of how values change: differences leave it out.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::paging {
struct DatasetDescription;
}

namespace farfield::fields {

struct RepeatedEnds {
  std::array<bool, 3> low{}, high{};  ///< along i, j and k

  /// The first and the last node along an axis that are no such ends.
  std::int64_t first(std::size_t axis) const { return low[axis] ? 1 : 0; }
  std::int64_t last(const Index3& dims, std::size_t axis) const { return dims[axis] - (high[axis] ? 2 : 1); }
  /// The node whose value, and whose derivatives, node `at` has: itself, or beside an end the next one.
  Index3 owner(const Index3& dims, Index3 at) const {
    for (std::size_t a = 0; a < 3; ++a) at[a] = std::clamp(at[a], first(a), last(dims, a));
    return at;
  }
};

/// Those of a block of the data, whose bounds are `all`.
RepeatedEnds repeatedEndsOf(const paging::DatasetDescription& data, int block, const Bounds& all);

/// Whether there may be any: then no node on a face of a block has the value that is there, on a wall say.
bool mayRepeatEnds(const paging::DatasetDescription& data);

}  // namespace farfield::fields
