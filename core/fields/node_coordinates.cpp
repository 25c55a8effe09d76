#include "core/fields/node_coordinates.h"

namespace farfield::fields {

Vec3 nodeCoordinates(PagedData& data, tasks::TaskContext& context, int block, const Index3& node,
                     FieldTime time) {
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(block)];
  if (grid.kind == paging::GridKind::Regular) {
    Vec3 point;
    for (int a = 0; a < 3; ++a) point[a] = grid.origin[a] + grid.spacing[a] * static_cast<double>(node[a]);
    return point;
  }
  paging::Cursor cursor(data.cache(), context, data.plan().mode);
  cursor.setStep(time.step);
  const int slot = cursor.bind(static_cast<std::uint32_t>(data.handle(block, "xyz")));
  const auto gathered = [&](int from) {
    double xyz[3];
    const paging::GatherTarget target{from, xyz};
    cursor.gather({node, {1, 1, 1}}, {&target, 1});
    return Vec3{xyz[0], xyz[1], xyz[2]};
  };
  const Vec3 point = gathered(slot);
  if (time.weight == 0) return point;
  return (1 - time.weight) * point + time.weight * gathered(cursor.bindNextStep(slot));
}

}  // namespace farfield::fields
