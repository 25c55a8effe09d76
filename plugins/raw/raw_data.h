#pragma once
// Plain numbers as data to open in place.

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::raw {

/// Options: see describeRaw. Plain numbers have no signature: they are taken if the options give their dims,
/// or if the file's name ends with .raw; the reader then says which options it needs.
class RawDataReader final : public fields::DataReader {
 public:
  /// `stores` opens the files.
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
