#include "core/session/run/touched_pages.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/fields/functions/node_places.h"

namespace farfield::session {
namespace {

/// The pages of one array under a region, as page indices along each axis, ascending.
struct PageLattice {
  std::array<std::vector<std::int64_t>, 3> along;
  bool holds(const Index3& page) const {
    for (std::size_t a = 0; a < 3; ++a)
      if (!std::binary_search(along[a].begin(), along[a].end(), page[a])) return false;
    return true;
  }
};

PageLattice pagesUnder(const GatheredNodes& region, const paging::PageLayout& layout) {
  PageLattice pages;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t last = region.nodes.first[a] + region.nodes.size[a] - 1;
    const std::int64_t step = std::max(region.stride[a], std::int64_t{1});
    for (std::int64_t node = region.nodes.first[a]; node <= last;) {
      const std::int64_t page = node / layout.extent()[a];
      pages.along[a].push_back(page);
      const std::int64_t next = (page + 1) * layout.extent()[a];  // its first node
      node += (std::max(next - node, std::int64_t{1}) + step - 1) / step * step;
    }
  }
  return pages;
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
  std::vector<PageLattice> lattices;  // of one array; a page counts for the first that holds it
  for (std::uint32_t n = 0; n < description.arrays.size(); ++n) {
    const paging::ArrayDescription& array = description.arrays[n];
    if (array.steps == 1 && !staticToo) continue;
    if (fields::areComputedPlaces(description, array)) continue;  // nothing is read for them
    lattices.clear();
    for (const GatheredNodes& region : regions)
      if (region.holds(array)) lattices.push_back(pagesUnder(region, array.layout));
    for (auto lattice = lattices.begin(); lattice != lattices.end(); ++lattice)
      for (const std::int64_t k : lattice->along[2])
        for (const std::int64_t j : lattice->along[1])
          for (const std::int64_t i : lattice->along[0]) {
            const Index3 at{i, j, k};
            if (std::any_of(lattices.begin(), lattice,
                            [&](const PageLattice& earlier) { return earlier.holds(at); }))
              continue;
            const std::uint64_t page = array.pageNumber(step, linear(at, array.layout.pagesPerAxis()));
            ++touched.pages;
            touched.storedBytes += data.storedBytesOf(n, page);
            touched.decodedBytes +=
                static_cast<std::uint64_t>(product(array.boxOf(page).size) * array.nodeBytes());
          }
  }
  return touched;
}

}  // namespace farfield::session
