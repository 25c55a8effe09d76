#pragma once
// Which of the up to 8 x 8 x 8 cells of a group may hold a point, from the coordinates of its nodes alone: a
// search looks at hundreds of cells of which one holds the point, so the cells are told apart by comparing
// nodes, and only what is left is looked at closely. A cell is out when all of its corners lie on the same
// side of the point along an axis.

#include <array>
#include <bit>
#include <cstdint>

#include "core/fields/box_search.h"
#include "core/fields/sampler.h"
#include "core/fields/trilinear.h"

namespace farfield::fields {

class GroupScan {
 public:
  static constexpr std::int64_t kNodesPerAxis = kCellsPerGroup + 1;
  static constexpr std::int64_t kNodesPerLayer = kNodesPerAxis * kNodesPerAxis;
  using Layer = std::array<double, 3 * kNodesPerLayer>;  ///< x y z of (i, j), i fastest

  /// For the cells of `group` and `point`.
  GroupScan(const CellGroup& group, Vec3 point);

  /// The cells between two layers of nodes that may hold the point, bit i + 8 j each. Layers are given in
  /// order: `below` is what was `above` the last time. Never leaves out a cell for which
  /// TrilinearMap::mayHold is true.
  std::uint64_t between(const Layer& below, const Layer& above);

 private:
  /// Of a layer and an axis: the cells all of whose four corners in it are on a side of the point. Worked out
  /// when it is asked for: mostly one axis leaves no cell.
  struct Sides {
    std::array<std::uint64_t, 3> low, high;
    std::array<bool, 3> known{};
  };
  void findSides(const Layer& layer, std::size_t axis, Sides& sides) const;

  std::array<double, 3> m_low, m_high;  ///< nodes below the one or above the other are on a side
  std::int64_t m_nodesI, m_nodesJ;
  std::uint64_t m_cells = 0;                   ///< that a layer has
  std::array<std::size_t, 3> m_axes{0, 1, 2};  ///< the one that left no cell the last time is tried first
  Sides m_last;                                ///< of the layer that comes below next
};

/// Makes `best` the cell of lowest number of the group and it that holds `point`; `best.block` stays. `cells`
/// are the block's. `gatherLayer(k, layer)` gives the nodes of the group's layer k, `shape(corners)` makes of
/// a cell's corners those of its map, `blank(cell)` says whether a cell is. Shared by all that hold
/// curvilinear blocks, so that they give the same answers.
template <class GatherLayer, class Shape, class Blank>
void searchGroup(const CellGroup& group, Vec3 point, const Index3& cells, Location& best,
                 GatherLayer gatherLayer, Shape shape, Blank blank) {
  const IndexBox& box = group.cells;
  const std::int64_t row = box.size[0] + 1;
  GroupScan scan(group, point);
  std::array<GroupScan::Layer, 2> layers;
  gatherLayer(std::int64_t{0}, layers[0]);
  for (std::int64_t k = 0; k < box.size[2]; ++k) {
    const GroupScan::Layer& below = layers[static_cast<std::size_t>(k % 2)];
    GroupScan::Layer& above = layers[static_cast<std::size_t>((k + 1) % 2)];
    gatherLayer(k + 1, above);
    for (std::uint64_t left = scan.between(below, above); left != 0; left &= left - 1) {
      const int bit = std::countr_zero(left);
      const std::int64_t i = bit % kCellsPerGroup, j = bit / kCellsPerGroup;
      const std::int64_t cell = linear({box.first[0] + i, box.first[1] + j, box.first[2] + k}, cells);
      if (best.valid() && cell > best.cell) return;
      CellCorners corners;
      for (std::int64_t c = 0; c < 8; ++c) {
        const GroupScan::Layer& layer = c < 4 ? below : above;
        const auto at = static_cast<std::size_t>(3 * (i + (c & 1) + row * (j + (c >> 1 & 1))));
        corners[static_cast<std::size_t>(c)] = {layer[at], layer[at + 1], layer[at + 2]};
      }
      shape(corners);
      const TrilinearMap map(corners);
      if (!map.mayHold(point)) continue;
      Vec3 xi{0.5, 0.5, 0.5};
      if (!map.invert(point, xi) || !insideCell(xi) || blank(cell)) continue;
      best.cell = cell;
      best.xi = xi;
    }
    // The layers to come hold cells of higher numbers alone.
    if (best.valid() && best.cell < linear({0, 0, box.first[2] + k + 1}, cells)) return;
  }
}

}  // namespace farfield::fields
