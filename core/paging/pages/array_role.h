#pragma once
// What an array is for. Code that reads values asks for the role, never for a name: a file may call a
// variable anything. An unknown role (of a newer program) is refused when it is read.

#include <cstdint>

namespace farfield::paging {

enum class ArrayRole : std::uint8_t {
  Variable,        ///< one value or vector per node
  Coordinates,     ///< x, y, z of every node of a curvilinear block
  Blanking,        ///< int16 per node, as PLOT3D's iblank: 0 excludes the cells around the node
  LocationBounds,  ///< a level of the location pyramid: six float32 per group of cells (location_levels.h)
  // of unstructured grids (unstructured_cells.h), int32
  Cells,       ///< the eight corners of every cell, as node numbers
  Neighbours,  ///< the cell beyond each of its six faces, or -1
  Faces        ///< faces that surfaces are made of: the cell, and four corners as node numbers
};

}  // namespace farfield::paging
