#pragma once
// Which of the up to 8 x 8 x 8 cells of a group may hold a point, from the coordinates of its nodes. A search
// looks at hundreds of cells, one of which holds the point, so nodes are compared in place, in their own
// number type, and only the remaining cells are examined closely. A cell is out if all its corners lie on the
// same side of the point along an axis.

#include <array>
#include <bit>
#include <cstdint>

#include "core/base/scalar_type.h"
#include "core/fields/cells/trilinear.h"
#include "core/fields/paged/box_search.h"
#include "core/fields/paged/sampler.h"

namespace farfield::fields {

class GroupScan {
 public:
  /// For the cells of `group` and `point`.
  GroupScan(const CellGroup& group, Vec3 point);

  /// Adds the nodes of `part`, counted from the group's first node. The first number of the first of them is
  /// number `first` of `xyz`, F32 or F64; the strides from row to row (`strideJ`) and from layer to layer
  /// (`strideK`) are in numbers.
  void add(const IndexBox& part, const void* xyz, ScalarType type, std::int64_t first, std::int64_t strideJ,
           std::int64_t strideK);

  /// The cells of a row along i that may hold the point, one bit each.
  class Row {
   public:
    explicit Row(std::uint32_t bits = 0) : m_bits(bits) {}
    bool empty() const { return m_bits == 0; }
    std::int64_t first() const { return std::countr_zero(m_bits) / 3; }
    void dropFirst() { m_bits &= m_bits - 1; }

   private:
    std::uint32_t m_bits;
  };
  /// The rows of layer k of cells, by j, once all their nodes have been added. Never leaves out a cell for
  /// which TrilinearMap::mayHold is true.
  std::array<Row, kCellsPerGroup> layer(std::int64_t k) const;

 private:
  static constexpr std::int64_t kNodesPerAxis = kCellsPerGroup + 1;
  /// Bits of the numbers x y z x y z … of a row of nodes.
  using RowBits = std::array<std::uint32_t, kNodesPerAxis>;  ///< by j
  template <class T>
  void addRows(const IndexBox& part, const T* xyz, std::int64_t strideJ, std::int64_t strideK);

  std::array<double, 3> m_low, m_high;  ///< nodes below m_low or above m_high are on a side
  Index3 m_cells;
  std::array<RowBits, kNodesPerAxis> m_isLow{}, m_isHigh{};  ///< by k
};

/// If a cell of the group that holds `point` has a lower number than `best`, makes it `best`; `best.block`
/// stays. `cells` are those of the block. `addLayers(k, scan)` adds to the scan the nodes of layer k, and of
/// further layers if they lie in the same pages, and returns how many. `cellOf(number)` gives a cell's `map`,
/// and whether it is `blank`; its result is used until the next call. Shared by all code that holds
/// curvilinear blocks, so that all give the same answers.
template <class AddLayers, class CellOf>
void searchGroup(const CellGroup& group, Vec3 point, const Index3& cells, Location& best, AddLayers addLayers,
                 CellOf cellOf) {
  const IndexBox& box = group.cells;
  GroupScan scan(group, point);
  std::int64_t layers = 0;
  for (std::int64_t k = 0; k < box.size[2]; ++k) {
    // later layers hold cells of higher numbers only
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
