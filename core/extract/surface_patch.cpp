#include "core/extract/surface_patch.h"

#include <span>

#include "core/fields/box_functions.h"

namespace farfield::extract::detail {

PatchBuilder::PatchBuilder(const PatchNodes& nodes, fields::PagedData& data, tasks::TaskContext& context,
                           const fields::FunctionPlan& functions, std::int64_t step)
    : m_nodes(nodes), m_functions(functions) {
  const auto count = static_cast<std::size_t>(product(nodes.gathered.size));
  m_xyz.resize(3 * count);
  m_iblank.assign(count, 1.0);
  m_patchValues.resize(static_cast<std::size_t>(functions.outputCount() * product(nodes.patch.size)));
  m_numberOf.assign(static_cast<std::size_t>(nodes.patch.size[nodes.u] * nodes.patch.size[nodes.v]), -1);
  gather(data, context, step);
}

void PatchBuilder::gather(fields::PagedData& data, tasks::TaskContext& context, std::int64_t step) {
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(m_nodes.block)];
  paging::Cursor cursor(data.cache(), context, data.plan().mode);
  cursor.setStep(step);
  const fields::BlockSlots slots = data.bind(cursor, m_nodes.block, m_functions);
  std::vector<paging::GatherTarget> targets;
  if (slots.xyz >= 0)
    targets.push_back({slots.xyz, m_xyz.data()});
  else
    placeRegularNodes(grid);
  if (slots.iblank >= 0) targets.push_back({slots.iblank, m_iblank.data()});
  cursor.gatherTiled(m_nodes.gathered, targets);
  fields::BoxFunctions(m_functions).compute(cursor, slots, grid, m_nodes.patch, m_patchValues);
}

void PatchBuilder::placeRegularNodes(const paging::BlockDescription& grid) {
  const IndexBox& box = m_nodes.gathered;
  for (std::size_t n = 0; n < m_iblank.size(); ++n) {
    const Index3 at = unlinear(static_cast<std::int64_t>(n), box.size);
    for (int a = 0; a < 3; ++a)
      m_xyz[3 * n + static_cast<std::size_t>(a)] =
          grid.origin[a] + grid.spacing[a] * static_cast<double>(box.first[a] + at[a]);
  }
}

std::size_t PatchBuilder::indexOf(std::int64_t u, std::int64_t v) const {
  Index3 at{0, 0, 0};
  at[m_nodes.u] = u - m_nodes.gathered.first[m_nodes.u];
  at[m_nodes.v] = v - m_nodes.gathered.first[m_nodes.v];
  return static_cast<std::size_t>(linear(at, m_nodes.gathered.size));
}

bool PatchBuilder::isDrawn(std::int64_t u, std::int64_t v) const {
  const IndexBox& box = m_nodes.gathered;
  if (u < box.first[m_nodes.u] || v < box.first[m_nodes.v] ||
      u + 1 >= box.first[m_nodes.u] + box.size[m_nodes.u] ||
      v + 1 >= box.first[m_nodes.v] + box.size[m_nodes.v])
    return false;
  for (const std::size_t n : {indexOf(u, v), indexOf(u + 1, v), indexOf(u, v + 1), indexOf(u + 1, v + 1)})
    if (m_iblank[n] == 0 || !isFinite(pointAt(n))) return false;
  return true;
}

Vec3 PatchBuilder::twiceArea(std::int64_t u, std::int64_t v) const {
  // The vector area of a quadrilateral is half the cross product of its diagonals.
  return cross(pointAt(indexOf(u + 1, v + 1)) - pointAt(indexOf(u, v)),
               pointAt(indexOf(u, v + 1)) - pointAt(indexOf(u + 1, v)));
}

Vec3 PatchBuilder::normalAt(std::int64_t u, std::int64_t v) const {
  // Weighted by area, over the cells around the node, always in this order: patches that share a node agree
  // on it.
  Vec3 normal{0, 0, 0};
  for (std::int64_t dv = -1; dv <= 0; ++dv)
    for (std::int64_t du = -1; du <= 0; ++du)
      if (isDrawn(u + du, v + dv)) normal = normal + twiceArea(u + du, v + dv);
  const double size = length(normal);
  return size > 0 ? (1 / size) * normal : normal;
}

std::uint32_t PatchBuilder::vertex(std::int64_t u, std::int64_t v) {
  const IndexBox& patch = m_nodes.patch;
  std::int64_t& known = m_numberOf[static_cast<std::size_t>(
      u - patch.first[m_nodes.u] + patch.size[m_nodes.u] * (v - patch.first[m_nodes.v]))];
  if (known < 0) {
    known = static_cast<std::int64_t>(m_points.size() / 3);
    const Vec3 point = pointAt(indexOf(u, v)), normal = normalAt(u, v);
    m_points.insert(m_points.end(), {point.x, point.y, point.z});
    m_normals.insert(m_normals.end(), {normal.x, normal.y, normal.z});
    Index3 at{0, 0, 0};
    at[m_nodes.u] = u - patch.first[m_nodes.u];
    at[m_nodes.v] = v - patch.first[m_nodes.v];
    const auto values = static_cast<std::size_t>(m_functions.outputCount());
    const auto own =
        std::span(m_patchValues).subspan(static_cast<std::size_t>(linear(at, patch.size)) * values, values);
    m_values.insert(m_values.end(), own.begin(), own.end());
  }
  return static_cast<std::uint32_t>(known);
}

void PatchBuilder::build(std::size_t number, SurfaceSink& sink) {
  const IndexBox& patch = m_nodes.patch;
  for (std::int64_t v = patch.first[m_nodes.v]; v + 1 < patch.first[m_nodes.v] + patch.size[m_nodes.v]; ++v)
    for (std::int64_t u = patch.first[m_nodes.u]; u + 1 < patch.first[m_nodes.u] + patch.size[m_nodes.u];
         ++u) {
      if (!isDrawn(u, v)) continue;
      const std::uint32_t a = vertex(u, v), b = vertex(u + 1, v), c = vertex(u + 1, v + 1),
                          d = vertex(u, v + 1);
      m_triangles.insert(m_triangles.end(), {a, b, c, a, c, d});
    }
  sink.patch(number, {m_points, m_normals, m_values, m_triangles});
}

}  // namespace farfield::extract::detail
