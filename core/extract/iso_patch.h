#pragma once
// Makes the triangles of one value in one group of cells, in one or several patches. What kind of group it is, the
// cells themselves or a coarse stand-in for them, is a parameter. Private to the folder.

#include <algorithm>
#include <array>
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

/// How the vertices of a patch are numbered, and whether corners of a cell are always different nodes.
template <class Group>
struct NumbersOf {
  using Type = PairNumbers<10>;
  static constexpr bool kCornersDiffer = false;
};
template <class Group>
requires(Group::kRowNodes > 0) struct NumbersOf<Group> {
  using Type = EdgeNumbers<Group::kRowNodes>;
  static constexpr bool kCornersDiffer = true;
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
    m_group.forEachCut(value,
                       [this](const fields::GroupCell& cell, unsigned above) { addCell(cell, above); });
    finish();
  }

 private:
  /// Per patch: a smooth surface crosses fewer edges of a group. If more are crossed there are several
  /// patches.
  static constexpr std::size_t kMostVertices = 320;
  /// an edge belongs to at most four cells, and a polygon of n corners has n - 2 triangles
  static constexpr std::size_t kMostTriangles = 4 * kMostVertices;
  using Numbers = typename NumbersOf<Group>::Type;

  void addCell(const fields::GroupCell& cell, unsigned above) {
    if (m_vertexCount + kCellEdges > kMostVertices) finish();
    const CellContours& shape = contoursOf(cell.shape);
    const bool turn = m_group.isLeftHanded(cell);
    const std::size_t first = m_triangleCount;
    std::size_t number = 0;
    for (const char* edges = shape.triangles[above]; *edges != '\0'; edges += 3, ++number) {
      std::array<std::uint32_t, 3> triangle;
      for (std::size_t n = 0; n < 3; ++n) {
        const auto& [a, b] = shape.edges[static_cast<std::size_t>(edges[n] - 'a')];
        const bool upwards = (above >> b & 1) != 0;
        triangle[n] = upwards ? vertex(cell.nodes[a], cell.nodes[b]) : vertex(cell.nodes[b], cell.nodes[a]);
      }
      // edges that meet in a node with the value share its vertex, so some triangles collapse to a line
      if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
      std::uint8_t sides = shape.outerSides[above][number];
      if (turn) {
        std::swap(triangle[0], triangle[1]);
        sides = static_cast<std::uint8_t>((sides & 1U) | (sides & 2U) << 1 | (sides & 4U) >> 1);
      }
      std::copy(triangle.begin(), triangle.end(),
                m_triangles.begin() + static_cast<std::ptrdiff_t>(3 * m_triangleCount));
      m_sides[m_triangleCount++] = sides;
    }
    if (NumbersOf<Group>::kCornersDiffer && !m_hasNodes) return;
    for (std::size_t at = first; at < m_triangleCount; ++at) m_sides[at] = outerSides(first, at);
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
    if (known == Numbers::kNone) known = add(below, above, onNode);
    return known;
  }

  std::uint16_t add(std::size_t below, std::size_t above, bool onNode) {
    const double low = m_group.field(below), high = m_group.field(above);
    const double share = onNode ? 1 : (m_value - low) / (high - low);
    const Vec3 from = m_group.point(below), to = m_group.point(above);
    const Vec3 point = onNode ? to : from + share * (to - from);
    const Vec3 normal = normalAt(below, above, share);
    double* const place = m_points.data() + 3 * m_vertexCount;
    double* const direction = m_normals.data() + 3 * m_vertexCount;
    double* own = m_values.data() + m_width * m_vertexCount;
    for (int a = 0; a < 3; ++a) place[a] = point[a], direction[a] = normal[a];
    const double *const values = m_group.shown(below), *const others = m_group.shown(above);
    for (std::size_t v = 0; v < m_outputs; ++v) {
      // not multiplied by a share of 0: the other value may be NaN
      *own++ = onNode ? others[v] : values[v] + share * (others[v] - values[v]);
    }
    if (m_own == OwnValue::Kept) *own = m_value;
    return static_cast<std::uint16_t>(m_vertexCount++);
  }

  Vec3 normalAt(std::size_t below, std::size_t above, double share) const {
    const auto unit = [](Vec3 v) { return (1 / length(v)) * v; };
    const Vec3 normal = unit(m_group.gradient(below, above, share));
    if (isFinite(normal)) return normal;
    // otherwise the direction up the edge, or zero for an edge without length
    const Vec3 edge = unit(m_group.point(above) - m_group.point(below));
    return isFinite(edge) ? edge : Vec3{0, 0, 0};
  }

  void finish() {
    const auto firstOf = [](const auto& all, std::size_t count) { return std::span(all).first(count); };
    if (m_triangleCount > 0)
      m_sink.patch(m_number,
                   {firstOf(m_points, 3 * m_vertexCount), firstOf(m_normals, 3 * m_vertexCount),
                    firstOf(m_values, m_width * m_vertexCount), firstOf(m_triangles, 3 * m_triangleCount),
                    false, firstOf(m_sides, m_triangleCount)});
    if (m_vertexCount > 0) m_vertexOf.clear();
    m_vertexCount = m_triangleCount = 0;
    m_hasNodes = false;
  }

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
  bool m_hasNodes = false;  ///< among the vertices of the patch are nodes with the value
};

}  // namespace farfield::extract::detail
