#include "core/extract/grid_surface.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/extract/surface_patch.h"
#include "core/fields/box_functions.h"

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
  // Its values are there twice: as computed, and of what is drawn.
  const auto perNode =
      static_cast<std::uint64_t>(3 + 1 + 3 + 3 + 2 * functions.outputCount()) * sizeof(double);
  return static_cast<std::uint64_t>(kGatheredNodes * kGatheredNodes) * perNode +
         fields::BoxFunctions::bytesFor(functions, {kPatchCells + 1, kPatchCells + 1, 1}) +
         6 * sizeof(std::uint32_t) * static_cast<std::uint64_t>(kPatchCells * kPatchCells);
}

IndexBox GridSurface::patchNodes(std::size_t number) const {
  IndexBox patch = m_nodes;
  const std::int64_t at[2] = {static_cast<std::int64_t>(number) % m_patches[0],
                              static_cast<std::int64_t>(number) / m_patches[0]};
  const int axes[2] = {m_u, m_v};
  for (int n = 0; n < 2; ++n) {
    const int axis = axes[n];
    patch.first[axis] = m_nodes.first[axis] + at[n] * kPatchCells;
    patch.size[axis] = std::min(kPatchNodes, m_nodes.first[axis] + m_nodes.size[axis] - patch.first[axis]);
  }
  return patch;
}

void GridSurface::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                          const fields::FunctionPlan& functions, std::int64_t step, SurfaceSink& sink) const {
  detail::PatchNodes nodes{m_block, m_u, m_v, patchNodes(number), {}};
  // A node more on each side where the surface goes on.
  nodes.gathered = nodes.patch;
  for (const int axis : {m_u, m_v}) {
    const std::int64_t low = std::max(nodes.patch.first[axis] - 1, m_nodes.first[axis]);
    const std::int64_t high = std::min(nodes.patch.first[axis] + nodes.patch.size[axis] + 1,
                                       m_nodes.first[axis] + m_nodes.size[axis]);
    nodes.gathered.first[axis] = low;
    nodes.gathered.size[axis] = high - low;
  }
  detail::PatchBuilder(nodes, data, context, functions, step).build(number, sink);
}

}  // namespace farfield::extract
