#include "render/volume/pages_ahead.h"

#include <algorithm>
#include <chrono>
#include <unordered_set>

#include "core/base/error.h"
#include "core/base/niceness.h"
#include "core/paging/cache/page_batch.h"

namespace farfield::volume {
namespace {

/// Few enough that what is asked for last does not wait for what nobody wants any more.
constexpr std::size_t kTogether = 32;
constexpr int kNiceness = 10;
constexpr std::chrono::microseconds kPause{500};

}  // namespace

PagesAhead::PagesAhead(const PagedBricks& source, std::int64_t step, std::vector<std::int64_t> bricks,
                       std::uint64_t mostBytes)
    : m_data(source.data()), m_bricks(std::move(bricks)) {
  std::unordered_set<paging::PageKey> known;
  std::uint64_t bytes = 0;
  const auto& handles = m_data.handles();
  for (const std::int64_t brick : m_bricks) {
    for (const paging::PageKey key : source.pagesOf(unlinear(brick, source.grid().bricks()), step)) {
      if (!known.insert(key).second) continue;
      const auto array = static_cast<std::size_t>(
          std::find(handles.begin(), handles.end(), paging::arrayOf(key)) - handles.begin());
      bytes += static_cast<std::uint64_t>(m_data.description().arrays[array].maxPageBytes());
      if (bytes > mostBytes) break;
      m_keys.push_back(key);
    }
    if (bytes > mostBytes) break;
  }
  m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

PagesAhead::~PagesAhead() = default;

void PagesAhead::run(const std::stop_token& stop) {
  beNice(kNiceness);
  const std::vector<tasks::Reaper*> reapers = m_data.reapers();
  for (std::size_t n = 0; n < m_keys.size() && !stop.stop_requested(); n += kTogether) {
    const std::span<const paging::PageKey> keys =
        std::span(m_keys).subspan(n, std::min(kTogether, m_keys.size() - n));
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
      m_pages += keys.size();
    } catch (const Error&) {
      // No room, or a page that is damaged: who shows the step says so.
      break;
    }
  }
  m_done = true;
}

}  // namespace farfield::volume
