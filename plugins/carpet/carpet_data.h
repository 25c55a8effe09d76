#pragma once
// Cactus/Carpet's HDF5 output as data to open in place: a file, all files of a set, or a folder.

#include <memory>
#include <utility>

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::carpet {

/// Asked before the reader of HDF5. Options: `iteration`.
class CarpetDataReader final : public fields::DataReader {
 public:
  explicit CarpetDataReader(std::shared_ptr<const paging::ByteStores> stores) : m_stores(std::move(stores)) {}
  std::string name() const override { return "carpet"; }
  bool recognizes(const std::string& source) const override;
  /// Several sources are files of one set, in any order.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::carpet
