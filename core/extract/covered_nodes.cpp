#include "core/extract/covered_nodes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/paging/pages/amr_boxes.h"

namespace farfield::extract::detail {

void blankCovered(paging::Cursor& cursor, const fields::BlockSlots& slots,
                  const paging::DatasetDescription& description, int block, const IndexBox& sheet, int axis,
                  std::span<double> iblank) {
  if (slots.iblank < 0 || !paging::isAmr(description)) return;
  const auto a = static_cast<std::size_t>(axis);
  const Index3& dims = description.blocks[static_cast<std::size_t>(block)].dims;
  if (dims[a] < 2) return;
  std::vector<double> beside(iblank.size()), open(iblank.size(), 0.0);
  for (const int side : {-1, 1}) {
    IndexBox next = sheet;
    next.first[a] += side;
    if (next.first[a] < 0 || next.first[a] >= dims[a]) continue;
    const paging::GatherTarget target{slots.iblank, beside.data()};
    cursor.gatherTiled(next, {&target, 1});
    for (std::size_t n = 0; n < open.size(); ++n) open[n] = std::max(open[n], std::abs(beside[n]));
  }
  for (std::size_t n = 0; n < open.size(); ++n)
    if (open[n] == 0) iblank[n] = 0;
}

}  // namespace farfield::extract::detail
