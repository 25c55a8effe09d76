#include "bench/policies/replacements.h"

#include <algorithm>

namespace farfield::bench {

void Clock::fill(PageId page, std::uint64_t) {
  m_uses[page] = m_first;
  std::size_t place = m_frames.size();
  if (m_empty.empty()) {
    m_frames.push_back(page);
  } else {
    place = m_empty.back();
    m_empty.pop_back();
    m_frames[place] = page;
  }
  m_place[page] = place;
}

PageId Clock::evict() {
  for (;; ++m_hand) {
    if (m_hand >= m_frames.size()) m_hand = 0;
    const PageId page = m_frames[m_hand];
    if (page == kNoPageId) continue;
    if (m_uses[page] > 0) {
      --m_uses[page];
      continue;
    }
    m_frames[m_hand] = kNoPageId;
    m_empty.push_back(m_hand++);
    return page;
  }
}

PageId Sieve::evict() {
  PageId page = m_hand == kNoPageId ? m_list.oldest() : m_hand;
  while (m_marked[page]) {
    m_marked[page] = false;
    page = m_links.newer[page];
    if (page == kNoPageId) page = m_list.oldest();
  }
  m_hand = m_links.newer[page];
  m_list.remove(page);
  return page;
}

S3Fifo::S3Fifo(const ReplayTrace& trace, std::uint64_t capacityBytes)
    : m_trace(trace),
      m_smallTarget(capacityBytes / 10),
      m_ghostLimit(capacityBytes - m_smallTarget),
      m_links(trace.pageBytes.size()),
      m_small(m_links),
      m_main(m_links),
      m_ghosts(m_links),
      m_uses(trace.pageBytes.size(), 0),
      m_isGhost(trace.pageBytes.size(), false) {}

void S3Fifo::fill(PageId page, std::uint64_t) {
  m_uses[page] = 0;
  if (m_isGhost[page]) {
    m_isGhost[page] = false;
    m_ghosts.remove(page);
    m_ghostBytes -= m_trace.pageBytes[page];
    m_main.addNewest(page);
    return;
  }
  m_small.addNewest(page);
  m_smallBytes += m_trace.pageBytes[page];
}

PageId S3Fifo::evict() {
  for (;;) {
    const bool fromSmall = !m_small.empty() && (m_smallBytes >= m_smallTarget || m_main.empty());
    const PageId page = fromSmall ? evictFromSmall() : evictFromMain();
    if (page != kNoPageId) return page;
  }
}

PageId S3Fifo::evictFromSmall() {
  const PageId page = m_small.takeOldest();
  m_smallBytes -= m_trace.pageBytes[page];
  if (m_uses[page] > 1) {
    m_uses[page] = 0;
    m_main.addNewest(page);
    return kNoPageId;
  }
  remember(page);
  return page;
}

PageId S3Fifo::evictFromMain() {
  const PageId page = m_main.takeOldest();
  if (m_uses[page] == 0) return page;
  --m_uses[page];
  m_main.addNewest(page);
  return kNoPageId;
}

void S3Fifo::remember(PageId page) {
  m_isGhost[page] = true;
  m_ghosts.addNewest(page);
  m_ghostBytes += m_trace.pageBytes[page];
  while (m_ghostBytes > m_ghostLimit) {
    const PageId forgotten = m_ghosts.takeOldest();
    m_isGhost[forgotten] = false;
    m_ghostBytes -= m_trace.pageBytes[forgotten];
  }
}

Optimum::Optimum(const ReplayTrace& trace)
    : m_nextUse(trace.requests.size(), kNever), m_expected(trace.pageBytes.size(), 0) {
  std::vector<std::uint64_t> later(trace.pageBytes.size(), kNever);
  for (std::size_t at = trace.requests.size(); at-- > 0;) {
    m_nextUse[at] = later[trace.requests[at]];
    later[trace.requests[at]] = at;
  }
}

void Optimum::expectNext(PageId page, std::uint64_t at) {
  m_expected[page] = m_nextUse[at];
  m_farthest.emplace(m_nextUse[at], page);
}

PageId Optimum::evict() {
  for (;;) {
    const auto [next, page] = m_farthest.top();
    m_farthest.pop();
    if (m_expected[page] != next) continue;
    m_expected[page] = 0;
    return page;
  }
}

}  // namespace farfield::bench
