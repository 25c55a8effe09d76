#pragma once
// NetCDF files of the classic format as arrays: one grid of each file with all variables on it, read in
// place.

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
  paging::ByteObjects objects;      ///< what URLs named
};

/// Takes the grid with the most dimensions, of several such the one with the most variables, or that of the
/// variable in the option `variable`. Axes become those of a rectilinear block, two-dimensional coordinates
/// those of a curvilinear one. Packed numbers are unpacked; a node where all variables have fill values is
/// blank. Steps: the records of all files, with their times; files without time are one step each. Option
/// `vectors`. `stores` opens the files. Memory for reading the axes is claimed from `account`. Throws Corrupt, Unsupported, Invalid,
/// OverBudget, Io.
NcData describeNetcdf(const std::vector<std::string>& files, const arrays::Options& options,
                      MemoryAccount& account, const paging::ByteStores& stores = {});

}  // namespace farfield::netcdf3
