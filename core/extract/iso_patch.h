#pragma once
// Makes the triangles of one value in one group of cells, in one or several patches. What kind of group it is, the
// cells themselves or a coarse stand-in for them, is a parameter. Private to the folder.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/extract/cell_contour.h"
#include "core/extract/grid_surface.h"
#include "core/extract/pair_numbers.h"

namespace farfield::extract::detail {

enum class OwnValue { Kept, Dropped };

/// How the vertices of a patch are numbered, and whether cells lie in rows: their corners are different nodes then.
template <class Group>
struct NumbersOf {
  using Type = PairNumbers<10>;
  static constexpr bool kInRows = false;
};
template <class Group>
requires(Group::kRowNodes > 0) struct NumbersOf<Group> {
  using Type = EdgeNumbers<Group::kRowNodes>;
  static constexpr bool kInRows = true;
};

/// The triangles of one value in one group, in one or several patches. `Group`: the group's kind.
template <class Group>
class IsoPatch {
 public:
  /// A point's values are the group's `outputs`, and then the value of the surface, unless it is dropped.
  IsoPatch(const Group& group, std::size_t outputs, std::size_t number, SurfaceSink& sink,
           OwnValue own = OwnValue::Kept)
      : m_group(group),
        m_outputs(outputs),
        m_width(outputs + (own == OwnValue::Kept ? 1 : 0)),
        m_number(number),
        m_sink(sink),
        m_own(own),
        m_points(3 * kMostVertices),
        m_normals(3 * kMostVertices),
        m_values(m_width * kMostVertices),
        m_triangles(3 * kMostTriangles),
        m_sides(kMostTriangles) {}
  static std::uint64_t bytesFor(std::size_t outputs) {
    return sizeof(IsoPatch) + kMostVertices * (3 + 3 + outputs + 1) * sizeof(double) +
           kMostTriangles * (3 * sizeof(std::uint32_t) + 1);
  }

  void cut(double value) {
    m_value = value;
    if constexpr (kInRows) {
      m_isInRows = !m_group.mayHaveNodeAt(value);
      if (m_isInRows) {
        m_group.forEachCutPlace(
            value, [this](fields::GroupPlace place, unsigned above) { addCellInRows(place, above); });
        return finish();
      }
    }
    m_group.forEachCut(value,
                       [this](const fields::GroupCell& cell, unsigned above) { addCell(cell, above); });
    finish();
  }

 private:
  /// Per patch: a smooth surface crosses fewer edges of a group. If more are crossed there are several patches.
  static constexpr std::size_t kMostVertices = 320;
  /// an edge belongs to at most four cells, and a polygon of n corners has n - 2 triangles
  static constexpr std::size_t kMostTriangles = 4 * kMostVertices;
  using Numbers = typename NumbersOf<Group>::Type;
  static constexpr bool kInRows = NumbersOf<Group>::kInRows;
  using CellNumbers = std::array<std::uint32_t, kCellEdges>;

  void addCell(const fields::GroupCell& cell, unsigned above) {
    // vertices of nodes have more triangles than those of edges
    if (m_vertexCount + kCellEdges > kMostVertices || m_triangleCount + CellTriangles::kMost > kMostTriangles)
      finish();
    const CellContours& shape = contoursOf(cell.shape);
    const CellTriangles& triangles = shape.triangles[above];
    CellNumbers numbers;
    for (std::size_t n = 0; n < triangles.edgeCount; ++n) {
      const auto& [a, b] = shape.edges[triangles.edges[n]];
      const bool upwards = (above >> b & 1) != 0;
      numbers[n] = upwards ? vertex(cell.nodes[a], cell.nodes[b]) : vertex(cell.nodes[b], cell.nodes[a]);
    }
    const std::size_t first = m_triangleCount;
    addTriangles(triangles, numbers, m_group.isLeftHanded(cell));
    if (kInRows && !m_hasNodes) return;
    removeLines(first);
    for (std::size_t at = first; at < m_triangleCount; ++at) m_sides[at] = outerSides(first, at);
  }

  void addTriangles(const CellTriangles& triangles, const CellNumbers& numbers, bool turn) {
    std::uint32_t* to = m_triangles.data() + 3 * m_triangleCount;
    std::uint8_t* const sides = m_sides.data() + m_triangleCount;
    m_triangleCount += triangles.count;
    for (std::size_t t = 0; t < triangles.count; ++t, to += 3) {
      const std::uint8_t* const corners = triangles.corners.data() + 3 * t;
      const std::uint8_t outer = triangles.outerSides[t];
      to[turn ? 1 : 0] = numbers[corners[0]];
      to[turn ? 0 : 1] = numbers[corners[1]];
      to[2] = numbers[corners[2]];
      sides[t] =
          turn ? static_cast<std::uint8_t>((outer & 1U) | (outer & 2U) << 1 | (outer & 4U) >> 1) : outer;
    }
  }

