#pragma once
// How the cells of all blocks of a data set are cut into bricks for lines on a device, and how bricks are numbered: block
// after block, i fastest.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/geometry.h"
#include "core/paging/pages/description.h"

namespace farfield::opencl {

class LineGrid {
 public:
  /// Bricks have `edge` cells along each axis.
  LineGrid(const paging::DatasetDescription& data, std::int64_t edge) : m_edge(edge) {
    for (const paging::BlockDescription& block : data.blocks) {
      Block cut{m_count, {}, {}};
      for (std::size_t a = 0; a < 3; ++a) {
        cut.cells[a] = std::max<std::int64_t>(0, block.dims[a] - 1);
        cut.bricks[a] = (cut.cells[a] + edge - 1) / edge;
      }
      m_count += product(cut.bricks);
      m_blocks.push_back(cut);
    }
  }

  std::int64_t edge() const { return m_edge; }
  /// Of all blocks.
  std::int64_t count() const { return m_count; }
  const Index3& cells(int block) const { return m_blocks[static_cast<std::size_t>(block)].cells; }
  /// The brick that holds a cell.
  std::int64_t brickOf(int block, const Index3& cell) const {
    const Block& cut = m_blocks[static_cast<std::size_t>(block)];
    return cut.first + linear({cell[0] / m_edge, cell[1] / m_edge, cell[2] / m_edge}, cut.bricks);
  }

  struct Brick {
    int block = 0;
    IndexBox cells;  ///< of the block
  };
  Brick brick(std::int64_t number) const {
    const Place place = placeOf(number);
    const Block& cut = m_blocks[place.block];
    Brick brick{static_cast<int>(place.block), {}};
    for (std::size_t a = 0; a < 3; ++a) {
      brick.cells.first[a] = place.at[a] * m_edge;
      brick.cells.size[a] = std::min(m_edge, cut.cells[a] - brick.cells.first[a]);
    }
    return brick;
  }
  /// The brick behind face 2a (lower) or 2a + 1 (upper) of axis a; -1 where the block ends there.
  std::int64_t neighbour(std::int64_t number, int face) const {
    const Place place = placeOf(number);
    const Block& cut = m_blocks[place.block];
    Index3 at = place.at;
    const auto axis = static_cast<std::size_t>(face / 2);
    at[axis] += face % 2 == 1 ? 1 : -1;
    if (at[axis] < 0 || at[axis] >= cut.bricks[axis]) return -1;
    return cut.first + linear(at, cut.bricks);
  }

 private:
  struct Block {
    std::int64_t first = 0;  ///< number of its first brick
    Index3 cells, bricks;
  };
  struct Place {
    std::size_t block = 0;
    Index3 at;
  };
  Place placeOf(std::int64_t number) const {
    const auto behind = std::upper_bound(m_blocks.begin(), m_blocks.end(), number,
                                         [](std::int64_t n, const Block& block) { return n < block.first; });
    const auto block = static_cast<std::size_t>(behind - m_blocks.begin() - 1);
    return {block, unlinear(number - m_blocks[block].first, m_blocks[block].bricks)};
  }

  const std::int64_t m_edge;
  std::int64_t m_count = 0;
  std::vector<Block> m_blocks;
};

}  // namespace farfield::opencl
