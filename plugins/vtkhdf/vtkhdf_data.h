#pragma once
// VTKHDF files as data to open in place.

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::vtkhdf {

/// Options: `step`, and for images those of VTK's other files. One file, which has all steps.
class VtkHdfDataReader final : public fields::DataReader {
 public:
  explicit VtkHdfDataReader(std::shared_ptr<const paging::ByteStores> stores) : m_stores(std::move(stores)) {}
  std::string name() const override { return "vtkhdf"; }
  bool recognizes(const std::string& source) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::vtkhdf
