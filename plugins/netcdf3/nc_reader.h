#pragma once
// NetCDF files of the classic format as arrays, by the CF conventions.

#include <string>
#include <vector>

#include "plugins/cf/cf_reader.h"

namespace farfield::netcdf3 {

/// As cf::describe, with the options `variable`, `vectors`, `origin`, `spacing` and `vertical`. `stores` opens the files; `objects`, if given, gets
/// what URLs named.
cf::CfData describeNetcdf(const std::vector<std::string>& files, const arrays::Options& options,
                          MemoryAccount& account, const paging::ByteStores& stores = {},
                          paging::ByteObjects* objects = nullptr);

}  // namespace farfield::netcdf3
