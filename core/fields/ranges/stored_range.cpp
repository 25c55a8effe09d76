#include "core/fields/ranges/stored_range.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/paging/pages/amr_boxes.h"

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

std::optional<std::array<double, 2>> storedRangeOf(const OpenData& data, const std::string& variable,
                                                   std::int64_t step, const std::stop_token& stop) {
  const paging::DatasetDescription& description = data.description();
  const VariablePlace place = placeOf(description, variable);
  if (place.array < 0) return std::nullopt;
  const std::string& name = description.arrays[static_cast<std::size_t>(place.array)].name;
  const std::vector<bool> isThere = paging::blocksAt(description, step);
  std::optional<std::array<double, 2>> all;
  for (std::size_t n = 0; n < description.arrays.size(); ++n) {
    const paging::ArrayDescription& array = description.arrays[n];
    if (array.name != name) continue;
    if (array.block >= 0 && !isThere.empty() && !isThere[static_cast<std::size_t>(array.block)]) continue;
    for (std::int64_t page = 0; page < array.layout.pageCount(); ++page) {
      if (stop.stop_requested()) throw Cancelled();
      const auto summary = data.summaryOf(static_cast<std::uint32_t>(n), array.pageNumber(step, page));
      if (!summary) return std::nullopt;
      const auto& its = summary->components.at(static_cast<std::size_t>(place.component));
      if (!(its.min <= its.max)) continue;
      all = all ? std::array<double, 2>{std::min((*all)[0], its.min), std::max((*all)[1], its.max)}
                : std::array<double, 2>{its.min, its.max};
    }
  }
  return all;
}

}  // namespace farfield::fields
