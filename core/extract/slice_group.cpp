#include "core/extract/slice_group.h"

#include <algorithm>
#include <limits>
#include <span>

#include "core/fields/node_coordinates.h"

namespace farfield::extract::detail {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

IndexBox nodesOf(const IndexBox& cells) {
  return {cells.first, {cells.size[0] + 1, cells.size[1] + 1, cells.size[2] + 1}};
}

template <class Visit>
void forEachIndex(const IndexBox& box, Visit&& visit) {
  Index3 at;
  for (at[2] = box.first[2]; at[2] < box.first[2] + box.size[2]; ++at[2])
    for (at[1] = box.first[1]; at[1] < box.first[1] + box.size[1]; ++at[1])
      for (at[0] = box.first[0]; at[0] < box.first[0] + box.size[0]; ++at[0]) visit(at);
}

}  // namespace

SliceGroup::SliceGroup(const Plane& plane, double side, int block, fields::PagedData& data,
                       tasks::TaskContext& context, const fields::FunctionPlan& functions, std::int64_t step)
    : m_plane(plane),
      m_side(side),
      m_functions(functions),
      m_grid(data.description().blocks[static_cast<std::size_t>(block)]),
      m_cursor(data.cache(), context, data.plan().mode),
      m_boxFunctions(functions),
      m_outputs(static_cast<std::size_t>(functions.outputCount())) {
  m_cursor.setStep(step);
  m_slots = data.bind(m_cursor, block, functions);
  m_xyz.resize(std::size_t{3} * kNodes);
  m_distances.resize(kNodes);
  m_iblank.resize(m_slots.iblank >= 0 ? kNodes : 0);
  m_values.resize(m_outputs * kNodes);
  m_vertexOf.resize(kNodes);
  m_points.reserve(3 * kMostVertices);
  m_normals.reserve(3 * kMostVertices);
  m_pointValues.reserve(m_outputs * kMostVertices);
  m_triangles.reserve(3 * kMostTriangles);
}

std::uint64_t SliceGroup::bytesFor(const fields::FunctionPlan& functions) {
  const auto outputs = static_cast<std::uint64_t>(functions.outputCount());
  return sizeof(SliceGroup) + kNodes * ((3 + 1 + 1 + outputs) * sizeof(double) + 4 * sizeof(std::uint16_t)) +
         kMostVertices * (3 + 3 + outputs) * sizeof(double) + 3 * kMostTriangles * sizeof(std::uint32_t) +
         fields::BoxFunctions::bytesFor(functions, {kCells + 1, kCells + 1, kCells + 1});
}

std::size_t SliceGroup::nodeAt(const Index3& node) const {
  return static_cast<std::size_t>(linear(
      {node[0] - m_nodes.first[0], node[1] - m_nodes.first[1], node[2] - m_nodes.first[2]}, m_nodes.size));
}

void SliceGroup::cut(const IndexBox& cells, std::size_t number, SurfaceSink& sink) {
  m_nodes = nodesOf(cells);
  place(m_nodes);
  IndexBox cut = cutCells(cells);
  if (m_slots.iblank >= 0 && product(cut.size) > 0) {
    blank(nodesOf(cut));
    cut = cutCells(cut);
  }
  if (product(cut.size) == 0) return;
  m_valued = nodesOf(cut);
  m_boxFunctions.compute(
      m_cursor, m_slots, m_grid, m_valued,
      std::span(m_values).first(m_outputs * static_cast<std::size_t>(product(m_valued.size))));
  cutPiece(cut, number, sink);
}

/// Where the nodes are, and on which side of the plane.
void SliceGroup::place(const IndexBox& nodes) {
  fields::gatherPlaces(m_cursor, m_slots.xyz, m_grid, nodes, m_xyz);
  const auto count = static_cast<std::size_t>(product(nodes.size));
  for (std::size_t n = 0; n < count; ++n) m_distances[n] = m_side * m_plane.distance(pointAt(n));
}

/// A blanked node is left out with the cells around it, like one that lies nowhere.
void SliceGroup::blank(const IndexBox& nodes) {
  const paging::GatherTarget target{m_slots.iblank, m_iblank.data()};
  m_cursor.gatherTiled(nodes, {&target, 1});
  std::size_t n = 0;
  forEachIndex(nodes, [&](const Index3& node) {
    if (m_iblank[n++] == 0) m_distances[nodeAt(node)] = kNowhere;
  });
}

/// The set of corners above the plane; empty for a cell that is left out.
unsigned SliceGroup::cornersAbove(const Index3& cell) const {
  const std::size_t low = nodeAt(cell), row = static_cast<std::size_t>(m_nodes.size[0]),
                    layer = row * static_cast<std::size_t>(m_nodes.size[1]);
  unsigned above = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const double distance = m_distances[low + (corner & 1) + (corner >> 1 & 1) * row + (corner >> 2) * layer];
    if (std::isnan(distance)) return 0;
    if (distance >= 0) above |= 1u << corner;
  }
  return above;
}

/// The smallest box around those of `cells` that are cut; of size 0 where none is.
IndexBox SliceGroup::cutCells(const IndexBox& cells) const {
  Index3 low = cells.first, high{-1, -1, -1};
  bool any = false;
  forEachIndex(cells, [&](const Index3& cell) {
    if (cellPolygons(cornersAbove(cell)).count == 0) return;
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = any ? std::min(low[a], cell[a]) : cell[a];
      high[a] = std::max(high[a], cell[a]);
    }
    any = true;
  });
  if (!any) return {cells.first, {0, 0, 0}};
  return {low, {high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1}};
}

