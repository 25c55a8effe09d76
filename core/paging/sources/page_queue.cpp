#include "core/paging/sources/page_queue.h"

#include <algorithm>
#include <cassert>

namespace farfield::paging {

PageQueue::PageQueue(MemoryAccount& account, std::uint64_t stagingBytes, const QueueLimits& limits,
                     const std::string& what)
    : m_limits(limits), m_arena(account, stagingBytes, what) {
  assert(limits.depth > 0 && limits.alignment > 0 && limits.alignment <= kStagingUnit);
}

bool PageQueue::push(std::span<const QueuedPage> pages) {
  const std::lock_guard lock(m_mutex);
  if (m_closed) return false;
  for (const QueuedPage& page : pages) m_waiting.push(page);
  return true;
}

bool PageQueue::putBack(std::span<const QueuedPage> pages) {
  const std::lock_guard lock(m_mutex);
  if (m_closed) return false;
  for (const QueuedPage& page : pages) m_waiting.pushInFront(page);
  return true;
}

PageQueue::Queue* PageQueue::nextQueue() {
  if (m_onTheirWay >= m_limits.depth) return nullptr;
  Queue* const queue = m_waiting.next();
  // What has started cannot be overtaken any more, so half of the depth is kept for what somebody waits for.
  if (queue && queue->front().request.priority != Priority::Demand &&
      m_onTheirWay >= std::max(1, m_limits.depth / 2))
    return nullptr;
  return queue;
}

std::size_t PageQueue::mergeable(const Queue& queue, std::uint64_t& end) const {
  const QueuedPage& head = queue.front();
  end = head.extent.end();
  std::size_t count = 1;
  if (head.alone) return count;
  for (; count < queue.size(); ++count) {
    const QueuedPage& next = queue[count];
    if (next.alone || next.extent.file != head.extent.file || next.extent.offset < head.extent.offset) break;
    if (next.extent.offset > end && next.extent.offset - end > m_limits.mergeGapBytes) break;
    const std::uint64_t newEnd = std::max(end, next.extent.end());
    if (newEnd - head.extent.offset > m_limits.maxMergedBytes) break;
    end = newEnd;
  }
  return count;
}

bool PageQueue::tryStage(PageRun& run, std::uint64_t end) {
  const std::uint64_t mask = m_limits.alignment - 1;
  run.end = end;
  run.staging = m_arena.tryTake(((end + mask) & ~mask) - (run.begin & ~mask));
  return !run.staging.empty();
}

PageRun* PageQueue::tryTake(bool* more) {
  const std::lock_guard lock(m_mutex);
  Queue* const queue = nextQueue();
  if (!queue) return nullptr;
  if (m_unusedRuns.empty()) m_unusedRuns.push_back(m_runs.emplace_back(std::make_unique<PageRun>()).get());
  PageRun& run = *m_unusedRuns.back();
  std::uint64_t end = 0;
  std::size_t count = mergeable(*queue, end);
  run.begin = queue->front().extent.offset;
  if (!tryStage(run, end)) {
    count = 1;
    if (!tryStage(run, queue->front().extent.end())) return nullptr;
  }
  const auto last = queue->begin() + static_cast<std::ptrdiff_t>(count);
  run.pages.assign(queue->begin(), last);
  queue->erase(queue->begin(), last);
  m_unusedRuns.pop_back();
  run.landed = false;
  ++m_onTheirWay;
  if (more) *more = nextQueue() != nullptr;
  return &run;
}

void PageQueue::landed(PageRun* run) {
  const std::lock_guard lock(m_mutex);
  run->landed = true;
  --m_onTheirWay;
}

void PageQueue::finish(PageRun* run) {
  const std::lock_guard lock(m_mutex);
  m_arena.giveBack(run->staging);
  run->staging = {};
  run->pages.clear();
  m_unusedRuns.push_back(run);
  if (!run->landed) --m_onTheirWay;
}

void PageQueue::hurry(const PageRequest& request) {
  const std::lock_guard lock(m_mutex);
  m_waiting.hurry(request);
}

std::optional<QueuedPage> PageQueue::remove(const PageRequest& request) {
  const std::lock_guard lock(m_mutex);
  return m_waiting.remove(request);
}

std::vector<QueuedPage> PageQueue::remove(const PageSink* sink) {
  const std::lock_guard lock(m_mutex);
  return m_waiting.remove(sink);
}

std::vector<QueuedPage> PageQueue::close() {
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
  }
  return remove(nullptr);
}

}  // namespace farfield::paging
