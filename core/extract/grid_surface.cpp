#include "core/extract/grid_surface.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace farfield::extract {
namespace {

constexpr std::int64_t kPatchCells = GridSurface::kPatchCells;
constexpr std::int64_t kPatchNodes = GridSurface::kPatchCells + 1;
/// With one more node on each side, for the normals of the nodes on the border.
constexpr std::int64_t kGatheredNodes = kPatchNodes + 2;

std::string rangeText(const IndexBox& box) {
  std::string text;
  for (int a = 0; a < 3; ++a)
    text += (a ? ", " : "") + std::string(1, "ijk"[a]) + " " + std::to_string(box.first[a]) + " to " +
            std::to_string(box.first[a] + box.size[a] - 1);
  return text;
}

}  // namespace

GridSurface::GridSurface(const paging::DatasetDescription& description, int block, const IndexBox& nodes)
    : m_block(block), m_nodes(nodes) {
  if (block < 0 || block >= static_cast<int>(description.blocks.size()))
    throw Invalid("there is no block " + std::to_string(block),
                  "choose one from 0 to " + std::to_string(description.blocks.size() - 1));
  const Index3& dims = description.blocks[static_cast<std::size_t>(block)].dims;
  for (int a = 0; a < 3; ++a)
    if (nodes.first[a] < 0 || nodes.size[a] < 1 || nodes.first[a] + nodes.size[a] > dims[a])
      throw Invalid("the nodes " + rangeText(nodes) + " are not all in block " + std::to_string(block),
                    "its nodes are " + rangeText({{0, 0, 0}, dims}));
  int fixed = -1;
  for (int a = 0; a < 3 && fixed < 0; ++a)
    if (nodes.size[a] == 1) fixed = a;
  if (fixed < 0)
    throw Invalid("the nodes " + rangeText(nodes) + " are a volume", "fix one index, such as \"k\": [0, 0]");
  m_u = (fixed + 1) % 3;
  m_v = (fixed + 2) % 3;
  if (nodes.size[m_u] < 2 || nodes.size[m_v] < 2)
    throw Invalid("the nodes " + rangeText(nodes) + " span no surface",
                  "let two of the indices have a range");
  m_patches[0] = (nodes.size[m_u] - 2) / kPatchCells + 1;
  m_patches[1] = (nodes.size[m_v] - 2) / kPatchCells + 1;
}

std::uint64_t surfaceTaskBytes(const fields::FunctionPlan& functions) {
  const auto perNode =
      static_cast<std::uint64_t>(3 + 1 + functions.inputCount() + 3 + 3 + functions.outputCount()) *
      sizeof(double);
  return static_cast<std::uint64_t>(kGatheredNodes * kGatheredNodes) * perNode +
         6 * sizeof(std::uint32_t) * static_cast<std::uint64_t>(kPatchCells * kPatchCells);
}

