#include "core/session/run/touched_pages.h"

#include <algorithm>

namespace farfield::session {
namespace {

/// The pages of one array under a region, as a box of page indices.
struct PageBox {
  Index3 first{0, 0, 0}, last{0, 0, 0};
  bool holds(const Index3& page) const {
    for (int a = 0; a < 3; ++a)
      if (page[a] < first[a] || page[a] > last[a]) return false;
    return true;
  }
};

PageBox pagesUnder(const IndexBox& nodes, const paging::PageLayout& layout) {
  PageBox box;
  for (int a = 0; a < 3; ++a) {
    box.first[a] = nodes.first[a] / layout.extent()[a];
    box.last[a] = (nodes.first[a] + nodes.size[a] - 1) / layout.extent()[a];
  }
  return box;
}

}  // namespace

bool GatheredNodes::holds(const paging::ArrayDescription& array) const {
  if (array.block != block) return false;
  return array.isGrid() ? std::find(grid.begin(), grid.end(), array.role) != grid.end()
                        : std::find(variables.begin(), variables.end(), array.name) != variables.end();
}

TouchedPages touchedPages(const fields::OpenData& data, std::span<const GatheredNodes> regions,
                          std::int64_t step, bool staticToo) {
  const paging::DatasetDescription& description = data.description();
  TouchedPages touched;
  std::vector<PageBox> boxes;  // of one array; a page counts for the first box that holds it
  for (std::uint32_t n = 0; n < description.arrays.size(); ++n) {
    const paging::ArrayDescription& array = description.arrays[n];
    if (array.steps == 1 && !staticToo) continue;
    boxes.clear();
    for (const GatheredNodes& region : regions)
      if (region.holds(array)) boxes.push_back(pagesUnder(region.nodes, array.layout));
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const PageBox& box = boxes[b];
      for (Index3 at = box.first; at[2] <= box.last[2]; ++at[2])
        for (at[1] = box.first[1]; at[1] <= box.last[1]; ++at[1])
          for (at[0] = box.first[0]; at[0] <= box.last[0]; ++at[0]) {
            if (std::any_of(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(b),
                            [&](const PageBox& earlier) { return earlier.holds(at); }))
              continue;
            const std::uint64_t page = array.pageNumber(step, linear(at, array.layout.pagesPerAxis()));
            ++touched.pages;
            touched.storedBytes += data.storedBytesOf(n, page);
            touched.decodedBytes +=
                static_cast<std::uint64_t>(product(array.boxOf(page).size) * array.nodeBytes());
          }
    }
  }
  return touched;
}

}  // namespace farfield::session
