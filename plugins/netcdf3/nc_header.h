#pragma once
// The header of a NetCDF file of the classic format (CDF-1, CDF-2 with 64-bit offsets, CDF-5): dimensions,
// variables, attributes and the offsets of values. The format: "NetCDF Classic Format Specification"
// (Unidata), appendix B.

#include <memory>
#include <string>

#include "plugins/cf/cf_file.h"

namespace farfield::netcdf3 {

/// Every size in it counts something in the file or fits 2^62. Offsets of values are not checked
/// (arrays::checkPlaces does that). Throws Corrupt, Unsupported.
cf::File readHeader(std::shared_ptr<const arrays::ByteSource> file);

struct Opened {
  std::shared_ptr<const arrays::ByteSource> bytes;
  cf::File header;
};
/// A file to which its program may be adding records. One that has a record which the header does not count yet will have another count
/// without becoming longer, and is the same then. Throws what opening it and readHeader() throw.
Opened openGrowing(const std::string& name, const paging::ByteStores& stores,
                   const std::shared_ptr<arrays::FilePool>& pool, paging::ByteObjects& opened);

}  // namespace farfield::netcdf3
