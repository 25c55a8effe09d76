#pragma once
// Counts the pages that a computation will read without reading them: for surfaces and outlines the nodes are
// known beforehand.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"

namespace farfield::session {

/// Nodes of a block, and the arrays that are gathered there: those of the grid by role, variables by name.
/// Arrays that the block does not have are ignored.
struct GatheredNodes {
  int block = 0;
  IndexBox nodes;
  std::vector<paging::ArrayRole> grid;
  std::vector<std::string> variables = {};
  Index3 stride{1, 1, 1};  ///< of the box the nodes that are so many apart along each axis, from the first on
  bool holds(const paging::ArrayDescription& array) const;
};

struct TouchedPages {
  std::uint64_t pages = 0;
  std::uint64_t storedBytes = 0;   ///< as stored
  std::uint64_t decodedBytes = 0;  ///< as in memory
};

/// The pages that hold any of the nodes at `step`, each once. Arrays that do not change in time count only
/// with `staticToo`. Throws what looking pages up in an index throws.
TouchedPages touchedPages(const fields::OpenData& data, std::span<const GatheredNodes> regions,
                          std::int64_t step, bool staticToo);

}  // namespace farfield::session
