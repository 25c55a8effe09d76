#pragma once
// How many nodes the index of an array has, and how large each is; both follow from the number of pages and
// of components (store_format.h). Level 0 are the leaves, levels() is the root's level.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/paging/store/page_summary.h"
#include "core/paging/store/store_format.h"

namespace farfield::paging::detail {

class IndexShape {
 public:
  /// `pages` > 0, below 2^62 / 64 (so that no size overflows); `components` > 0.
  IndexShape(std::int64_t pages, int components) : m_pages(pages), m_components(components) {
    m_counts.push_back((pages + kPagesPerLeaf - 1) / kPagesPerLeaf);
    do m_counts.push_back((m_counts.back() + kChildrenPerNode - 1) / kChildrenPerNode);
    while (m_counts.back() > 1);
  }
  std::int64_t pages() const { return m_pages; }
  int components() const { return m_components; }
  /// Level of the root, at least 1.
  int levels() const { return static_cast<int>(m_counts.size()) - 1; }
  /// Nodes at `level`.
  std::int64_t nodes(int level) const { return m_counts[static_cast<std::size_t>(level)]; }
  /// Number of pages of leaf `node`, or of children of an inner node.
  std::int64_t records(int level, std::int64_t node) const {
    return level == 0 ? std::min(kPagesPerLeaf, m_pages - node * kPagesPerLeaf)
                      : std::min(kChildrenPerNode, nodes(level - 1) - node * kChildrenPerNode);
  }
  std::int64_t placesBytes(std::int64_t leaf) const {
    return records(0, leaf) * std::int64_t{sizeof(PagePlace)};
  }
  std::int64_t summariesBytes(std::int64_t leaf) const {
    return records(0, leaf) * summaryRecordBytes(m_components);
  }
  std::int64_t innerBytes(int level, std::int64_t node) const {
    return records(level, node) * childRecordBytes(m_components);
  }
  std::int64_t largestNodeBytes() const {
    return std::max({placesBytes(0), summariesBytes(0), innerBytes(1, 0)});
  }
  std::int64_t totalBytes() const {
    std::int64_t bytes = m_pages * (std::int64_t{sizeof(PagePlace)} + summaryRecordBytes(m_components));
    for (int level = 1; level <= levels(); ++level)
      bytes += nodes(level - 1) * childRecordBytes(m_components);
    return bytes;
  }

 private:
  std::int64_t m_pages;
  int m_components;
  std::vector<std::int64_t> m_counts;
};

/// Writes a summary record (summaryRecordBytes) to `to`.
void storeSummary(std::byte* to, const PageSummary& summary);
/// Reads a summary record of `components` components.
PageSummary loadSummary(const std::byte* from, int components);

}  // namespace farfield::paging::detail
