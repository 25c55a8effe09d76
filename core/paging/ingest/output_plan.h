#pragma once
// Which arrays a store gets, and where the values of each come from.

#include <vector>

#include "core/paging/ingest/converter.h"
#include "core/paging/pages/description.h"

namespace farfield::paging::detail {

/// Where the values of one array of the store come from.
struct ArrayOrigin {
  int input = -1;           ///< array of the input; for a pyramid level its block's coordinates
  int component = -1;       ///< the one component that is taken; -1: all
  int level = -1;           ///< level of the location pyramid; -1: not part of one
  int iblank = -1;          ///< for a pyramid level and the coordinates it is made from: the input's blanking
  bool feedsBoxes = false;  ///< coordinates that a pyramid is made from
  bool isBoxes() const { return level >= 0; }
};

struct OutputPlan {
  DatasetDescription description;
  std::vector<ArrayOrigin> origins;  ///< parallel to description.arrays
};

OutputPlan planOutput(const DatasetDescription& input, const ConvertOptions& options);

}  // namespace farfield::paging::detail
