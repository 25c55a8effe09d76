#pragma once
// HDF5 files as data to open in place: NetCDF-4, and others that hold regular arrays.

#include <functional>

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"
#include "plugins/hdf5/hdf5_file.h"

namespace farfield::hdf5 {

/// Whether the object begins as an HDF5 file, perhaps behind a user block. False if it cannot be read.
bool isHdf5(const paging::ByteStores& stores, const std::string& source);
/// Whether it is an HDF5 file that `isOurs` takes, for formats with rules of their own. False if it cannot be read. Throws Cancelled.
bool isHdf5(const paging::ByteStores& stores, const std::string& source,
            const std::function<bool(const File&)>& isOurs);

/// Options: `variable`, `vectors`, `origin`, `spacing`, `vertical` (describeHdf5). Each source is a step, or has several.
class Hdf5DataReader final : public fields::DataReader {
 public:
  explicit Hdf5DataReader(std::shared_ptr<const paging::ByteStores> stores) : m_stores(std::move(stores)) {}
  std::string name() const override { return "hdf5"; }
  bool recognizes(const std::string& source) const override { return isHdf5(*m_stores, source); }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::hdf5
