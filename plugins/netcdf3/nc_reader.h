#pragma once
// NetCDF files of the classic format as arrays: one grid of each file, and all variables that lie on it, read in place.

#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "plugins/arrays/array_reader.h"
#include "plugins/arrays/option_words.h"

namespace farfield::netcdf3 {

struct NcData {
  paging::DatasetDescription description;
  std::vector<arrays::ArrayPlace> places;
  std::vector<std::string> explain;
  std::vector<MemoryClaim> claims;  ///< to be held as long as the description
};

/// The grid of most dimensions is taken, of several such that of most variables, or that of the variable that the option
/// `variable` names. Axes become those of a rectilinear block, coordinates of two dimensions those of a curvilinear one.
/// Packed numbers are unpacked; a node at which every variable is filled is blank. Steps: the records of all files, with
/// the times that they give; files without time are a step each. Option `vectors`. What reading the axes takes is claimed
/// from `account`. Throws Corrupt, Unsupported, Invalid, OverBudget, Io.
NcData describeNetcdf(const std::vector<std::string>& files, const arrays::Options& options,
                      MemoryAccount& account);

}  // namespace farfield::netcdf3
