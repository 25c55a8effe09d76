#pragma once
// Which of the up to 8 x 8 x 8 cells of a group may hold a point, from the coordinates of its nodes alone: a
// search looks at hundreds of cells of which one holds the point, so the cells are told apart by comparing
// nodes, and only what is left is looked at closely. A cell is out when all of its corners lie on the same
// side of the point along an axis.

#include <array>
#include <cstdint>

#include "core/fields/box_search.h"

namespace farfield::fields {

class GroupScan {
 public:
  static constexpr std::int64_t kNodesPerAxis = kCellsPerGroup + 1;
  static constexpr std::int64_t kNodesPerLayer = kNodesPerAxis * kNodesPerAxis;
  using Layer = std::array<double, 3 * kNodesPerLayer>;  ///< x y z of (i, j), i fastest

  /// For the cells of `group` and `point`.
  GroupScan(const CellGroup& group, Vec3 point);

  /// Takes the next layer of nodes in k. From the second on: the cells between it and the one before that may
  /// hold the point, bit i + 8 j each. Never leaves out a cell for which TrilinearMap::mayHold is true.
  std::uint64_t add(const Layer& xyz);

 private:
  Vec3 m_low, m_high;  ///< nodes below the one or above the other are on a side
  std::int64_t m_nodesI, m_nodesJ;
  std::array<std::uint8_t, kCellsPerGroup * kCellsPerGroup> m_below;  ///< common sides of the layer before
  bool m_hasBelow = false;
};

}  // namespace farfield::fields
