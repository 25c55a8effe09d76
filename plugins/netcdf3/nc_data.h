#pragma once
// NetCDF files of the classic format as data to open in place.

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::netcdf3 {

/// Options: `variable`, `vectors` (see describeNetcdf). Each source is a step, or has several.
class NetcdfDataReader final : public fields::DataReader {
 public:
  /// Files are what `stores` finds by their names.
  explicit NetcdfDataReader(
      std::shared_ptr<const paging::ByteStores> stores = std::make_shared<const paging::ByteStores>())
      : m_stores(std::move(stores)) {}
  std::string name() const override { return "netcdf"; }
  bool recognizes(const std::string& source) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::netcdf3
