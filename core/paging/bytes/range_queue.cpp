#include "core/paging/bytes/range_queue.h"

#include <algorithm>
#include <cassert>

namespace farfield::paging {
namespace {

/// More runs than these have landed and not been handed over only where as many threads hand over.
constexpr int kMostLandedRuns = 64, kMostRuns = 4096;

}  // namespace

RangeQueue::RangeQueue(MemoryAccount& account, std::uint64_t stagingBytes, const QueueLimits& limits,
                       const std::string& what)
    : m_limits(limits), m_arena(account, stagingBytes, what) {
  assert(limits.depth > 0 && limits.alignment > 0 && limits.alignment <= kStagingUnit);
  m_unusedRuns.resize(static_cast<std::size_t>(std::min(limits.depth, kMostRuns) + kMostLandedRuns));
}

bool RangeQueue::push(RangeList& ranges) noexcept {
  const std::lock_guard lock(m_mutex);
  if (m_closed) return false;
  while (!ranges.empty()) {
    RangeList& queue = m_queues[static_cast<std::size_t>(ranges.front().priority)];
    queue.splice(queue.end(), ranges, ranges.begin());
  }
  return true;
}

bool RangeQueue::putBack(RangeList& from, RangeList::iterator range) noexcept {
  const std::lock_guard lock(m_mutex);
  if (m_closed) return false;
  RangeList& queue = m_queues[static_cast<std::size_t>(range->priority)];
  queue.splice(queue.begin(), from, range);
  return true;
}

RangeList* RangeQueue::nextQueue() {
  if (m_onTheirWay >= m_limits.depth || m_unusedRuns.empty()) return nullptr;
  if (!m_queues[0].empty()) return &m_queues[0];
  // A read that has started cannot be overtaken, so half of the depth is kept for demands.
  if (m_onTheirWay >= std::max(1, m_limits.depth / 2)) return nullptr;
  for (RangeList& queue : m_queues)
    if (!queue.empty()) return &queue;
  return nullptr;
}

RangeList::iterator RangeQueue::mergeable(RangeList& queue, std::uint64_t& end) const {
  const RangeRequest& head = queue.front();
  end = head.end();
  auto last = std::next(queue.begin());
  if (head.alone) return last;
  for (; last != queue.end(); ++last) {
    if (last->alone || last->object != head.object || last->offset < head.offset) break;
    if (last->offset > end && last->offset - end > m_limits.mergeGapBytes) break;
    const std::uint64_t newEnd = std::max(end, last->end());
    if (newEnd - head.offset > m_limits.maxMergedBytes) break;
    end = newEnd;
  }
  return last;
}

bool RangeQueue::tryStage(RangeRun& run, std::uint64_t end) {
  const std::uint64_t mask = m_limits.alignment - 1;
  run.end = end;
  run.staging = m_arena.tryTake(((end + mask) & ~mask) - (run.begin & ~mask));
  return !run.staging.empty();
}

RangeRun* RangeQueue::tryTake(bool* more) noexcept {
  const std::lock_guard lock(m_mutex);
  RangeList* const queue = nextQueue();
  if (!queue) return nullptr;
  RangeRun& run = m_unusedRuns.front();
  std::uint64_t end = 0;
  auto last = mergeable(*queue, end);
  run.begin = queue->front().offset;
  if (!tryStage(run, end)) {
    last = std::next(queue->begin());
    if (!tryStage(run, queue->front().end())) return nullptr;
  }
  run.ranges.splice(run.ranges.end(), *queue, queue->begin(), last);
  run.m_landed = false;
  m_runs.splice(m_runs.begin(), m_unusedRuns, m_unusedRuns.begin());
  run.m_self = m_runs.begin();
  ++m_onTheirWay;
  if (more) *more = nextQueue() != nullptr;
  return &run;
}

void RangeQueue::landed(RangeRun* run) noexcept {
  const std::lock_guard lock(m_mutex);
  run->m_landed = true;
  --m_onTheirWay;
}

void RangeQueue::finish(RangeRun* run) noexcept {
  RangeList over;  // freed without the lock
  const std::lock_guard lock(m_mutex);
  over.swap(run->ranges);
  m_arena.giveBack(run->staging);
  run->staging = {};
  if (!run->m_landed) --m_onTheirWay;
  m_unusedRuns.splice(m_unusedRuns.begin(), m_runs, run->m_self);
}

void RangeQueue::hurry(const WhichRanges& which, ReadPriority priority) noexcept {
  const std::lock_guard lock(m_mutex);
  RangeList& to = m_queues[static_cast<std::size_t>(priority)];
  for (std::size_t lower = static_cast<std::size_t>(priority) + 1; lower < kReadPriorities; ++lower) {
    const auto at = std::find_if(m_queues[lower].begin(), m_queues[lower].end(), which);
    if (at == m_queues[lower].end()) continue;
    at->priority = priority;
    return to.splice(to.end(), m_queues[lower], at);
  }
}

RangeList RangeQueue::remove(const WhichRanges& which) noexcept {
  RangeList removed;
  const std::lock_guard lock(m_mutex);
  for (RangeList& queue : m_queues)
    for (auto at = queue.begin(); at != queue.end();) {
      const auto next = std::next(at);
      if (!which || which(*at)) removed.splice(removed.end(), queue, at);
      at = next;
    }
  return removed;
}

RangeList RangeQueue::close() noexcept {
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
  }
  return remove(nullptr);
}

}  // namespace farfield::paging
