#include "core/paging/pages/page_layout.h"

#include <algorithm>
#include <cassert>

namespace farfield::paging {

PageLayout PageLayout::even(const Index3& dims, int edge) {
  assert(edge > 0);
  Index3 extent;
  for (int a = 0; a < 3; ++a) {
    const std::int64_t pages = (dims[a] + edge - 1) / edge;
    extent[a] = (dims[a] + pages - 1) / pages;
  }
  return ofExtent(dims, extent);
}

PageLayout PageLayout::ofExtent(const Index3& dims, const Index3& extent) {
  PageLayout layout;
  layout.m_dims = dims;
  for (int a = 0; a < 3; ++a) {
    assert(dims[a] > 0 && extent[a] > 0);
    layout.m_extent[a] = std::min(extent[a], dims[a]);
    layout.m_pages[a] = (dims[a] + layout.m_extent[a] - 1) / layout.m_extent[a];
    const auto extentOfAxis = static_cast<std::uint64_t>(layout.m_extent[a]);
    const bool fits = extentOfAxis > 1 && dims[a] <= std::int64_t{1} << 32;
    layout.m_reciprocal[static_cast<std::size_t>(a)] = fits ? ~std::uint64_t{0} / extentOfAxis + 1 : 0;
  }
  return layout;
}

}  // namespace farfield::paging
