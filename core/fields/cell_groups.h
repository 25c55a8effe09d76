#pragma once
// All cells of a data set, a group at a time: what algorithms that go over cells, such as slices, see of it.
// The data are divided into tasks, and these into groups of a few hundred cells that lie together. A group's
// nodes are numbered from 0, and its cells name them; how cells are numbered in the data, and whether they
// stand in rows, is not seen from here. None of it depends on how the data are paged.

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/fields/box_functions.h"
#include "core/fields/box_search.h"

namespace farfield::fields {

/// Says how many corners a cell has, and in which order. Hexahedron: as a gather of 2 x 2 x 2 nodes.
enum class CellShape : std::uint8_t { Hexahedron };

struct GroupCell {
  static constexpr std::size_t kMostCorners = 8;
  CellShape shape = CellShape::Hexahedron;
  std::array<std::uint16_t, kMostCorners> nodes{};  ///< of the group, by corner
};

/// Some cells of a group; from GroupReader.
class CellPart {
  friend class GroupReader;
  explicit CellPart(const IndexBox& cells) : m_cells(cells) {}
  IndexBox m_cells;
};

/// How the cells of a data set that have a volume are divided into tasks. Immutable.
class CellTasks {
 public:
  static constexpr std::int64_t kMostGroups = kGroupsPerGroup * kGroupsPerGroup * kGroupsPerGroup;

  explicit CellTasks(const paging::DatasetDescription& description);
  std::size_t count() const { return m_firstTask.back(); }
  int blockOf(std::size_t task) const;
  /// The groups of a task whose bounds are `wanted`, in an order in which pages are used again soon. Bounds
  /// are looked up where they are stored; in blocks without them every group has the block's. May stop the
  /// task; throws what gathering throws. Takes groupBytes() of memory.
  std::vector<CellGroup> groups(std::size_t task, PagedData& data, tasks::TaskContext& context,
                                std::int64_t step, const std::function<bool(const Bounds&)>& wanted) const;
  static std::uint64_t groupBytes();

 private:
  std::vector<std::size_t> m_firstTask;  ///< of each block, and one behind the last
};

/// Reads the groups of one block, one after the other. Belongs to one task. What gathers may stop the task,
/// and throws what gathering throws.
class GroupReader {
 public:
  static constexpr std::size_t kMostCells = kCellsPerGroup * kCellsPerGroup * kCellsPerGroup;
  static constexpr std::size_t kMostNodes =
      (kCellsPerGroup + 1) * (kCellsPerGroup + 1) * (kCellsPerGroup + 1);

  /// `functions` outlives it.
  GroupReader(int block, PagedData& data, tasks::TaskContext& context, const FunctionPlan& functions,
              std::int64_t step);
  static std::uint64_t bytesFor(const FunctionPlan& functions);

  /// Goes to `group`, and gathers where its nodes are.
  void open(const CellGroup& group);
  std::size_t nodeCount() const { return static_cast<std::size_t>(product(m_nodes.size)); }
  Vec3 point(std::size_t node) const { return {m_xyz[3 * node], m_xyz[3 * node + 1], m_xyz[3 * node + 2]}; }

  CellPart whole() const { return CellPart(m_cells); }
  /// The least part that holds `cells`, of which there is one.
  CellPart around(const std::vector<GroupCell>& cells) const;
  /// Of a part of more than one cell.
  std::array<CellPart, 2> halves(const CellPart& part) const;
  /// Makes `cells` those of `part`, in one order for all parts.
  void list(const CellPart& part, std::vector<GroupCell>& cells) const;

  bool hasBlanks() const { return m_slots.iblank >= 0; }
  /// Calls `blank(node)` for the blanked nodes around `part`.
  void findBlanks(const CellPart& part, const std::function<void(std::size_t)>& blank);
  /// Gathers the functions at the nodes around `part`.
  void gatherValues(const CellPart& part);
  /// Of a node around that part: as many as FunctionPlan::outputCount().
  const double* values(std::size_t node) const;

 private:
  Index3 indexOf(std::size_t node) const;

  const paging::BlockDescription& m_grid;
  paging::Cursor m_cursor;
  BlockSlots m_slots;
  BoxFunctions m_boxFunctions;
  std::size_t m_outputs;
  IndexBox m_cells, m_nodes;  ///< of the group
  IndexBox m_valued;          ///< nodes that have values
  std::vector<double> m_xyz, m_iblank, m_values;
};

}  // namespace farfield::fields
