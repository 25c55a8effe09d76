#pragma once
// Samples as data to open: "sample://tornado?size=512".

#include "core/fields/functions/open_data.h"

namespace farfield::samples {

/// Options: the keys of a sample URL; they override those in the URL.
class SampleDataReader final : public fields::DataReader {
 public:
  std::string name() const override { return "sample"; }
  bool recognizes(const std::string& source) const override;
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;
};

}  // namespace farfield::samples
