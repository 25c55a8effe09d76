#pragma once
// Coordinates of nodes, stored or computed from an origin and a spacing or axes.

#include <span>

#include "core/fields/field_time.h"
#include "core/fields/paged_data.h"

namespace farfield::fields {

/// For a regular or rectilinear block.
inline Vec3 regularNode(const paging::BlockDescription& grid, const Index3& node) {
  Vec3 point;
  if (grid.axes) {
    for (std::size_t a = 0; a < 3; ++a)
      point[static_cast<int>(a)] = (*grid.axes)[a][static_cast<std::size_t>(node[a])];
    return point;
  }
  for (int a = 0; a < 3; ++a) point[a] = grid.origin[a] + grid.spacing[a] * static_cast<double>(node[a]);
  return point;
}

/// x y z of the nodes of `box` of a regular or rectilinear block, i fastest.
void placeRegularNodes(const paging::BlockDescription& grid, const IndexBox& box, std::span<double> out);

/// x y z of the nodes of `box` of `grid`, i fastest. `xyz` is the slot of their coordinates in `cursor`,
/// negative for a regular or rectilinear block. May stop the task; throws what gathering throws.
void gatherCoordinates(paging::Cursor& cursor, int xyz, const paging::BlockDescription& grid,
                       const IndexBox& box, std::span<double> out);

/// Coordinates of `node` of `block` at `time`; may stop the calling task. Throws what gathering throws.
Vec3 nodeCoordinates(PagedData& data, tasks::TaskContext& context, int block, const Index3& node,
                     FieldTime time);

/// The coordinates of many nodes, one after the other, at `step`, and whether they are blank. Belongs to one task. Blocks that come
/// together cost least.
class NodePlaces {
 public:
  NodePlaces(PagedData& data, tasks::TaskContext& context, std::int64_t step);
  /// May stop the task; throws what reading pages throws.
  Vec3 at(int block, const Index3& node);
  /// Likewise; false where the block has no blanking.
  bool isBlank(int block, const Index3& node);

 private:
  void bind(int block);

  PagedData& m_data;
  paging::Cursor m_cursor;
  std::int64_t m_step;
  int m_block = -1, m_slot = -1, m_blanking = -1;
};

}  // namespace farfield::fields
