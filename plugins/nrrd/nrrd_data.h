#pragma once
// NRRD files as data to open in place.

#include "core/fields/open_data.h"

namespace farfield::nrrd {

/// Options: see describeNrrd. Sources are headers, attached or detached; several are the steps.
class NrrdDataReader final : public fields::DataReader {
 public:
  std::string name() const override { return "nrrd"; }
  bool recognizes(const std::string& source) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;
};

}  // namespace farfield::nrrd
