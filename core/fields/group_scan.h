#pragma once
// Which of the up to 8 x 8 x 8 cells of a group may hold a point, from the coordinates of its nodes alone: a
// search looks at hundreds of cells of which one holds the point, so the cells are told apart by comparing
// nodes where they lie, in their own number type, and only what is left is looked at closely. A cell is out
// when all of its corners lie on the same side of the point along an axis.

#include <array>
#include <bit>
#include <cstdint>

#include "core/base/scalar_type.h"
#include "core/fields/box_search.h"
#include "core/fields/sampler.h"
#include "core/fields/trilinear.h"

namespace farfield::fields {

class GroupScan {
 public:
  /// For the cells of `group` and `point`.
  GroupScan(const CellGroup& group, Vec3 point);

  /// Takes in the nodes of `part`, counted from the group's first node. The first number of the first of them
  /// is number `first` of `xyz`, F32 or F64; from row to row there are `strideJ` numbers, from layer to layer `strideK`.
  void add(const IndexBox& part, const void* xyz, ScalarType type, std::int64_t first, std::int64_t strideJ,
           std::int64_t strideK);

  /// The cells of a row along i that may hold the point, a bit each.
  class Row {
   public:
    explicit Row(std::uint32_t bits = 0) : m_bits(bits) {}
    bool empty() const { return m_bits == 0; }
    std::int64_t first() const { return std::countr_zero(m_bits) / 3; }
    void dropFirst() { m_bits &= m_bits - 1; }

   private:
    std::uint32_t m_bits;
  };
  /// The rows of layer k of cells, by j, once all nodes around are taken in. Never leaves out a cell for
  /// which TrilinearMap::mayHold is true.
  std::array<Row, kCellsPerGroup> layer(std::int64_t k) const;

 private:
  static constexpr std::int64_t kNodesPerAxis = kCellsPerGroup + 1;
  /// Bits of the numbers x y z x y z … of a row of nodes.
  using RowBits = std::array<std::uint32_t, kNodesPerAxis>;  ///< by j
  template <class T>
  void addRows(const IndexBox& part, const T* xyz, std::int64_t strideJ, std::int64_t strideK);

  std::array<double, 3> m_low, m_high;  ///< nodes below the one or above the other are on a side
  Index3 m_cells;
  std::array<RowBits, kNodesPerAxis> m_isLow{}, m_isHigh{};  ///< by k
};

/// Makes `best` the cell of lowest number of the group and it that holds `point`; `best.block` stays. `cells`
/// are the block's. `addLayers(k, scan)` gives the scan the nodes of layer k, and of more layers after it
/// where they lie in the same pages; returns how many layers that were. `cellOf(number)` gives a cell's `map`, and whether it is `blank`;
/// what it returns is used until the next call. Shared by all that hold curvilinear blocks, so that they give
/// the same answers.
template <class AddLayers, class CellOf>
void searchGroup(const CellGroup& group, Vec3 point, const Index3& cells, Location& best, AddLayers addLayers,
                 CellOf cellOf) {
  const IndexBox& box = group.cells;
  GroupScan scan(group, point);
  std::int64_t layers = 0;
  for (std::int64_t k = 0; k < box.size[2]; ++k) {
    // The layers to come hold cells of higher numbers alone.
    if (best.valid() && best.cell < linear({0, 0, box.first[2] + k}, cells)) return;
    while (layers < k + 2) layers += addLayers(layers, scan);
    std::int64_t j = 0;
    for (GroupScan::Row row : scan.layer(k)) {
      for (; !row.empty(); row.dropFirst()) {
        const std::int64_t cell =
            linear({box.first[0] + row.first(), box.first[1] + j, box.first[2] + k}, cells);
        if (best.valid() && cell > best.cell) return;
        const auto& candidate = cellOf(cell);
        if (candidate.blank || !candidate.map.mayHold(point)) continue;
        Vec3 xi{0.5, 0.5, 0.5};
        if (!candidate.map.invert(point, xi) || !insideCell(xi)) continue;
        best.cell = cell;
        best.xi = xi;
      }
      ++j;
    }
  }
}

}  // namespace farfield::fields
