#pragma once
// The range of a stored variable in each group of a task's cells, from its numbers where they lie in pages. It costs a
// fraction of a nanosecond a node, so a task finds the few groups that a surface cuts before any of them is looked at
// closely. Private to core/fields.

#include <array>
#include <cstdint>
#include <span>

#include "core/base/interval.h"
#include "core/base/scalar_type.h"
#include "core/fields/cells/cell_group.h"

namespace farfield::fields {

/// Belongs to one task.
class GroupRanges {
 public:
  /// Selects the groups of the box `cells`, whose first cell is the first of a group; at most kGroupsPerGroup along each axis.
  /// Their ranges are empty.
  void open(const IndexBox& cells);
  /// Numbers of nodes: that of the first is number `first` of `numbers`; the strides from node to node, from row to row and from
  /// layer to layer are in numbers.
  struct Numbers {
    const void* numbers;
    ScalarType type;
    std::int64_t first, strideI, strideJ, strideK;
  };
  /// Adds the nodes of `part`, a box of nodes of the block inside those of the cells. What is not a number does not count.
  void add(const IndexBox& part, const Numbers& numbers);
  /// The same of nodes that all have `number`.
  void add(const IndexBox& part, double number);
  /// Of the nodes of a group in that box, as far as they were added.
  const Interval& of(const CellGroup& group) const;
  /// Of the group with these numbers along the axes.
  const Interval& of(const Index3& group) const {
    return m_ranges[static_cast<std::size_t>(linear(group, m_groups))];
  }

 private:
  /// Groups along each axis that have nodes of a part.
  struct Touched {
    Index3 from{0, 0, 0}, end{0, 0, 0};
  };
  Touched touchedBy(const IndexBox& part) const;
  /// The nodes of `part` that group `group` along `axis` has: the first, and one past the last.
  std::array<std::int64_t, 2> nodesOf(const IndexBox& part, std::size_t axis, std::int64_t group) const;
  Interval& at(std::int64_t i, std::int64_t j, std::int64_t k);
  template <class T>
  void addNumbers(const IndexBox& part, const T* first, const Numbers& strides);

  IndexBox m_cells;
  Index3 m_groups{0, 0, 0};
  std::array<Interval, static_cast<std::size_t>(kGroupsPerGroup* kGroupsPerGroup* kGroupsPerGroup)> m_ranges;
};

}  // namespace farfield::fields
