#pragma once
// The cells of unstructured grids. A cell is a hexahedron given by eight corners, numbered as in a gather of
// 2 x 2 x 2 nodes: bit a of a corner's number is the step along axis a. The other shapes are hexahedra some of
// whose corners coincide, so that most code need not know them:
//
//   tetrahedron  a b c c  d d d d      wedge  a b c c  d e f f      pyramid  a b c d  e e e e
//
// Face 2n of a cell is where axis n is 0, face 2n + 1 where it is 1. Faces that have collapsed to an edge or a
// point have no neighbour; the slanted faces of tetrahedra and wedges are face 1.

#include <array>
#include <cstddef>
#include <cstdint>

namespace farfield::paging {

constexpr std::size_t kCellCorners = 8, kCellFaces = 6;
/// As stored: node numbers.
using CellNodes = std::array<std::int32_t, kCellCorners>;

enum class UnstructuredShape : std::uint8_t { Tetrahedron, Pyramid, Wedge, Hexahedron };
constexpr int kUnstructuredShapes = 4;
/// "tetrahedra", …
constexpr const char* nameOf(UnstructuredShape shape) {
  constexpr const char* kNames[] = {"tetrahedra", "pyramids", "wedges", "hexahedra"};
  return kNames[static_cast<int>(shape)];
}

/// By the corners that coincide.
constexpr UnstructuredShape shapeOf(const CellNodes& c) {
  const bool apex = c[4] == c[5] && c[4] == c[6] && c[4] == c[7], edge = c[2] == c[3];
  if (apex) return edge ? UnstructuredShape::Tetrahedron : UnstructuredShape::Pyramid;
  return edge && c[6] == c[7] ? UnstructuredShape::Wedge : UnstructuredShape::Hexahedron;
}

/// The corners that are nodes of their own; the others coincide with one of them.
struct OwnCorners {
  std::array<std::uint8_t, kCellCorners> corners;
  std::size_t count;
  const std::uint8_t* begin() const { return corners.data(); }
  const std::uint8_t* end() const { return corners.data() + count; }
};
constexpr OwnCorners ownCorners(UnstructuredShape shape) {
  switch (shape) {
    case UnstructuredShape::Tetrahedron:
      return {{0, 1, 2, 4}, 4};
    case UnstructuredShape::Pyramid:
      return {{0, 1, 2, 3, 4}, 5};
    case UnstructuredShape::Wedge:
      return {{0, 1, 2, 4, 5, 6}, 6};
    case UnstructuredShape::Hexahedron:
      break;
  }
  return {{0, 1, 2, 3, 4, 5, 6, 7}, 8};
}
/// For each corner the own corner with which it coincides.
constexpr std::array<std::uint8_t, kCellCorners> ownOf(UnstructuredShape shape) {
  switch (shape) {
    case UnstructuredShape::Tetrahedron:
      return {0, 1, 2, 2, 4, 4, 4, 4};
    case UnstructuredShape::Pyramid:
      return {0, 1, 2, 3, 4, 4, 4, 4};
    case UnstructuredShape::Wedge:
      return {0, 1, 2, 2, 4, 5, 6, 6};
    case UnstructuredShape::Hexahedron:
      break;
  }
  return {0, 1, 2, 3, 4, 5, 6, 7};
}

/// Name of the surface of all faces without a neighbour.
constexpr const char* kBorderName = "boundary";

/// The corners of a face in order around it, counter-clockwise seen from outside of a right-handed cell.
constexpr std::array<std::array<std::uint8_t, 4>, kCellFaces> kFaceCorners{
    {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};

}  // namespace farfield::paging
