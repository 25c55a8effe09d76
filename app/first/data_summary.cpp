#include "app/first/data_summary.h"

#include <algorithm>
#include <cstdint>

namespace farfield::app {

DataSummary summaryOf(const std::string& key, const fields::OpenData& data) {
  DataSummary summary;
  summary.key = key;
  summary.description = data.description();
  for (const paging::BlockDescription& block : summary.description.blocks) summary.bounds.add(block.bounds);
  summary.functions = fields::availableFunctions(summary.description);
  summary.explanation = data.explanation();
  const auto& arrays = summary.description.arrays;
  for (std::uint32_t n = 0; n < arrays.size(); ++n) {
    if (arrays[n].isGrid()) continue;
    for (int c = 0; c < arrays[n].components; ++c) {
      const auto range = data.storedRange(n, c);
      if (!range) continue;
      const std::string name = arrays[n].componentNames.empty()
                                   ? arrays[n].name
                                   : arrays[n].componentNames[static_cast<std::size_t>(c)];
      const auto [place, isNew] = summary.ranges.try_emplace(name, *range);
      if (!isNew)
        place->second = {std::min(place->second[0], (*range)[0]), std::max(place->second[1], (*range)[1])};
    }
  }
  return summary;
}

}  // namespace farfield::app
