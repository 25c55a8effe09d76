#include "core/fields/stored_range.h"

#include <algorithm>

namespace farfield::fields {
VariablePlace placeOf(const paging::DatasetDescription& data, const std::string& variable) {
  for (std::size_t n = 0; n < data.arrays.size(); ++n) {
    const auto& array = data.arrays[n];
    if (array.name == variable) return {static_cast<int>(n), 0};
    for (std::size_t c = 0; c < array.componentNames.size(); ++c)
      if (array.componentNames[c] == variable) return {static_cast<int>(n), static_cast<int>(c)};
  }
  return {};
}

std::optional<std::array<double, 2>> storedRangeOf(const OpenData& data, const std::string& variable) {
  const auto& arrays = data.description().arrays;
  const VariablePlace place = placeOf(data.description(), variable);
  if (place.array < 0) return std::nullopt;
  const std::string& arrayName = arrays[static_cast<std::size_t>(place.array)].name;
  std::optional<std::array<double, 2>> all;
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    if (arrays[n].name != arrayName) continue;
    const auto range = data.storedRange(static_cast<std::uint32_t>(n), place.component);
    if (!range) return std::nullopt;
    all = all ? std::array{std::min((*all)[0], (*range)[0]), std::max((*all)[1], (*range)[1])} : *range;
  }
  return all;
}

}  // namespace farfield::fields
