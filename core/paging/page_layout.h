#pragma once
// How an array of nodes is cut into pages. Pages are boxes of equal extent per axis, counted from the
// first node; the last page of an axis may be smaller. An axis of d nodes at nominal edge E is cut in
// n = ceil(d / E) pages of ceil(d / n) nodes (37 nodes at 32: 19 + 18), so that a page of the store,
// which HDF5 keeps at full extent, holds next to no padding. A foreign chunk shape is given as it is.

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

  /// Number of the page that holds `node`, i fastest.
  std::int64_t pageOf(const Index3& node) const {
    return linear({node[0] / m_extent[0], node[1] / m_extent[1], node[2] / m_extent[2]}, m_pages);
  }
  /// The nodes that page `page` holds.
  IndexBox box(std::int64_t page) const;
  bool operator==(const PageLayout&) const = default;

 private:
  Index3 m_dims{0, 0, 0}, m_extent{1, 1, 1}, m_pages{0, 0, 0};
};

}  // namespace farfield::paging
