#pragma once
// PLOT3D files as data to open in place.

#include <memory>
#include <utility>

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/location/kept_scans.h"

namespace farfield::plot3d {

/// Options: those of Plot3dReader. Recognizes a grid file if exactly one reading of it fits, or several do
/// (opening it then says which).
class Plot3dDataReader final : public fields::DataReader {
 public:
  /// Results of reading all coordinates are kept in `kept` for the next time; null: nowhere. `stores` opens
  /// the files.
  explicit Plot3dDataReader(
      std::shared_ptr<const paging::KeptScans> kept = nullptr,
      std::shared_ptr<const paging::ByteStores> stores = std::make_shared<const paging::ByteStores>())
      : m_kept(std::move(kept)), m_stores(std::move(stores)) {}
  std::string name() const override { return "plot3d"; }
  bool recognizes(const std::string& source) const override;
  /// Sources are grids, or one .p3d file that names them; solutions are q and function files. Reads all
  /// coordinates once, for bounds and location bounds, and iblank, for walls; for conversion iblank alone;
  /// neither if the results were kept from an earlier opening.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::KeptScans> m_kept;
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::plot3d
