#pragma once
// How an array of nodes is cut into pages. Pages are boxes of equal extent per axis, counted from the first
// node; the last page of an axis may be smaller. An axis of d nodes at nominal edge E is cut into n = ceil(d
// / E) pages of ceil(d / n) nodes (37 nodes at 32: 19 + 18), so that a page of the store, which HDF5 keeps at
// full extent, has hardly any padding. The chunk shape of another format is used as it is.

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/geometry.h"

namespace farfield::paging {

class PageLayout {
 public:
  PageLayout() = default;
  /// Pages of nominal `edge` nodes, split evenly. `dims` > 0 each, `edge` > 0.
  static PageLayout even(const Index3& dims, int edge);
  /// Pages of exactly `extent` nodes (cut to `dims`): foreign chunks, windows, a whole block as one page.
  static PageLayout ofExtent(const Index3& dims, const Index3& extent);

  const Index3& dims() const { return m_dims; }
  /// Nodes of a full page along each axis; never more than dims.
  const Index3& extent() const { return m_extent; }
  const Index3& pagesPerAxis() const { return m_pages; }
  std::int64_t pageCount() const { return product(m_pages); }
  /// Nodes of the largest page.
  std::int64_t maxNodes() const { return product(m_extent); }

  /// Which page along `axis` holds node `node`.
  std::int64_t pageAlong(int axis, std::int64_t node) const {
    // Division by multiplication, exact for 32-bit numbers (Lemire, Kaser, Kurz, Faster remainder by direct
    // computation, 2019, section 3); this runs for every cell that crosses pages.
    const std::uint64_t reciprocal = m_reciprocal[static_cast<std::size_t>(axis)];
    if (reciprocal == 0) return node / m_extent[static_cast<std::size_t>(axis)];
    return static_cast<std::int64_t>(
        static_cast<unsigned __int128>(reciprocal) * static_cast<std::uint64_t>(node) >> 64);
  }
  /// Number of the page that holds `node`, i fastest.
  std::int64_t pageOf(const Index3& node) const {
    return linear({pageAlong(0, node[0]), pageAlong(1, node[1]), pageAlong(2, node[2])}, m_pages);
  }
  /// The nodes that page `page` holds.
  IndexBox box(std::int64_t page) const { return boxAt(unlinear(page, m_pages)); }
  /// The same by the page's position among the pages of each axis.
  IndexBox boxAt(const Index3& page) const {
    IndexBox box;
    for (int a = 0; a < 3; ++a) {
      box.first[a] = page[a] * m_extent[a];
      box.size[a] = std::min(m_extent[a], m_dims[a] - box.first[a]);
    }
    return box;
  }
  bool operator==(const PageLayout&) const = default;

 private:
  Index3 m_dims{0, 0, 0}, m_extent{1, 1, 1}, m_pages{0, 0, 0};
  std::array<std::uint64_t, 3> m_reciprocal{0, 0, 0};  ///< 2^64 / extent, rounded up; 0: divide
};

}  // namespace farfield::paging
