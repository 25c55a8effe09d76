#pragma once
// Opening the boxes that a format has found.

#include <memory>
#include <string>
#include <vector>

#include "core/fields/open_data.h"
#include "core/paging/bytes/byte_object.h"
#include "plugins/amr/amr_dataset.h"

namespace farfield::amr {

struct AmrFiles {
  std::vector<std::string> names;  ///< all that values come from
  std::uint64_t storedBytes = 0;   ///< of all of them
  paging::ByteObjects objects;     ///< of URLs, and of files that must not change
};

/// Throws what datasetOf() throws.
/// `claims` are held as long as the data.
std::unique_ptr<fields::OpenData> openBoxes(AmrInput input, AmrFiles files,
                                            const fields::OpenRequest& request, MemoryAccount& account,
                                            std::vector<MemoryClaim> claims = {});

}  // namespace farfield::amr
