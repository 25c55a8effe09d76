#pragma once
// Where a line will be some cells later, told from where it was: for Cursor::prefetchCell.

#include <array>
#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::paging {

/// The last cells of a line. A value.
class CellTrail {
 public:
  /// How far ahead, in cells: how long memory takes, and how far a line is as good as straight.
  static constexpr std::int64_t kAhead = 6;

  /// Goes on to `cell`, and gives the one that comes kAhead cells later if all goes on as in as many before.
  /// It may lie outside the block. `cell` itself where no line from there comes so far: a line has begun
  /// anew.
  Index3 goOn(const Index3& cell) {
    Index3& oldest = m_cells[m_turn];
    m_turn = m_turn + 1 < m_cells.size() ? m_turn + 1 : 0;
    Index3 step;
    bool anew = false;
    for (std::size_t a = 0; a < 3; ++a) {
      step[a] = cell[a] - oldest[a];
      oldest[a] = cell[a];
      // One comparison for both ends; and no branches, which a processor could only guess.
      anew |= static_cast<std::uint64_t>(step[a] + kAhead) > 2 * kAhead;
    }
    const std::int64_t on = anew ? 0 : 1;
    return {cell[0] + on * step[0], cell[1] + on * step[1], cell[2] + on * step[2]};
  }

 private:
  std::array<Index3, kAhead> m_cells{};  ///< in turn
  std::size_t m_turn = 0;                ///< the oldest of them
};

}  // namespace farfield::paging
