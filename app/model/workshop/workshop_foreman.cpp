// The foreman of a workshop: data are opened and closed and memory is shared out while nobody computes.

#include <algorithm>
#include <set>

#include "app/model/files/data_files.h"
#include "app/model/files/plain_numbers.h"
#include "app/model/workshop/missing_steps.h"
#include "app/model/workshop/workshop_drawn.h"
#include "app/model/workshop/workshop_opening.h"
#include "core/base/error.h"
#include "core/base/foreign_file.h"
#include "core/base/log.h"
#include "core/base/niceness.h"
#include "core/base/stoppable_waits.h"
#include "core/base/units.h"
#include "core/fields/ranges/seen_ranges.h"
#include "core/trace/trace.h"

namespace farfield::app {
namespace {

/// Kept free of frames, for showing results while others are made.
constexpr std::uint64_t kResultBytes = 256 * 1024;
/// From this budget on, several objects are computed at a time.
constexpr std::uint64_t kRoomForTwo = std::uint64_t{96} << 20;
/// Data whose index takes more of a new, smaller budget than this are opened anew, with a smaller one.
constexpr double kMostForIndexes = 0.5;

/// All variables where they are few; none where choosing among them saves memory.
std::vector<std::string> usualArrays(const paging::DatasetDescription& description) {
  constexpr std::size_t kFew = 3;
  std::set<std::string> names;
  for (const paging::ArrayDescription& array : description.arrays)
    if (!array.isGrid()) names.insert(array.name);
  if (names.size() > kFew) return {};
  return {names.begin(), names.end()};
}

/// What is wrong with the bytes of a text or a picture is of no use to somebody who has picked the wrong file. Whoever picks one of a
/// format that is text is told what that is about.
void sayWhatItIs(Problem& problem, const fields::OpenRequest& request) {
  if (request.sources.empty()) return;
  const QString first = QString::fromStdString(request.sources.front());
  if (const QString kind = foreignKind(first); !kind.isEmpty()) {
    problem.message = "file " + request.sources.front() + ": " + foreignMessage(kind.toStdString());
    problem.advice = foreignAdvice().toStdString();
  } else if (request.sources.size() > 1 && request.solutions.empty() && request.options.empty() &&
             mayBePlainNumbers(first)) {
    // Of PLOT3D, which takes what nobody knows, they were no more likely than of anything else.
    problem.message = "no format is known that begins as these " + std::to_string(request.sources.size()) +
                      " files, the first of them " + request.sources.front();
    problem.advice = "if they are plain numbers, say how many there are along each axis, and of which type";
  }
}

/// What `line` says of a step that there is no file of: where all files are one volume, it is a plane.
std::string lineOfMissing(const std::string& line, const DataSummary& summary) {
  const std::size_t why = line.find(": ");
  return summary.description.steps() > 1 || why == std::string::npos
             ? line
             : "left out: planes of the volume, as there is " + line.substr(why + 2);
}

/// Whether something has had one value only so far, which a new step may change.
bool waitsForValues(const DataSummary& summary) {
  return std::any_of(summary.seenRanges.begin(), summary.seenRanges.end(), [&](const auto& entry) {
    return !(entry.second[0] < entry.second[1]) && !summary.laterRanges.contains(entry.first);
  });
}

template <class Function, class... Arguments>
void tell(const Function& event, const Arguments&... arguments) {
  if (event) event(arguments...);
}

}  // namespace

/// Of what somebody waits for.
bool Workshop::hasUrgentWork() const {
  return m_replan || m_newBudget || !m_closing.empty() ||
         std::any_of(m_data.begin(), m_data.end(),
                     [](const auto& entry) { return entry.second.state == DataSet::State::Queued; });
}

bool Workshop::foremanHasWork() const {
  return hasUrgentWork() || std::any_of(m_data.begin(), m_data.end(), [this](const auto& entry) {
           const DataSet& set = entry.second;
           if (set.changed) return canTakeChanged(set);
           return set.lookAgain || set.readAgain;
         });
}

void Workshop::foremanLoop(std::stop_token stop) {
  std::error_code ignored;  // the first result that cannot be kept says what is wrong with the folder
  std::filesystem::create_directories(m_options.spoolFolder, ignored);
  Lock lock(m_mutex);
  for (;;) {
    m_changed.wait(lock, stop, [&] { return foremanHasWork(); });
    if (stop.stop_requested()) return;
    const bool moved = m_newBudget.has_value();
    if (moved && moveBudget(lock, *std::exchange(m_newBudget, std::nullopt))) {
      m_changed.notify_all();  // hands that looked meanwhile saw that there was work for the foreman
      continue;
    }
    // What is closed leaves its memory to what is opened.
    if (!moved && m_closing.empty() && openBeside(lock)) {
      m_changed.notify_all();
      continue;
    }
    std::vector<Grown> grown;
    if (!moved && !hasUrgentWork()) grown = openChanged(lock);
    if (grown.empty() && !hasUrgentWork() && !moved) {
      m_changed.notify_all();
      continue;
    }
    m_exclusive = true;
    const auto restsFor = [](const auto& entry) {
      return entry.second.state == DataSet::State::Queued && entry.second.needsRest;
    };
    const bool all = moved || std::any_of(m_data.begin(), m_data.end(), restsFor);
    stopHands(lock, [&](const std::string& key) {
      return all || m_data.at(key).planIsOld ||
             std::find(m_closing.begin(), m_closing.end(), key) != m_closing.end() ||
             std::any_of(grown.begin(), grown.end(), [&](const Grown& each) { return each.key == key; });
    });
    if (!stop.stop_requested()) {
      takeGrown(lock, std::move(grown));
      // Whoever is at data that were to go only meanwhile is stopped the next time.
      release(lock, [](const DataSet& set) { return set.planIsOld && set.users == 0; });
      closeData(lock);
      if (moved) leaveMemory(lock, stop);
      if (moved) reopenLarge(lock);
      for (;;) {
        const auto queued = std::find_if(m_data.begin(), m_data.end(), restsFor);
        if (queued == m_data.end() || stop.stop_requested()) break;
        openOne(lock, std::string(queued->first));
      }
      if (std::exchange(m_replan, false)) plan(lock);
      m_replan |=
          std::any_of(m_data.begin(), m_data.end(), [](const auto& entry) { return entry.second.planIsOld; });
    }
    m_exclusive = false;
    m_changed.notify_all();
  }
}

/// Those at some data; what others compute goes on.
void Workshop::stopHands(Lock& lock, const std::function<bool(const std::string&)>& which) {
  std::vector<std::string> keys;  // the foreman alone takes any out
  for (const auto& [key, set] : m_data)
    if (which(key)) keys.push_back(key);
  if (keys.empty()) return;
  for (auto& [id, job] : m_jobs) {
    if (job.state != JobState::Running ||
        std::find(keys.begin(), keys.end(), job.running.dataKey) == keys.end())
      continue;
    job.interrupted = true;
    job.stop.request_stop();
  }
  m_probeStop.request_stop();
  for (const std::string& key : keys) m_data.at(key).handsStop.request_stop();
  m_changed.wait(lock, [&] {
    return std::all_of(keys.begin(), keys.end(),
                       [&](const std::string& key) { return m_data.at(key).users == 0; });
  });
  m_probeStop = {};
  for (const std::string& key : keys) m_data.at(key).handsStop = {};
}

/// Something is seen that would go with its plan: a volume, which reads what it shows, or what is being computed.
bool Workshop::showsWhatWouldGo(const std::string& key) const {
  return std::any_of(m_jobs.begin(), m_jobs.end(), [&](const auto& entry) {
    const Job& job = entry.second;
    if (job.wanted.dataKey != key) return false;
    return (job.shown && job.shown->run->drawsFromData()) ||
           (job.state == JobState::Running && job.hasPicture);
  });
}

/// True where everything goes on with the new budget. Otherwise all data are to be planned anew.
bool Workshop::moveBudget(Lock& lock, std::uint64_t bytes) {
  const bool more = bytes > m_account->budgetBytes();
  lock.unlock();
  m_account->setBudgetBytes(bytes);
  lock.lock();
  const auto suits = [&](auto& entry) {
    DataSet& set = entry.second;
    if (set.state != DataSet::State::Open || (!set.paged && !set.planProblem)) return true;
    if (set.planProblem) return false;
    const paging::MemoryPlan& plan = set.paged->plan();
    if (!more) return true;
    if (plan.mode != paging::GatherMode::Pinned || plan.processors != m_options.processors) return false;
    if (plan.tasksPerProcessor == set.paged->options().tasksPerProcessor) return true;
    // More tasks could be in flight: that is not worth beginning anew for.
    set.planIsTight = showsWhatWouldGo(entry.first);
    return set.planIsTight;
  };
  if (more && bytes >= kRoomForTwo) m_concurrent = 2;
  const bool concurrent = (bytes >= kRoomForTwo ? 2 : 1) == m_concurrent;
  if (concurrent && m_account->usedBytes() <= bytes && std::all_of(m_data.begin(), m_data.end(), suits))
    return true;
  for (auto& [key, set] : m_data) set.planIsOld = true;
  m_replan = true;
  return false;
}

/// Results that are in memory, although there is less of it now, go to the disk.
void Workshop::leaveMemory(Lock& lock, const std::stop_token& stop) {
  if (m_account->usedBytes() <= m_account->budgetBytes()) return;
  std::vector<std::shared_ptr<Computed>> shown;
  for (const auto& [id, job] : m_jobs)
    if (job.shown) shown.push_back(job.shown);
  lock.unlock();
  m_levels.giveBack(stop);
  for (const auto& each : shown) try {
      each->run->leaveMemory();
    } catch (const std::exception& error) {
      log::warning("object " + each->object.name + " stays in memory: " + error.what());
    }
  lock.lock();
}

/// What is shown of them reads pages that go: it waits for others. Nobody goes on with what was stopped, which is gone.
void Workshop::computeVolumesAgain(const std::string& key) {
  for (auto& [id, job] : m_jobs) {
    if (job.wanted.dataKey != key || !job.shown || !job.shown->run->drawsFromData()) continue;
    m_disposer.drop(std::exchange(job.shown, nullptr));
    if (job.state == JobState::Cancelled && std::exchange(job.hasPicture, false)) {
      job.state = JobState::Failed;
      tell(
          m_events.ended,
          ObjectOutcome{id,
                        job.number,
                        ObjectEnd::Failed,
                        Problem{"it was stopped, and what there was of it went as memory was shared out anew",
                                "compute it again"},
                        {}});
    }
    if (job.state != JobState::Done || job.hidden) continue;
    job.state = JobState::Waiting;
    m_order.push_back(id);
  }
}

/// Plans go, and their pages.
void Workshop::release(Lock& lock, const std::function<bool(const DataSet&)>& which) {
  // That waits for the reads that are in flight, and for the system to take the memory.
  std::vector<std::unique_ptr<fields::PagedData>> gone;
  std::vector<std::shared_ptr<VolumeLeases>> volumes;
  for (auto& [key, set] : m_data) {
    if (!which(set)) continue;
    if (set.volumes) computeVolumesAgain(key);
    volumes.push_back(std::move(set.volumes));
    if (set.paged) addSources(m_past, *set.paged);
    gone.push_back(std::move(set.paged));
    set.planProblem.reset();
    set.planIsOld = set.planIsTight = set.wantsPlan = false;
  }
  lock.unlock();
  for (const auto& each : volumes)
    if (each) each->end();
  gone.clear();
  lock.lock();
}

void Workshop::closeData(Lock& lock) {
  std::vector<std::unique_ptr<fields::PagedData>> pages;
  std::vector<std::unique_ptr<fields::OpenData>> gone;
  std::vector<std::shared_ptr<VolumeLeases>> volumes;
  for (const std::string& key : std::exchange(m_closing, {})) {
    const auto found = m_data.find(key);
    if (found == m_data.end()) continue;
    if (found->second.users > 0) {
      m_closing.push_back(key);
      continue;
    }
    if (DrawnPart::isAnyOf(found->second)) DrawnPart::keepData(*this, key);
    if (found->second.paged) addSources(m_past, *found->second.paged);
    volumes.push_back(std::move(found->second.volumes));
    pages.push_back(std::move(found->second.paged));
    gone.push_back(std::move(found->second.data));
    if (found->second.changed) gone.push_back(found->second.changed->take().data);
    m_data.erase(found);
  }
  lock.unlock();
  for (const auto& each : volumes)
    if (each) each->end();
  pages.clear();
  gone.clear();
  lock.lock();
}

std::shared_ptr<Workshop::Opening> Workshop::openAside(
    std::function<fields::OpenRequest()> request, std::function<DataSummary(const fields::OpenData&)> about,
    const std::stop_token& stop) {
  std::erase_if(m_openings, [](const auto& each) {
    const std::lock_guard lock(each.first->mutex);
    return each.first->isDone;
  });
  auto opening = std::make_shared<Opening>();
  m_openings.emplace_back(opening, std::jthread([this, opening, about, request = std::move(request), stop] {
                            trace::nameThread("opening");
                            beNice(m_options.niceness / 3);
                            const StoppableWaits waits(stop);
                            std::unique_ptr<fields::OpenData> data;
                            std::shared_ptr<const DataSummary> summary;
                            std::optional<Problem> problem;
                            fields::OpenRequest wanted;
                            try {
                              wanted = request();
                              wanted.stop = stop;
                              const std::vector<std::string> missing = stepsWithoutFile(wanted);
                              data = m_readers->open(wanted, *m_account);
                              if (stop.stop_requested()) throw Cancelled();
                              auto its = std::make_shared<DataSummary>(about(*data));
                              for (const std::string& line : missing)
                                its->explanation.push_back(lineOfMissing(line, *its));
                              summary = std::move(its);
                            } catch (...) {
                              problem = currentProblem();
                              data.reset();
                              sayWhatItIs(*problem, wanted);
                            }
                            {
                              const std::lock_guard lock(opening->mutex);
                              opening->isDone = true;
                              if (!opening->isGivenUp)
                                opening->opened = {std::move(data), std::move(summary), std::move(problem)};
                              opening->ended.notify_all();
                            }
                            // The foreman may be waiting for whatever comes first.
                            { const std::lock_guard lock(m_mutex); }
                            m_changed.notify_all();
                          }));
  return opening;
}

/// Begins to open what `set`, which stays where it is, asks for. The lock is not held meanwhile: threads that have ended are waited for.
std::shared_ptr<Workshop::Opening> Workshop::beginOpening(Lock& lock, const std::string& key,
                                                          const DataSet& set, const std::stop_token& stop) {
  if (m_isEnding) {
    auto none = std::make_shared<Opening>();
    none->isDone = true;
    none->opened.problem = Problem{Cancelled().message(), {}};
    return none;
  }
  const std::function<fields::OpenRequest()> request =
      set.isReadAgain && set.nextRequest ? set.nextRequest : set.request;
  // Of files that are others now nothing holds that was seen of them.
  const auto about = [this, key, stop, request, known = set.summary,
                      before = set.isReadAgain ? nullptr : set.summary](const fields::OpenData& data) {
    DataSummary its = summaryOf(key, data, stop, before.get());
    if (known && !stepsLeftOut(*known).empty())
      for (std::string& line : stepsThatCame(request(), known->explanation))
        its.explanation.push_back(std::move(line));
    return its;
  };
  lock.unlock();
  std::shared_ptr<Opening> opening = openAside(request, about, stop);
  lock.lock();
  return opening;
}

/// Opens it, no longer than the user waits; the lock is not held meanwhile.
Workshop::Opened Workshop::openInTime(Lock& lock, const std::string& key, const DataSet& set,
                                      const std::stop_token& stop) {
  const std::shared_ptr<Opening> opening = beginOpening(lock, key, set, stop);
  lock.unlock();
  {
    std::unique_lock result(opening->mutex);
    opening->ended.wait(result, stop, [&] { return opening->isDone; });
  }
  Opened opened = opening->take();
  if (stop.stop_requested()) {
    opened.data.reset();
    opened.problem = Problem{Cancelled().message(), {}};
  }
  lock.lock();
  return opened;
}

/// One of those that wait for it, while others go on computing. False where there is none.
bool Workshop::openBeside(Lock& lock) {
  const auto queued = std::find_if(m_data.begin(), m_data.end(), [](const auto& entry) {
    return entry.second.state == DataSet::State::Queued && !entry.second.needsRest;
  });
  if (queued == m_data.end()) return false;
  openOne(lock, std::string(queued->first));
  return true;
}

void Workshop::openOne(Lock& lock, const std::string& key) {
  DataSet& set = m_data.at(key);
  set.state = DataSet::State::Opening;
  if (!set.summary) tell(m_events.opening, key);
  auto [data, summary, problem] = openInTime(lock, key, set, set.openStop.get_token());
  if (std::exchange(set.openAgain, false)) {
    set.state = DataSet::State::Queued;
    set.openStop = {};
    return;
  }
  if (problem && problem->lacksMemory && m_busy > 0 && !set.needsRest) {
    set.needsRest = true;  // once more, with what others are at given back
    set.state = DataSet::State::Queued;
    return;
  }
  set.needsRest = false;
  if (problem) {
    set.summary.reset();
    set.state = DataSet::State::Failed;
    tell(m_events.openFailed, key, *problem);
    return;
  }
  set.data = std::move(data);
  set.state = DataSet::State::Open;
  if (std::exchange(set.summary, summary)) return;  // opened anew for another budget
  tell(m_events.opened, key, summary);
}

/// Opens all data anew, none of which is planned, where their indexes take too much of the budget.
void Workshop::reopenLarge(Lock& lock) {
  const auto most =
      static_cast<std::uint64_t>(static_cast<double>(m_account->budgetBytes()) * kMostForIndexes);
  if (m_account->usedBytes() - std::min(m_account->usedBytes(), m_cache->spareBytes()) <= most) return;
  std::vector<std::string> keys;
  for (auto& [key, set] : m_data) {
    if (set.state != DataSet::State::Open || DrawnPart::isKept(set)) continue;
    if (set.changed) {  // what is there of it has memory
      set.changedStop.request_stop();
      std::exchange(set.changed, nullptr)->take();
      (std::exchange(set.isReadAgain, false) ? set.readAgain : set.lookAgain) = true;
    }
    set.data.reset();
    set.openStop = {};
    keys.push_back(key);
  }
  for (const std::string& key : keys) openOne(lock, key);
}

/// `before`: of the same data with fewer steps, or as they were opened with another budget; null where there are none.
DataSummary Workshop::summaryOf(const std::string& key, const fields::OpenData& data,
                                const std::stop_token& stop, const DataSummary* before) const {
  DataSummary summary = app::summaryOf(key, data);
  if (!summary.seenRanges.empty()) return summary;
  if (before && !before->seenRanges.empty() && (!fields::looksAtLastStep(data) || !waitsForValues(*before))) {
    // What was seen of their first step holds.
    summary.seenRanges = before->seenRanges;
    summary.usualRanges = before->usualRanges;
    summary.laterRanges = before->laterRanges;
    summary.seenNodes = before->seenNodes;
    return summary;
  }
  fields::SeenValues seen = fields::seenValues(data, summary.functions, *m_account, {.stop = stop});
  for (const auto& [name, range] : seen.ranges) {
    summary.seenRanges[name] = range.all;
    summary.usualRanges[name] = range.usual;
  }
  for (const auto& [name, range] : seen.later)
    if (range.all[0] < range.all[1]) summary.laterRanges[name] = range;
  summary.seenNodes = std::move(seen.nodes);
  return summary;
}

void Workshop::plan(Lock& lock) {
  m_concurrent = m_account->budgetBytes() >= kRoomForTwo ? 2 : 1;
  // What is being made goes on with the memory that it has: others get of what is left.
  const bool beside = longWorkRuns();
  if (planMissing(lock, beside) || beside) return;
  // What others were given before is too much: all get equal parts.
  stopHands(lock, [](const std::string&) { return true; });
  release(lock, [](const DataSet&) { return true; });
  planMissing(lock, false);
}

/// Plans the data that are open and have no plan; `beside`: beside long work of others. False where the budget was too small for some.
bool Workshop::planMissing(Lock& lock, bool beside) {
  std::vector<std::pair<DataSet*, std::vector<session::Object>>> sets;
  for (auto& [key, set] : m_data) {
    if (set.state != DataSet::State::Open || set.paged) continue;
    std::vector<session::Object> objects;
    for (const auto& [id, job] : m_jobs)
      if (job.wanted.dataKey == key) objects.push_back(job.wanted.object);
    std::erase_if(set.drawn, [](const auto& each) { return each.expired(); });
    for (const auto& each : set.drawn)
      if (const auto drawn = each.lock()) objects.push_back(drawn->object);
    set.plannedFor = set.drawn;
    sets.emplace_back(&set, std::move(objects));
  }
  lock.unlock();
  bool all = true;
  std::size_t left = sets.size();
  for (auto& [set, objects] : sets)
    all = planOne(*set, objects, 1.0 / static_cast<double>(left--), beside) && all;
  lock.lock();
  return all;
}

bool Workshop::planOne(DataSet& set, const std::vector<session::Object>& objects, double share, bool beside) {
  fields::PagedDataOptions options;
  options.processors = m_options.processors;
  options.tasksPerProcessor = m_options.tasksPerProcessor;
  options.readers = m_options.readers;
  options.shareOfFree = share;
  options.cache = m_cache;
  std::uint64_t stateBytes = 0;  // of objects that keep some from step to step
  options.arrays = usualArrays(set.data->description());
  options.arrays.insert(options.arrays.end(), set.probedArrays.begin(), set.probedArrays.end());
  options.resultBytesPerTask = 0;
  for (const session::Object& object : objects) {
    try {
      const auto run = session::makeObjectRun(object, set.data->description());
      options.arrays.insert(options.arrays.end(), run->arrays().begin(), run->arrays().end());
      options.resultBytesPerTask = std::max(options.resultBytesPerTask, run->taskBytes());
      options.stepsAtATime = std::max(options.stepsAtATime, run->stepsAtATime());
      stateBytes += run->stateBytes();
    } catch (const std::exception&) {
      // The hand that takes it up says what is wrong with it.
    }
  }
  std::sort(options.arrays.begin(), options.arrays.end());
  options.arrays.erase(std::unique(options.arrays.begin(), options.arrays.end()), options.arrays.end());
  options.keptBytes = kResultBytes + stateBytes;
  if (beside) options = besideOthers(std::move(options));
  std::unique_ptr<fields::PagedData> paged;
  std::optional<Problem> problem;
  bool fits = true;
  try {
    try {
      paged = std::make_unique<fields::PagedData>(*set.data, *m_account, options);
    } catch (const OverBudget&) {
      options.keptBytes = kResultBytes / 8 + stateBytes;
      paged = std::make_unique<fields::PagedData>(*set.data, *m_account, options);
    }
  } catch (const OverBudget&) {
    problem = currentProblem();
    fits = false;
  } catch (...) {
    problem = currentProblem();
  }
  const std::lock_guard lock(m_mutex);
  set.paged = std::move(paged);
  if (set.paged) set.volumes = std::make_shared<VolumeLeases>();
  set.planIsTight = beside && set.paged;
  set.lacksRoom = beside && !fits;
  set.planProblem = set.lacksRoom ? std::nullopt : std::move(problem);
  set.plannedArrays = options.arrays;
  set.plannedTaskBytes = options.resultBytesPerTask;
  return fits;
}

}  // namespace farfield::app
