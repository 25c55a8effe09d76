#pragma once
// The structured zones of a CGNS file as curvilinear blocks.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/fields/functions/reading_choices.h"
#include "plugins/arrays/array_reader.h"
#include "plugins/arrays/option_words.h"
#include "plugins/cgns/cgns_zones.h"

namespace farfield::cgns {

struct CgnsBlocks {
  paging::DatasetDescription description;
  std::vector<arrays::ArrayPlace> places;
  std::vector<std::string> explain;
  std::optional<fields::ReadingChoice> choice;  ///< of `on`
};

/// All zones of `base`, which are structured. Values at cells become blocks of more nodes (arrays/cell_nodes.h). Options: `on`
/// ("nodes" or "cells": whose values; default: those of nodes, if there are any), `vectors`. Throws Invalid, Corrupt, Unsupported.
CgnsBlocks blocksOf(const Tree& tree, const Base& base, const arrays::Options& options);

}  // namespace farfield::cgns
