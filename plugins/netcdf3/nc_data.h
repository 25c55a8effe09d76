#pragma once
// NetCDF files of the classic format as data to open in place.

#include "core/fields/open_data.h"

namespace farfield::netcdf3 {

/// Options: `variable`, `vectors` (see describeNetcdf). Each source is a step, or has several.
class NetcdfDataReader final : public fields::DataReader {
 public:
  std::string name() const override { return "netcdf"; }
  bool recognizes(const std::string& source) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;
};

}  // namespace farfield::netcdf3
