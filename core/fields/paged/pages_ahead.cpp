#include "core/fields/paged/pages_ahead.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/niceness.h"
#include "core/paging/cache/page_batch.h"

namespace farfield::fields {
namespace {

/// Few enough that what is asked for last does not wait for what nobody wants any more.
constexpr std::size_t kTogether = 32;
constexpr int kNiceness = 10;
constexpr std::chrono::microseconds kPause{500};

}  // namespace

PagesAhead::PagesAhead(PagedData& data, std::vector<paging::PageKey> pages, std::uint64_t mostBytes)
    : m_data(data) {
  std::unordered_set<paging::PageKey> known;
  std::uint64_t bytes = 0;
  const auto& handles = m_data.handles();
  for (const paging::PageKey key : pages) {
    if (!known.insert(key).second) continue;
    const auto array = static_cast<std::size_t>(
        std::find(handles.begin(), handles.end(), paging::arrayOf(key)) - handles.begin());
    bytes += static_cast<std::uint64_t>(m_data.description().arrays[array].maxPageBytes());
    if (bytes > mostBytes) break;
    m_pages.push_back(key);
  }
  m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

PagesAhead::~PagesAhead() = default;

void PagesAhead::run(const std::stop_token& stop) {
  beNice(kNiceness);
  const std::vector<tasks::Reaper*> reapers = m_data.reapers();
  for (std::size_t n = 0; n < m_pages.size() && !stop.stop_requested(); n += kTogether) {
    const std::span<const paging::PageKey> keys =
        std::span(m_pages).subspan(n, std::min(kTogether, m_pages.size() - n));
    paging::PageBatch batch(m_data.cache(), keys, [](paging::PageBatch&) {});
    batch.ask(paging::Priority::Prefetch);
    while (!batch.isDone() && !stop.stop_requested()) {
      int reaped = 0;
      for (tasks::Reaper* const reaper : reapers) reaped += reaper->reap();
      if (reaped == 0) std::this_thread::sleep_for(kPause);
    }
    if (!batch.isDone()) break;
    try {
      batch.throwIfFailed();
      m_arrived += keys.size();
    } catch (const Error&) {
      // No room, or a page that is damaged: who shows the step says so.
      break;
    }
  }
  m_done = true;
}

std::vector<paging::PageKey> residentPages(const PagedData& data, std::int64_t step, std::int64_t next) {
  std::unordered_map<std::uint32_t, const paging::ArrayDescription*> arrays;
  for (std::size_t n = 0; n < data.handles().size(); ++n) {
    const paging::ArrayDescription& array = data.description().arrays[n];
    if (array.steps > 1 && step < array.steps && next < array.steps) arrays[data.handles()[n]] = &array;
  }
  std::vector<paging::PageKey> pages;
  if (arrays.empty()) return pages;
  data.cache().look([&](const paging::PageSight& page) {
    const auto found = arrays.find(paging::arrayOf(page.key));
    if (found == arrays.end()) return;
    const paging::ArrayDescription& array = *found->second;
    const std::uint64_t number = paging::pageOf(page.key);
    if (array.stepOf(number) != step) return;
    const auto place = static_cast<std::int64_t>(number) % array.layout.pageCount();
    pages.push_back(paging::makeKey(found->first, array.pageNumber(next, place)));
  });
  std::sort(pages.begin(), pages.end());
  return pages;
}

}  // namespace farfield::fields
