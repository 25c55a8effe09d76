#pragma once
// What the dimensions of a NetCDF variable are, by the CF conventions (cfconventions.org, chapters 4 and 5): which is x, y,
// z and time, and what lies along them.

#include <array>
#include <string>
#include <vector>

#include "plugins/netcdf3/nc_header.h"

namespace farfield::netcdf3 {

/// The grid that a variable lies on: numbers of dimensions, -1 where it has none.
struct CfGrid {
  std::array<int, 3> space{-1, -1, -1};  ///< of x, y and z
  int time = -1;
  /// Two-dimensional coordinates of x and y, where the variable names them; both or neither.
  std::array<const NcVariable*, 2> plane{nullptr, nullptr};

  bool sameSpace(const CfGrid& other) const { return space == other.space && plane == other.plane; }
  int spaceCount() const { return (space[0] >= 0) + (space[1] >= 0) + (space[2] >= 0); }
};

/// Variables that are values: numbers on at least one axis of space, no coordinates and no bounds of those.
std::vector<const NcVariable*> valuesIn(const NcHeader& header);

/// False where a variable has more dimensions than x, y, z and time.
bool gridOf(const NcHeader& header, const NcVariable& variable, CfGrid& grid);

/// The coordinates along dimension `dimension`; null where there are none: nodes are counted then.
const NcVariable* coordinatesOf(const NcHeader& header, int dimension);

/// A vertical axis that follows the sea floor or the ground: its coordinates are no heights.
bool isSigma(const NcVariable& axis);

}  // namespace farfield::netcdf3
