// Cells of structured blocks for many paths at once.

#include <algorithm>

#include "core/fields/structured_sampler.h"

namespace farfield::fields {

void StructuredSampler::takeCell(std::int32_t block, std::int64_t number, std::int64_t step,
                                 CellBetween& cell, std::span<double> values) {
  turnTo(block, {step, 0, true});
  const RecentCell& found = withValues(number);
  cell.block = block;
  cell.number = number;
  cell.at = found.at;
  cell.cells = m_cells;
  cell.moves = moves();
  cell.searched = !cell.moves && this->block().kind == paging::GridKind::Curvilinear;
  if (cell.searched) {
    cell.map = withGrid(number).map;
  } else {
    const auto maps = mapsTowardNext(found);
    cell.map = TrilinearMap(maps[0], {});
    cell.nextMap = maps[1];
  }
  cell.blank = isBlank(number);
  std::copy_n(m_values.data() + found.firstValue, 16 * m_functions->outputCount(), values.data());
}

}  // namespace farfield::fields
