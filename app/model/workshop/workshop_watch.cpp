// The watchman of a workshop: what there is of unfinished objects, and what is counted.

#include <algorithm>

#include "app/model/workshop/workshop.h"
#include "core/base/error.h"
#include "core/fields/paged/box_search.h"
#include "core/paging/sources/kept_source.h"
#include "core/trace/live.h"

namespace farfield::app {
namespace {

constexpr std::chrono::milliseconds kLook{20};
constexpr std::chrono::milliseconds kIdleLook{500};
constexpr std::chrono::milliseconds kCount{250};
/// How much of the life lines is shown.
constexpr std::chrono::nanoseconds kLifeSpan{std::chrono::seconds(2)};
template <class Function, class... Arguments>
void tell(const Function& event, const Arguments&... arguments) {
  if (event) event(arguments...);
}

double cpuSeconds() {
  session::RunStats stats;
  session::measureProcess(stats);
  return stats.cpuSeconds;
}

/// Whether a page of `data` is on its way, to memory or to the disk where those of others are kept.
bool anyOnItsWay(const fields::PagedData& data) {
  // what is reaped are the sources
  for (const tasks::Reaper* const source : data.reapers())
    if (const auto* const keeps = dynamic_cast<const paging::KeepsPages*>(source);
        keeps && keeps->isKeeping())
      return true;
  const std::span<const std::uint32_t> handles = data.handles();
  bool any = false;
  data.cache().look([&](const paging::PageSight& page) {
    any |=
        page.reading && std::find(handles.begin(), handles.end(), paging::arrayOf(page.key)) != handles.end();
  });
  return any;
}

std::int64_t nanosecondsNow() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

}  // namespace

void addSources(PagingTotals& totals, const fields::PagedData& data) {
  const paging::SourceCounters source = data.sourceCounters();
  totals.reads += source.reads;
  totals.bytesRead += source.bytesRead;
  for (const paging::SourceReport& report : data.sourceReports())
    if (!report.isHere) totals.remoteBytes += report.counters.bytesRead;
}

void Workshop::watchLoop(std::stop_token stop) {
  Lock lock(m_mutex);
  auto counted = Clock::now();
  m_lastCount = count();
  bool wasBusy = false;
  while (!stop.stop_requested()) {
    const bool busy = m_busy > 0;
    // While nothing is computed there is nothing to report; the thread that starts a job wakes this one.
    if (busy || wasBusy)
      m_changed.wait_for(lock, stop, kLook, [] { return false; });
    else
      m_changed.wait_for(lock, stop, kIdleLook, [&] { return m_busy > 0 || m_sightIsNew; });
    const auto now = Clock::now();
    wasBusy = m_busy > 0;
    std::vector<ObjectId> all;  // they come and go while one is looked at
    for (const auto& [id, job] : m_jobs)
      if (job.state == JobState::Running) all.push_back(id);
    for (const ObjectId id : all) deliverPartial(lock, id, now);
    if (!m_sightIsNew && now - counted < (m_busy > 0 ? kCount : 2 * kCount)) continue;
    m_sightIsNew = false;
    counted = now;
    // Steps are looked at again until they rest: pages count as read once they are asked for, and are there a while later.
    const std::uint64_t readBefore = m_cache->counters().pagesRead;
    const bool isOnItsWay = std::any_of(m_data.begin(), m_data.end(), [](const auto& each) {
      return each.second.paged && anyOnItsWay(*each.second.paged);
    });
    m_lastCount = count();
    tell(m_events.counted, m_lastCount);
    if (!isOnItsWay && m_lastCount.totals.pagesRead == readBefore) continue;
    m_lastCount.residentSteps.clear();
    m_lastCount.keptSteps.clear();
  }
}

void Workshop::beginBusyPeriod() {
  m_busyPeriod = {};
  m_busyPeriod.before = totals();
  m_busyPeriod.cpuSecondsBefore = cpuSeconds();
  m_busyPeriod.startNanoseconds = nanosecondsNow();
}

PagingTotals Workshop::totals() const {
  PagingTotals totals = m_past;
  for (const auto& [key, set] : m_data)
    if (set.paged) addSources(totals, *set.paged);
  const paging::CacheCounters cache = m_cache->counters();
  totals.requests = cache.requests;
  totals.hits = cache.hits;
  totals.misses = cache.misses;
  totals.pagesRead = cache.pagesRead;
  totals.distinctPages = cache.distinctPages;
  totals.evictions = cache.evictions;
  totals.prefetches = cache.prefetches;
  totals.prefetchesUsed = cache.prefetchesUsed;
  totals.readSeconds = cache.readSeconds;
  totals.decodeSeconds = cache.decodeSeconds;
  return totals;
}

WorkshopCounters Workshop::count() {
  WorkshopCounters counters;
  counters.budgetBytes = m_account->budgetBytes();
  counters.usedBytes = m_account->usedBytes();
  counters.peakBytes = m_account->peakBytes();
  for (int n = 0; n < kPurposeCount; ++n)
    counters.bytesByPurpose[static_cast<std::size_t>(n)] = m_account->usedBytes(static_cast<Purpose>(n));
  counters.totals = totals();
  counters.atNanoseconds = nanosecondsNow();
  counters.frameBytes = m_cache->frameBytes();
  counters.residentBytes = m_cache->counters().residentBytes;
  for (const auto& [id, job] : m_jobs) {
    counters.running += job.state == JobState::Running;
    counters.waiting += job.state == JobState::Waiting;
  }
  addSight(counters);
  const PagingTotals &now = counters.totals, &before = m_lastCount.totals;
  const double seconds = 1e-9 * static_cast<double>(counters.atNanoseconds - m_lastCount.atNanoseconds);
  if (m_lastCount.atNanoseconds > 0 && seconds > 0) {
    counters.bytesPerSecond = static_cast<double>(now.bytesRead - before.bytesRead) / seconds;
    counters.readsInFlight = (now.readSeconds - before.readSeconds) / seconds;
    if (now.requests > before.requests)
      counters.hitRate =
          static_cast<double>(now.hits - before.hits) / static_cast<double>(now.requests - before.requests);
  }
  counters.boundBy = m_computing > 0 ? judgeBusyPeriod(now) : m_boundBy;
  return counters;
}

session::BoundBy Workshop::judgeBusyPeriod(const PagingTotals& now) const {
  const PagingTotals& start = m_busyPeriod.before;
  session::RunMeasures run;
  run.wallSeconds = 1e-9 * static_cast<double>(nanosecondsNow() - m_busyPeriod.startNanoseconds);
  run.cpuSeconds = cpuSeconds() - m_busyPeriod.cpuSecondsBefore;
  run.decodeSeconds = now.decodeSeconds - start.decodeSeconds;
  run.readSeconds = now.readSeconds - start.readSeconds;
  run.pagesRead = now.pagesRead - start.pagesRead;
  run.distinctPages = now.distinctPages - std::min(now.distinctPages, start.distinctPages);
  run.evictions = now.evictions - start.evictions;
  run.bytesRead = now.bytesRead - start.bytesRead;
  run.remoteBytes = now.remoteBytes - start.remoteBytes;
  run.longestMissChain = m_busyPeriod.longestMissChain;
  run.budgetBytes = m_account->budgetBytes();
  run.processors = m_options.processors;
  run.readers = m_options.readers;
  return session::judge(run);
}

void Workshop::addSight(WorkshopCounters& counters) {
  // Steps change as pages come and go, and not otherwise.
  const bool same = counters.totals.pagesRead == m_lastCount.totals.pagesRead &&
                    counters.totals.evictions == m_lastCount.totals.evictions;
  for (const auto& [key, set] : m_data) {
    if (!set.paged || set.paged->description().steps() < 2) continue;
    // a series may have grown meanwhile
    const std::int64_t steps = set.paged->description().steps();
    const auto known = m_lastCount.residentSteps.find(key);
    const bool isKnown = same && known != m_lastCount.residentSteps.end() &&
                         (known->second.empty() || std::ssize(known->second) == steps);
    counters.residentSteps[key] = isKnown ? known->second : residentSteps(*set.paged);
    const auto kept = m_lastCount.keptSteps.find(key);
    const bool isKept = same && kept != m_lastCount.keptSteps.end() &&
                        (kept->second.empty() || std::ssize(kept->second) == steps);
    counters.keptSteps[key] = isKept ? kept->second : keptSteps(*set.paged);
  }
  addLinks(counters);
  if (!m_sight.wanted) return;
  const auto sight = std::make_shared<PagingSight>();
  sight->atNanoseconds = counters.atNanoseconds;
  for (const auto& [key, set] : m_data)
    if (set.paged) look(*set.paged, m_sight, key == m_sight.dataKey, counters.atNanoseconds, *sight);
  sight->lives = trace::liveEvents(counters.atNanoseconds - kLifeSpan.count());
  counters.sight = sight;
}

void Workshop::addLinks(WorkshopCounters& counters) const {
  const double seconds = 1e-9 * static_cast<double>(counters.atNanoseconds - m_lastCount.atNanoseconds);
  for (const auto& [key, set] : m_data) {
    if (!set.paged) continue;
    std::vector<LinkSight> links = linksOf(*set.paged);
    if (links.empty()) continue;
    const auto before = m_lastCount.links.find(key);
    for (std::size_t n = 0; n < links.size(); ++n) {
      if (before == m_lastCount.links.end() || before->second.size() != links.size() || seconds <= 0) break;
      const std::uint64_t was = before->second[n].bytesRead;
      if (links[n].bytesRead >= was)
        links[n].bytesPerSecond = static_cast<double>(links[n].bytesRead - was) / seconds;
    }
    counters.links[key] = std::move(links);
  }
}

void Workshop::setSight(const SightRequest& request) {
  ask([this, request] {
    if (request == m_sight) return;
    if (request.wanted != m_sight.wanted) request.wanted ? trace::startLive() : trace::stopLive();
    m_sight = request;
    m_sightIsNew = true;
    m_changed.notify_all();
  });
}

}  // namespace farfield::app
