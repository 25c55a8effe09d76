#include "core/fields/unstructured_field_group.h"

#include <algorithm>
#include <cmath>

#include "core/fields/unstructured_map.h"

namespace farfield::fields {

UnstructuredFieldGroup::UnstructuredFieldGroup(int block, PagedData& data, tasks::TaskContext& context,
                                               const SurfaceFunctions& functions,
                                               std::span<const double> values, std::int64_t step)
    : m_values(values),
      m_outputs(static_cast<std::size_t>(functions.shown.outputCount())),
      m_cursor(data.cache(), context, data.plan().mode),
      m_slots(data.bind(m_cursor, block, *functions.all)),
      m_bySlots(slotsOf(functions.by, *functions.all, m_slots)),
      m_shownSlots(slotsOf(functions.shown, *functions.all, m_slots)),
      m_by(functions.by),
      m_shownFunctions(functions.shown),
      m_cells(block, data, m_cursor) {
  m_cursor.setStep(step);
  m_by.bind(m_cursor, m_bySlots);
  m_shownFunctions.bind(m_cursor, m_shownSlots);
  // A surface of values that differ by cell has cracks where they jump; they are where the values say.
  m_shared = !m_by.differByCell() && !m_shownFunctions.differByCell();
  m_field.resize(kMostListedNodes);
  m_xyz.resize(3 * kMostListedNodes);
  m_shown.resize(m_outputs * kMostListedNodes);
  m_usable.resize(kMostListedNodes);
  m_gradients.resize(kMostListedNodes);
}

std::uint64_t UnstructuredFieldGroup::bytesFor(const SurfaceFunctions& functions) {
  return sizeof(UnstructuredFieldGroup) +
         kMostListedNodes *
             ((1 + 3 + static_cast<std::uint64_t>(functions.shown.outputCount())) * sizeof(double) + 1 +
              sizeof(Vec3)) +
         ListedCells::bytesFor() + ListedFunctions::bytesFor(functions.by) +
         ListedFunctions::bytesFor(functions.shown);
}

CellCorners UnstructuredFieldGroup::cornersOf(const GroupCell& cell) const {
  CellCorners corners;
  for (std::size_t c = 0; c < corners.size(); ++c) corners[c] = point(cell.nodes[c]);
  return corners;
}

bool UnstructuredFieldGroup::open(const CellGroup& group) {
  m_cells.open(m_cursor, group.cells.first[0], group.cells.size[0], m_shared);
  m_cells.gatherPoints(m_cursor, m_slots.xyz, m_xyz);
  m_by.compute(m_cursor, m_bySlots, m_cells, m_xyz, m_field);
  for (std::size_t n = 0; n < m_cells.nodes.size(); ++n)
    m_usable[n] = std::isfinite(m_field[n]) && isFinite(point(n));
  bool cut = false;
  for (const double value : m_values) forEachCut(value, [&](const GroupCell&, unsigned) { cut = true; });
  if (!cut) return false;
  findGradients();
  if (m_outputs > 0) m_shownFunctions.compute(m_cursor, m_shownSlots, m_cells, m_xyz, m_shown);
  return true;
}

void UnstructuredFieldGroup::findGradients() {
  std::fill_n(m_gradients.begin(), m_cells.nodes.size(), Vec3{});
  for (const GroupCell& cell : m_cells.cells) {
    paging::CellNodes nodes;
    CellCorners values;
    for (std::size_t c = 0; c < nodes.size(); ++c) {
      nodes[c] = cell.nodes[c];
      values[c] = {m_field[cell.nodes[c]], 0, 0};
    }
    const UnstructuredShape shape = paging::shapeOf(nodes);
    const Vec3 middle = centreOf(shape);
    const auto j = vectorIn(shape, cornersOf(cell)).pointAt(middle).jacobian;
    const auto slope = vectorIn(shape, values).pointAt(middle).jacobian;
    // the gradient times the volume
    const Vec3 gradient =
        slope[0].x * cross(j[1], j[2]) + slope[1].x * cross(j[2], j[0]) + slope[2].x * cross(j[0], j[1]);
    if (!isFinite(gradient)) continue;
    const Vec3 outwards = dot(j[0], cross(j[1], j[2])) < 0 ? -gradient : gradient;
    for (const std::uint8_t corner : paging::ownCorners(shape)) {
      Vec3& sum = m_gradients[cell.nodes[corner]];
      sum = sum + outwards;
    }
  }
}

bool UnstructuredFieldGroup::isLeftHanded(const GroupCell& cell) const {
  paging::CellNodes nodes;
  for (std::size_t c = 0; c < nodes.size(); ++c) nodes[c] = cell.nodes[c];
  const UnstructuredShape shape = paging::shapeOf(nodes);
  const auto j = vectorIn(shape, cornersOf(cell)).pointAt(centreOf(shape)).jacobian;
  return dot(j[0], cross(j[1], j[2])) < 0;
}

}  // namespace farfield::fields
