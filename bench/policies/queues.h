#pragma once
// Lists of pages without an allocation per page: each page is in at most one list of a set, and its links are
// in arrays indexed by page number.

#include <vector>

#include "bench/policies/replacement.h"

namespace farfield::bench {

/// The links shared by all lists of one set.
struct PageLinks {
  explicit PageLinks(std::size_t pages) : newer(pages, kNoPageId), older(pages, kNoPageId) {}
  std::vector<PageId> newer, older;
};

class PageList {
 public:
  explicit PageList(PageLinks& links) : m_links(links) {}
  PageId oldest() const { return m_oldest; }
  bool empty() const { return m_newest == kNoPageId; }
  void addNewest(PageId page) {
    m_links.older[page] = m_newest;
    m_links.newer[page] = kNoPageId;
    (m_newest == kNoPageId ? m_oldest : m_links.newer[m_newest]) = page;
    m_newest = page;
  }
  void remove(PageId page) {
    const PageId newer = m_links.newer[page], older = m_links.older[page];
    (newer == kNoPageId ? m_newest : m_links.older[newer]) = older;
    (older == kNoPageId ? m_oldest : m_links.newer[older]) = newer;
  }
  PageId takeOldest() {
    const PageId page = m_oldest;
    remove(page);
    return page;
  }

 private:
  PageLinks& m_links;
  PageId m_newest = kNoPageId, m_oldest = kNoPageId;
};

}  // namespace farfield::bench
