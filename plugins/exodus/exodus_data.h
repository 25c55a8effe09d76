#pragma once
// Files of Exodus II (NetCDF in the classic format, or NetCDF-4 on HDF5) as data to open in place.

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::exodus {

/// Option `shape`: `stored` (default) or `displaced`, nodes moved by the displacement of each step. One file has all steps.
class ExodusDataReader final : public fields::DataReader {
 public:
  /// Files are what `stores` finds by their names.
  explicit ExodusDataReader(
      std::shared_ptr<const paging::ByteStores> stores = std::make_shared<const paging::ByteStores>())
      : m_stores(std::move(stores)) {}
  std::string name() const override { return "exodus"; }
  bool recognizes(const std::string& source) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::exodus
