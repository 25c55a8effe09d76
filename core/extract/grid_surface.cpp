#include "core/extract/grid_surface.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/extract/covered_nodes.h"
#include "core/extract/listed_faces.h"
#include "core/extract/surface_patch.h"
#include "core/fields/functions/box_functions.h"
#include "core/fields/functions/node_coordinates.h"

namespace farfield::extract {
namespace {

constexpr std::int64_t kPatchCells = GridSurface::kPatchCells;
constexpr std::int64_t kPatchNodes = GridSurface::kPatchCells + 1;
/// Of unstructured blocks, whose faces have nodes of their own: few enough that a task needs no more memory than
/// one of a structured block.
constexpr std::int64_t kPatchFaces = 32;
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

GridSurface::GridSurface(const paging::DatasetDescription& description, int block, const IndexBox& nodes,
                         double beyond)
    : m_block(block), m_nodes(nodes), m_beyond(beyond) {
  if (block < 0 || block >= static_cast<int>(description.blocks.size()))
    throw Invalid("there is no block " + std::to_string(block),
                  "choose one from 0 to " + std::to_string(description.blocks.size() - 1));
  const paging::BlockDescription& grid = description.blocks[static_cast<std::size_t>(block)];
  m_isFaces = grid.isUnstructured();
  Index3 dims = grid.dims;
  if (m_isFaces) {
    const int faces = description.find(block, paging::ArrayRole::Faces);
    dims = faces < 0 ? Index3{0, 0, 0} : description.arrays[static_cast<std::size_t>(faces)].layout.dims();
  }
  for (int a = 0; a < 3; ++a)
    if (nodes.first[a] < 0 || nodes.size[a] < 1 || nodes.first[a] + nodes.size[a] > dims[a])
      throw Invalid("the nodes " + rangeText(nodes) + " are not all in block " + std::to_string(block),
                    "its nodes are " + rangeText({{0, 0, 0}, dims}));
  if (m_isFaces) {
    m_patches[0] = (nodes.size[0] - 1) / kPatchFaces + 1;
    m_patches[1] = 1;
    return;
  }
  int fixed = -1;
  for (int a = 0; a < 3 && fixed < 0; ++a)
    if (nodes.size[a] == 1) fixed = a;
  if (fixed < 0)
    throw Invalid("the nodes " + rangeText(nodes) + " of block " + std::to_string(block) + " are a volume",
                  "fix one index, such as \"k\": [0, 0]");
  if (m_beyond > 0 && nodes.first[fixed] + 1 >= dims[fixed])
    throw Invalid("there are no cells beyond the nodes " + rangeText(nodes) + " of block " +
                  std::to_string(block));
  m_u = (fixed + 1) % 3;
  m_v = (fixed + 2) % 3;
  if (nodes.size[m_u] < 2 || nodes.size[m_v] < 2)
    throw Invalid("the nodes " + rangeText(nodes) + " of block " + std::to_string(block) + " span no surface",
                  "let two of the indices have a range");
  m_patches[0] = (nodes.size[m_u] - 2) / kPatchCells + 1;
  m_patches[1] = (nodes.size[m_v] - 2) / kPatchCells + 1;
}

std::uint64_t surfaceTaskBytes(const fields::FunctionPlan& functions) {
  constexpr std::uint64_t kNodes = std::uint64_t{kGatheredNodes} * kGatheredNodes;
  constexpr std::uint64_t kOwnNodes = std::uint64_t{4} * kPatchFaces;
  // coordinates, iblank and values of a second sheet, and the blanking beside one
  const std::uint64_t secondSheet =
      kNodes * (3 + 1 + 2 + static_cast<std::uint64_t>(functions.outputCount())) * sizeof(double);
  return std::max(detail::facePatchBytes(kNodes, kNodes, functions.outputCount()) + secondSheet +
                      fields::BoxFunctions::bytesFor(functions, {kPatchNodes, kPatchNodes, 1}),
                  detail::facePatchBytes(kOwnNodes, kPatchFaces, functions.outputCount()) +
                      detail::listedFacesBytes(functions, kPatchFaces));
}

/// Of a sheet on the border of its block the node beside `node` inside the block; nothing of others.
std::optional<Index3> GridSurface::nodeBehind(const Index3& node, const Index3& dims) const {
  const int axis = fixedAxis();
  if (dims[axis] < 2) return std::nullopt;
  Index3 beside = node;
  if (node[axis] == 0)
    ++beside[axis];
  else if (node[axis] == dims[axis] - 1)
    --beside[axis];
  else
    return std::nullopt;
  return beside;
}

std::vector<GridSurface::SparseNodes> GridSurface::nodesBehind(const Index3& dims) const {
  if (m_isFaces || m_beyond > 0) return {};
  const auto beside = nodeBehind(m_nodes.first, dims);
  if (!beside) return {};
  // Along an axis the middles of the whole patches, and that of the last one, which may be smaller.
  std::vector<SparseNodes> made{{{*beside, {1, 1, 1}}}};
  for (const int axis : {m_u, m_v}) {
    const std::int64_t cells = m_nodes.size[axis] - 1, whole = cells / kPatchCells,
                       rest = cells % kPatchCells;
    std::vector<SparseNodes> next;
    for (SparseNodes each : made) {
      each.stride[axis] = kPatchCells;
      if (whole > 0) {
        each.box.first[axis] = m_nodes.first[axis] + kPatchCells / 2;
        each.box.size[axis] = (whole - 1) * kPatchCells + 1;
        next.push_back(each);
      }
      if (rest > 0) {
        each.box.first[axis] = m_nodes.first[axis] + whole * kPatchCells + rest / 2;
        each.box.size[axis] = 1;
        next.push_back(each);
      }
    }
    made = std::move(next);
  }
  return made;
}

IndexBox GridSurface::patchNodes(std::size_t number) const {
  IndexBox patch = m_nodes;
  if (m_isFaces) {
    const std::int64_t before = static_cast<std::int64_t>(number) * kPatchFaces;
    patch.first[0] += before;
    patch.size[0] = std::min(kPatchFaces, m_nodes.size[0] - before);
    return patch;
  }
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

IndexBox GridSurface::nodes() const {
  IndexBox nodes = m_nodes;
  if (m_beyond > 0) ++nodes.size[static_cast<std::size_t>(fixedAxis())];
  return nodes;
}

/// The nodes that follow on `nodes` along the fixed axis.
IndexBox GridSurface::nextSheet(IndexBox nodes) const {
  ++nodes.first[static_cast<std::size_t>(fixedAxis())];
  return nodes;
}

/// The nodes of a patch, and one more on each side if the surface continues.
IndexBox GridSurface::withNeighbours(const IndexBox& patch) const {
  IndexBox box = patch;
  for (const int axis : {m_u, m_v}) {
    const std::int64_t low = std::max(patch.first[axis] - 1, m_nodes.first[axis]);
    const std::int64_t high =
        std::min(patch.first[axis] + patch.size[axis] + 1, m_nodes.first[axis] + m_nodes.size[axis]);
    box.first[axis] = low;
    box.size[axis] = high - low;
  }
  return box;
}

void GridSurface::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                          const fields::FunctionPlan& functions, std::int64_t step, SurfaceSink& sink) const {
  if (m_isFaces) return extractFaces(number, data, context, functions, step, sink);
  const IndexBox patch = patchNodes(number), gathered = withNeighbours(patch);
  const auto outputs = static_cast<std::size_t>(functions.outputCount());
  const auto nodes = static_cast<std::size_t>(product(gathered.size));
  detail::FacePatch faces;
  std::array<double, 3> inside{};
  Index3 middle = patch.first;
  for (const int axis : {m_u, m_v}) middle[axis] += (patch.size[axis] - 1) / 2;
  std::optional<Index3> behind;
  faces.xyz.resize(3 * nodes);
  faces.iblank.assign(nodes, 1.0);
  faces.values.resize(outputs * static_cast<std::size_t>(product(patch.size)));
  {
    const paging::BlockDescription& grid = data.description().blocks[static_cast<std::size_t>(m_block)];
    paging::Cursor cursor(data.cache(), context, data.plan().mode);
    cursor.setStep(step);
    const fields::BlockSlots slots = data.bind(cursor, m_block, functions);
    const auto wall = m_beyond > 0 ? std::nullopt : fields::wallFaceOf(grid.dims, m_nodes, fixedAxis());
    fields::BoxFunctions values(functions);
    const auto read = [&](const IndexBox& withNeighbours, const IndexBox& own, detail::FacePatch& out) {
      fields::gatherCoordinates(cursor, slots.xyz, grid, withNeighbours, out.xyz);
      const paging::GatherTarget iblank{slots.iblank, out.iblank.data()};
      if (slots.iblank >= 0) cursor.gatherTiled(withNeighbours, {&iblank, 1});
      values.compute(cursor, slots, grid, own, out.values, wall);
    };
    read(gathered, patch, faces);
    if (m_beyond == 0)
      detail::blankCovered(cursor, slots, data.description(), m_block, gathered, fixedAxis(), faces.iblank);
    if (m_beyond == 0) behind = nodeBehind(middle, grid.dims);
    if (behind) fields::gatherCoordinates(cursor, slots.xyz, grid, {*behind, {1, 1, 1}}, inside);
    if (m_beyond > 0) {
      detail::FacePatch next;
      next.xyz.resize(faces.xyz.size());
      next.iblank.assign(nodes, 1.0);
      next.values.resize(faces.values.size());
      read(nextSheet(gathered), nextSheet(patch), next);
      const auto weighted = [this](std::vector<double>& here, const std::vector<double>& beyond) {
        for (std::size_t n = 0; n < here.size(); ++n)
          here[n] = (1 - m_beyond) * here[n] + m_beyond * beyond[n];
      };
      weighted(faces.xyz, next.xyz);
      weighted(faces.values, next.values);
      for (std::size_t n = 0; n < nodes; ++n)
        if (next.iblank[n] == 0) faces.iblank[n] = 0;
    }
  }
  const auto numberIn = [](const IndexBox& box, const Index3& node) {
    return static_cast<std::uint32_t>(
        linear({node[0] - box.first[0], node[1] - box.first[1], node[2] - box.first[2]}, box.size));
  };
  faces.valuesOf.reserve(nodes);
  faces.faces.reserve(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    Index3 node = unlinear(static_cast<std::int64_t>(n), gathered.size);
    for (int a = 0; a < 3; ++a) node[a] += gathered.first[a];
    faces.valuesOf.push_back(patch.contains(node) ? numberIn(patch, node) : detail::FacePatch::kNone);
  }
  Index3 at = gathered.first;
  for (at[m_v] = gathered.first[m_v]; at[m_v] + 1 < gathered.first[m_v] + gathered.size[m_v]; ++at[m_v])
    for (at[m_u] = gathered.first[m_u]; at[m_u] + 1 < gathered.first[m_u] + gathered.size[m_u]; ++at[m_u]) {
      Index3 b = at, d = at;
      ++b[m_u], ++d[m_v];
      Index3 c = b;
      ++c[m_v];
      faces.faces.push_back(
          {{numberIn(gathered, at), numberIn(gathered, b), numberIn(gathered, c), numberIn(gathered, d)},
           patch.contains(at) && patch.contains(c)});
    }
  if (behind) {
    Index3 b = middle, d = middle;
    ++b[m_u], ++d[m_v];
    const Vec3 a = faces.point(numberIn(gathered, middle));
    const Vec3 area = cross(faces.point(numberIn(gathered, b)) - a, faces.point(numberIn(gathered, d)) - a);
    faces.seenFromBehind = dot(area, Vec3{inside[0], inside[1], inside[2]} - a) < 0;
    faces.isBorder = true;
  }
  detail::drawPatch(faces, outputs, number, sink);
}

void GridSurface::extractFaces(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                               const fields::FunctionPlan& functions, std::int64_t step,
                               SurfaceSink& sink) const {
  const auto outputs = static_cast<std::size_t>(functions.outputCount());
  detail::FaceReader reader(m_block, data, context, functions, step);
  detail::FacePatch faces = reader.read(patchNodes(number));
  faces.seenFromBehind = faces.isBorder = true;  // they point out of their cells
  detail::drawPatch(faces, outputs, number, sink);
}

}  // namespace farfield::extract
