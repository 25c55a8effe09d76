#pragma once
// Types of elements of CGNS (SIDS, section 3.3) and what they are to VTK, whose shapes have the same corners in the same order
// (plugins/vtkfile/cell_shapes.h).

#include <array>
#include <cstdint>
#include <optional>

namespace farfield::cgns {

constexpr std::int64_t kMixed = 20, kNgon = 22, kNface = 23;

/// Nodes of an element of that type; 0 for those of no fixed number, and for unknown types.
std::int64_t nodesOfElement(std::int64_t type);
/// VTK's type; 0 for nodes, bars and unknown types.
std::int64_t vtkType(std::int64_t type);
/// The corners, from 1, of a face, from 1, of a cell of one of VTK's types, outwards; of a triangle the last twice. Nothing if it has
/// no such face.
std::optional<std::array<std::uint8_t, 4>> cornersOfFace(std::int64_t vtkType, std::int64_t face);
/// 3, 2, 1 or 0; 3 for kNface and 2 for kNgon; -1 for kMixed and unknown types.
int dimsOfElement(std::int64_t type);

}  // namespace farfield::cgns
