// The watchman and the errands of a workshop: what there is of unfinished objects, what is counted, what is
// at a point.

#include <algorithm>
#include <limits>

#include "app/model/workshop.h"
#include "core/base/error.h"
#include "core/fields/box_search.h"
#include "core/trace/live.h"

namespace farfield::app {
namespace {

constexpr std::chrono::milliseconds kLook{20};
constexpr std::chrono::milliseconds kIdleLook{500};
constexpr std::chrono::milliseconds kCount{250};
/// How much of the life lines is shown.
constexpr std::chrono::nanoseconds kLifeSpan{std::chrono::seconds(2)};
/// When there is something new of an object that is worth showing: soon at first, then as it grows, so that
/// showing it costs a bounded share of making it.
constexpr std::chrono::milliseconds kFirstPicture{30}, kNextPicture{100}, kLatestPicture{1000};
constexpr int kMostLinePoints = 10'000;
constexpr double kGrowth = 1.6, kLeastGrowth = 1.05;

template <class Function, class... Arguments>
void tell(const Function& event, const Arguments&... arguments) {
  if (event) event(arguments...);
}

double cpuSeconds() {
  session::RunStats stats;
  session::measureProcess(stats);
  return stats.cpuSeconds;
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
    for (auto& [id, job] : m_jobs) {
      if (job.state != JobState::Running || !job.making || job.cancelled) continue;
      deliverPartial(id, job, now);
      if (job.again) stopSuperseded(job, now);
    }
    if (!m_sightIsNew && now - counted < (m_busy > 0 ? kCount : 2 * kCount)) continue;
    m_sightIsNew = false;
    counted = now;
    m_lastCount = count();
    tell(m_events.counted, m_lastCount);
  }
}

void Workshop::deliverPartial(ObjectId id, Job& job, Clock::time_point now) {
  if (now - job.started < kFirstPicture || job.making->run->bounds().empty()) return;
  session::ObjectStats stats;
  job.making->run->count(stats);
  const auto grown = static_cast<double>(stats.points) /
                     static_cast<double>(std::max<std::uint64_t>(1, job.deliveredPoints));
  const auto since = now - job.deliveredAt;
  const bool due = job.deliveredPoints == 0 || (since >= kNextPicture && grown >= kGrowth) ||
                   (since >= kLatestPicture && grown >= kLeastGrowth);
  if (stats.points == 0 || !due) return;
  job.deliveredPoints = stats.points;
  job.deliveredAt = now;
  show(id, job, *job.making, job.running.object, false);
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
    const auto known = m_lastCount.residentSteps.find(key);
    counters.residentSteps[key] =
        same && known != m_lastCount.residentSteps.end() ? known->second : residentSteps(*set.paged);
    const auto kept = m_lastCount.keptSteps.find(key);
    counters.keptSteps[key] =
        same && kept != m_lastCount.keptSteps.end() ? kept->second : keptSteps(*set.paged);
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

void Workshop::probe(const ProbeRequest& request) {
  ask([this, request] {
    m_probe = request;
    m_lineIsOld = true;  // a point under the cursor goes before a line
    m_changed.notify_all();
  });
}

void Workshop::sampleLine(const std::optional<LineRequest>& request) {
  ask([this, request] {
    m_line = request;
    m_lineIsOld = true;
    m_lineIsUnwanted = !request;
    m_changed.notify_all();
  });
}

void Workshop::writeGeometry(ObjectId id, const std::filesystem::path& path,
                             std::function<void(std::optional<Problem>)> done) {
  ask([this, id, path, done = std::move(done)] {
    const auto found = m_jobs.find(id);
    std::shared_ptr<Computed> shown;
    if (found != m_jobs.end() && found->second.state == JobState::Done) shown = found->second.shown;
    m_errands.push_back([shown, path, done] {
      std::optional<Problem> problem;
      try {
        if (!shown) throw Invalid("the object is not computed yet", "wait until it is");
        shown->run->writeGeometry(path);
      } catch (...) {
        problem = currentProblem();
      }
      done(problem);
    });
    m_changed.notify_all();
  });
}

void Workshop::draw(const std::vector<ObjectId>& ids, const scene::Scene& scene,
                    std::function<void(const scene::Scene&)> draw,
                    std::function<void(std::optional<Problem>)> done) {
  ask([this, ids, scene, draw = std::move(draw), done = std::move(done)] {
    std::vector<std::pair<std::shared_ptr<Computed>, session::Object>> shown;
    for (const ObjectId id : ids)
      if (const auto found = m_jobs.find(id); found != m_jobs.end() && found->second.shown)
        shown.emplace_back(found->second.shown, found->second.wanted.object);
    m_errands.push_back([shown, scene, draw, done] {
      std::optional<Problem> problem;
      try {
        scene::Scene whole = scene;
        // Geometry of its own: what the view shows is not read by two at a time.
        for (const auto& [computed, look] : shown) whole.items.push_back(computed->run->item(look));
        draw(whole);
      } catch (...) {
        problem = currentProblem();
      }
      done(problem);
    });
    m_changed.notify_all();
  });
}

void Workshop::errandLoop(std::stop_token stop) {
  Lock lock(m_mutex);
  for (;;) {
    m_changed.wait(lock, stop, [&] { return !m_errands.empty(); });
    if (stop.stop_requested()) return;
    std::function<void()> errand = std::move(m_errands.front());
    m_errands.pop_front();
    lock.unlock();
    errand();
    errand = nullptr;  // with the last of a result, perhaps
    lock.lock();
  }
}

void Workshop::probeLoop(std::stop_token stop) {
  Lock lock(m_mutex);
  for (;;) {
    m_changed.wait(lock, stop, [&] { return (m_probe && probeCanStart()) || (m_line && lineCanStart()); });
    if (stop.stop_requested()) return;
    ++m_busy;
    // A point under the cursor goes before a line.
    if (m_probe && probeCanStart())
      answer(lock, *std::exchange(m_probe, std::nullopt));
    else
      answerLine(lock, *std::exchange(m_line, std::nullopt));
    --m_busy;
    m_changed.notify_all();
  }
}

bool Workshop::probeCanStart() {
  if (m_exclusive || foremanHasWork()) return false;
  const auto found = m_data.find(m_probe->dataKey);
  if (found == m_data.end() || found->second.state != DataSet::State::Open) {
    m_probe.reset();
    return false;
  }
  return found->second.paged != nullptr;  // data that nothing is computed of need not be looked at
}

bool Workshop::lineCanStart() {
  if (m_exclusive || foremanHasWork()) return false;
  const auto found = m_data.find(m_line->dataKey);
  if (found == m_data.end() || found->second.state != DataSet::State::Open) {
    m_line.reset();
    return false;
  }
  DataSet& set = found->second;
  if (!set.paged) {
    if (set.planProblem) return true;  // the answer says it
    m_replan = true;
    m_changed.notify_all();
    return false;
  }
  // What its function is made of has to be planned for; that takes a moment, once.
  std::vector<std::string> missing;
  try {
    const fields::FunctionPlan plan(set.data->description(), {m_line->function});
    for (const std::string& array : plan.arrays())
      if (std::find(set.plannedArrays.begin(), set.plannedArrays.end(), array) == set.plannedArrays.end() &&
          std::find(set.probedArrays.begin(), set.probedArrays.end(), array) == set.probedArrays.end())
        missing.push_back(array);
  } catch (const Error&) {
    return true;  // the answer says what is wrong
  }
  if (missing.empty()) return true;
  set.probedArrays.insert(set.probedArrays.end(), missing.begin(), missing.end());
  set.planIsOld = m_replan = true;
  m_changed.notify_all();
  return false;
}

void Workshop::answerLine(Lock& lock, const LineRequest& request) {
  const std::stop_token stop = m_probeStop.get_token();
  LineAnswer answer;
  answer.request = request;
  DataSet& set = m_data.at(request.dataKey);
  if (!set.paged) {
    answer.problem = set.planProblem->message;
    return tell(m_events.lineSampled, answer);
  }
  fields::PagedData& paged = *set.paged;
  m_lineIsOld = false;
  lock.unlock();
  bool stopped = false;
  try {
    const auto plan = std::make_shared<const fields::FunctionPlan>(
        paged.description(), std::vector<std::string>{request.function});
    if (plan->outputCount() != 1)
      throw Invalid("'" + request.function + "' is a vector, and a curve shows one number");
    const auto count = static_cast<std::size_t>(std::clamp(request.count, 1, kMostLinePoints));
    answer.values.assign(count, std::numeric_limits<double>::quiet_NaN());
    tasks::TaskGroup group;
    group.name = "line";
    group.count = 1;
    group.admission = &paged.admission();
    group.run = [&](std::size_t, tasks::TaskContext& task) {
      const auto sampler = paged.makeSampler(task, plan);
      const fields::FieldTime time{std::min(request.step, paged.description().steps() - 1)};
      fields::Location where;
      for (std::size_t n = 0; n < count; ++n) {
        if (m_lineIsOld) throw Cancelled();
        const double part = count > 1 ? static_cast<double>(n) / static_cast<double>(count - 1) : 0;
        if (!sampler->locate(request.from + part * (request.to - request.from), time, where)) continue;
        sampler->evaluate(where, time, {&answer.values[n], 1});
      }
    };
    tasks::makeSerialScheduler(paged.reapers())->run(group, stop);
  } catch (const Cancelled&) {
    stopped = true;
  } catch (...) {
    answer.values.clear();
    answer.problem = currentProblem().message;
  }
  lock.lock();
  if (stopped) {
    // by the foreman, or for a point; unless something newer was asked, or nothing is wanted any more
    if (!m_line && !m_lineIsUnwanted) m_line = request;
    return;
  }
  tell(m_events.lineSampled, answer);
}

void Workshop::answer(Lock& lock, const ProbeRequest& request) {
  DataSet& set = m_data.at(request.dataKey);
  fields::PagedData& paged = *set.paged;
  const std::stop_token stop = m_probeStop.get_token();
  std::vector<std::string> functions;
  ProbeAnswer answer;
  answer.number = request.number;
  answer.point = request.point;
  const std::vector<std::string> planned = set.plannedArrays;
  lock.unlock();
  bool stopped = false;
  try {
    // What the plan has no memory for is left out.
    for (const std::string& name : request.functions) {
      try {
        const fields::FunctionPlan alone(paged.description(), {name});
        if (std::all_of(alone.arrays().begin(), alone.arrays().end(), [&](const std::string& array) {
              return std::find(planned.begin(), planned.end(), array) != planned.end();
            }))
          functions.push_back(name);
      } catch (const Error&) {
        continue;
      }
    }
    const auto plan = std::make_shared<const fields::FunctionPlan>(paged.description(), functions);
    tasks::TaskGroup group;
    group.name = "probe";
    group.count = 1;
    group.admission = &paged.admission();
    group.run = [&](std::size_t, tasks::TaskContext& task) {
      const auto sampler = paged.makeSampler(task, plan);
      const fields::FieldTime time{std::min(request.step, paged.description().steps() - 1)};
      fields::Location where;
      if (!sampler->locate(request.point, time, where)) return;
      answer.found = true;
      answer.block = where.block;
      answer.cell =
          fields::cellAt(paged.description().blocks[static_cast<std::size_t>(where.block)], where.cell);
      std::vector<double> values(static_cast<std::size_t>(sampler->valueCount()));
      if (!values.empty()) sampler->evaluate(where, time, values);
      for (std::size_t n = 0; n < functions.size(); ++n) {
        const auto first = values.begin() + plan->outputOf(n);
        answer.values.emplace_back(plan->functions()[n].name,
                                   std::vector<double>(first, first + plan->functions()[n].components));
      }
    };
    tasks::makeSerialScheduler(paged.reapers())->run(group, stop);
  } catch (const Cancelled&) {
    stopped = true;
  } catch (...) {
    answer.problem = currentProblem().message;
  }
  lock.lock();
  if (stopped) {
    if (!m_probe) m_probe = request;  // by the foreman; nothing newer was asked
    return;
  }
  tell(m_events.probed, answer);
}

}  // namespace farfield::app