  /// Edges that meet in a node with the value share its vertex, so some triangles, from `first` on, collapse to a line.
  void removeLines(std::size_t first) {
    std::size_t kept = first;
    for (std::size_t at = first; at < m_triangleCount; ++at) {
      const std::uint32_t* const own = m_triangles.data() + 3 * at;
      if (own[0] == own[1] || own[1] == own[2] || own[2] == own[0]) continue;
      std::copy_n(own, 3, m_triangles.data() + 3 * kept++);
    }
    m_triangleCount = kept;
  }

  /// Of triangle `at`, the sides that no other one of the same cell, from `first` on, has. Where corners are the same
  /// node, or a surface goes through nodes, they do not follow from the table.
  std::uint8_t outerSides(std::size_t first, std::size_t at) const {
    std::uint8_t sides = 0;
    const std::uint32_t* const own = m_triangles.data() + 3 * at;
    for (std::size_t n = 0; n < 3; ++n) {
      bool isShared = false;
      for (std::size_t other = first; other < m_triangleCount; ++other) {
        const std::uint32_t* const its = m_triangles.data() + 3 * other;
        for (std::size_t m = 0; m < 3; ++m)
          isShared |= other != at && its[m] == own[(n + 1) % 3] && its[(m + 1) % 3] == own[n];
      }
      if (!isShared) sides |= static_cast<std::uint8_t>(1u << n);
    }
    return sides;
  }

  /// The vertex on the edge from a node below to one above.
  std::uint16_t vertex(std::size_t below, std::size_t above) {
    const bool onNode = m_group.field(above) == m_value;
    m_hasNodes = m_hasNodes || onNode;
    std::uint16_t& known = m_vertexOf.of(onNode ? above : below, above);
    if (known == Numbers::kNone) {
      known = static_cast<std::uint16_t>(m_vertexCount++);
      setVertex(known, below, above, onNode);
    }
    return known;
  }

  void setVertex(std::size_t number, std::size_t below, std::size_t above, bool onNode) {
    const double low = m_group.field(below), high = m_group.field(above);
    const double share = onNode ? 1 : (m_value - low) / (high - low);
    const Vec3 from = m_group.point(below), to = m_group.point(above);
    const Vec3 place = onNode ? to : from + share * (to - from);
    setVertex(number, place, m_group.gradient(below, above, share), {below, above});
    setValues(number, below, above, share, onNode);
  }

  void setVertex(std::size_t number, Vec3 place, Vec3 gradient, std::array<std::size_t, 2> ends) {
    double* const point = m_points.data() + 3 * number;
    double* const normal = m_normals.data() + 3 * number;
    const double one = 1 / length(gradient);
    const Vec3 direction = one * gradient;
    point[0] = place.x, point[1] = place.y, point[2] = place.z;
    normal[0] = direction.x, normal[1] = direction.y, normal[2] = direction.z;
    if (!isFinite(direction)) setNormalAlong(normal, ends);
  }

  /// The direction up the edge, or zero for an edge without length.
  void setNormalAlong(double* normal, std::array<std::size_t, 2> ends) const {
    const Vec3 edge = m_group.point(ends[1]) - m_group.point(ends[0]);
    const Vec3 direction = (1 / length(edge)) * edge;
    for (int a = 0; a < 3; ++a) normal[a] = isFinite(direction) ? direction[a] : 0;
  }

  void setValues(std::size_t number, std::size_t below, std::size_t above, double share, bool onNode) {
    double* own = m_values.data() + m_width * number;
    const double *const values = m_group.shown(below), *const others = m_group.shown(above);
    for (std::size_t v = 0; v < m_outputs; ++v) {
      // not multiplied by a share of 0: the other value may be NaN
      *own++ = onNode ? others[v] : values[v] + share * (others[v] - values[v]);
    }
    if (m_own == OwnValue::Kept) *own = m_value;
  }

  // Of groups in rows, where no node has the value: no triangle collapses, and vertices get their numbers first. What is
  // computed for them is the same for all edges along an axis, so it is done for these together.

