#pragma once
// NRRD files as data to open in place.

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::nrrd {

/// Options: see describeNrrd. Sources are headers, attached or detached; several are the steps.
class NrrdDataReader final : public fields::DataReader {
 public:
  /// Files are what `stores` finds by their names.
  explicit NrrdDataReader(
      std::shared_ptr<const paging::ByteStores> stores = std::make_shared<const paging::ByteStores>())
      : m_stores(std::move(stores)) {}
  std::string name() const override { return "nrrd"; }
  bool recognizes(const std::string& source) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::nrrd
