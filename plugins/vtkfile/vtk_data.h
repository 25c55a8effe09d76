#pragma once
// VTK's files as data to open in place: grids, and files that name others.

#include <memory>
#include <utility>

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"
#include "core/paging/location/kept_scans.h"

namespace farfield::vtkfile {

/// Options: gridOptions(), of files that name several blocks also `block` (vtk_files.h). Recognizes legacy and XML files of VTK, including kinds that it then refuses by
/// name.
class VtkDataReader final : public fields::DataReader {
 public:
  /// Results of reading all coordinates are kept in `kept` for the next time; null: nowhere. Files are what
  /// `stores` finds by their names.
  explicit VtkDataReader(
      std::shared_ptr<const paging::KeptScans> kept = nullptr,
      std::shared_ptr<const paging::ByteStores> stores = std::make_shared<const paging::ByteStores>())
      : m_kept(std::move(kept)), m_stores(std::move(stores)) {}
  std::string name() const override { return "vtk"; }
  bool recognizes(const std::string& source) const override;
  /// Sources are the steps, or have several each.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::KeptScans> m_kept;
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::vtkfile
