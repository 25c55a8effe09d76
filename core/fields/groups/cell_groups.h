#pragma once
// All cells of a data set, a group at a time, for algorithms that go over cells, such as slices. The data are
// divided into tasks, and these into groups of a few hundred neighbouring cells. The nodes of a group are
// numbered from 0, and its cells refer to these numbers; how cells are numbered in the data, and whether they
// form rows, is hidden. None of it depends on how the data are paged.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "core/fields/functions/box_functions.h"
#include "core/fields/paged/box_search.h"
#include "core/fields/paged/listed_cells.h"

namespace farfield::fields {

/// Some cells of a group; from GroupReader.
class CellPart {
  friend class GroupReader;
  explicit CellPart(const IndexBox& cells) : m_cells(cells) {}
  IndexBox m_cells;
};

/// How the cells that have a volume are divided into tasks. Immutable.
class CellTasks {
 public:
  static constexpr std::int64_t kMostGroups = kGroupsPerGroup * kGroupsPerGroup * kGroupsPerGroup;

  explicit CellTasks(const paging::DatasetDescription& description);
  std::size_t count() const { return m_firstTask.back(); }
  int blockOf(std::size_t task) const;
  /// Whether the task's block is there at `step`: of grids that change a task of others has nothing to do.
  bool isThere(std::size_t task, std::int64_t step) const;
  /// The groups of a task whose bounds are `wanted`, in an order in which pages are soon used again. Location
  /// bounds are looked up; in blocks without them every group has the bounds of the block. May stop the task;
  /// throws what gathering throws. Takes groupBytes() of memory.
  std::vector<CellGroup> groups(std::size_t task, PagedData& data, tasks::TaskContext& context,
                                std::int64_t step, const std::function<bool(const Bounds&)>& wanted) const;
  /// All groups of a task (at most kMostGroups), in that order, without looking bounds up; never waits.
  std::vector<CellGroup> allGroups(std::size_t task, const paging::DatasetDescription& description) const;
  static std::uint64_t groupBytes();
  /// The cells of a task of the block `grid`; of an unstructured one along the first axis.
  IndexBox cellsOf(std::size_t task, const paging::BlockDescription& grid) const;

 private:
  std::vector<std::size_t> m_firstTask;               ///< of each block, and the end
  std::vector<std::array<std::int64_t, 2>> m_blocks;  ///< of each block its steps; empty: all
};

/// Reads the groups of one block, one after the other. Belongs to one task. Functions that gather may stop
/// the task, and throw what gathering throws.
class GroupReader {
 public:
  static constexpr std::size_t kMostNodes =
      (kCellsPerGroup + 1) * (kCellsPerGroup + 1) * (kCellsPerGroup + 1);

  /// `functions` outlives it.
  GroupReader(int block, PagedData& data, tasks::TaskContext& context, const FunctionPlan& functions,
              std::int64_t step);
  static std::uint64_t bytesFor(const FunctionPlan& functions);

  /// Selects `group`, and gathers the coordinates of its nodes.
  void open(const CellGroup& group);
  std::size_t nodeCount() const {
    return m_listed ? m_listed->nodes.size() : static_cast<std::size_t>(product(m_nodes.size));
  }
  Vec3 point(std::size_t node) const { return {m_xyz[3 * node], m_xyz[3 * node + 1], m_xyz[3 * node + 2]}; }

  /// Gives the pages back that it holds, of a structured block: what it read stays. For who reads with another cursor before the
  /// next group.
  void letPagesGo();

  CellPart whole() const { return CellPart(m_cells); }
  /// Calls `visit(GroupCell)` for the cells of `part`, always in the same order.
  template <class Visit>
  void forEachCell(const CellPart& part, Visit visit) const {
    forEachIndexedCell(part, [&](const Index3&, const GroupCell& cell) { visit(cell); });
  }
  /// The smallest part around the cells of `part` that are `wanted(GroupCell)`; nothing if there are none.
  template <class Wanted>
  std::optional<CellPart> around(const CellPart& part, Wanted wanted) const {
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
    Index3 low{kFar, kFar, kFar}, end{0, 0, 0};
    forEachIndexedCell(part, [&](const Index3& at, const GroupCell& cell) {
      if (!wanted(cell)) return;
      for (std::size_t a = 0; a < 3; ++a) {
        low[a] = std::min(low[a], at[a]);
        end[a] = std::max(end[a], at[a] + 1);
      }
    });
    if (low[0] == kFar) return std::nullopt;
    return CellPart({low, {end[0] - low[0], end[1] - low[1], end[2] - low[2]}});
  }
  /// For a part of more than one cell.
  std::array<CellPart, 2> halves(const CellPart& part) const;

  bool hasBlanks() const { return m_slots.iblank >= 0; }
  /// Calls `blank(node)` for the blanked nodes around `part`.
  void findBlanks(const CellPart& part, const std::function<void(std::size_t)>& blank);
  /// Gathers the functions at the nodes around `part`.
  void gatherValues(const CellPart& part);
  /// Values at a node around that part: FunctionPlan::outputCount() of them.
  const double* values(std::size_t node) const;

 private:
  template <class Visit>
  void forEachIndexedCell(const CellPart& part, Visit visit) const {
    const IndexBox& box = part.m_cells;
    if (m_listed) {
      for (std::int64_t n = box.first[0]; n < box.first[0] + box.size[0]; ++n)
        visit(Index3{n, 0, 0}, m_listed->cells[static_cast<std::size_t>(n - m_cells.first[0])]);
      return;
    }
    const std::int64_t row = m_nodes.size[0], layer = row * m_nodes.size[1];
    GroupCell cell;
    Index3 at;
    for (at[2] = box.first[2]; at[2] < box.first[2] + box.size[2]; ++at[2])
      for (at[1] = box.first[1]; at[1] < box.first[1] + box.size[1]; ++at[1])
        for (at[0] = box.first[0]; at[0] < box.first[0] + box.size[0]; ++at[0]) {
          const std::int64_t low = at[0] - m_nodes.first[0] + row * (at[1] - m_nodes.first[1]) +
                                   layer * (at[2] - m_nodes.first[2]);
          for (std::int64_t corner = 0; corner < 8; ++corner)
            cell.nodes[static_cast<std::size_t>(corner)] = static_cast<std::uint16_t>(
                low + (corner & 1) + (corner >> 1 & 1) * row + (corner >> 2) * layer);
          visit(at, cell);
        }
  }

  const paging::BlockDescription& m_grid;
  int m_block;
  PagedData& m_data;
  const FunctionPlan& m_functions;
  paging::Cursor m_cursor;
  BlockSlots m_slots;
  BoxFunctions m_boxFunctions;
  std::size_t m_outputs;
  IndexBox m_cells, m_nodes;  ///< of the group
  IndexBox m_valued;          ///< nodes that have values
  std::vector<double> m_xyz, m_iblank, m_values;
  // of an unstructured block
  std::unique_ptr<ListedCells> m_listed;
  std::unique_ptr<ListedFunctions> m_listedFunctions;
};

}  // namespace farfield::fields
