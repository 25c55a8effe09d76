// Cells of structured blocks for many paths at once.

#include <algorithm>

#include "core/fields/paged/structured_sampler.h"

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

bool StructuredSampler::onlyValuesChange() const {
  const BlockSlots &now = m_slots[0], &next = m_slots[1];
  bool allChange = true;
  for (std::size_t n = 0; n < now.variables.size(); ++n)
    allChange = allChange && now.variables[n] != next.variables[n];
  return allChange && !moves() && now.iblank == next.iblank;
}

std::span<const double> StructuredSampler::nextValues(std::int32_t block, std::int64_t number,
                                                      std::int64_t step) {
  turnTo(block, {step, 0, true});
  if (!onlyValuesChange()) return {};
  const RecentCell& found = recent(number);
  const auto count = static_cast<std::size_t>(8 * m_functions->outputCount());
  double* const next = m_values.data() + static_cast<std::size_t>(found.firstValue) + count;
  if (found.hasValues) return {next, count};
  if (m_functions->gradientCount() > 0) {
    const IndexBox corners = nodesOf({found.at, {1, 1, 1}});
    m_boxFunctions.compute(m_cursor, m_slots[1], this->block(), corners, {next, m_flat ? count / 2 : count});
    if (m_flat) std::copy_n(next, count / 2, next + count / 2);
  } else {
    const std::size_t arrays = m_variableComponents.size();
    gatherCorners(found.at, std::span<const paging::GatherTarget>(m_targets).last(arrays), {});
    computeCorners(m_inputs.data() + 8 * static_cast<std::size_t>(m_functions->inputCount()), next);
  }
  return {next, count};
}

}  // namespace farfield::fields
