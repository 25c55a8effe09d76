#pragma once
// Where a line will be some cells later, told from where it was: for Cursor::prefetchCell.

#include <cstddef>
#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::paging {

/// Where a line came into its last cell. A value.
class LineTrail {
 public:
  /// How far ahead, in cells: how long memory takes, and how far a line is as good as straight.
  static constexpr double kAhead = 8;

  /// Goes on to `position` (in index space: node (i, j, k) is at i, j, k), in a cell other than the one
  /// before, and gives the cell that comes kAhead cells later if all goes on as from that one to this. It may
  /// lie outside the block; and anywhere, at the first position of a line.
  Index3 goOn(const Vec3& position) {
    Index3 ahead;
    for (std::size_t a = 0; a < 3; ++a)
      ahead[a] = static_cast<std::int64_t>(position[a] + kAhead * (position[a] - m_last[a]));
    m_last = position;
    return ahead;
  }

 private:
  Vec3 m_last;
};

}  // namespace farfield::paging
