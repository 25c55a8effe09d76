#pragma once
// What an array is for. Whoever reads values asks for this, never for a name: names belong to the data, and a
// file may call a variable anything. A role that this program does not know (a newer one's) is refused where
// it is read.

#include <cstdint>

namespace farfield::paging {

enum class ArrayRole : std::uint8_t {
  Variable,       ///< one value or vector per node: what is looked at
  Coordinates,    ///< x, y, z of every node of a curvilinear block
  Blanking,       ///< int16 per node, as PLOT3D's iblank: 0 takes the cells around it out
  LocationBounds  ///< a level of the location pyramid: six float32 per group of cells (location_levels.h)
};

}  // namespace farfield::paging
