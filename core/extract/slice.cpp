#include "core/extract/slice.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/extract/slice_group.h"
#include "core/fields/node_coordinates.h"

namespace farfield::extract {
namespace {

constexpr std::int64_t kTaskCells = Slice::kTaskCells;
static_assert(kTaskCells == fields::kCellsPerGroup * fields::kGroupsPerGroup);
constexpr std::int64_t kGroupsPerTask =
    fields::kGroupsPerGroup * fields::kGroupsPerGroup * fields::kGroupsPerGroup;

/// Of cells with a volume; 0 along an axis of one node.
Index3 cellsOf(const Index3& nodes) {
  return {nodes[0] - 1, nodes[1] - 1, nodes[2] - 1};
}

Index3 tasksOf(const Index3& nodes) {
  const Index3 cells = cellsOf(nodes);
  Index3 tasks{0, 0, 0};
  if (cells[0] < 1 || cells[1] < 1 || cells[2] < 1) return tasks;
  for (std::size_t a = 0; a < 3; ++a) tasks[a] = (cells[a] - 1) / kTaskCells + 1;
  return tasks;
}

/// Of nodes of a regular block.
Bounds boundsOf(const paging::BlockDescription& grid, const IndexBox& cells) {
  Bounds bounds;
  Index3 end = cells.first;
  for (std::size_t a = 0; a < 3; ++a) end[a] += cells.size[a];
  for (const Index3& corner : {cells.first, end}) bounds.add(fields::regularNode(grid, corner));
  return bounds;
}

/// The groups of a task's cells in a regular block, or in one without stored boxes.
std::vector<fields::CellGroup> groupsByArithmetic(const paging::BlockDescription& grid, const IndexBox& cells,
                                                  const Plane& plane) {
  std::vector<fields::CellGroup> groups;
  const bool regular = grid.kind == paging::GridKind::Regular;
  if (regular && !plane.mayMeet(boundsOf(grid, cells))) return groups;
  Index3 at;
  for (at[2] = 0; at[2] < cells.size[2]; at[2] += fields::kCellsPerGroup)
    for (at[1] = 0; at[1] < cells.size[1]; at[1] += fields::kCellsPerGroup)
      for (at[0] = 0; at[0] < cells.size[0]; at[0] += fields::kCellsPerGroup) {
        fields::CellGroup group;
        for (std::size_t a = 0; a < 3; ++a) {
          group.cells.first[a] = cells.first[a] + at[a];
          group.cells.size[a] = std::min(fields::kCellsPerGroup, cells.size[a] - at[a]);
        }
        group.box = regular ? boundsOf(grid, group.cells) : grid.bounds;
        if (plane.mayMeet(group.box)) groups.push_back(group);
      }
  return groups;
}

/// Along a curve that stays near where it was (Morton's order), so that pages are used again soon whatever
/// their size.
int placeOnCurve(const IndexBox& cells) {
  int place = 0;
  for (int a = 0; a < 3; ++a) {
    const auto group = static_cast<int>(cells.first[static_cast<std::size_t>(a)] / fields::kCellsPerGroup %
                                        fields::kGroupsPerGroup);
    place |= (group & 1) << a | (group >> 1) << (a + 3);
  }
  return place;
}

}  // namespace

Slice::Slice(const paging::DatasetDescription& description, const Plane& plane) : m_plane(plane) {
  Bounds bounds;
  m_firstTask.push_back(0);
  for (const paging::BlockDescription& block : description.blocks) {
    bounds.add(block.bounds);
    m_firstTask.push_back(m_firstTask.back() + static_cast<std::size_t>(product(tasksOf(block.dims))));
  }
  if (taskCount() == 0)
    throw Invalid("the data are one sheet of nodes, which has no inside", "show it as a grid-surface");
  if (plane.isBelow(bounds)) m_side = -1;
}

std::uint64_t sliceTaskBytes(const fields::FunctionPlan& functions) {
  // While boxes are looked up, they and the groups found are there once more.
  return detail::SliceGroup::bytesFor(functions) +
         kGroupsPerTask * (3 * sizeof(fields::CellGroup) + 6 * sizeof(double));
}

void Slice::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                    const fields::FunctionPlan& functions, std::int64_t step, SurfaceSink& sink) const {
  const auto block = static_cast<std::size_t>(
      std::upper_bound(m_firstTask.begin(), m_firstTask.end(), number) - m_firstTask.begin() - 1);
  const paging::BlockDescription& grid = data.description().blocks[block];
  const Index3 place = unlinear(static_cast<std::int64_t>(number - m_firstTask[block]), tasksOf(grid.dims));
  IndexBox cells;
  for (std::size_t a = 0; a < 3; ++a) {
    cells.first[a] = place[a] * kTaskCells;
    cells.size[a] = std::min(kTaskCells, cellsOf(grid.dims)[a] - cells.first[a]);
  }

  std::vector<fields::CellGroup> groups;
  {
    fields::BoxSearch boxes(data, context, static_cast<int>(block));
    groups = grid.kind == paging::GridKind::Curvilinear && boxes.available()
                 ? boxes.groupsIn(place, {step}, [&](const Bounds& box) { return m_plane.mayMeet(box); })
                 : groupsByArithmetic(grid, cells, m_plane);
  }
  if (groups.empty()) return;
  std::sort(groups.begin(), groups.end(), [](const fields::CellGroup& a, const fields::CellGroup& b) {
    return placeOnCurve(a.cells) < placeOnCurve(b.cells);
  });
  const auto group = std::make_unique<detail::SliceGroup>(m_plane, m_side, static_cast<int>(block), data,
                                                          context, functions, step);
  for (const fields::CellGroup& each : groups) {
    context.throwIfGivenUp();
    group->cut(each.cells, number, sink);
  }
}

}  // namespace farfield::extract
