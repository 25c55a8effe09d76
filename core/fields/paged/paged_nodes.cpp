#include "core/fields/paged/paged_nodes.h"

#include "core/fields/functions/node_coordinates.h"

namespace farfield::fields {

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
