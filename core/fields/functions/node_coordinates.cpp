#include "core/fields/functions/node_coordinates.h"

namespace farfield::fields {

void placeRegularNodes(const paging::BlockDescription& grid, const IndexBox& box, std::span<double> out) {
  Index3 at;
  auto to = out.begin();
  for (at[2] = box.first[2]; at[2] < box.first[2] + box.size[2]; ++at[2])
    for (at[1] = box.first[1]; at[1] < box.first[1] + box.size[1]; ++at[1])
      for (at[0] = box.first[0]; at[0] < box.first[0] + box.size[0]; ++at[0]) {
        const Vec3 point = regularNode(grid, at);
        for (int a = 0; a < 3; ++a) *to++ = point[a];
      }
}

void gatherCoordinates(paging::Cursor& cursor, int xyz, const paging::BlockDescription& grid,
                       const IndexBox& box, std::span<double> out) {
  if (xyz < 0) return placeRegularNodes(grid, box, out);
  const paging::GatherTarget target{xyz, out.data()};
  cursor.gatherTiled(box, {&target, 1});
}

}  // namespace farfield::fields
