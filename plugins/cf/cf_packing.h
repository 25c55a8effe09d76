#pragma once
// What the stored numbers of a variable stand for by the CF conventions (chapters 2.5 and 8), and what
// follows from it: which nodes have no value, and where nodes with two-dimensional coordinates lie.

#include <array>
#include <memory>
#include <vector>

#include "plugins/arrays/array_reader.h"
#include "plugins/cf/cf_file.h"

namespace farfield::cf {

/// Signed whole numbers that the attribute _Unsigned = "true" says to have no sign (NetCDF Users Guide, Attribute Conventions): sets their
/// types, and what attributes say of fill values, limits and flags.
void takeUnsigned(File& file);

/// From scale_factor, add_offset, _FillValue, missing_value, valid_min, valid_max and valid_range; for reals
/// also NetCDF's default fill value if no other is given and `defaultFills`. Null if the numbers are the values and none means
/// "no value".
std::shared_ptr<const arrays::Unpacking> unpackingOf(const Variable& variable, bool defaultFills);

/// Of values that are unpacked of numbers of a type: f32 where that has their digits.
ScalarType realTypeOf(arrays::NumberType type);

/// Whether the files say that some number means "no value".
bool mayBeFilled(const arrays::PlacedArray& array);

/// int16 per node: 0 if none of `variables` has a value there, else 1.
arrays::ComputedArray blanksOf(std::vector<arrays::PlacedArray> variables);

/// Coordinates of the nodes: x and y from `plane`, which may have steps, one layer at each of `heights`.
arrays::ComputedArray nodesOf(std::array<arrays::PlacedArray, 2> plane, std::vector<double> heights);

}  // namespace farfield::cf
