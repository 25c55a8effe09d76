#pragma once
// How a surface on which a function of the nodes is 0 cuts one cell: polygons between the points where it
// crosses the cell's edges. Which edges are crossed, and how the points are joined, follows from the side of
// each corner alone (marching cubes: Lorensen and Cline, Computer Graphics 21(4), 1987), so that slices and
// isosurfaces differ only in the function. On a face whose diagonal corners lie on different sides, the
// corners above are always separated (Montani, Scateni and Scopigno, "A modified look-up table for implicit
// disambiguation of marching cubes", The Visual Computer 10(6), 1994). This depends on the face only, so the
// two cells that share it agree, and there are no holes. The table of all cases of a shape is made from these
// rules.
//
// Corners of a hexahedron are numbered as in gathers (trilinear.h): bit a of the number is the step along
// axis a.

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/fields/groups/cell_groups.h"

namespace farfield::extract {

constexpr int kCellEdges = 12;

/// An edge of a hexahedron runs from `corner` one step along `axis`. Number 4a … 4a+3 are those along axis a.
struct CellEdge {
  int axis = 0, corner = 0;
};
constexpr CellEdge cellEdge(int number) {
  const int axis = number / 4, low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;
  return {axis, (number & 1) << low | (number >> 1 & 1) << high};
}

/// Polygons, each given by the edges on which its corners lie. Seen from the side of the corners above, in a
/// cell whose axes are right-handed, they are counter-clockwise.
struct CellPolygons {
  static constexpr int kMost = 4;
  std::uint8_t count = 0;
  std::array<std::uint8_t, kMost> sizes{};
  std::array<std::uint8_t, kCellEdges> edges{};  ///< of one polygon after the other
};

/// The same polygons as triangles. They match the Visualization Toolkit's marching cubes, so that areas of rough
/// fields compare: polygons far from flat can be cut in ways that differ by several per cent.
struct CellTriangles {
  static constexpr std::size_t kMost = 5;
  std::uint8_t edgeCount = 0, count = 0;
  std::array<std::uint8_t, kCellEdges> edges{};   ///< those that are crossed, as the triangles come to them
  std::array<std::uint8_t, 3 * kMost> corners{};  ///< of one triangle after the other: on which of `edges`
  /// Of each triangle, the sides that none of the others has: bit n is the side from its corner n to the next. They lie
  /// on the cell's faces.
  std::array<std::uint8_t, kMost> outerSides{};
};

/// A shape of cells, for surfaces.
struct CellContours {
  unsigned corners;
  unsigned edgeCount;
  std::array<std::array<std::uint8_t, 2>, kCellEdges> edges;  ///< their corners
  /// For the cell whose corners in a set (bit c: corner c) lie above, the others below. A crossed edge has
  /// exactly one corner of a polygon.
  std::array<CellPolygons, 256> polygons;
  std::array<CellTriangles, 256> triangles;  ///< for the same sets

  unsigned allCorners() const { return (1u << corners) - 1; }
};
extern const std::array<CellContours, 1> kCellContours;  ///< by shape

inline const CellContours& contoursOf(fields::CellShape shape) {
  return kCellContours[static_cast<std::size_t>(shape)];
}

}  // namespace farfield::extract
