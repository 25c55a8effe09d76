#pragma once
// Files of Exodus II (in NetCDF's classic format) as data to open in place.

#include "core/fields/open_data.h"

namespace farfield::exodus {

/// Takes no options. One file has all steps.
class ExodusDataReader final : public fields::DataReader {
 public:
  std::string name() const override { return "exodus"; }
  bool recognizes(const std::string& source) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;
};

}  // namespace farfield::exodus
