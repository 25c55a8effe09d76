#pragma once
// The dimensions of a NetCDF variable by the CF conventions (cfconventions.org, chapters 4 and 5): which are
// x, y, z and time, and the coordinates along them.

#include <array>
#include <string>
#include <vector>

#include "plugins/cf/cf_file.h"

namespace farfield::cf {

/// The grid of a variable: numbers of dimensions, -1 if it has none.
struct CfGrid {
  std::array<int, 3> space{-1, -1, -1};  ///< of x, y and z
  int time = -1;
  /// Two-dimensional coordinates of x and y, if the variable names them; both or neither. Before y and x they may have the time.
  std::array<const Variable*, 2> plane{nullptr, nullptr};

  bool sameSpace(const CfGrid& other) const { return space == other.space && plane == other.plane; }
  int spaceCount() const { return (space[0] >= 0) + (space[1] >= 0) + (space[2] >= 0); }
};

/// Variables with values: numbers on at least one axis of space, but not coordinates or their bounds.
std::vector<const Variable*> valuesIn(const File& header);

/// False if a variable has more dimensions than x, y, z and time.
bool gridOf(const File& header, const Variable& variable, CfGrid& grid);

/// The coordinates along dimension `dimension`; null if there are none, and nodes are counted.
const Variable* coordinatesOf(const File& header, int dimension);

/// The times along dimension `dimension`: its coordinates, else a variable along it alone that variables name among their `coordinates` and that counts from a
/// date, as WRF's XTIME does. Null if there are none.
const Variable* timesOf(const File& header, int dimension);

/// A vertical axis that follows the sea floor or the ground: its coordinates are not heights.
bool isSigma(const Variable& axis);

}  // namespace farfield::cf
