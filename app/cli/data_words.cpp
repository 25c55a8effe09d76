#include "app/cli/data_words.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/paging/pages/amr_boxes.h"

namespace farfield::cli {

std::string dimsText(const Index3& dims) {
  return std::to_string(dims[0]) + " x " + std::to_string(dims[1]) + " x " + std::to_string(dims[2]);
}

std::string boundsText(const Bounds& bounds) {
  if (bounds.empty()) return "";
  std::string text;
  for (int a = 0; a < 3; ++a)
    text += std::string(a ? "  " : "") + "xyz"[a] + " " + formatRounded(bounds.min[a]) + " … " +
            formatRounded(bounds.max[a]);
  return text;
}

std::int64_t cellsOf(const paging::BlockDescription& block, bool isAmr) {
  if (isAmr) return paging::amrCells(block);
  const Index3 cells = block.cellDims();
  return std::max<std::int64_t>(cells[0], 0) * std::max<std::int64_t>(cells[1], 0) *
         std::max<std::int64_t>(cells[2], 0);
}

std::int64_t cellsOf(const paging::DatasetDescription& data) {
  std::int64_t cells = 0;
  const bool isAmr = paging::amrOf(data).has_value();
  for (const paging::BlockDescription& block : data.blocks) cells += cellsOf(block, isAmr);
  return cells;
}

}  // namespace farfield::cli
