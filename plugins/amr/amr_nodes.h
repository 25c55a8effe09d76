#pragma once
// The nodes of a box whose values are those of cells: the centres of the cells, both ends of the box along each axis, and the
// planes on which finer boxes end. Every cell of the grid of these nodes lies in cells of the box that are all covered or all
// not, and only such cells have a covered cell's centre as a corner: blanking these centres blanks what is covered, exactly.

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/geometry.h"

namespace farfield::amr {

/// Along one axis. Positions count half cells from cell 0: 2c + 1 is the centre of cell c, 2c its lower face.
class AxisNodes {
 public:
  AxisNodes() = default;
  /// `planes`: as Hierarchy::Ends. A `flat` axis, of one cell, has its centre alone.
  AxisNodes(std::int64_t firstCell, std::int64_t cells, std::vector<std::int64_t> planes, bool flat = false);

  std::int64_t count() const { return m_count; }
  std::int64_t halfAt(std::int64_t node) const;
  static bool isCentre(std::int64_t half) { return (half & 1) != 0; }
  /// The cells that a node's value is made of: one for a centre, both sides of a face.
  static std::int64_t firstCellAt(std::int64_t half) { return isCentre(half) ? half >> 1 : (half >> 1) - 1; }
  static std::int64_t lastCellAt(std::int64_t half) { return half >> 1; }

 private:
  std::int64_t m_first = 0, m_cells = 1, m_count = 1;
  std::vector<std::int64_t> m_planes;
  bool m_flat = true;
};

/// Of a box.
struct BoxNodes {
  std::array<AxisNodes, 3> axes;
  Index3 dims() const { return {axes[0].count(), axes[1].count(), axes[2].count()}; }
};

}  // namespace farfield::amr
