#pragma once
// A cell of a group of neighbouring cells, whose nodes are numbered from 0.

#include <array>
#include <cstddef>
#include <cstdint>

namespace farfield::fields {

/// Number and order of a cell's corners. Hexahedron: as in a gather of 2 x 2 x 2 nodes. Other shapes are
/// hexahedra some of whose corners are the same node (paging/pages/unstructured_cells.h).
enum class CellShape : std::uint8_t { Hexahedron };

/// A node of a group in rows, by its number along each axis: at most 15.
class GroupPlace {
 public:
  static constexpr unsigned kBits = 12;
  constexpr GroupPlace(unsigned i, unsigned j, unsigned k) : m_place(i | j << 4 | k << 8) {}
  constexpr unsigned along(std::size_t axis) const { return m_place >> 4 * axis & 15U; }
  /// One step up along the axes of the bits of `corner`.
  constexpr GroupPlace up(unsigned corner) const {
    return GroupPlace(m_place + (corner & 1U) + ((corner & 2U) << 3) + ((corner & 4U) << 6));
  }
  /// Its number among the nodes of a group with `row` nodes along each axis.
  constexpr std::size_t node(std::size_t row) const { return along(0) + row * (along(1) + row * along(2)); }
  /// All three, for where many are kept.
  constexpr unsigned bits() const { return m_place; }
  static constexpr GroupPlace fromBits(unsigned bits) { return GroupPlace(bits); }

 private:
  explicit constexpr GroupPlace(unsigned place) : m_place(place) {}
  unsigned m_place;
};

struct GroupCell {
  static constexpr std::size_t kMostCorners = 8;
  CellShape shape = CellShape::Hexahedron;
  std::array<std::uint16_t, kMostCorners> nodes{};  ///< corners, as node numbers of the group
};

}  // namespace farfield::fields
