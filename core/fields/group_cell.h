#pragma once
// A cell of a group of neighbouring cells, whose nodes are numbered from 0.

#include <array>
#include <cstddef>
#include <cstdint>

namespace farfield::fields {

/// Number and order of a cell's corners. Hexahedron: as in a gather of 2 x 2 x 2 nodes. Other shapes are
/// hexahedra some of whose corners are the same node (paging/pages/unstructured_cells.h).
enum class CellShape : std::uint8_t { Hexahedron };

struct GroupCell {
  static constexpr std::size_t kMostCorners = 8;
  CellShape shape = CellShape::Hexahedron;
  std::array<std::uint16_t, kMostCorners> nodes{};  ///< corners, as node numbers of the group
};

}  // namespace farfield::fields
