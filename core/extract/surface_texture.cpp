#include "core/extract/surface_texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/extract/sheet_net.h"
#include "core/fields/paged/sampler.h"

namespace farfield::extract {
namespace {

/// Texels that are passed on together.
constexpr std::size_t kPieceColumns = 64, kPieceRows = 32;
/// Of a patch of a grid surface: about so many of a task, a few hundredths of a second; and the most tasks.
constexpr double kPartTexels = 8 * kPieceColumns * kPieceRows, kMostParts = 512;
/// Around a patch of a grid surface: how far its lines can be followed, in cells.
constexpr std::int64_t kMarginCells = 16;
/// Along an edge of a cell. A cell that is longer than so many texels has larger ones.
constexpr double kMostOfCell = 1024;

constexpr std::array<std::array<int, 2>, 12> kEdges{
    {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

/// The corners of the polygon that `plane` cuts out of a box.
std::vector<Vec3> cutOf(const Bounds& box, const Plane& plane) {
  std::array<Vec3, 8> corners;
  std::array<double, 8> distances;
  std::vector<Vec3> cut;
  for (std::size_t n = 0; n < 8; ++n) {
    corners[n] = {(n & 1) ? box.max.x : box.min.x, (n & 2) ? box.max.y : box.min.y,
                  (n & 4) ? box.max.z : box.min.z};
    distances[n] = plane.distance(corners[n]);
    if (distances[n] == 0) cut.push_back(corners[n]);
  }
  for (const auto& edge : kEdges) {
    const auto a = static_cast<std::size_t>(edge[0]), b = static_cast<std::size_t>(edge[1]);
    if (!(distances[a] < 0 && distances[b] > 0) && !(distances[a] > 0 && distances[b] < 0)) continue;
    const double share = distances[a] / (distances[a] - distances[b]);
    cut.push_back(corners[a] + share * (corners[b] - corners[a]));
  }
  return cut;
}

/// Of so many places, which are the borders of texels.
std::size_t piecesOf(std::size_t places, std::size_t texels) {
  return (places - 1 + texels - 1) / texels;
}

}  // namespace

namespace detail {

std::uint64_t drawTexelsBytes(std::size_t valuesPerNode) {
  constexpr std::uint64_t kNodes = (kPieceColumns + 1) * (kPieceRows + 1);
  return kNodes * ((6 + valuesPerNode + kShadeValues) * sizeof(double) + 7 * sizeof(std::uint32_t));
}

void drawTexels(const FlowSheet& sheet, const TexelRows& texels, const std::vector<Vec3>& normals,
                bool seenFromBehind, TexturePart part, const LineConvolution& lines,
                tasks::TaskContext& context, std::size_t number, SurfaceSink& sink) {
  std::vector<double> points, directions, values;
  std::vector<std::uint32_t> triangles, vertexOf;
  const FlowWalker walker(sheet);
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  const auto add = [&](FlowSheet::Place place, const LineConvolution::Shade& shade) {
    const auto here = sheet.at(place);
    if (!here) return kNone;
    const auto vertex = static_cast<std::uint32_t>(points.size() / 3);
    Vec3 normal = normals.front();
    if (normals.size() > 1) {
      const std::size_t a = here->node, c = a + static_cast<std::size_t>(sheet.size[0]);
      normal = here->weights[0] * normals[a] + here->weights[1] * normals[a + 1] +
               here->weights[2] * normals[c] + here->weights[3] * normals[c + 1];
      const double size = length(normal);
      if (size > 0) normal = (1 / size) * normal;
    }
    const Vec3 point = over(here->point, sheet.stretch);
    points.insert(points.end(), {point.x, point.y, point.z});
    directions.insert(directions.end(), {normal.x, normal.y, normal.z});
    for (std::size_t n = 0; n < sheet.width; ++n) values.push_back(sheet.valueAt(*here, n));
    values.insert(values.end(), {shade.light, shade.cosine, shade.sine});
    return vertex;
  };
  const std::size_t across = piecesOf(texels.u.size(), kPieceColumns);
  const std::size_t pieces = across * piecesOf(texels.v.size(), kPieceRows);
  const std::size_t end = pieces * (part.number + 1) / part.of;
  for (std::size_t piece = pieces * part.number / part.of; piece < end; ++piece) {
    const std::size_t row = kPieceRows * (piece / across), column = kPieceColumns * (piece % across);
    const std::size_t rows = std::min(kPieceRows, texels.v.size() - 1 - row);
    const std::size_t columns = std::min(kPieceColumns, texels.u.size() - 1 - column);
    points.clear(), directions.clear(), values.clear(), triangles.clear(), vertexOf.clear();
    for (std::size_t j = 0; j <= rows; ++j) {
      context.throwIfGivenUp();
      std::array<FlowSheet::Place, kPieceColumns + 1> places;
      std::array<LineConvolution::Shade, kPieceColumns + 1> shades;
      for (std::size_t i = 0; i <= columns; ++i) places[i] = {texels.u[column + i], texels.v[row + j]};
      lines.shade(walker, std::span(places).first(columns + 1), shades);
      for (std::size_t i = 0; i <= columns; ++i) vertexOf.push_back(add(places[i], shades[i]));
    }
    for (std::size_t j = 0; j < rows; ++j)
      for (std::size_t i = 0; i < columns; ++i) {
        const std::size_t at = j * (columns + 1) + i;
        const std::array corners{vertexOf[at], vertexOf[at + 1], vertexOf[at + columns + 2],
                                 vertexOf[at + columns + 1]};
        if (std::find(corners.begin(), corners.end(), kNone) != corners.end()) continue;
        // its corners may belong to other cells
        if (!sheet.at({0.5 * (texels.u[column + i] + texels.u[column + i + 1]),
                       0.5 * (texels.v[row + j] + texels.v[row + j + 1])}))
          continue;
        triangles.insert(triangles.end(),
                         {corners[0], corners[1], corners[2], corners[0], corners[2], corners[3]});
      }
    sink.patch(number, {points, directions, values, triangles, seenFromBehind});
  }
}

}  // namespace detail

PlaneTexture::PlaneTexture(const paging::DatasetDescription& description, const Plane& plane,
                           const LineConvolution& lines)
    : m_plane(plane), m_stretch(lines.stretch()) {
  const std::array<Vec3, 3> axes = axesAround(stretchedNormal(plane.normal(), m_stretch));
  const Vec3 origin = times(plane.origin(), m_stretch);
  m_axes = {axes[0], axes[1]};
  Bounds net;
  for (const paging::BlockDescription& block : description.blocks) {
    if (block.bounds.empty()) continue;
    for (const Vec3& corner : cutOf(block.bounds, plane)) {
      const Vec3 from = times(corner, m_stretch) - origin;
      net.add(Vec3{dot(from, m_axes[0]), dot(from, m_axes[1]), 0});
    }
  }
  if (net.empty()) return;
  // The first node and the last lie on the border, and so do those of data that are a box.
  for (std::size_t a = 0; a < 2; ++a) {
    const double size = net.max[static_cast<int>(a)] - net.min[static_cast<int>(a)];
    const double texels = std::ceil(std::min(size / lines.texel(), 1e6));
    if (!(texels >= 1)) {
      m_tiles = {};
      return;
    }
    m_first[a] = net.min[static_cast<int>(a)];
    m_texel[a] = size / texels;
    m_nodes[a] = static_cast<std::int64_t>(texels) + 1;
    m_tiles[a] = (m_nodes[a] - 2) / kTileTexels + 1;
  }
}

std::uint64_t PlaneTexture::taskBytes(const fields::FunctionPlan& functions, const LineConvolution& lines) {
  const std::int64_t nodes = kTileTexels + 1 + 2 * (lines.reach() + 1);
  const auto width = static_cast<std::size_t>(functions.outputCount());
  return FlowSheet::bytesFor(nodes, nodes, width) + FlowWalker::bytesFor(nodes, nodes) +
         detail::drawTexelsBytes(width) + fields::PagedData::samplerBytes(functions) +
         static_cast<std::uint64_t>(4 * nodes) * sizeof(double);
}

void PlaneTexture::extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context,
                           const std::shared_ptr<const fields::FunctionPlan>& functions, std::int64_t step,
                           const LineConvolution& lines, SurfaceSink& sink) const {
  const std::array tile{static_cast<std::int64_t>(number) % m_tiles[0],
                        static_cast<std::int64_t>(number) / m_tiles[0]};
  std::array<std::int64_t, 2> first{}, last{}, from{}, to{};
  const std::int64_t margin = lines.reach() + 1;
  for (std::size_t a = 0; a < 2; ++a) {
    first[a] = tile[a] * kTileTexels;
    last[a] = std::min(first[a] + kTileTexels, m_nodes[a] - 1);
    from[a] = std::max(first[a] - margin, std::int64_t{0});
    to[a] = std::min(last[a] + margin, m_nodes[a] - 1);
  }
  FlowSheet sheet;
  sheet.resize(to[0] - from[0] + 1, to[1] - from[1] + 1, static_cast<std::size_t>(functions->outputCount()));
  sheet.isLattice = true;
  sheet.stretch = m_stretch;
  {
    const Vec3 origin = times(m_plane.origin(), m_stretch);
    const std::unique_ptr<fields::Sampler> sampler = data.makeSampler(context, functions);
    const fields::FieldTime time{step};
    fields::Location ofRow;
    std::size_t node = 0;
    for (std::int64_t j = from[1]; j <= to[1]; ++j) {
      context.throwIfGivenUp();
      fields::Location here = ofRow;
      for (std::int64_t i = from[0]; i <= to[0]; ++i, ++node) {
        const Vec3 point = origin + (m_first[0] + static_cast<double>(i) * m_texel[0]) * m_axes[0] +
                           (m_first[1] + static_cast<double>(j) * m_texel[1]) * m_axes[1];
        sheet.points[node] = point;
        if (!sampler->locate(over(point, m_stretch), time, here)) continue;
        sampler->evaluate(here, time, std::span(sheet.values).subspan(node * sheet.width, sheet.width));
        sheet.usable[node] = 1;
        if (i == from[0]) ofRow = here;
      }
    }
  }
  detail::TexelRows texels;
  for (std::int64_t i = first[0]; i <= last[0]; ++i) texels.u.push_back(static_cast<double>(i - from[0]));
  for (std::int64_t j = first[1]; j <= last[1]; ++j) texels.v.push_back(static_cast<double>(j - from[1]));
  detail::drawTexels(sheet, texels, {m_plane.normal()}, false, {}, lines, context, number, sink);
}

std::uint64_t sheetTextureBytes(const fields::FunctionPlan& functions) {
  const auto width = static_cast<std::size_t>(functions.outputCount());
  constexpr std::int64_t kNetNodes = GridSurface::kPatchCells + 1 + 2 * kMarginCells;
  return readNetBytes(functions, kMarginCells) + FlowWalker::bytesFor(kNetNodes, kNetNodes) +
         detail::drawTexelsBytes(width) + static_cast<std::uint64_t>(kNetNodes * kNetNodes) * sizeof(Vec3) +
         std::uint64_t{2} * GridSurface::kPatchCells * static_cast<std::uint64_t>(kMostOfCell) *
             sizeof(double);
}

std::size_t texturePartsOf(const GridSurface& surface, const paging::DatasetDescription& description,
                           const LineConvolution& lines) {
  // What is known before anything is read. Cells may be of any size, but a sheet is hardly larger than its block.
  const Bounds& bounds = description.blocks[static_cast<std::size_t>(surface.block())].bounds;
  const double along =
      bounds.empty() ? 0 : length(times(bounds.max - bounds.min, lines.stretch())) / lines.texel();
  const double parts = std::ceil(along * along / (static_cast<double>(surface.patchCount()) * kPartTexels));
  return parts >= 1 ? static_cast<std::size_t>(std::min(parts, kMostParts)) : 1;
}

void extractTexture(const GridSurface& surface, std::size_t number, TexturePart part, fields::PagedData& data,
                    tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step,
                    const LineConvolution& lines, SurfaceSink& sink) {
  SheetNet net = readNet(surface, number, kMarginCells, data, context, functions, step);
  net.sheet.stretch = lines.stretch();
  for (Vec3& point : net.sheet.points) point = times(point, net.sheet.stretch);
  const FlowSheet& sheet = net.sheet;
  const auto at = [&](std::int64_t u, std::int64_t v) {
    return static_cast<std::size_t>(u + v * sheet.size[0]);
  };
  // half the cross product of the diagonals of a cell is its vector area, which stretches as lengths at right angles to it do
  std::vector<Vec3> normals(sheet.points.size());
  for (std::int64_t v = 0; v + 1 < sheet.size[1]; ++v)
    for (std::int64_t u = 0; u + 1 < sheet.size[0]; ++u) {
      const std::array corners{at(u, v), at(u + 1, v), at(u + 1, v + 1), at(u, v + 1)};
      if (!std::all_of(corners.begin(), corners.end(), [&](std::size_t n) { return sheet.usable[n] != 0; }))
        continue;
      const auto& [a, b, c, d] = corners;
      const Vec3 area =
          times(cross(sheet.points[c] - sheet.points[a], sheet.points[d] - sheet.points[b]), sheet.stretch);
      for (const std::size_t n : corners) normals[n] = normals[n] + area;
    }
  // every cell of a row, and of a column, has as many texels as its longest edge along that
  const auto texelsOf = [&](std::size_t axis, std::int64_t cell) {
    double longest = 0;
    const std::size_t other = 1 - axis;
    for (std::int64_t n = net.first[other]; n <= net.first[other] + net.cells[other]; ++n) {
      const Vec3 edge = axis == 0 ? sheet.points[at(cell + 1, n)] - sheet.points[at(cell, n)]
                                  : sheet.points[at(n, cell + 1)] - sheet.points[at(n, cell)];
      if (isFinite(edge)) longest = std::max(longest, length(edge));
    }
    return static_cast<int>(std::clamp(std::ceil(longest / lines.texel()), 1.0, kMostOfCell));
  };
  detail::TexelRows texels;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    std::vector<double>& places = axis == 0 ? texels.u : texels.v;
    for (std::int64_t cell = net.first[axis]; cell < net.first[axis] + net.cells[axis]; ++cell)
      for (int n = 0, count = texelsOf(axis, cell); n < count; ++n)
        places.push_back(static_cast<double>(cell) + static_cast<double>(n) / count);
    places.push_back(static_cast<double>(net.first[axis] + net.cells[axis]));
  }
  detail::drawTexels(sheet, texels, normals, net.seenFromBehind, part, lines, context, number, sink);
}

}  // namespace farfield::extract
