#pragma once
// Files of gridded data by the CF conventions as arrays: one grid with all variables on it, read in place. Their
// format does not matter (cf_file.h).

#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/fields/functions/reading_choices.h"
#include "plugins/arrays/array_reader.h"
#include "plugins/arrays/option_words.h"
#include "plugins/cf/cf_file.h"

namespace farfield::cf {

/// One of the files of a data set.
struct OpenedFile {
  std::string path;
  File file;
  std::uint64_t storedBytes = 0;
};

struct CfData {
  paging::DatasetDescription description;
  std::vector<arrays::ArrayPlace> places;
  std::vector<std::string> explain;
  std::vector<fields::ReadingChoice> choices;  ///< of `variable` and `vertical`
  std::vector<MemoryClaim> claims;             ///< to be held as long as the description
};

/// Takes the grid with the most dimensions, of several such the one with the most variables, or that of the
/// variable in the option `variable` (cf_grids.h); what lies between its nodes, on staggered grids, as means. Axes become those of a rectilinear block, two-dimensional coordinates
/// those of a curvilinear one; without coordinates nodes are counted, or lie by the options `origin` and
/// `spacing`. Packed numbers are unpacked; a node where all variables have fill values is
/// blank. With the option `vertical=computed` layers of sigma coordinates lie at the heights that their formula
/// gives (cf_heights.h). Steps: the records of all files, with their times; files without time are one step each.
/// Option `vectors`. Memory for reading the axes is claimed from `account`. Throws Corrupt, Unsupported, Invalid,
/// OverBudget, Io.
CfData describe(std::vector<OpenedFile> files, const std::string& format, const arrays::Options& options,
                MemoryAccount& account);

}  // namespace farfield::cf
