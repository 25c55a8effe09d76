#include "core/fields/groups/unstructured_field_group.h"

#include <algorithm>
#include <cmath>

#include "core/fields/cells/unstructured_map.h"

namespace farfield::fields {

UnstructuredFieldGroup::UnstructuredFieldGroup(int block, PagedData& data, tasks::TaskContext& context,
                                               const SurfaceFunctions& functions,
                                               std::span<const double> values, std::int64_t step,
                                               OfPlace ofPlace)
    : m_values(values),
      m_ofPlace(std::move(ofPlace)),
      m_outputs(static_cast<std::size_t>(functions.shown.outputCount())),
      m_cursor(data.cache(), context, data.plan().mode),
      m_slots(data.bind(m_cursor, block, *functions.all)),
      m_bySlots(slotsOf(functions.by, *functions.all, m_slots)),
      m_shownSlots(slotsOf(functions.shown, *functions.all, m_slots)),
      m_by(functions.by),
      m_shownFunctions(functions.shown),
      m_cells(block, data, m_cursor),
      m_pieces(data, block, functions.by, step) {
  m_cursor.setStep(step);
  m_by.bind(m_cursor, m_bySlots);
  m_shownFunctions.bind(m_cursor, m_shownSlots);
  // A surface of values that differ by cell has cracks where they jump; they are where the values say.
  m_shared = !m_by.differByCell() && !m_shownFunctions.differByCell();
  m_needsPoints = m_ofPlace || functions.by.gradientCount() > 0;
  if (!m_ofPlace && !m_by.differByCell())
    for (const int slot : m_bySlots.variables) {
      const paging::PageLayout& layout = m_cursor.layout(slot);
      if (m_pages && m_pages->extent() != layout.extent()) {
        m_pages = nullptr;
        break;
      }
      m_pages = &layout;
    }
  m_ranges.reserve(kMostRanges);
  m_field.resize(kMostListedNodes);
  m_xyz.resize(3 * kMostListedNodes);
  m_shown.resize(m_outputs * kMostListedNodes);
  m_usable.resize(kMostListedNodes);
  m_gradients.resize(kMostListedNodes);
  m_kept.reserve(kMostListedCells);
}

std::uint64_t UnstructuredFieldGroup::bytesFor(const paging::DatasetDescription& description,
                                               const SurfaceFunctions& functions) {
  return PagePieces::bytesFor(description, functions.by, 2) +
         kMostRanges * sizeof(std::pair<std::int64_t, Interval>) + sizeof(UnstructuredFieldGroup) +
         kMostListedNodes *
             ((1 + 3 + static_cast<std::uint64_t>(functions.shown.outputCount())) * sizeof(double) + 1 +
              sizeof(Vec3)) +
         ListedCells::bytesFor() + kMostListedCells * sizeof(std::int64_t) +
         ListedFunctions::bytesFor(functions.by) + ListedFunctions::bytesFor(functions.shown);
}

CellCorners UnstructuredFieldGroup::cornersOf(const GroupCell& cell) const {
  CellCorners corners;
  for (std::size_t c = 0; c < corners.size(); ++c) corners[c] = point(cell.nodes[c]);
  return corners;
}

bool UnstructuredFieldGroup::meets(const Interval& range) const {
  return std::any_of(m_values.begin(), m_values.end(),
                     [&](double value) { return range.low < value && value <= range.high; });
}

/// Cells with these nodes, which ascend, as far as the ranges of the nodes' pages tell.
bool UnstructuredFieldGroup::mayBeCut(std::span<const std::int64_t> nodes) {
  if (!m_pages) return true;
  Interval all;
  std::int64_t before = -1;
  for (const std::int64_t node : nodes) {
    const std::int64_t page = m_pages->pageAlong(0, node);
    if (page == before) continue;
    before = page;
    auto known =
        std::find_if(m_ranges.begin(), m_ranges.end(), [&](const auto& each) { return each.first == page; });
    if (known == m_ranges.end()) {
      if (m_ranges.size() == kMostRanges) m_ranges.clear();
      m_ranges.emplace_back(page, m_pieces.rangeAt({node, 0, 0}));
      known = m_ranges.end() - 1;
    }
    all.low = std::min(all.low, known->second.low);
    all.high = std::max(all.high, known->second.high);
    if (meets(all)) return true;
  }
  return false;
}

void UnstructuredFieldGroup::findUsable(bool placed) {
  for (std::size_t n = 0; n < m_cells.nodes.size(); ++n)
    m_usable[n] = std::isfinite(m_field[n]) && (!placed || isFinite(point(n)));
}

bool UnstructuredFieldGroup::isCut() const {
  bool cut = false;
  for (const double value : m_values) forEachCut(value, [&](const GroupCell&, unsigned) { cut = true; });
  return cut;
}

/// The function at the nodes; of one that needs them, the points first.
void UnstructuredFieldGroup::readField() {
  if (m_needsPoints) m_cells.gatherPoints(m_cursor, m_slots.xyz, m_xyz);
  if (m_ofPlace)
    for (std::size_t n = 0; n < m_cells.nodes.size(); ++n) m_field[n] = m_ofPlace(point(n));
  else
    m_by.compute(m_cursor, m_bySlots, m_cells, m_xyz, m_field);
  findUsable(false);
}

bool UnstructuredFieldGroup::open(const CellGroup& group) {
  m_cells.open(m_cursor, group.cells.first[0], group.cells.size[0], m_shared);
  if (!mayBeCut(m_cells.nodes)) return false;
  readField();
  if (!isCut()) return false;
  if (!m_needsPoints) m_cells.gatherPoints(m_cursor, m_slots.xyz, m_xyz);
  findUsable(true);
  if (!isCut()) return false;
  findGradients();
  if (m_outputs > 0) m_shownFunctions.compute(m_cursor, m_shownSlots, m_cells, m_xyz, m_shown);
  return true;
}

/// Of cells that share no nodes, those that may be cut; false if there are none.
bool UnstructuredFieldGroup::keepPossible() {
  m_kept.clear();
  std::size_t first = 0;
  for (std::size_t n = 0; n < m_cells.cells.size(); ++n) {
    std::size_t end = first;
    while (end < m_cells.nodes.size() && m_cells.cellOfNode[end] == n) ++end;
    if (mayBeCut(std::span(m_cells.nodes).subspan(first, end - first))) m_kept.push_back(m_cells.numbers[n]);
    first = end;
  }
  if (m_kept.empty()) return false;
  if (m_kept.size() < m_cells.cells.size()) m_cells.openEach(m_cursor, m_kept);
  return true;
}

/// What is at the nodes of each cell, `each` numbers a node, continued linearly to where its nodes are when it is enlarged.
void UnstructuredFieldGroup::enlarge(double scale, std::size_t each, std::vector<double>& ofNodes) const {
  std::size_t first = 0;
  for (std::size_t n = 0; n < m_cells.cells.size(); ++n) {
    std::size_t end = first;
    while (end < m_cells.nodes.size() && m_cells.cellOfNode[end] == n) ++end;
    for (std::size_t v = 0; v < each; ++v) {
      double middle = 0;
      for (std::size_t node = first; node < end; ++node) middle += ofNodes[node * each + v];
      middle /= static_cast<double>(end - first);
      for (std::size_t node = first; node < end; ++node)
        ofNodes[node * each + v] = middle + scale * (ofNodes[node * each + v] - middle);
    }
    first = end;
  }
}

bool UnstructuredFieldGroup::openEnlarged(std::span<const std::int64_t> cells, double scale) {
  m_cells.openEach(m_cursor, cells);
  if (!keepPossible()) return false;
  readField();
  enlarge(scale, 1, m_field);
  if (!isCut()) return false;
  if (!m_needsPoints) m_cells.gatherPoints(m_cursor, m_slots.xyz, m_xyz);
  findUsable(true);
  if (!isCut()) return false;
  if (m_outputs > 0) {
    m_shownFunctions.compute(m_cursor, m_shownSlots, m_cells, m_xyz, m_shown);
    enlarge(scale, m_outputs, m_shown);
  }
  enlarge(scale, 3, m_xyz);
  findGradients();
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
