#pragma once
// Where the numbers of variables lie, as arrays and pieces of them.

#include "plugins/arrays/placed_array.h"
#include "plugins/cf/cf_file.h"
#include "plugins/cf/cf_grids.h"

namespace farfield::cf {

/// How a variable is stored, without any place.
arrays::PlacedArray plainArray(const File& file, const Variable& variable);
/// The `count` numbers of a variable of one dimension.
arrays::PlacedArray axisOf(const File& file, const Variable& variable, std::int64_t count);
/// The variable's values on the grid at the file's first time, as a piece.
arrays::Piece pieceOf(const Variable& variable, const CfGrid& grid, const Index3& dims);
/// From a time to the next; 0 if the variable has none.
std::int64_t timeStrideOf(const Variable& variable, const CfGrid& grid);

}  // namespace farfield::cf
