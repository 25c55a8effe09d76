#pragma once
// Files of CGNS, on HDF5 or ADF, as data to open in place.

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::cgns {

/// Options: `base`, `zone` (a name, or a number in the order in which zones are listed), `on` and `vectors` of structured zones. One
/// file, which has all steps.
class CgnsDataReader final : public fields::DataReader {
 public:
  explicit CgnsDataReader(std::shared_ptr<const paging::ByteStores> stores) : m_stores(std::move(stores)) {}
  std::string name() const override { return "cgns"; }
  bool recognizes(const std::string& source) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::cgns
