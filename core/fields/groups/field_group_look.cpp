// Which groups of a task a surface may cut, before any of them is read closely.

#include <algorithm>

#include "core/fields/functions/group_finder.h"
#include "core/fields/groups/field_group.h"

namespace farfield::fields {
namespace {

IndexBox nodesOf(const IndexBox& cells) {
  return {cells.first, {cells.size[0] + 1, cells.size[1] + 1, cells.size[2] + 1}};
}

/// The cells of `groups`, and those between them.
IndexBox boxAround(const std::vector<CellGroup>& groups) {
  IndexBox cells = groups.front().cells;
  for (const CellGroup& group : groups)
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t end =
          std::max(cells.first[a] + cells.size[a], group.cells.first[a] + group.cells.size[a]);
      cells.first[a] = std::min(cells.first[a], group.cells.first[a]);
      cells.size[a] = end - cells.first[a];
    }
  return cells;
}

/// `cells` with their nodes, and one more node on each side if there is one.
IndexBox grownNodes(const IndexBox& cells, const Index3& dims) {
  IndexBox nodes;
  for (std::size_t a = 0; a < 3; ++a) {
    nodes.first[a] = std::max<std::int64_t>(0, cells.first[a] - 1);
    nodes.size[a] = std::min(dims[a], cells.first[a] + cells.size[a] + 2) - nodes.first[a];
  }
  return nodes;
}

}  // namespace

void FieldGroup::keepPossible(std::vector<CellGroup>& groups) {
  m_pieces.open(grownNodes(boxAround(groups), m_grid.dims));
  // groups tell more than pages, and are one look-up
  if ((isStored() || isBounded()) && keepFoundPossible(groups)) return;
  keepKnownPossible(groups);
  if (!groups.empty() && isStored()) keepSeenPossible(groups);
}

void FieldGroup::keepKnownPossible(std::vector<CellGroup>& groups) {
  std::erase_if(groups, [&](const CellGroup& group) {
    Interval all;
    m_pieces.forEach(nodesOf(group.cells), [&](std::size_t piece, const IndexBox&) {
      const Interval& range = m_pieces.range(piece);
      all.low = std::min(all.low, range.low);
      all.high = std::max(all.high, range.high);
    });
    return !meets(all);
  });
}

/// Whether ranges of what the function is computed from, in which there may be NaN, say anything about it: if not even those of one
/// number do, nothing does.
bool FieldGroup::isBounded() const {
  const FunctionPlan& by = m_functions.by;
  if (by.gradientCount() > 0 || by.outputCount() != 1) return false;
  const std::vector<Interval> inputs(static_cast<std::size_t>(by.inputCount()), Interval{1, 1, true});
  Interval range;
  by.bound(inputs, {&range, 1});
  return range.low > -Interval::kInfinity || range.high < Interval::kInfinity;
}

/// False if the data do not know groups.
bool FieldGroup::keepFoundPossible(std::vector<CellGroup>& groups) {
  const auto* const finder = dynamic_cast<const GroupFinder*>(&m_data.data());
  if (!finder) return false;
  Index3 box = groups.front().cells.first;
  for (std::int64_t& along : box) along /= kCellsPerGroup * kGroupsPerGroup;
  std::vector<paging::GroupExtremes> found;
  const auto find = [&](std::uint32_t array, int component) {
    const auto its =
        finder->findGroups(array, component, m_step, box, [this] { m_context.throwIfGivenUp(); });
    if (its) found.push_back(*its);
    return its.has_value();
  };
  const FunctionPlan& by = m_functions.by;
  found.reserve(isStored() ? 1 : static_cast<std::size_t>(by.inputCount()));
  for (const std::string& name : by.arrays()) {
    const auto array = static_cast<std::uint32_t>(m_data.description().find(m_block, name));
    const int end = isStored() ? m_component + 1 : m_data.description().arrays[array].components;
    for (int c = isStored() ? m_component : 0; c < end; ++c)
      if (!find(array, c)) return false;
  }
  std::vector<Interval> inputs(found.size());
  std::erase_if(groups, [&](const CellGroup& group) {
    Index3 at = group.cells.first;
    for (std::int64_t& along : at) along = along / kCellsPerGroup % kGroupsPerGroup;
    const auto n = static_cast<std::size_t>(linear(at, {kGroupsPerGroup, kGroupsPerGroup, kGroupsPerGroup}));
    // what is not a number is not in the ranges
    for (std::size_t input = 0; input < found.size(); ++input)
      inputs[input] = {found[input].low[n], found[input].high[n], true};
    if (isStored()) return !meets(inputs.front());
    Interval range;
    by.bound(inputs, {&range, 1});
    return !meets(range);
  });
  return true;
}

/// Every piece whose range meets a value is read for some of the groups that are left, so this reads no others.
void FieldGroup::keepSeenPossible(std::vector<CellGroup>& groups) {
  const IndexBox cells = boxAround(groups);
  m_groupRanges.open(cells);
  const int slot = m_bySlots.variables.front();
  m_pieces.forEach(nodesOf(cells), [&](std::size_t piece, const IndexBox& part) {
    const Interval range = m_pieces.range(piece);
    if (!meets(range)) {
      if (!range.empty()) m_groupRanges.add(part, range.low);
      return;
    }
    m_cursor.visitPages(slot, part, [&](const paging::PagePart& page) {
      const std::int64_t row = page.components * page.page.size[0];
      m_groupRanges.add(page.nodes, {page.data, page.type, page.first() + m_component, page.components, row,
                                     row * page.page.size[1]});
    });
    m_pieces.learn(piece, m_cursor, m_bySlots.variables);
  });
  std::erase_if(groups, [&](const CellGroup& group) { return !meets(m_groupRanges.of(group)); });
}

}  // namespace farfield::fields
