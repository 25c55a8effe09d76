#include "core/extract/slice_group.h"

#include <algorithm>
#include <limits>
#include <span>

namespace farfield::extract::detail {
namespace {

/// The side of a node: bits of the sets of SliceGroup::Sides, for corner 0.
constexpr std::uint16_t kNoNumber = PairNumbers<10>::kNone;
constexpr std::uint32_t kBelow = 0, kAbove = 1, kLeftOut = 1u << 16;

/// Whether an edge between nodes on these sides is crossed.
bool crosses(std::uint32_t a, std::uint32_t b) {
  return (a ^ b) == kAbove;
}

}  // namespace

SliceGroup::SliceGroup(const Plane& plane, double side, int block, fields::PagedData& data,
                       tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step)
    : m_plane(plane),
      m_side(side),
      m_outputs(static_cast<std::size_t>(functions.outputCount())),
      m_group(block, data, context, functions, step) {
  m_distances.resize(fields::GroupReader::kMostNodes);
  m_sides.resize(fields::GroupReader::kMostNodes);
  m_points.reserve(3 * kMostVertices);
  m_normals.reserve(3 * kMostVertices);
  m_pointValues.reserve(m_outputs * kMostVertices);
  m_triangles.reserve(3 * kMostTriangles);
  m_cellSides.reserve(kMostTriangles);
}

std::uint64_t SliceGroup::bytesFor(const fields::FunctionPlan& functions) {
  const auto outputs = static_cast<std::uint64_t>(functions.outputCount());
  return sizeof(SliceGroup) + fields::GroupReader::bytesFor(functions) +
         fields::GroupReader::kMostNodes * (sizeof(double) + sizeof(std::uint32_t)) +
         kMostVertices * (3 + 3 + outputs) * sizeof(double) +
         kMostTriangles * (3 * sizeof(std::uint32_t) + 1);
}

void SliceGroup::cut(const fields::CellGroup& group, std::size_t number, SurfaceSink& sink) {
  m_group.open(group);
  for (std::size_t n = 0; n < m_group.nodeCount(); ++n) {
    const double distance = m_side * m_plane.distance(m_group.point(n));
    m_distances[n] = distance;
    m_sides[n] = distance >= 0 ? kAbove : distance < 0 ? kBelow : kLeftOut;
  }
  fields::CellPart part = m_group.whole();
  if (!keepCut(part)) return;
  if (m_group.hasBlanks()) {
    // a blanked node excludes the cells around it, as one that is not finite does
    m_group.findBlanks(part, [&](std::size_t node) { m_sides[node] = kLeftOut; });
    if (!keepCut(part)) return;
  }
  m_group.gatherValues(part);
  if (!m_holdsPages) m_group.letPagesGo();
  cutPiece(part, number, sink);
}

/// The corners of a cell by their side of the plane.
SliceGroup::Sides SliceGroup::sidesOf(const fields::GroupCell& cell) const {
  std::uint32_t sides = 0;
  for (unsigned corner = 0; corner < contoursOf(cell.shape).corners; ++corner)
    sides |= m_sides[cell.nodes[corner]] << corner;
  return {sides % kLeftOut, sides / kLeftOut};
}

/// The polygons in which the plane cuts a cell; none for a cell that is left out.
const CellPolygons& SliceGroup::polygonsOf(const fields::GroupCell& cell) const {
  const Sides sides = sidesOf(cell);
  return contoursOf(cell.shape).polygons[sides.leftOut ? 0 : sides.above];
}

/// Shrinks `part` to its cells that are cut; false if none is.
bool SliceGroup::keepCut(fields::CellPart& part) {
  const auto cut =
      m_group.around(part, [this](const fields::GroupCell& cell) { return polygonsOf(cell).count > 0; });
  if (cut) part = *cut;
  return cut.has_value();
}

/// Whether the plane crosses at most as many edges of `part` as a patch may have vertices.
bool SliceGroup::fits(const fields::CellPart& part) {
  std::size_t crossed = 0;
  m_vertexOf.clear();
  m_group.forEachCell(part, [&](const fields::GroupCell& cell) {
    const CellContours& shape = contoursOf(cell.shape);
    const Sides sides = sidesOf(cell);
    // edges of cells that are left out count as well: others may share them
    if (sides.leftOut == 0 && (sides.above == 0 || sides.above == shape.allCorners())) return;
    for (unsigned n = 0; n < shape.edgeCount && crossed <= kMostVertices; ++n) {
      const std::size_t a = cell.nodes[shape.edges[n][0]], b = cell.nodes[shape.edges[n][1]];
      if (!crosses(m_sides[a], m_sides[b])) continue;
      std::uint16_t& counted = m_vertexOf.of(std::min(a, b), std::max(a, b));
      if (counted == kNoNumber) ++crossed;
      counted = 0;
    }
  });
  return crossed <= kMostVertices;
}

void SliceGroup::cutPiece(const fields::CellPart& part, std::size_t number, SurfaceSink& sink) {
  if (!fits(part)) {
    for (const fields::CellPart& half : m_group.halves(part)) cutPiece(half, number, sink);
    return;
  }
  m_points.clear(), m_normals.clear(), m_pointValues.clear(), m_triangles.clear();
  m_cellSides.clear();
  m_vertexOf.clear();
  m_group.forEachCell(part, [&](const fields::GroupCell& cell) {
    const CellContours& shape = contoursOf(cell.shape);
    const CellPolygons& polygons = polygonsOf(cell);
    const std::uint8_t* edge = polygons.edges.data();
    for (int polygon = 0; polygon < polygons.count; ++polygon) {
      // edges that meet in a node on the plane share its vertex
      std::size_t corners = 0;
      for (int n = 0; n < polygons.sizes[static_cast<std::size_t>(polygon)]; ++n) {
        const std::uint16_t corner = vertex(cell, shape.edges[*edge++]);
        if (corners == 0 || m_corners[corners - 1] != corner) m_corners[corners++] = corner;
      }
      while (corners > 1 && m_corners[corners - 1] == m_corners[0]) --corners;
      if (corners >= 3) addPolygon(corners);
    }
  });
  if (m_triangles.empty()) return;
  for (std::size_t n = 0; n < m_points.size(); ++n)
    m_normals.push_back(m_plane.normal()[static_cast<int>(n % 3)]);
  sink.patch(number, {m_points, m_normals, m_pointValues, m_triangles, false, m_cellSides});
}

/// The vertex where the plane crosses an edge of `cell`.
std::uint16_t SliceGroup::vertex(const fields::GroupCell& cell, const std::array<std::uint8_t, 2>& edge) {
  // from the lower node to the higher one, in all cells
  const auto [from, to] = std::minmax(cell.nodes[edge[0]], cell.nodes[edge[1]]);
  const double a = m_distances[from], b = m_distances[to];
  std::uint16_t& known = m_vertexOf.of(b == 0 ? to : from, a == 0 ? from : to);
  if (known != kNoNumber) return known;
  known = static_cast<std::uint16_t>(m_points.size() / 3);
  if (b == 0)
    addVertex(to, to, 0);
  else
    addVertex(from, to, a == 0 ? 0 : a / (a - b));
  return known;
}

/// Adds the vertex at `share` of the way from `node` to `other`.
void SliceGroup::addVertex(std::size_t node, std::size_t other, double share) {
  const Vec3 from = m_group.point(node), to = m_group.point(other);
  for (int a = 0; a < 3; ++a) m_points.push_back(share == 0 ? from[a] : from[a] + share * (to[a] - from[a]));
  const double *const values = m_group.values(node), *const others = m_group.values(other);
  for (std::size_t v = 0; v < m_outputs; ++v) {
    // not multiplied by a share of 0: the other value may be NaN
    m_pointValues.push_back(share == 0 ? values[v] : values[v] + share * (others[v] - values[v]));
  }
}

/// Twice the triangle's area, positive if it is counter-clockwise seen from the side of the normal.
double SliceGroup::twiceArea(std::uint16_t a, std::uint16_t b, std::uint16_t c) const {
  const auto point = [&](std::uint16_t n) {
    return Vec3{m_points[3 * std::size_t{n}], m_points[3 * std::size_t{n} + 1],
                m_points[3 * std::size_t{n} + 2]};
  };
  return dot(m_plane.normal(), cross(point(b) - point(a), point(c) - point(a)));
}

/// A fan of triangles around one corner: the one whose smallest triangle is largest, so that a polygon with
/// one concave corner is filled correctly.
void SliceGroup::addPolygon(std::size_t corners) {
  const std::span<std::uint16_t> polygon = std::span(m_corners).first(corners);
  double whole = 0;
  for (std::size_t n = 1; n + 1 < corners; ++n) whole += twiceArea(polygon[0], polygon[n], polygon[n + 1]);
  // in a left-handed block it is clockwise
  if (whole < 0) std::reverse(polygon.begin(), polygon.end());
  const auto fan = [&](std::size_t apex, std::size_t n) {
    return std::array{polygon[apex], polygon[(apex + n) % corners], polygon[(apex + n + 1) % corners]};
  };
  std::size_t best = 0;
  double bestSmallest = -std::numeric_limits<double>::infinity();
  for (std::size_t apex = 0; apex < (corners > 3 ? corners : 1); ++apex) {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t n = 1; n + 1 < corners; ++n) {
      const auto [a, b, c] = fan(apex, n);
      smallest = std::min(smallest, twiceArea(a, b, c));
    }
    if (smallest > bestSmallest) {
      bestSmallest = smallest;
      best = apex;
    }
  }
  for (std::size_t n = 1; n + 1 < corners; ++n) {
    const auto triangle = fan(best, n);
    if (twiceArea(triangle[0], triangle[1], triangle[2]) == 0) continue;
    m_triangles.insert(m_triangles.end(), triangle.begin(), triangle.end());
    // The outer side always; those at the apex where the fan begins and ends.
    m_cellSides.push_back(static_cast<std::uint8_t>(2 | (n == 1 ? 1 : 0) | (n + 2 == corners ? 4 : 0)));
  }
}

}  // namespace farfield::extract::detail
