#pragma once
// Where single nodes of paged data are, also between two steps.

#include <cstdint>

#include "core/fields/cells/field_time.h"
#include "core/fields/paged/paged_data.h"

namespace farfield::fields {

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
