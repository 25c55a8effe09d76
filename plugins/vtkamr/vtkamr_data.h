#pragma once
// VTK's overlapping AMR as data to open in place.

#include <memory>
#include <utility>

#include "core/fields/functions/open_data.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::vtkamr {

/// Asked before the reader of VTK's other files. Options: `on` ("cells").
class VtkAmrDataReader final : public fields::DataReader {
 public:
  explicit VtkAmrDataReader(std::shared_ptr<const paging::ByteStores> stores) : m_stores(std::move(stores)) {}
  std::string name() const override { return "vtk-amr"; }
  bool recognizes(const std::string& source) const override;
  /// Several sources are steps, whose boxes may change.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::ByteStores> m_stores;
};

}  // namespace farfield::vtkamr