  void addCellInRows(fields::GroupPlace place, unsigned above) {
    if (m_vertexCount + kCellEdges > kMostVertices) finish();
    const CellTriangles& triangles = contoursOf(fields::CellShape::Hexahedron).triangles[above];
    const std::size_t lowest = Numbers::kPerNode * place.node(Group::kRowNodes);
    CellNumbers numbers;
    for (std::size_t n = 0; n < triangles.edgeCount; ++n) {
      const std::size_t number = triangles.edges[n];
      std::uint16_t& known = m_vertexOf.at(lowest + kPlaceOfEdge[number]);
      if (known == Numbers::kNone) {
        known = static_cast<std::uint16_t>(m_vertexCount++);
        const CellEdge edge = cellEdge(static_cast<int>(number));
        const auto axis = static_cast<std::size_t>(edge.axis);
        const auto corner = static_cast<unsigned>(edge.corner);
        const unsigned upwards = (above >> corner & 1U) == 0 ? kUpwards : 0;
        crossed(known) =
            std::bit_cast<double>(Crossed{place.up(corner).bits() | upwards, m_lastCrossed[axis]});
        m_lastCrossed[axis] = known;
      }
      numbers[n] = known;
    }
    addTriangles(triangles, numbers, isLeftHanded(place));
  }

  bool isLeftHanded(fields::GroupPlace place) const {
    if (m_group.isRegular()) return m_group.isRegularLeftHanded();
    return m_group.isLeftHanded(m_group.cellAt(place));
  }

  /// Where a vertex notes its edge until it is computed: the first number of its place.
  double& crossed(std::size_t number) { return m_points[3 * number]; }

  template <std::size_t Axis>
  void setCrossed() {
    for (std::uint32_t number = m_lastCrossed[Axis]; number != kNoVertex;) {
      const auto edge = std::bit_cast<Crossed>(crossed(number));
      const auto place = fields::GroupPlace::fromBits(edge.low & (kUpwards - 1));
      const bool upwards = (edge.low & kUpwards) != 0;
      const std::size_t low = place.node(Group::kRowNodes), next = low + Group::kStrides[Axis];
      const std::size_t below = upwards ? low : next, above = upwards ? next : low;
      m_vertexOf.forget(low, next);
      if (m_group.isRegular()) {
        const auto at = m_group.template regularCrossing<Axis>(place, upwards, m_value);
        setVertex(number, at.place, at.gradient, {below, above});
        setValues(number, below, above, at.share, false);
      } else {
        setVertex(number, below, above, false);
      }
      number = edge.before;
    }
    m_lastCrossed[Axis] = kNoVertex;
  }

  void finish() {
    if constexpr (kInRows) setCrossed<0>(), setCrossed<1>(), setCrossed<2>();
    const auto firstOf = [](const auto& all, std::size_t count) { return std::span(all).first(count); };
    if (m_triangleCount > 0)
      m_sink.patch(m_number,
                   {firstOf(m_points, 3 * m_vertexCount), firstOf(m_normals, 3 * m_vertexCount),
                    firstOf(m_values, m_width * m_vertexCount), firstOf(m_triangles, 3 * m_triangleCount),
                    false, firstOf(m_sides, m_triangleCount)});
    if (m_vertexCount > 0 && !m_isInRows) m_vertexOf.clear();
    m_vertexCount = m_triangleCount = 0;
    m_hasNodes = false;
  }

  /// What a vertex that has a number alone notes in its place. All along an axis are a chain.
  struct Crossed {
    /// The lower end of its edge: a GroupPlace, and above it a bit, kUpwards, if the function grows from there.
    std::uint32_t low;
    std::uint32_t before;  ///< the vertex before it, or kNoVertex
  };
  static constexpr std::uint32_t kNoVertex = 0xffffffff;
  static constexpr unsigned kUpwards = 1U << fields::GroupPlace::kBits;
  /// By edge of a cell: its place in EdgeNumbers, from that of the lowest corner on.
  static constexpr auto kPlaceOfEdge = [] {
    std::array<std::uint16_t, kCellEdges> places{};
    if constexpr (kInRows)
      for (int n = 0; n < kCellEdges; ++n) {
        const CellEdge edge = cellEdge(n);
        const fields::GroupPlace low = fields::GroupPlace(0, 0, 0).up(static_cast<unsigned>(edge.corner));
        places[static_cast<std::size_t>(n)] = static_cast<std::uint16_t>(
            Numbers::kPerNode * low.node(Group::kRowNodes) + static_cast<std::size_t>(1 + edge.axis));
      }
    return places;
  }();

  const Group& m_group;
  std::size_t m_outputs, m_width, m_number;
  SurfaceSink& m_sink;
  OwnValue m_own;
  double m_value = 0;
  Numbers m_vertexOf;  ///< by edge, and by node with the value
  std::vector<double> m_points, m_normals, m_values;
  std::vector<std::uint32_t> m_triangles;
  std::vector<std::uint8_t> m_sides;
  std::size_t m_vertexCount = 0, m_triangleCount = 0;
  bool m_isInRows = false;  ///< vertices are computed once the patch is whole
  bool m_hasNodes = false;  ///< among the vertices of the patch are nodes with the value
  std::array<std::uint32_t, 3> m_lastCrossed{kNoVertex, kNoVertex, kNoVertex};  ///< by axis
};

}  // namespace farfield::extract::detail
