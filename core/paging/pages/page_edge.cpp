#include "core/paging/pages/page_edge.h"

#include <algorithm>
#include <vector>

#include "core/paging/pages/coarse_levels.h"

namespace farfield::paging {

int pageEdgeFor(const DatasetDescription& input) {
  if (!input.blocks.empty() && input.blocks.front().isUnstructured()) return 10;
  std::vector<std::int64_t> nodeBytes(input.blocks.size());
  for (const ArrayDescription& array : input.arrays)
    if (array.detail == 0) nodeBytes[static_cast<std::size_t>(array.block)] += array.nodeBytes();
  const bool small = std::all_of(nodeBytes.begin(), nodeBytes.end(), [](auto bytes) { return bytes <= 8; });
  return small ? 32 : 16;
}

}  // namespace farfield::paging
