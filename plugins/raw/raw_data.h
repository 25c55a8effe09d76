#pragma once
// Plain numbers as data to open in place.

#include "core/fields/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::raw {

/// Options: see describeRaw. Plain numbers have no mark: they are taken where the options say their dims, or where the
/// file's name ends with .raw and the reader then says what it must be told.
class RawDataReader final : public fields::DataReader {
 public:
  /// Files are what `stores` finds by their names.
  explicit RawDataReader(
      std::shared_ptr<const paging::ByteStores> stores = std::make_shared<const paging::ByteStores>())
      : m_stores(std::move(stores)) {}
  std::string name() const override { return "raw"; }
  bool recognizes(const std::string& source) const override;
  bool takes(const fields::OpenRequest& request) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::raw