void GridSurface::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                          const fields::FunctionPlan& functions, std::int64_t step, SurfaceSink& sink) const {
  const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(m_block)];
  const auto patchU = static_cast<std::int64_t>(number) % m_patches[0],
             patchV = static_cast<std::int64_t>(number) / m_patches[0];

  // The patch's nodes, and what is gathered: a node more on each side where the surface goes on.
  IndexBox patch = m_nodes, gathered;
  const auto cut = [&](int axis, std::int64_t at) {
    patch.first[axis] = m_nodes.first[axis] + at * kPatchCells;
    patch.size[axis] = std::min(kPatchNodes, m_nodes.first[axis] + m_nodes.size[axis] - patch.first[axis]);
  };
  cut(m_u, patchU);
  cut(m_v, patchV);
  gathered = patch;
  for (const int axis : {m_u, m_v}) {
    const std::int64_t low = std::max(patch.first[axis] - 1, m_nodes.first[axis]);
    const std::int64_t high =
        std::min(patch.first[axis] + patch.size[axis] + 1, m_nodes.first[axis] + m_nodes.size[axis]);
    gathered.first[axis] = low;
    gathered.size[axis] = high - low;
  }

  const auto count = static_cast<std::size_t>(product(gathered.size));
  std::vector<double> xyz(3 * count), iblank(count, 1.0),
      inputs(static_cast<std::size_t>(functions.inputCount()) * count);
  {
    paging::Cursor cursor(data.pool(), context, data.plan().mode);
    cursor.setStep(step);
    std::vector<paging::GatherTarget> targets;
    const auto add = [&](const std::string& name, double* out) {
      const int handle = data.handle(m_block, name);
      if (handle < 0) return false;
      targets.push_back({cursor.bind(static_cast<std::uint32_t>(handle)), out});
      return true;
    };
    if (grid.kind == paging::GridKind::Curvilinear) {
      add("xyz", xyz.data());
    } else {
      for (std::size_t n = 0; n < count; ++n) {
        const Index3 at = unlinear(static_cast<std::int64_t>(n), gathered.size);
        for (int a = 0; a < 3; ++a)
          xyz[3 * n + static_cast<std::size_t>(a)] =
              grid.origin[a] + grid.spacing[a] * static_cast<double>(gathered.first[a] + at[a]);
      }
    }
    add("iblank", iblank.data());
    double* out = inputs.data();
    for (const std::string& name : functions.arrays()) {
      if (!add(name, out)) throw NotFound("block " + std::to_string(m_block) + " has no array " + name);
      out += static_cast<std::size_t>(
                 data.pool().array(static_cast<std::uint32_t>(data.handle(m_block, name))).components) *
             count;
    }
    cursor.gatherTiled(gathered, targets);
  }

  const auto indexOf = [&](std::int64_t u, std::int64_t v) {
    Index3 at = gathered.first;
    at[m_u] = u;
    at[m_v] = v;
    for (int a = 0; a < 3; ++a) at[a] -= gathered.first[a];
    return static_cast<std::size_t>(linear(at, gathered.size));
  };
  const auto pointAt = [&](std::size_t n) { return Vec3{xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2]}; };
  const std::int64_t u0 = gathered.first[m_u], u1 = u0 + gathered.size[m_u] - 1;
  const std::int64_t v0 = gathered.first[m_v], v1 = v0 + gathered.size[m_v] - 1;
  const auto drawn = [&](std::int64_t u, std::int64_t v) {
    if (u < u0 || v < v0 || u >= u1 || v >= v1) return false;
    for (const std::size_t n : {indexOf(u, v), indexOf(u + 1, v), indexOf(u, v + 1), indexOf(u + 1, v + 1)})
      if (iblank[n] == 0 || !isFinite(pointAt(n))) return false;
    return true;
  };
  // Twice the vector area of a quadrilateral is the cross product of its diagonals, so the sum over the cells
  // around a node is the area-weighted normal.
  const auto areaOf = [&](std::int64_t u, std::int64_t v) {
    return cross(pointAt(indexOf(u + 1, v + 1)) - pointAt(indexOf(u, v)),
                 pointAt(indexOf(u, v + 1)) - pointAt(indexOf(u + 1, v)));
  };

  const auto values = static_cast<std::size_t>(functions.outputCount());
  std::vector<std::int64_t> numberOf(static_cast<std::size_t>(patch.size[m_u] * patch.size[m_v]), -1);
  std::vector<double> points, normals, nodeValues,
      nodeInputs(static_cast<std::size_t>(functions.inputCount()));
  std::vector<std::uint32_t> triangles;
  std::int64_t used = 0;
  const auto vertex = [&](std::int64_t u, std::int64_t v) {
    std::int64_t& known =
        numberOf[static_cast<std::size_t>(u - patch.first[m_u] + patch.size[m_u] * (v - patch.first[m_v]))];
    if (known >= 0) return static_cast<std::uint32_t>(known);
    known = used++;
    const std::size_t n = indexOf(u, v);
    Vec3 normal{0, 0, 0};
    for (std::int64_t dv = -1; dv <= 0; ++dv)
      for (std::int64_t du = -1; du <= 0; ++du)
        if (drawn(u + du, v + dv)) normal = normal + areaOf(u + du, v + dv);
    const double size = length(normal);
    if (size > 0) normal = (1 / size) * normal;
    for (int a = 0; a < 3; ++a) {
      points.push_back(xyz[3 * n + static_cast<std::size_t>(a)]);
      normals.push_back(normal[a]);
    }
    const double* from = inputs.data();
    std::size_t at = 0;
    for (const std::string& name : functions.arrays()) {
      const auto components = static_cast<std::size_t>(
          data.pool().array(static_cast<std::uint32_t>(data.handle(m_block, name))).components);
      for (std::size_t c = 0; c < components; ++c) nodeInputs[at++] = from[n * components + c];
      from += components * count;
    }
    nodeValues.resize(nodeValues.size() + values);
    functions.computeNode(nodeInputs, {nodeValues.data() + nodeValues.size() - values, values});
    return static_cast<std::uint32_t>(known);
  };
  for (std::int64_t v = patch.first[m_v]; v + 1 < patch.first[m_v] + patch.size[m_v]; ++v)
    for (std::int64_t u = patch.first[m_u]; u + 1 < patch.first[m_u] + patch.size[m_u]; ++u) {
      if (!drawn(u, v)) continue;
      const std::uint32_t a = vertex(u, v), b = vertex(u + 1, v), c = vertex(u + 1, v + 1),
                          d = vertex(u, v + 1);
      triangles.insert(triangles.end(), {a, b, c, a, c, d});
    }
  sink.patch(number, {points, normals, nodeValues, triangles});
}

}  // namespace farfield::extract
