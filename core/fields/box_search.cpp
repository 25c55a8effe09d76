#include "core/fields/box_search.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/fields/trilinear.h"
#include "core/paging/boxes/cell_boxes.h"

namespace farfield::fields {
namespace {
constexpr int kBoxComponents = 6;

}  // namespace

Index3 cellAt(const Index3& nodes, std::int64_t number) {
  return unlinear(number, paging::cellDims(nodes));
}

BoxSearch::BoxSearch(PagedData& data, tasks::TaskContext& context, int block, std::int64_t step)
    : m_data(data), m_context(context), m_step(step) {
  const Index3& dims = data.description().blocks[static_cast<std::size_t>(block)].dims;
  m_cells = paging::cellDims(dims);
  for (int level = 0;; ++level) {
    const int handle = data.handle(block, "boxes" + std::to_string(level));
    if (handle < 0) break;
    m_levels.push_back(static_cast<std::uint32_t>(handle));
  }
}

/// Binds the boxes of one level to a cursor and returns their slot.
int BoxSearch::bind(paging::Cursor& cursor, std::size_t level) const {
  cursor.unbind();
  const int slot = cursor.bind(m_levels[level]);
  cursor.setStep(m_step);
  return slot;
}

/// Appends those of `groups`, of the level that is bound, whose box is `wanted`.
void BoxSearch::read(paging::Cursor& cursor, int slot, const IndexBox& groups,
                     const std::function<bool(const Bounds&)>& wanted, std::vector<Group>& found) {
  m_boxes.resize(static_cast<std::size_t>(product(groups.size) * kBoxComponents));
  const paging::GatherTarget target{slot, m_boxes.data()};
  cursor.gather(groups, {&target, 1});
  for (std::int64_t n = 0; n < product(groups.size); ++n) {
    const double* const box = m_boxes.data() + n * kBoxComponents;
    const Bounds bounds{{box[0], box[1], box[2]}, {box[3], box[4], box[5]}};
    if (!wanted(bounds)) continue;
    const Index3 at = unlinear(n, groups.size);
    found.push_back({{groups.first[0] + at[0], groups.first[1] + at[1], groups.first[2] + at[2]}, bounds});
  }
}

/// The groups of the level of `dims` groups that make up `group` of the level above.
IndexBox BoxSearch::childrenOf(const Index3& group, const Index3& dims) {
  IndexBox children;
  for (int a = 0; a < 3; ++a) {
    children.first[a] = group[a] * kGroupsPerGroup;
    children.size[a] = std::min(kGroupsPerGroup, dims[a] - children.first[a]);
  }
  return children;
}

std::vector<CellGroup> BoxSearch::cellsOf(const std::vector<Group>& groups) const {
  std::vector<CellGroup> found;
  found.reserve(groups.size());
  for (const Group& group : groups) {
    CellGroup cells{{}, group.box};
    for (int a = 0; a < 3; ++a) {
      cells.cells.first[a] = group.at[a] * kCellsPerGroup;
      cells.cells.size[a] = std::min(kCellsPerGroup, m_cells[a] - cells.cells.first[a]);
    }
    found.push_back(cells);
  }
  std::sort(found.begin(), found.end(), [&](const CellGroup& a, const CellGroup& b) {
    return linear(a.cells.first, m_cells) < linear(b.cells.first, m_cells);
  });
  return found;
}

std::vector<CellGroup> BoxSearch::candidates(Vec3 point) {
  // One page at a time, whatever the plan's mode: its frame is part of every reservation.
  paging::Cursor cursor(m_data.pool(), m_context, paging::GatherMode::Copying);
  const auto mayHold = [point](const Bounds& box) { return boxMayHold(box, point); };
  std::vector<Group> groups(1), next;
  for (std::size_t level = m_levels.size(); level-- > 0;) {
    const Index3& dims = m_data.pool().array(m_levels[level]).layout.dims();
    const int slot = bind(cursor, level);
    next.clear();
    for (const Group& group : groups)
      read(cursor, slot,
           level + 1 == m_levels.size() ? IndexBox{{0, 0, 0}, dims} : childrenOf(group.at, dims), mayHold,
           next);
    groups.swap(next);
  }
  return cellsOf(groups);
}

std::vector<CellGroup> BoxSearch::groupsIn(const Index3& at,
                                           const std::function<bool(const Bounds&)>& wanted) {
  paging::Cursor cursor(m_data.pool(), m_context, paging::GatherMode::Copying);
  const auto isWanted = [&](const Bounds& box) { return !box.empty() && wanted(box); };
  std::vector<Group> groups;
  if (m_levels.size() > 1) {
    read(cursor, bind(cursor, 1), {at, {1, 1, 1}}, isWanted, groups);
    if (groups.empty()) return {};
    groups.clear();
  }
  const Index3& dims = m_data.pool().array(m_levels[0]).layout.dims();
  read(cursor, bind(cursor, 0), childrenOf(at, dims), isWanted, groups);
  return cellsOf(groups);
}

}  // namespace farfield::fields
