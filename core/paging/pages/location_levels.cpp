#include "core/paging/pages/location_levels.h"

#include <algorithm>

namespace farfield::paging {

Index3 levelDims(const Index3& cells, int level) {
  std::int64_t per = kCellsPerBoxAxis;
  for (int l = 0; l < level; ++l) per *= kBoxesPerBoxAxis;
  Index3 dims;
  for (int a = 0; a < 3; ++a) dims[a] = (cells[a] + per - 1) / per;
  return dims;
}

int levelCount(const Index3& cells) {
  if (std::min({cells[0], cells[1], cells[2]}) < 1) return 0;
  int count = 1;
  while (product(levelDims(cells, count - 1)) > 1) ++count;
  return count;
}

std::int64_t pyramidEntries(const Index3& cells) {
  std::int64_t entries = 0;
  for (int level = 0; level < levelCount(cells); ++level) entries += product(levelDims(cells, level));
  return entries;
}

}  // namespace farfield::paging
