#pragma once
// What the stored numbers of a variable stand for by the CF conventions (chapters 2.5 and 8), and what follows of it:
// which nodes have no value at all, and where nodes with coordinates of two dimensions lie.

#include <array>
#include <memory>
#include <vector>

#include "plugins/arrays/array_reader.h"
#include "plugins/netcdf3/nc_header.h"

namespace farfield::netcdf3 {

/// By scale_factor, add_offset, _FillValue, missing_value, valid_min, valid_max and valid_range; of reals also by the value
/// that NetCDF fills with where nobody says another. Null where the numbers are the values and no number means none.
std::shared_ptr<const arrays::Unpacking> unpackingOf(const NcVariable& variable);

/// Whether a number may mean that there is no value because the file says so.
bool mayBeFilled(const arrays::Unpacking& unpacking);

/// int16 per node: 0 where every one of `variables` has no value, else 1.
arrays::ComputedArray blanksOf(std::vector<arrays::PlacedArray> variables);

/// x and y of `plane`, of one layer, at each height z.
arrays::ComputedArray nodesOf(std::array<arrays::PlacedArray, 2> plane, std::vector<double> heights);

}  // namespace farfield::netcdf3
