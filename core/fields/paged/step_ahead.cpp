#include "core/fields/paged/step_ahead.h"

#include <algorithm>
#include <chrono>

#include "core/base/error.h"
#include "core/base/niceness.h"
#include "core/fields/paged/pages_ahead.h"
#include "core/paging/cache/page_batch.h"

namespace farfield::fields {
namespace {

using Clock = std::chrono::steady_clock;

/// Few enough that what is wanted now does not wait for long behind what is wanted later.
constexpr std::size_t kTogether = 16;
constexpr int kNiceness = 10;
constexpr std::chrono::microseconds kPause{500};
/// Between looks at what has come of the present step, and at least so many times as long as a look takes.
constexpr std::chrono::milliseconds kLook{10};
constexpr int kTimesLook = 20;
/// Of the memory for pages: the most that the next step gets, and what is left beside it and the present one, for what they have in
/// common.
constexpr std::uint64_t kShareOfNext = 2, kShareOfRest = 8;

}  // namespace

StepAhead::StepAhead(PagedData& data, std::int64_t step, std::int64_t next)
    : m_data(data), m_step(step), m_next(next) {
  m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

StepAhead::~StepAhead() = default;

void StepAhead::begin() {
  const std::lock_guard lock(m_mutex);
  ++m_computing;
  ++m_begun;
  m_done = false;
  m_changed.notify_all();
}

void StepAhead::end() {
  const std::lock_guard lock(m_mutex);
  --m_computing;
  m_changed.notify_all();
}

/// The next pages to be asked for, in the order in which they are stored; none where there is nothing new, or no room.
std::vector<paging::PageKey> StepAhead::look() {
  std::vector<paging::PageKey> pages = residentPages(m_data, m_step, m_next);
  const std::vector<paging::PageKey> inMemory = residentPages(m_data, m_next, m_next);
  const std::unordered_set<paging::PageKey> there(inMemory.begin(), inMemory.end());
  // Of this step, what was itself read ahead and nobody has needed yet: else it would go on from step to step.
  std::unordered_set<paging::PageKey> guesses;
  paging::PageBatch::lookForGuesses(m_data.cache(), [&](paging::PageKey key) { guesses.insert(key); });
  const auto& handles = m_data.handles();
  const auto arrayOf = [&](paging::PageKey key) -> const paging::ArrayDescription& {
    const auto found = std::find(handles.begin(), handles.end(), paging::arrayOf(key));
    return m_data.description().arrays[static_cast<std::size_t>(found - handles.begin())];
  };
  const auto bytesOf = [&](paging::PageKey key) {
    return static_cast<std::uint64_t>(arrayOf(key).maxPageBytes());
  };
  std::uint64_t presentBytes = 0;
  for (const paging::PageKey key : pages) presentBytes += bytesOf(key);
  const std::uint64_t all = m_data.cache().frameBytes(), kept = presentBytes + all / kShareOfRest;
  const std::uint64_t most = std::min(all / kShareOfNext, all - std::min(all, kept));
  std::erase_if(pages, [&](paging::PageKey key) {
    const auto number = static_cast<std::int64_t>(paging::pageOf(key));
    const std::int64_t ofPresent = number + (m_step - m_next) * arrayOf(key).layout.pageCount();
    return m_known.contains(key) || there.contains(key) ||
           guesses.contains(paging::makeKey(paging::arrayOf(key), static_cast<std::uint64_t>(ofPresent)));
  });
  if (pages.size() > kTogether) pages.resize(kTogether);
  std::size_t fit = 0;
  for (; fit < pages.size() && m_askedBytes + bytesOf(pages[fit]) <= most; ++fit)
    m_askedBytes += bytesOf(pages[fit]);
  pages.resize(fit);
  m_known.insert(pages.begin(), pages.end());
  return pages;
}

/// False where it was stopped, or a page could not be had: whoever shows the step says what is wrong.
bool StepAhead::read(const std::vector<paging::PageKey>& pages, const std::stop_token& stop) {
  const std::vector<tasks::Reaper*> reapers = m_data.reapers();
  paging::PageBatch batch(m_data.cache(), pages, [](paging::PageBatch&) {});
  batch.ask(paging::Priority::Prefetch);
  while (!batch.isDone() && !stop.stop_requested()) {
    int reaped = 0;
    for (tasks::Reaper* const reaper : reapers) reaped += reaper->reap();
    if (reaped == 0) std::this_thread::sleep_for(kPause);
  }
  if (!batch.isDone()) return false;
  try {
    batch.throwIfFailed();
  } catch (const Error&) {
    return false;
  }
  m_arrived += pages.size();
  return true;
}

void StepAhead::run(const std::stop_token& stop) {
  beNice(kNiceness);
  bool isAble = true;
  while (!stop.stop_requested()) {
    bool isLast;
    int begun;
    {
      const std::lock_guard lock(m_mutex);
      isLast = m_computing == 0;
      begun = m_begun;
    }
    const Clock::time_point began = Clock::now();
    const std::vector<paging::PageKey> pages = isAble ? look() : std::vector<paging::PageKey>();
    const auto pause = std::max<Clock::duration>(kLook, kTimesLook * (Clock::now() - began));
    if (!pages.empty()) {
      isAble = read(pages, stop);
      continue;
    }
    std::unique_lock lock(m_mutex);
    if (!isLast) {
      m_changed.wait_for(lock, stop, pause, [&] { return m_computing == 0; });
      continue;
    }
    // Somebody may have begun and ended while it was looked.
    if (m_begun != begun) continue;
    m_done = true;
    m_changed.wait(lock, stop, [&] { return m_begun != begun; });
  }
}

}  // namespace farfield::fields
