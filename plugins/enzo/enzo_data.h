#pragma once
// Enzo's output as data to open in place: by its hierarchy file, or by the parameter file beside that.

#include <memory>
#include <utility>

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::enzo {

/// No options.
class EnzoDataReader final : public fields::DataReader {
 public:
  explicit EnzoDataReader(std::shared_ptr<const paging::ByteStores> stores) : m_stores(std::move(stores)) {}
  std::string name() const override { return "enzo"; }
  bool recognizes(const std::string& source) const override;
  /// One source: grids that change from step to step are data of their own.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::enzo
