#pragma once
// Plotfiles of AMReX as data to open in place: a folder, by its name or by that of the Header in it.

#include <memory>
#include <utility>

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::amrex {

/// No options.
class AmrexDataReader final : public fields::DataReader {
 public:
  explicit AmrexDataReader(std::shared_ptr<const paging::ByteStores> stores) : m_stores(std::move(stores)) {}
  std::string name() const override { return "amrex"; }
  bool recognizes(const std::string& source) const override;
  /// Several sources are steps, whose boxes may change.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::amrex
