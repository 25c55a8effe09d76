#pragma once
// Opening the boxes that a format has found.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"
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

/// The same for the steps of a series, whose boxes may change (amr_series.h).
std::unique_ptr<fields::OpenData> openBoxes(std::vector<AmrInput> steps, AmrFiles files,
                                            const fields::OpenRequest& request, MemoryAccount& account,
                                            std::vector<MemoryClaim> claims = {});

/// A step for each source of `request`, read by `read`, whose errors get the source's name. Throws Cancelled.
std::vector<AmrInput> readSteps(const fields::OpenRequest& request,
                                const std::function<AmrInput(const std::string& source)>& read);

}  // namespace farfield::amr
