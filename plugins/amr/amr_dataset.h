#pragma once
// From the boxes of an adaptive grid, in whatever format, to a data set: a block per box.

#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "plugins/amr/amr_values.h"

namespace farfield::amr {

struct AmrInput {
  std::string format;
  std::vector<Level>
      levels;             ///< coarsest first. Of values on nodes a box has the nodes themselves as its cells
  Vec3 origin;            ///< of the lower corner of cell 0, or of node 0, of every level
  Vec3 spacing{1, 1, 1};  ///< of the coarsest level
  bool onCells = true;
  bool flat = false;  ///< one layer of cells (or nodes) along k, without thickness: data of a plane
  std::vector<double> times{0};
  std::vector<Variable> variables;
  std::vector<std::string> notes;
  /// Of what stands here, by claimBoxes() and the like: whoever keeps several inputs holds the memory of all.
  std::vector<MemoryClaim> claims = {};
};

struct AmrData {
  paging::DatasetDescription description;
  std::vector<arrays::ArrayPlace> places;
  std::vector<std::string> explain;
  std::vector<MemoryClaim> claims;  ///< to be held as long as the description
};

/// Memory that grows with the boxes is claimed from `account`, as far as the input does not bring it along. Throws Corrupt, Unsupported, OverBudget.
AmrData datasetOf(AmrInput input, MemoryAccount& account);

/// Claims memory for lists that follow from the number of boxes, before they are made. In a rehearsal short ones are not refused,
/// although they are made there, too: so that it finds the budget of the whole job.
MemoryClaim claimLists(std::uint64_t bytes, MemoryAccount& account);
/// The same for all lists of so many boxes.
MemoryClaim claimBoxes(std::size_t boxes, std::size_t variables, MemoryAccount& account);
/// The same for one more variable of boxes that are claimed.
MemoryClaim claimVariable(std::size_t boxes, MemoryAccount& account);

}  // namespace farfield::amr
