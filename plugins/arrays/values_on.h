#pragma once
// Structured grids whose file has values on nodes and on cells show those of one kind, because a block has one set of nodes: which, what
// is said of the others, and the choice that somebody who looks at the data has.

#include <optional>
#include <string>
#include <vector>

#include "core/fields/functions/reading_choices.h"
#include "plugins/arrays/option_words.h"

namespace farfield::arrays {

struct ValuesOn {
  bool cells = false;                                ///< those of cells are shown
  std::string leftOut = {};                          ///< a line about the others; empty: there are none
  std::optional<fields::ReadingChoice> choice = {};  ///< where there are both
};

/// By the option `on` ("nodes" or "cells"); without it those of nodes, if there are any. `ofNodes` and `ofCells` are the names of the
/// variables. Throws Invalid for another value of the option.
ValuesOn valuesOn(const Options& options, const std::vector<std::string>& ofNodes,
                  const std::vector<std::string>& ofCells);

}  // namespace farfield::arrays
