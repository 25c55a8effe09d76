#pragma once
// Finds the cells that may hold a point, or meet a surface, by the location bounds: stored arrays boxes0,
// boxes1, … (core/paging/location/cell_boxes.h). Level 0 has bounds for every 8 x 8 x 8 cells, each level
// above for every 4 x 4 x 4 of the level below. The groups follow from the cells alone, so that the answer
// does not depend on how the data are cut into pages.

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/geometry.h"
#include "core/fields/cells/cell_group.h"
#include "core/fields/paged/paged_data.h"

namespace farfield::fields {

/// The index in `block` of the cell with this number (Location::cell).
Index3 cellAt(const paging::BlockDescription& block, std::int64_t number);
/// Coordinates in a cell (Location::xi) along i, j and k; of a block of one plane, whose cells have the axis across it last, in their order.
Vec3 xiAlongAxes(const paging::BlockDescription& block, Vec3 xi);

/// Belongs to one task and one block; every call may stop the task.
class BoxSearch {
 public:
  BoxSearch(PagedData& data, tasks::TaskContext& context, int block);
  /// False for blocks without location bounds.
  bool available() const { return m_levels > 0; }
  // between two steps the bounds of a group of a moving block are between those at the steps
  /// The groups of level 0 whose bounds hold `point`, in the order of their first cell.
  std::vector<CellGroup> candidates(Vec3 point, FieldTime time);
  /// The groups of level 0 in group `at` of level 1 whose bounds, and those of the group itself, are
  /// `wanted`, in the order of their first cell. Empty bounds are skipped.
  std::vector<CellGroup> groupsIn(const Index3& at, FieldTime time,
                                  const std::function<bool(const Bounds&)>& wanted);
  /// Of an unstructured block: the groups of kListedCells cells among `count` cells from `first` on (multiples of
  /// that, but for the end) whose bounds are `wanted`, in order. Empty bounds are skipped.
  std::vector<CellGroup> listedGroups(std::int64_t first, std::int64_t count, FieldTime time,
                                      const std::function<bool(const Bounds&)>& wanted);

 private:
  /// A group of some level.
  struct Group {
    Index3 at{0, 0, 0};
    Bounds bounds;
  };
  template <class Wanted>
  void read(std::size_t level, const IndexBox& groups, const Wanted& wanted, std::vector<Group>& found);
  const Index3& dimsOf(std::size_t level) const { return m_cursor.layout(static_cast<int>(level)).dims(); }
  static IndexBox childrenOf(const Index3& group, const Index3& dims);
  std::vector<CellGroup> cellsOf(const std::vector<Group>& groups) const;

  void turnTo(FieldTime time);
  void gather(int slot, const IndexBox& groups, std::vector<double>& boxes);

  paging::Cursor m_cursor;  ///< slots are levels, [0] the finest, then those of the next step
  std::size_t m_levels = 0;
  std::vector<int> m_nextLevels;  ///< slots of the levels at the next step
  FieldTime m_time;
  Index3 m_cells;
  std::vector<double> m_boxes, m_nextBoxes;
};

}  // namespace farfield::fields
