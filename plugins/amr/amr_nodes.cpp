#include "plugins/amr/amr_nodes.h"

#include <algorithm>
#include <utility>

namespace farfield::amr {

AxisNodes::AxisNodes(std::int64_t firstCell, std::int64_t cells, std::vector<std::int64_t> planes, bool flat)
    : m_first(firstCell),
      m_cells(cells),
      m_count(flat ? 1 : cells + 2 + static_cast<std::int64_t>(planes.size())),
      m_planes(std::move(planes)),
      m_flat(flat) {}

std::int64_t AxisNodes::halfAt(std::int64_t node) const {
  if (m_flat) return 2 * m_first + 1;
  if (node == 0) return 2 * m_first;
  if (node == m_count - 1) return 2 * (m_first + m_cells);
  // plane n is node 1 + its cells below + the planes before it
  std::size_t before = 0, end = m_planes.size();
  while (before < end) {
    const std::size_t middle = (before + end) / 2;
    if (m_planes[middle] - m_first + 1 + static_cast<std::int64_t>(middle) <= node)
      before = middle + 1;
    else
      end = middle;
  }
  if (before > 0) {
    const std::int64_t plane = m_planes[before - 1];
    if (plane - m_first + static_cast<std::int64_t>(before) == node) return 2 * plane;
  }
  return 2 * (m_first + node - 1 - static_cast<std::int64_t>(before)) + 1;
}

}  // namespace farfield::amr