/// At least the vertices that the cells have.
std::size_t SliceGroup::crossedEdges(const IndexBox& cells) const {
  std::size_t crossed = 0;
  const IndexBox nodes = nodesOf(cells);
  forEachIndex(nodes, [&](const Index3& node) {
    const double distance = m_distances[nodeAt(node)];
    for (int axis = 0; axis < 3; ++axis) {
      Index3 other = node;
      if (++other[axis] == nodes.first[axis] + nodes.size[axis]) continue;
      const double there = m_distances[nodeAt(other)];
      if ((distance >= 0 && there < 0) || (distance < 0 && there >= 0)) ++crossed;
    }
  });
  return crossed;
}

void SliceGroup::cutPiece(const IndexBox& cells, std::size_t number, SurfaceSink& sink) {
  if (crossedEdges(cells) > kMostVertices) {
    const auto longest =
        static_cast<std::size_t>(std::max_element(cells.size.begin(), cells.size.end()) - cells.size.begin());
    IndexBox low = cells, high = cells;
    low.size[longest] /= 2;
    high.first[longest] += low.size[longest];
    high.size[longest] -= low.size[longest];
    cutPiece(low, number, sink);
    return cutPiece(high, number, sink);
  }
  m_points.clear(), m_normals.clear(), m_pointValues.clear(), m_triangles.clear();
  std::fill(m_vertexOf.begin(), m_vertexOf.end(), std::array{kNone, kNone, kNone, kNone});
  forEachIndex(cells, [&](const Index3& cell) {
    const CellPolygons& polygons = cellPolygons(cornersAbove(cell));
    const std::uint8_t* edge = polygons.edges.data();
    for (int polygon = 0; polygon < polygons.count; ++polygon) {
      // Edges that meet in a node on the plane share its vertex.
      std::size_t corners = 0;
      for (int n = 0; n < polygons.sizes[static_cast<std::size_t>(polygon)]; ++n) {
        const std::uint16_t corner = vertex(cell, cellEdge(*edge++));
        if (corners == 0 || m_corners[corners - 1] != corner) m_corners[corners++] = corner;
      }
      while (corners > 1 && m_corners[corners - 1] == m_corners[0]) --corners;
      if (corners >= 3) addPolygon(corners);
    }
  });
  if (m_triangles.empty()) return;
  for (std::size_t n = 0; n < m_points.size(); ++n)
    m_normals.push_back(m_plane.normal()[static_cast<int>(n % 3)]);
  sink.patch(number, {m_points, m_normals, m_pointValues, m_triangles});
}

/// The vertex where the plane crosses an edge of `cell`.
std::uint16_t SliceGroup::vertex(const Index3& cell, const CellEdge& edge) {
  Index3 low = cell;
  for (int a = 0; a < 3; ++a) low[a] += edge.corner >> a & 1;
  Index3 high = low;
  ++high[edge.axis];
  const std::size_t from = nodeAt(low), to = nodeAt(high);
  const double a = m_distances[from], b = m_distances[to];
  std::uint16_t& known = a == 0   ? m_vertexOf[from][0]
                         : b == 0 ? m_vertexOf[to][0]
                                  : m_vertexOf[from][static_cast<std::size_t>(edge.axis) + 1];
  if (known != kNone) return known;
  known = static_cast<std::uint16_t>(m_points.size() / 3);
  // From the lower node to the higher one, whichever cell asks.
  if (b == 0)
    addVertex(to, to, 0);
  else
    addVertex(from, to, a == 0 ? 0 : a / (a - b));
  return known;
}

/// At `share` of the way from `node` to `other`.
void SliceGroup::addVertex(std::size_t node, std::size_t other, double share) {
  for (std::size_t a = 0; a < 3; ++a) {
    const double from = m_xyz[3 * node + a], to = m_xyz[3 * other + a];
    m_points.push_back(share == 0 ? from : from + share * (to - from));
  }
  const auto valuesOf = [&](std::size_t n) {
    Index3 at = unlinear(static_cast<std::int64_t>(n), m_nodes.size);
    for (std::size_t a = 0; a < 3; ++a) at[a] += m_nodes.first[a] - m_valued.first[a];
    return m_outputs * static_cast<std::size_t>(linear(at, m_valued.size));
  };
  const std::size_t from = valuesOf(node), to = valuesOf(other);
  for (std::size_t v = 0; v < m_outputs; ++v) {
    const double a = m_values[from + v];
    // Not by the other's value where it has no share: it may be no number.
    m_pointValues.push_back(share == 0 ? a : a + share * (m_values[to + v] - a));
  }
}

/// Of the triangle's area the part that is seen along the normal: all of it, as it lies in the plane.
double SliceGroup::twiceArea(std::uint16_t a, std::uint16_t b, std::uint16_t c) const {
  const auto point = [&](std::uint16_t n) {
    return Vec3{m_points[3 * std::size_t{n}], m_points[3 * std::size_t{n} + 1],
                m_points[3 * std::size_t{n} + 2]};
  };
  return dot(m_plane.normal(), cross(point(b) - point(a), point(c) - point(a)));
}

/// Triangles around one corner: that around which the smallest is largest, so that a polygon with one corner
/// that points inwards is filled rightly too.
void SliceGroup::addPolygon(std::size_t corners) {
  const std::span<std::uint16_t> polygon = std::span(m_corners).first(corners);
  double whole = 0;
  for (std::size_t n = 1; n + 1 < corners; ++n) whole += twiceArea(polygon[0], polygon[n], polygon[n + 1]);
  // In a left-handed block it turns right.
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
  }
}

}  // namespace farfield::extract::detail
