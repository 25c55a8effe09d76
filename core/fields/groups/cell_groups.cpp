#include "core/fields/groups/cell_groups.h"

#include <algorithm>

#include "core/base/index_walk.h"
#include "core/fields/functions/node_coordinates.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::fields {
namespace {

constexpr std::int64_t kTaskCells = kCellsPerGroup * kGroupsPerGroup;  // along each axis

/// Number of cells along each axis; 0 along an axis of one node.
Index3 cellsOf(const Index3& nodes) {
  return {nodes[0] - 1, nodes[1] - 1, nodes[2] - 1};
}

/// Cells of a task of an unstructured block.
constexpr std::int64_t kListedTaskCells = kListedCells * CellTasks::kMostGroups;

Index3 tasksOf(const paging::BlockDescription& grid) {
  if (grid.isUnstructured()) return {(grid.cells - 1) / kListedTaskCells + 1, 1, 1};
  const Index3 cells = cellsOf(grid.dims);
  Index3 tasks{0, 0, 0};
  if (cells[0] < 1 || cells[1] < 1 || cells[2] < 1) return tasks;
  for (std::size_t a = 0; a < 3; ++a) tasks[a] = (cells[a] - 1) / kTaskCells + 1;
  return tasks;
}

IndexBox nodesOf(const IndexBox& cells) {
  return {cells.first, {cells.size[0] + 1, cells.size[1] + 1, cells.size[2] + 1}};
}

/// For nodes of a regular or rectilinear block.
Bounds boundsOf(const paging::BlockDescription& grid, const IndexBox& cells) {
  Bounds bounds;
  Index3 end = cells.first;
  for (std::size_t a = 0; a < 3; ++a) end[a] += cells.size[a];
  for (const Index3& corner : {cells.first, end}) bounds.add(regularNode(grid, corner));
  return bounds;
}

/// The groups of a task's cells in a regular or rectilinear block, or in one without location bounds.
std::vector<CellGroup> groupsByArithmetic(const paging::BlockDescription& grid, const IndexBox& cells,
                                          const std::function<bool(const Bounds&)>& wanted) {
  std::vector<CellGroup> groups;
  const bool regular = grid.kind != paging::GridKind::Curvilinear;
  if (regular && !wanted(boundsOf(grid, cells))) return groups;
  forEachPart(cells, kCellsPerGroup, [&](const IndexBox& its) {
    const CellGroup group{its, regular ? boundsOf(grid, its) : grid.bounds};
    if (wanted(group.bounds)) groups.push_back(group);
  });
  return groups;
}

/// Number along a space-filling curve (Morton's order), so that pages are soon used again, whatever their
/// size.
int numberOnCurve(const IndexBox& cells) {
  int number = 0;
  for (int a = 0; a < 3; ++a) {
    const auto group =
        static_cast<int>(cells.first[static_cast<std::size_t>(a)] / kCellsPerGroup % kGroupsPerGroup);
    number |= (group & 1) << a | (group >> 1) << (a + 3);
  }
  return number;
}

void sortOnCurve(std::vector<CellGroup>& groups) {
  std::sort(groups.begin(), groups.end(), [](const CellGroup& a, const CellGroup& b) {
    return numberOnCurve(a.cells) < numberOnCurve(b.cells);
  });
}

}  // namespace

CellTasks::CellTasks(const paging::DatasetDescription& description)
    : m_blocks(paging::stepsOfBlocks(description)) {
  m_firstTask.push_back(0);
  for (const paging::BlockDescription& block : description.blocks)
    m_firstTask.push_back(m_firstTask.back() + static_cast<std::size_t>(product(tasksOf(block))));
}

IndexBox CellTasks::cellsOf(std::size_t task, const paging::BlockDescription& grid) const {
  const std::size_t number = task - m_firstTask[static_cast<std::size_t>(blockOf(task))];
  if (grid.isUnstructured()) {
    const std::int64_t first = static_cast<std::int64_t>(number) * kListedTaskCells;
    return {{first, 0, 0}, {std::min(kListedTaskCells, grid.cells - first), 1, 1}};
  }
  const Index3 at = unlinear(static_cast<std::int64_t>(number), tasksOf(grid));
  IndexBox cells;
  for (std::size_t a = 0; a < 3; ++a) {
    cells.first[a] = at[a] * kTaskCells;
    cells.size[a] = std::min(kTaskCells, grid.dims[a] - 1 - cells.first[a]);
  }
  return cells;
}

int CellTasks::blockOf(std::size_t task) const {
  return static_cast<int>(std::upper_bound(m_firstTask.begin(), m_firstTask.end(), task) -
                          m_firstTask.begin() - 1);
}

bool CellTasks::isThere(std::size_t task, std::int64_t step) const {
  if (m_blocks.empty()) return true;
  const auto& [first, end] = m_blocks[static_cast<std::size_t>(blockOf(task))];
  return step >= first && step < end;
}

std::vector<CellGroup> CellTasks::groups(std::size_t task, PagedData& data, tasks::TaskContext& context,
                                         std::int64_t step,
                                         const std::function<bool(const Bounds&)>& wanted) const {
  if (!isThere(task, step)) return {};
  const int block = blockOf(task);
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(block)];
  const IndexBox cells = cellsOf(task, grid);
  BoxSearch boxes(data, context, block);
  if (grid.isUnstructured()) return boxes.listedGroups(cells.first[0], cells.size[0], {step}, wanted);
  const Index3 at{cells.first[0] / kTaskCells, cells.first[1] / kTaskCells, cells.first[2] / kTaskCells};
  std::vector<CellGroup> groups = grid.kind == paging::GridKind::Curvilinear && boxes.available()
                                      ? boxes.groupsIn(at, {step}, wanted)
                                      : groupsByArithmetic(grid, cells, wanted);
  sortOnCurve(groups);
  return groups;
}

