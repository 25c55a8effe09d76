#pragma once
// The cells that a sampler used last. A step of an integrator goes back and forth between a few cells.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace farfield::fields {

constexpr std::int64_t kNoCell = -1;

/// Up to `count` cells. `Cell` has a member `number`, kNoCell while it holds no cell.
template <class Cell, std::size_t count>
class RecentCells {
 public:
  /// Cell `number`, and whether it is new: then it replaces another one, whose data its caller clears. Valid
  /// until `count` - 1 other cells were asked for.
  std::pair<Cell*, bool> find(std::int64_t number) {
    if (m_cells[m_latest].number == number) return {&m_cells[m_latest], false};
    for (std::size_t n = 1; n < count; ++n) {
      const std::size_t at = (m_latest + n) % count;
      if (m_cells[at].number != number) continue;
      m_latest = at;
      return {&m_cells[at], false};
    }
    // the cell before the latest in the ring: the oldest one if cells are made in turn
    m_latest = (m_latest + count - 1) % count;
    m_cells[m_latest].number = number;
    return {&m_cells[m_latest], true};
  }
  void forget() {
    for (Cell& cell : m_cells) cell.number = kNoCell;
  }
  auto begin() { return m_cells.begin(); }
  auto end() { return m_cells.end(); }

 private:
  std::array<Cell, count> m_cells;
  std::size_t m_latest = 0;
};

}  // namespace farfield::fields
