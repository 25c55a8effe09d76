#pragma once
// What of a file by the CF conventions can be read in another way: another of its grids, heights for layers without a dimension.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fields/functions/reading_choices.h"
#include "plugins/cf/cf_axes.h"

namespace farfield::cf {

/// The centres of cells of staggered grids, as one of the grids, and the default.
struct CentresChoice {
  std::string value;  ///< of the option
  CfGrid grid;
  std::vector<std::string> names;
  bool isNow = false;
};

/// Of the option `variable`: the grids that `values` lie on (`grids`, of each), the largest first, of a great many not all; nothing if there is one grid alone.
/// `now` and `byDefault` are numbers of values, where it is not `centres`.
std::optional<fields::ReadingChoice> gridChoice(const File& file, const std::vector<const Variable*>& values,
                                                const std::vector<CfGrid>& grids, std::size_t now,
                                                std::size_t byDefault,
                                                const std::optional<CentresChoice>& centres = std::nullopt);

/// The values of the option `vertical`.
enum class Vertical : std::uint8_t {
  Stored,  ///< the numbers of the axis
  Upright,  ///< of an axis that is positive downwards the opposite numbers, so that up is up; of others the same
  Computed,  ///< what its formula gives
};
/// Throws Invalid of another text.
Vertical verticalNamed(const std::string& text);
/// Whether an axis, which may be null, says that it is positive downwards.
bool isPositiveDown(const Variable* axis);

/// Of the option `vertical`; nothing if the vertical axis, which may be null, can be read in one way only. `hasHeights`: its formula can be computed
/// on this grid.
std::optional<fields::ReadingChoice> verticalChoice(const Variable* axis, Vertical now, bool hasHeights);

}  // namespace farfield::cf
