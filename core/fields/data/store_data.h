#pragma once
// Paged stores as data to open.

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/sources/page_folder.h"

namespace farfield::fields {

/// Reads what `farfield convert` writes. Recognizes stores by their trailer, and HDF5 files that lack their end: these are
/// probably stores that were cut short, and opening them says so.
class StoreDataReader final : public DataReader {
 public:
  /// Opens names with `stores`; pages from other machines are kept in `kept` (null: nowhere).
  explicit StoreDataReader(
      std::shared_ptr<const paging::ByteStores> stores = std::make_shared<const paging::ByteStores>(),
      std::shared_ptr<const paging::PageFolder> kept = nullptr)
      : m_stores(std::move(stores)), m_kept(std::move(kept)) {}
  std::string name() const override { return "farfield"; }
  bool recognizes(const std::string& source) const override;
  /// Options: level. A solution is Invalid: a store includes its own.
  std::unique_ptr<OpenData> open(const OpenRequest& request, MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
  std::shared_ptr<const paging::PageFolder> m_kept;
};

}  // namespace farfield::fields
