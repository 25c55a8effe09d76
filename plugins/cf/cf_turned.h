#pragma once
// Grids whose lines do not run to the east and to the north, of which the file says how they are turned: by an angle (ROMS, CROCO) or by its cosine and sine (WRF). Components of a velocity are along the lines
// there.

#include <map>
#include <string>
#include <vector>

#include "plugins/cf/cf_axes.h"
#include "plugins/cf/cf_reader.h"
#include "plugins/cf/cf_series.h"

namespace farfield::cf {

/// Of those that are in the data, the names there.
using VariableNames = std::map<const Variable*, std::string>;

/// Adds a vector to the east, to the north and up, as a function, where components of a velocity are along the lines of `grid` and the first of the files says how it is turned; and what says that as a variable,
/// the same in all layers. Nothing if x and y are no longitudes and latitudes of two dimensions: along axes of their own, components are shown right. `used` gets what became part of the data. Throws as
/// planeCoordinate() does.
void addFlow(const std::vector<OpenedFile>& files, const CfGrid& grid, Series& series, VariableNames& names,
             std::vector<const Variable*>& used, CfData& data);

}  // namespace farfield::cf
