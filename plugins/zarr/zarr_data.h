#pragma once
// Zarr and N5 as data to open in place: folders, or below a URL.

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::zarr {

/// Options: describeZarr(). One folder, which has all steps.
class ZarrDataReader final : public fields::DataReader {
 public:
  explicit ZarrDataReader(std::shared_ptr<const paging::ByteStores> stores) : m_stores(std::move(stores)) {}
  std::string name() const override { return "zarr"; }
  bool recognizes(const std::string& source) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::zarr
