// Structured blocks of one plane: which axis of the block is which of its cells'.

#include "core/fields/paged/cell_walk.h"
#include "core/fields/paged/group_scan.h"
#include "core/fields/paged/structured_sampler.h"

namespace farfield::fields {

Index3 StructuredSampler::inBlock(const Index3& cell) const {
  Index3 made;
  for (std::size_t n = 0; n < 3; ++n) made[m_axes[n]] = cell[n];
  return made;
}

IndexBox StructuredSampler::nodesOf(const IndexBox& cells) const {
  IndexBox nodes{inBlock(cells.first), inBlock({cells.size[0] + 1, cells.size[1] + 1, cells.size[2] + 1})};
  if (m_flat) nodes.size[m_axes[2]] = 1;
  return nodes;
}

Vec3 StructuredSampler::inCellAxes(Vec3 ofBlock) const {
  return {ofBlock[int(m_axes[0])], ofBlock[int(m_axes[1])], ofBlock[int(m_axes[2])]};
}

CellGroup StructuredSampler::inCellAxes(CellGroup ofBlock) const {
  const IndexBox box = ofBlock.cells;
  for (std::size_t n = 0; n < 3; ++n) {
    ofBlock.cells.first[n] = box.first[m_axes[n]];
    ofBlock.cells.size[n] = box.size[m_axes[n]];
  }
  return ofBlock;
}

/// The map of a cell of a regular or rectilinear block.
TrilinearVector StructuredSampler::boxOf(const Index3& cell) const {
  TrilinearVector map = regularCell(block(), inBlock(cell));
  const std::array<Vec3, 3> edges{map.x, map.y, map.z};
  map.x = edges[m_axes[0]];
  map.y = edges[m_axes[1]];
  map.z = edges[m_axes[2]];
  return map;
}

/// Adds the only layer of nodes of a plane as layer k: it is also the upper one of the cells.
void StructuredSampler::addPlane(const IndexBox& nodes, std::int64_t k, GroupScan& scan) {
  if (moves()) return addBetween(nodes, k, scan);
  m_cursor.visitPages(m_slots[0].xyz, nodes, [&](const paging::PagePart& part) {
    IndexBox box{{0, 0, k}, {1, 1, 1}};
    for (std::size_t n = 0; n < 2; ++n) {
      box.first[n] = part.nodes.first[m_axes[n]] - nodes.first[m_axes[n]];
      box.size[n] = part.nodes.size[m_axes[n]];
    }
    // what is one node thick adds nothing to the strides
    const std::int64_t strideJ = 3 * part.page.size[m_axes[0]];
    scan.add(box, part.data, part.type, part.first(), strideJ, strideJ * part.page.size[m_axes[1]]);
  });
}

}  // namespace farfield::fields
