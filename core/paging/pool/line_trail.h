#pragma once
// Where a line will be some cells later, told from where it was: for Cursor::prefetchCell.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::paging {

/// Where a line came into its last cell. A value.
class LineTrail {
 public:
  /// How far ahead, in cells: how long memory takes, and how far a line is as good as straight.
  static constexpr double kAhead = 8;
  /// Cells along an axis: who has gone farther from one cell to the next is not on a line, or on a new one.
  static constexpr double kFarthest = 4;

  /// Goes on to `position` (in index space: node (i, j, k) is at i, j, k), in a cell other than the one
  /// before, and gives the cell that comes kAhead cells later if all goes on as from that one to this. It may
  /// lie outside the block. The cell of `position` itself where the line has begun anew.
  Index3 goOn(const Vec3& position) {
    const Vec3 way = position - m_last;
    m_last = position;
    const double farthest = std::max({std::abs(way.x), std::abs(way.y), std::abs(way.z)});
    const Vec3 ahead = position + (farthest > kFarthest ? 0 : kAhead) * way;
    return {static_cast<std::int64_t>(ahead.x), static_cast<std::int64_t>(ahead.y),
            static_cast<std::int64_t>(ahead.z)};
  }

 private:
  Vec3 m_last;
};

}  // namespace farfield::paging
