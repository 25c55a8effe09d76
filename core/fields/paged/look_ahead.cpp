#include "core/fields/paged/look_ahead.h"

#include <algorithm>

#include "core/fields/paged/page_path.h"

namespace farfield::fields {
namespace {

/// A mean forgets a page after about so many others.
constexpr std::int64_t kMemory = 32;

void fold(std::atomic<std::int64_t>& mean, std::int64_t value) {
  const std::int64_t old = mean.load(std::memory_order_relaxed);
  mean.store(old + (value - old) / kMemory, std::memory_order_relaxed);
}

}  // namespace

void LookAhead::pageCrossed(std::chrono::nanoseconds running) {
  const std::int64_t took = std::max<std::int64_t>(1, running.count());
  if (m_running.load(std::memory_order_relaxed) == 0)
    m_running.store(took, std::memory_order_relaxed);
  else
    fold(m_running, took);
}

void LookAhead::guessed(bool right) {
  fold(m_right, right ? kWhole : 0);
}

double LookAhead::accuracy() const {
  return static_cast<double>(m_right.load(std::memory_order_relaxed)) / static_cast<double>(kWhole);
}

int LookAhead::depth(std::chrono::nanoseconds readLatency, int tasksPerProcessor) const {
  const std::int64_t running = m_running.load(std::memory_order_relaxed);
  if (running == 0) return 0;
  const std::int64_t others = running * std::max(0, tasksPerProcessor - 1);
  const std::int64_t uncovered = readLatency.count() - others;
  if (uncovered <= 0) return 0;
  const std::int64_t wanted = (uncovered + running - 1) / running;
  // a guess at the page after next relies on the guess at the next one
  const double right = accuracy();
  std::int64_t worth = 0;
  for (double chance = right; chance >= 0.5 && worth < kMostPagesAhead; chance *= right) ++worth;
  return static_cast<int>(std::min(wanted, worth));
}

}  // namespace farfield::fields