std::vector<CellGroup> CellTasks::allGroups(std::size_t task,
                                            const paging::DatasetDescription& description) const {
  std::vector<CellGroup> groups;
  const paging::BlockDescription& grid = description.blocks[static_cast<std::size_t>(blockOf(task))];
  if (grid.isUnstructured()) {
    const IndexBox cells = cellsOf(task, grid);
    for (std::int64_t at = 0; at < cells.size[0]; at += kListedCells)
      groups.push_back(
          {{{cells.first[0] + at, 0, 0}, {std::min(kListedCells, cells.size[0] - at), 1, 1}}, {}});
    return groups;
  }
  forEachPart(cellsOf(task, description.blocks[static_cast<std::size_t>(blockOf(task))]), kCellsPerGroup,
              [&](const IndexBox& cells) {
                groups.push_back({cells, {}});
              });
  sortOnCurve(groups);
  return groups;
}

std::uint64_t CellTasks::groupBytes() {
  // while location bounds are looked up, there is a second copy of them and of the groups found
  return kMostGroups * (3 * sizeof(CellGroup) + 6 * sizeof(double));
}

GroupReader::GroupReader(int block, PagedData& data, tasks::TaskContext& context,
                         const FunctionPlan& functions, std::int64_t step)
    : m_grid(data.description().blocks[static_cast<std::size_t>(block)]),
      m_block(block),
      m_data(data),
      m_functions(functions),
      m_cursor(data.cache(), context, data.plan().mode),
      m_boxFunctions(functions),
      m_outputs(static_cast<std::size_t>(functions.outputCount())) {
  m_cursor.setStep(step);
  m_slots = data.bind(m_cursor, block, functions);
  m_xyz.resize(3 * kMostNodes);
  m_iblank.resize(hasBlanks() ? kMostNodes : 0);
  m_values.resize(m_outputs * kMostNodes);
  if (!m_grid.isUnstructured()) return;
  m_listedFunctions = std::make_unique<ListedFunctions>(functions);
  m_listedFunctions->bind(m_cursor, m_slots);
  m_listed = std::make_unique<ListedCells>(block, data, m_cursor);
}

std::uint64_t GroupReader::bytesFor(const FunctionPlan& functions) {
  const auto outputs = static_cast<std::uint64_t>(functions.outputCount());
  return sizeof(GroupReader) + kMostNodes * (3 + 1 + outputs) * sizeof(double) +
         std::max(
             BoxFunctions::bytesFor(functions, {kCellsPerGroup + 1, kCellsPerGroup + 1, kCellsPerGroup + 1}),
             ListedCells::bytesFor() + ListedFunctions::bytesFor(functions));
}

void GroupReader::open(const CellGroup& group) {
  m_cells = group.cells;
  if (m_listed) {
    m_listed->open(m_cursor, m_cells.first[0], m_cells.size[0], !m_listedFunctions->differByCell());
    return m_listed->gatherPoints(m_cursor, m_slots.xyz, m_xyz);
  }
  m_nodes = nodesOf(m_cells);
  gatherCoordinates(m_cursor, m_slots.xyz, m_grid, m_nodes, m_xyz);
}

void GroupReader::letPagesGo() {
  m_cursor.unbind();
  m_slots = m_data.bind(m_cursor, m_block, m_functions);
}

std::array<CellPart, 2> GroupReader::halves(const CellPart& part) const {
  const Index3& size = part.m_cells.size;
  const auto longest = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
  IndexBox low = part.m_cells, high = part.m_cells;
  low.size[longest] /= 2;
  high.first[longest] += low.size[longest];
  high.size[longest] -= low.size[longest];
  return {CellPart(low), CellPart(high)};
}

void GroupReader::findBlanks(const CellPart& part, const std::function<void(std::size_t)>& blank) {
  const IndexBox nodes = nodesOf(part.m_cells);
  const paging::GatherTarget target{m_slots.iblank, m_iblank.data()};
  m_cursor.gatherTiled(nodes, {&target, 1});
  std::size_t n = 0;
  forEachIndex(nodes, [&](const Index3& node) {
    if (m_iblank[n++] == 0) blank(numberIn(m_nodes, node));
  });
}

void GroupReader::gatherValues(const CellPart& part) {
  if (m_listed) return m_listedFunctions->compute(m_cursor, m_slots, *m_listed, m_xyz, m_values);
  m_valued = nodesOf(part.m_cells);
  m_boxFunctions.compute(
      m_cursor, m_slots, m_grid, m_valued,
      std::span(m_values).first(m_outputs * static_cast<std::size_t>(product(m_valued.size))));
}

const double* GroupReader::values(std::size_t node) const {
  if (m_listed) return m_values.data() + m_outputs * node;
  Index3 at = unlinear(static_cast<std::int64_t>(node), m_nodes.size);
  for (std::size_t a = 0; a < 3; ++a) at[a] += m_nodes.first[a];
  return m_values.data() + m_outputs * numberIn(m_valued, at);
}

}  // namespace farfield::fields
