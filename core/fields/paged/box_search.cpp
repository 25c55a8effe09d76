#include "core/fields/paged/box_search.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/fields/cells/trilinear.h"
#include "core/paging/location/cell_boxes.h"

namespace farfield::fields {
namespace {
constexpr int kBoxComponents = 6;

}  // namespace

Index3 cellAt(const paging::BlockDescription& block, std::int64_t number) {
  return unlinear(number, block.cellDims());
}

Vec3 xiAlongAxes(const paging::BlockDescription& block, Vec3 xi) {
  const int flat = block.isUnstructured() ? -1 : paging::flatAxis(block.dims);
  if (flat == 0) return {xi.z, xi.x, xi.y};
  return flat == 1 ? Vec3{xi.x, xi.z, xi.y} : xi;
}

BoxSearch::BoxSearch(PagedData& data, tasks::TaskContext& context, int block)
    // one page at a time, whatever the plan's mode: every reservation includes its frame
    : m_cursor(data.cache(), context, paging::GatherMode::Copying),
      m_cells(data.description().blocks[static_cast<std::size_t>(block)].cellDims()) {
  while (true) {
    const int handle = data.handle(block, paging::ArrayRole::LocationBounds, static_cast<int>(m_levels));
    if (handle < 0) break;
    m_cursor.bind(static_cast<std::uint32_t>(handle));
    ++m_levels;
  }
  for (std::size_t level = 0; level < m_levels; ++level)
    m_nextLevels.push_back(m_cursor.bindNextStep(static_cast<int>(level)));
}

void BoxSearch::gather(int slot, const IndexBox& groups, std::vector<double>& boxes) {
  boxes.resize(static_cast<std::size_t>(product(groups.size) * kBoxComponents));
  const paging::GatherTarget target{slot, boxes.data()};
  m_cursor.gather(groups, {&target, 1});
}

/// Appends the `groups` of a level whose bounds are `wanted`.
template <class Wanted>
void BoxSearch::read(std::size_t level, const IndexBox& groups, const Wanted& wanted,
                     std::vector<Group>& found) {
  gather(static_cast<int>(level), groups, m_boxes);
  if (const int next = m_nextLevels[level]; m_time.readsNext() && next != static_cast<int>(level)) {
    gather(next, groups, m_nextBoxes);
    for (std::size_t n = 0; n < m_boxes.size(); ++n)
      m_boxes[n] = (1 - m_time.weight) * m_boxes[n] + m_time.weight * m_nextBoxes[n];
  }
  const double* box = m_boxes.data();
  Index3 at;
  for (at[2] = groups.first[2]; at[2] < groups.first[2] + groups.size[2]; ++at[2])
    for (at[1] = groups.first[1]; at[1] < groups.first[1] + groups.size[1]; ++at[1])
      for (at[0] = groups.first[0]; at[0] < groups.first[0] + groups.size[0];
           ++at[0], box += kBoxComponents) {
        const Bounds bounds{{box[0], box[1], box[2]}, {box[3], box[4], box[5]}};
        if (wanted(bounds)) found.push_back({at, bounds});
      }
}

/// The groups in `group` of the level above; `dims` is the size of their level.
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
    CellGroup cells{{}, group.bounds};
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

void BoxSearch::turnTo(FieldTime time) {
  if (time.step != m_time.step) m_cursor.setStep(time.step);
  m_time = time;
}

std::vector<CellGroup> BoxSearch::candidates(Vec3 point, FieldTime time) {
  turnTo(time);
  const auto mayHold = [point](const Bounds& bounds) { return boundsMayHold(bounds, point); };
  std::vector<Group> groups, next;
  if (m_levels > 0) read(m_levels - 1, {{0, 0, 0}, dimsOf(m_levels - 1)}, mayHold, groups);
  for (std::size_t level = m_levels - 1; level-- > 0 && !groups.empty();) {
    next.clear();
    for (const Group& group : groups) read(level, childrenOf(group.at, dimsOf(level)), mayHold, next);
    groups.swap(next);
  }
  return cellsOf(groups);
}

std::vector<CellGroup> BoxSearch::listedGroups(std::int64_t first, std::int64_t count, FieldTime time,
                                               const std::function<bool(const Bounds&)>& wanted) {
  turnTo(time);
  // a block of less than a group's cells has no level 1
  const std::size_t level = m_levels > 1 ? 1 : 0;
  const std::int64_t each = level == 1 ? kListedCells : kCellsPerGroup;
  std::vector<Group> groups;
  const std::int64_t from = first / each, to = (first + count + each - 1) / each;
  read(
      level, {{from, 0, 0}, {to - from, 1, 1}},
      [&](const Bounds& bounds) { return !bounds.empty() && wanted(bounds); }, groups);
  std::vector<CellGroup> found;
  found.reserve(groups.size());
  for (const Group& group : groups) {
    const std::int64_t cell = group.at[0] * each;
    found.push_back({{{cell, 0, 0}, {std::min(each, m_cells[0] - cell), 1, 1}}, group.bounds});
  }
  return found;
}

std::vector<CellGroup> BoxSearch::groupsIn(const Index3& at, FieldTime time,
                                           const std::function<bool(const Bounds&)>& wanted) {
  turnTo(time);
  const auto isWanted = [&](const Bounds& bounds) { return !bounds.empty() && wanted(bounds); };
  std::vector<Group> groups;
  if (m_levels > 1) {
    read(1, {at, {1, 1, 1}}, isWanted, groups);
    if (groups.empty()) return {};
    groups.clear();
  }
  read(0, childrenOf(at, dimsOf(0)), isWanted, groups);
  return cellsOf(groups);
}

}  // namespace farfield::fields
