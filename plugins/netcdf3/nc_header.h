#pragma once
// The header of a NetCDF file of the classic format (CDF-1, CDF-2 with 64-bit offsets, CDF-5): dimensions,
// variables, attributes and the offsets of values. The format: "NetCDF Classic Format Specification"
// (Unidata), appendix B.

#include <memory>

#include "plugins/cf/cf_file.h"

namespace farfield::netcdf3 {

/// Every size in it counts something in the file or fits 2^62. Offsets of values are not checked
/// (arrays::checkPlaces does that). Throws Corrupt, Unsupported.
cf::File readHeader(std::shared_ptr<const arrays::ByteSource> file);

}  // namespace farfield::netcdf3
