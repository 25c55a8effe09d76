#include "plugins/exodus/element_types.h"

#include <cctype>
#include <string>
#include <vector>

namespace farfield::exodus {
namespace {

using paging::UnstructuredShape;

std::string inCapitals(std::string_view type) {
  std::string upper;
  for (const char letter : type) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return upper;
}

}  // namespace

std::size_t cornersOfFlat(std::string_view type, std::int64_t nodes) {
  const std::string upper = inCapitals(type);
  if (nodes < 3) return 0;
  if (upper.starts_with("TRI")) return 3;
  if (upper.starts_with("QUAD")) return nodes < 4 ? 0 : 4;
  // shells of three and six nodes are triangles
  if (upper.starts_with("SHELL")) return nodes == 3 || nodes == 6 ? 3 : nodes < 4 ? 0 : 4;
  return 0;
}

std::optional<UnstructuredShape> shapeOfElement(std::string_view type) {
  const std::string upper = inCapitals(type);
  if (upper.starts_with("HEX")) return UnstructuredShape::Hexahedron;
  if (upper.starts_with("TET")) return UnstructuredShape::Tetrahedron;
  if (upper.starts_with("WED")) return UnstructuredShape::Wedge;
  if (upper.starts_with("PYR")) return UnstructuredShape::Pyramid;
  return std::nullopt;
}

std::size_t cornersOf(UnstructuredShape shape) {
  return paging::ownCorners(shape).count;
}

paging::CellNodes cellOf(UnstructuredShape shape, std::span<const std::int32_t> p) {
  switch (shape) {
    case UnstructuredShape::Tetrahedron:
      return {p[0], p[1], p[2], p[2], p[3], p[3], p[3], p[3]};
    case UnstructuredShape::Pyramid:
      return {p[0], p[1], p[3], p[2], p[4], p[4], p[4], p[4]};
    case UnstructuredShape::Wedge:
      return {p[0], p[1], p[2], p[2], p[3], p[4], p[5], p[5]};
    case UnstructuredShape::Hexahedron:
      break;
  }
  return {p[0], p[1], p[3], p[2], p[4], p[5], p[7], p[6]};
}

std::optional<std::array<std::int32_t, 4>> sideOf(UnstructuredShape shape, std::span<const std::int32_t> p,
                                                  std::int64_t side) {
  using Sides = std::vector<std::array<std::uint8_t, 4>>;
  static const Sides kHexahedron{{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6},
                                 {0, 4, 7, 3}, {0, 3, 2, 1}, {4, 5, 6, 7}};
  static const Sides kTetrahedron{{0, 1, 3, 3}, {1, 2, 3, 3}, {0, 3, 2, 2}, {0, 2, 1, 1}};
  static const Sides kWedge{{0, 1, 4, 3}, {1, 2, 5, 4}, {0, 3, 5, 2}, {0, 2, 1, 1}, {3, 4, 5, 5}};
  static const Sides kPyramid{{0, 1, 4, 4}, {1, 2, 4, 4}, {2, 3, 4, 4}, {0, 4, 3, 3}, {0, 3, 2, 1}};
  const Sides& sides = shape == UnstructuredShape::Hexahedron    ? kHexahedron
                       : shape == UnstructuredShape::Tetrahedron ? kTetrahedron
                       : shape == UnstructuredShape::Wedge       ? kWedge
                                                                 : kPyramid;
  if (side < 1 || static_cast<std::size_t>(side) > sides.size()) return std::nullopt;
  std::array<std::int32_t, 4> nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] = p[sides[static_cast<std::size_t>(side - 1)][n]];
  return nodes;
}

}  // namespace farfield::exodus
