#pragma once
// Chombo's and AMReX's HDF5 files as data to open in place.

#include <memory>
#include <utility>

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::chombo {

/// Asked before the reader of HDF5. No options.
class ChomboDataReader final : public fields::DataReader {
 public:
  explicit ChomboDataReader(std::shared_ptr<const paging::ByteStores> stores) : m_stores(std::move(stores)) {}
  std::string name() const override { return "chombo"; }
  bool recognizes(const std::string& source) const override;
  /// One source: boxes that change from step to step are data of their own.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::chombo
