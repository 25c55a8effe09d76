#include "core/fields/node_coordinates.h"

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

Vec3 nodeCoordinates(PagedData& data, tasks::TaskContext& context, int block, const Index3& node,
                     FieldTime time) {
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(block)];
  if (!grid.hasCoordinates()) return regularNode(grid, node);
  paging::Cursor cursor(data.cache(), context, data.plan().mode);
  cursor.setStep(time.step);
  const int xyz = cursor.bind(static_cast<std::uint32_t>(data.handle(block, paging::ArrayRole::Coordinates)));
  const auto coordinatesAt = [&](int slot) {
    double point[3];
    gatherCoordinates(cursor, slot, grid, {node, {1, 1, 1}}, point);
    return Vec3{point[0], point[1], point[2]};
  };
  const Vec3 now = coordinatesAt(xyz);
  if (!time.readsNext()) return now;
  return (1 - time.weight) * now + time.weight * coordinatesAt(cursor.bindNextStep(xyz));
}

NodePlaces::NodePlaces(PagedData& data, tasks::TaskContext& context, std::int64_t step)
    : m_data(data), m_cursor(data.cache(), context, data.plan().mode), m_step(step) {}

Vec3 NodePlaces::at(int block, const Index3& node) {
  const paging::BlockDescription& grid = m_data.description().blocks[static_cast<std::size_t>(block)];
  if (!grid.hasCoordinates()) return regularNode(grid, node);
  bind(block);
  double point[3];
  gatherCoordinates(m_cursor, m_slot, grid, {node, {1, 1, 1}}, point);
  return {point[0], point[1], point[2]};
}

bool NodePlaces::isBlank(int block, const Index3& node) {
  bind(block);
  if (m_blanking < 0) return false;
  double value = 0;
  const paging::GatherTarget target{m_blanking, &value};
  m_cursor.gatherTiled({node, {1, 1, 1}}, {&target, 1});
  return value == 0;
}

void NodePlaces::bind(int block) {
  if (block == m_block) return;
  m_cursor.unbind();
  m_cursor.setStep(m_step);
  const auto slotOf = [&](paging::ArrayRole role) {
    const int handle = m_data.handle(block, role);
    return handle < 0 ? -1 : m_cursor.bind(static_cast<std::uint32_t>(handle));
  };
  m_slot = slotOf(paging::ArrayRole::Coordinates);
  m_blanking = slotOf(paging::ArrayRole::Blanking);
  m_block = block;
}

}  // namespace farfield::fields
