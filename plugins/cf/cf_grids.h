#pragma once
// Which of the grids of a file by the CF conventions is shown, and what lies on it.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/fields/functions/reading_choices.h"
#include "plugins/arrays/option_words.h"
#include "plugins/arrays/placed_array.h"
#include "plugins/cf/cf_axes.h"

namespace farfield::cf {

struct ShownGrid {
  CfGrid grid;
  std::vector<const Variable*> variables;  ///< on its nodes
  /// Between its nodes, on those of staggered grids: where along each axis.
  struct StaggeredVariable {
    const Variable* variable = nullptr;
    std::array<arrays::Between, 3> between{};
  };
  std::vector<StaggeredVariable> between;
  std::vector<const Variable*> others;  ///< on other grids
  std::vector<std::string> explain;
  std::optional<fields::ReadingChoice> choice;  ///< of `variable`
};

/// The grid with the most axes, of several such the one with the most variables; of staggered grids that of the centres, with what lies between them (cf_staggering.h), even if nothing lies on it.
/// With the option `variable` the grid of that variable, as it is. Throws Unsupported if there is none, Invalid if there is no such variable.
ShownGrid shownGrid(const File& file, const arrays::Options& options);
/// The line about `others` that are not `used` for the grid itself (masks, terms of heights); empty where there are none.
std::string leftOutText(const std::vector<const Variable*>& others, const std::vector<const Variable*>& used);

}  // namespace farfield::cf
