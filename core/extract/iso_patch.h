#pragma once
// Makes the triangles of one value in one group of cells, in one or several patches. What kind of group it is, the
// cells themselves or a coarse stand-in for them, is a parameter. Private to the folder.

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/extract/cell_contour.h"
#include "core/extract/grid_surface.h"
#include "core/extract/pair_numbers.h"

namespace farfield::extract::detail {

enum class OwnValue { Kept, Dropped };

/// The triangles of one value in one group, in one or several patches. `Group`: the group's kind.
template <class Group>
class IsoPatch {
 public:
  /// A point's values are the group's `outputs`, and then the value of the surface, unless it is dropped.
  IsoPatch(const Group& group, std::size_t outputs, std::size_t number, SurfaceSink& sink,
           OwnValue own = OwnValue::Kept)
      : m_group(group), m_outputs(outputs), m_number(number), m_sink(sink), m_own(own) {
    m_points.reserve(3 * kMostVertices);
    m_normals.reserve(3 * kMostVertices);
    m_values.reserve((m_outputs + 1) * kMostVertices);
    m_triangles.reserve(3 * kMostTriangles);
    m_sides.reserve(kMostTriangles);
  }
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
  using Numbers = PairNumbers<10>;

  void addCell(const fields::GroupCell& cell, unsigned above) {
    if (m_points.size() / 3 + kCellEdges > kMostVertices) finish();
    const CellContours& shape = contoursOf(cell.shape);
    const bool turn = m_group.isLeftHanded(cell);
    const std::size_t first = m_triangles.size();
    for (const char* edges = shape.triangles[above]; *edges != '\0'; edges += 3) {
      std::array<std::uint32_t, 3> triangle;
      for (std::size_t n = 0; n < 3; ++n) {
        const auto& [a, b] = shape.edges[static_cast<std::size_t>(edges[n] - 'a')];
        const bool upwards = (above >> b & 1) != 0;
        triangle[n] = upwards ? vertex(cell.nodes[a], cell.nodes[b]) : vertex(cell.nodes[b], cell.nodes[a]);
      }
      // edges that meet in a node with the value share its vertex, so some triangles collapse to a line
      if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) continue;
      if (turn) std::swap(triangle[0], triangle[1]);
      m_triangles.insert(m_triangles.end(), triangle.begin(), triangle.end());
    }
    for (std::size_t at = first; at < m_triangles.size(); at += 3) m_sides.push_back(outerSides(first, at));
  }

  /// Of the triangle at `at`, the sides that no other one of the same cell, from `first` on, has.
  std::uint8_t outerSides(std::size_t first, std::size_t at) const {
    std::uint8_t sides = 0;
    for (std::size_t n = 0; n < 3; ++n) {
      const std::uint32_t from = m_triangles[at + n], to = m_triangles[at + (n + 1) % 3];
      bool isShared = false;
      for (std::size_t other = first; other < m_triangles.size(); other += 3)
        for (std::size_t m = 0; m < 3; ++m)
          isShared |= other != at && m_triangles[other + m] == to && m_triangles[other + (m + 1) % 3] == from;
      if (!isShared) sides |= static_cast<std::uint8_t>(1u << n);
    }
    return sides;
  }

  /// The vertex on the edge from a node below to one above.
  std::uint16_t vertex(std::size_t below, std::size_t above) {
    const double low = m_group.field(below), high = m_group.field(above);
    const bool onNode = high == m_value;
    std::uint16_t& known = m_vertexOf.of(onNode ? above : below, above);
    if (known != Numbers::kNone) return known;
    known = static_cast<std::uint16_t>(m_points.size() / 3);
    const double share = onNode ? 1 : (m_value - low) / (high - low);
    const Vec3 from = m_group.point(below), to = m_group.point(above);
    const Vec3 point = onNode ? to : from + share * (to - from);
    m_points.insert(m_points.end(), {point.x, point.y, point.z});
    const Vec3 normal = normalAt(below, above, share);
    m_normals.insert(m_normals.end(), {normal.x, normal.y, normal.z});
    const double *const values = m_group.shown(below), *const others = m_group.shown(above);
    for (std::size_t v = 0; v < m_outputs; ++v) {
      // not multiplied by a share of 0: the other value may be NaN
      m_values.push_back(onNode ? others[v] : values[v] + share * (others[v] - values[v]));
    }
    if (m_own == OwnValue::Kept) m_values.push_back(m_value);
    return known;
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
    if (!m_triangles.empty())
      m_sink.patch(m_number, {m_points, m_normals, m_values, m_triangles, false, m_sides});
    m_points.clear(), m_normals.clear(), m_values.clear(), m_triangles.clear(), m_sides.clear();
    m_vertexOf.clear();
  }

  const Group& m_group;
  std::size_t m_outputs, m_number;
  SurfaceSink& m_sink;
  OwnValue m_own;
  double m_value = 0;
  Numbers m_vertexOf;  ///< by edge, and by node with the value (as a pair with itself)
  std::vector<double> m_points, m_normals, m_values;
  std::vector<std::uint32_t> m_triangles;
  std::vector<std::uint8_t> m_sides;
};

}  // namespace farfield::extract::detail
