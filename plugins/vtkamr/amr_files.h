#pragma once
// The files of the boxes of an index, as an adaptive grid.

#include <memory>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"
#include "plugins/amr/amr_dataset.h"
#include "plugins/vtkamr/amr_index.h"

namespace farfield::vtkamr {

struct FoundBoxes {
  amr::AmrInput input;
  std::vector<std::string> files;
  std::uint64_t storedBytes = 0;
};

/// Opens the files that `index`, itself the file `source`, names: beside it or in folders below, through `request.findNamed`.
/// Only their headers are read. `onCells` from the option `on`. Throws Corrupt, Unsupported, OverBudget, Io.
FoundBoxes boxesOf(AmrIndex index, const std::string& source, const fields::OpenRequest& request,
                   const paging::ByteStores& stores, paging::ByteObjects& objects, MemoryAccount& account);

/// The name of a file in an index, if it is one below the index's own folder: no absolute path, no "..", no URL. Throws Corrupt.
const std::string& confined(const std::string& named);

}  // namespace farfield::vtkamr
