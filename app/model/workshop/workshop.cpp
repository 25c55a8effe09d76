#include "app/model/workshop/workshop.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/niceness.h"
#include "core/base/no_answer.h"
#include "core/fields/paged/step_ahead.h"
#include "core/session/run/particles/release_times.h"
#include "core/session/run/surfaces/triangles_run.h"
#include "core/trace/live.h"
#include "core/trace/trace.h"
#include "remote/client/login.h"

namespace farfield::app {
namespace {

/// So long an object that was superseded may go on before it has shown anything.
constexpr std::chrono::milliseconds kPatience{200};
/// So many times as long as others what is dragged may take to be shown coarsely where there is a picture of it: that one stays until
/// then.
constexpr int kDraggedTimes = 20;
/// What its owner waits for the lock.
constexpr std::chrono::milliseconds kDoorPatience{1};
/// Progress is told no more often than this.
constexpr std::chrono::milliseconds kProgressInterval{100};
/// Between looks whether what is read ahead is there.
constexpr std::chrono::milliseconds kAheadLook{5};

template <class Function, class... Arguments>
void tell(const Function& event, const Arguments&... arguments) {
  if (event) event(arguments...);
}

}  // namespace

Problem currentProblem() {
  try {
    throw;
  } catch (const OverBudget& error) {
    return {(error.place().empty() ? "" : error.place() + ": ") + error.message(), error.action(), false,
            true};
  } catch (const session::NothingYet& error) {
    return {.message = error.message(), .advice = error.action(), .isEarly = true};
  } catch (const Error& error) {
    Problem problem{(error.place().empty() ? "" : error.place() + ": ") + error.message(), error.action(),
                    remote::asksForLogin(error)};
    // Or it does not fit what the files have.
    problem.isRefused = dynamic_cast<const Invalid*>(&error) != nullptr ||
                        dynamic_cast<const Unsupported*>(&error) != nullptr ||
                        dynamic_cast<const Corrupt*>(&error) != nullptr;
    if (const auto* const none = dynamic_cast<const NoAnswer*>(&error))
      problem.noAnswerFrom = serverIn(none->server());
    return problem;
  } catch (const std::bad_alloc&) {
    return {"the system has no memory left", "lower the memory budget, or close other programs"};
  } catch (const std::exception& error) {
    return {error.what(), {}};
  } catch (...) {
    return {"something went wrong that does not say what it is", {}};
  }
}

Workshop::Workshop(std::shared_ptr<const fields::ReaderRegistry> readers, const WorkshopOptions& options,
                   WorkshopEvents events)
    : m_readers(std::move(readers)),
      m_options(options),
      m_events(std::move(events)),
      m_account(std::make_shared<MemoryAccount>(options.memoryBytes)),
      m_cache(fields::sharedCache(*m_account, options.processors,
                                  std::max(options.memoryBytes, machineMemoryBytes()))),
      m_levels(m_readers, {.kept = options.keptLevels}, m_account, m_events.levels),
      m_wantedBytes(options.memoryBytes) {
  const auto start = [&](const char* name, int niceness, auto loop) {
    m_threads.emplace_back([name, loop, niceness](std::stop_token stop) {
      trace::nameThread(name);
      beNice(niceness);
      loop(std::move(stop));
    });
  };
  // Computing has the lowest priority. The other threads do little, and the user waits for what they do.
  const int last = m_options.niceness, middle = last / 3;
  start("foreman", middle, [this](std::stop_token stop) { foremanLoop(std::move(stop)); });
  start("hand 1", last, [this](std::stop_token stop) { handLoop(std::move(stop), false); });
  start("hand 2", last, [this](std::stop_token stop) { handLoop(std::move(stop), false); });
  start("urgent hand", last, [this](std::stop_token stop) { handLoop(std::move(stop), true); });
  start("errands", last, [this](std::stop_token stop) { errandLoop(std::move(stop)); });
  start("probe", last, [this](std::stop_token stop) { probeLoop(std::move(stop)); });
  start("watchman", middle, [this](std::stop_token stop) { watchLoop(std::move(stop)); });
  start("doorman", 0, [this](std::stop_token stop) { doorLoop(std::move(stop)); });
}

Workshop::~Workshop() {
  for (std::jthread& thread : m_threads) thread.request_stop();
  {
    const std::lock_guard lock(m_mutex);
    m_isEnding = true;
    for (auto& [id, job] : m_jobs) job.stop.request_stop();
    m_probeStop.request_stop();
    for (auto& [key, set] : m_data) {
      set.openStop.request_stop();
      set.changedStop.request_stop();
    }
  }
  m_changed.notify_all();
  m_inboxFilled.notify_all();
  m_threads.clear();
  m_openings.clear();
  if (m_sight.wanted) trace::stopLive();
}

bool Workshop::ask(std::function<void()> work) {
  std::unique_lock inbox(m_inboxMutex);
  if (m_inbox.empty() && m_mutex.try_lock_for(kDoorPatience)) {
    inbox.unlock();
    const std::lock_guard lock(m_mutex, std::adopt_lock);
    work();
    return true;
  }
  m_inbox.push_back(std::move(work));
  m_inboxFilled.notify_one();
  return false;
}

void Workshop::doorLoop(std::stop_token stop) {
  for (;;) {
    {
      std::unique_lock inbox(m_inboxMutex);
      m_inboxFilled.wait(inbox, stop, [&] { return !m_inbox.empty(); });
      if (stop.stop_requested()) return;
    }
    // What is in the inbox stays there until the lock is held, so that no request overtakes another.
    const std::lock_guard lock(m_mutex);
    std::deque<std::function<void()>> works;
    {
      const std::lock_guard inbox(m_inboxMutex);
      works.swap(m_inbox);
    }
    m_atDoor = true;
    for (const std::function<void()>& work : works) work();
    m_atDoor = false;
  }
}

void Workshop::open(const std::string& key, std::function<fields::OpenRequest()> request) {
  ask([this, key, request = std::move(request)] {
    std::erase(m_closing, key);
    DataSet& set = m_data[key];
    if (set.state == DataSet::State::Open) {
      // What was given up for closing them is done once more.
      set.lookAgain |= set.changed && set.changedStop.stop_requested();
      return tell(m_events.opened, key, set.summary);
    }
    if (set.state == DataSet::State::Opening) {
      set.openAgain = set.openStop.stop_requested();
      return;
    }
    set.state = DataSet::State::Queued;
    set.openStop = {};
    set.request = request;
    m_changed.notify_all();
  });
}

void Workshop::close(const std::string& key) {
  ask([this, key] {
    const auto found = m_data.find(key);
    if (found == m_data.end()) return;
    found->second.openStop.request_stop();
    found->second.changedStop.request_stop();
    m_closing.push_back(key);
    m_changed.notify_all();
  });
}

Workshop::Accepted Workshop::compute(const ObjectRequest& request) {
  Accepted accepted{++m_number, false};
  const auto answer = std::make_shared<bool>(false);
  const bool asked = ask([this, request, number = accepted.number, answer] {
    *answer = accept(request, number);
    if (!m_atDoor || !*answer) return;
    // The caller was told that it is not there yet, and hears of it what he would have known.
    const Job& job = m_jobs.at(request.id);
    if (job.cancelled || job.state == JobState::Cancelled)
      tell(m_events.ended, ObjectOutcome{request.id, number, ObjectEnd::Cancelled, {}, {}});
  });
  if (asked) accepted.atOnce = *answer;
  return accepted;
}

bool Workshop::accept(const ObjectRequest& request, std::uint64_t number) {
  Job& job = m_jobs[request.id];
  job.wanted = request;
  job.number = number;
  job.hidden = false;
  const auto now = Clock::now();
  const auto data = m_data.find(request.dataKey);
  const std::int64_t wanted = data == m_data.end() ? request.step : data->second.stepFor(request.step);
  const auto sameAs = [&](const std::string& key, std::int64_t step, const session::Object& object) {
    return !request.anew && key == request.dataKey && step == wanted &&
           session::sameGeometry(object, request.object);
  };
  if (job.state == JobState::Running) {
    const bool same = !job.again && sameAs(job.running.dataKey, job.running.step, job.running.object);
    if (same) {
      // The looks alone are new: what is being made goes on, or is being given up, and is shown like this.
      job.running = request;
      job.running.step = wanted;
      if (job.making && job.deliveredPoints > 0) show(request.id, job, *job.making, request.object, false);
      return job.cancelled;
    }
    job.again = true;
    stopSuperseded(job, now);
    return false;
  }
  if (job.shown && (job.state == JobState::Done || job.state == JobState::Cancelled) &&
      sameAs(job.shownKey, job.shownStep, job.shown->object)) {
    show(request.id, job, *job.shown, request.object, job.state == JobState::Done);
    return true;
  }
  if (job.state != JobState::Waiting ||
      std::find(m_order.begin(), m_order.end(), request.id) == m_order.end())
    m_order.push_back(request.id);
  if (request.urgent) makeWay();
  job.state = JobState::Waiting;
  m_changed.notify_all();
  return false;
}

void Workshop::letGo(Job& job) {
  m_disposer.drop(std::exchange(job.shown, nullptr));
  m_disposer.drop(std::exchange(job.making, nullptr));
}

void Workshop::forget(ObjectId id) {
  ask([this, id] {
    m_levels.forget(id);
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end()) return;
    found->second.stop.request_stop();
    letGo(found->second);
    m_jobs.erase(found);
    std::erase(m_order, id);
  });
}

void Workshop::hide(ObjectId id) {
  ask([this, id] {
    if (const auto found = m_jobs.find(id); found != m_jobs.end()) found->second.hidden = true;
  });
}

void Workshop::cancelLocked(ObjectId id) {
  const auto found = m_jobs.find(id);
  if (found == m_jobs.end()) return;
  Job& job = found->second;
  if (job.state == JobState::Running && !job.cancelled) {
    // Told at once: the user need not wait until its tasks have seen it.
    job.again = false;
    job.cancelled = true;
    job.stop.request_stop();
    tell(m_events.ended, ObjectOutcome{id, job.number, ObjectEnd::Cancelled, {}, {}});
  } else if (job.state == JobState::Waiting) {
    std::erase(m_order, id);
    job.state = JobState::Cancelled;
    tell(m_events.ended, ObjectOutcome{id, job.number, ObjectEnd::Cancelled, {}, {}});
  }
}

void Workshop::cancel(ObjectId id) {
  ask([this, id] { cancelLocked(id); });
}

void Workshop::cancelAll() {
  ask([this] {
    for (auto& [key, set] : m_data) {
      if (set.state == DataSet::State::Queued || set.state == DataSet::State::Opening)
        set.openStop.request_stop();
      giveUpReading(key, set);
    }
    for (const auto& [id, job] : m_jobs) cancelLocked(id);
    m_changed.notify_all();
  });
}

void Workshop::setMemoryBytes(std::uint64_t bytes) {
  if (m_wantedBytes.exchange(bytes) == bytes) return;
  ask([this, bytes] {
    m_newBudget = bytes;
    for (RangeHunt& its : m_hunts) its.isOver = false;  // there may have been too little memory
    m_changed.notify_all();
  });
}

void Workshop::stopSuperseded(Job& job, Clock::time_point now) {
  const auto patience = job.waitsForCoarse ? kDraggedTimes * m_options.coarseTime + kPatience : kPatience;
  if (job.deliveredPoints > 0 || now - job.started >= patience) job.stop.request_stop();
}

void Workshop::handLoop(std::stop_token stop, bool urgentOnly) {
  Lock lock(m_mutex);
  // While steps are played: what is needed of this step is read of the next one, too, while it is computed, and on until it is there or
  // there is something else to do.
  const auto stepAhead = [&](const ObjectRequest& request) -> std::unique_ptr<fields::StepAhead> {
    const auto data = m_data.find(request.dataKey);
    if (request.nextStep < 0 || data == m_data.end() || !data->second.paged) return nullptr;
    fields::PagedData& paged = *data->second.paged;
    if (!paged.asksAhead() || request.nextStep == request.step ||
        std::max(request.step, request.nextStep) >= paged.description().steps())
      return nullptr;
    auto ahead = std::make_unique<fields::StepAhead>(paged, request.step, request.nextStep);
    ahead->begin();
    return ahead;
  };
  const auto finish = [&](ObjectId done, std::unique_ptr<fields::StepAhead> ahead) {
    if (!ahead) return;
    ahead->end();
    const auto found = m_jobs.find(done);
    const auto isWanted = [&] { return !m_order.empty() || m_exclusive || foremanHasWork(); };
    if (found != m_jobs.end() && found->second.state == JobState::Done)
      while (!ahead->isDone() && !isWanted() && !stop.stop_requested())
        m_changed.wait_for(lock, stop, kAheadLook, isWanted);
    lock.unlock();
    ahead.reset();  // takes back what has not come
    lock.lock();
  };
  for (;;) {
    ObjectId id = 0;
    m_changed.wait(lock, stop, [&] { return nextJob(urgentOnly, id) != nullptr; });
    if (stop.stop_requested()) return;
    ++m_busy;
    const std::string key = m_jobs.at(id).wanted.dataKey;
    ++m_data.at(key).users;  // they stay meanwhile, and so does their plan
    if (m_computing++ == 0) beginBusyPeriod();
    std::unique_ptr<fields::StepAhead> ahead = stepAhead(m_jobs.at(id).wanted);
    m_jobs.at(id).isBeside = urgentOnly && !m_jobs.at(id).wanted.urgent;
    computeJob(lock, id);
    if (!longWorkRuns())
      for (auto& [each, set] : m_data) {
        const bool lackedRoom = std::exchange(set.lacksRoom, false);
        if (std::exchange(set.wantsPlan, false) || lackedRoom) m_replan = set.planIsOld = true;
      }
    // Also of what is over before the watchman has looked at it.
    if (--m_computing == 0) m_boundBy = judgeBusyPeriod(totals());
    considerLevels(lock, id);
    finish(id, std::move(ahead));
    --m_data.at(key).users;
    --m_busy;
    m_changed.notify_all();
  }
}

void Workshop::computeJob(Lock& lock, ObjectId id) {
  Job& job = m_jobs.at(id);
  std::erase(m_order, id);
  job.state = JobState::Running;
  job.running = job.wanted;
  job.stop = {};
  job.again = job.interrupted = job.cancelled = job.waitsItsTurn = false;
  job.making.reset();
  job.deliveredPoints = 0;
  job.waitsForCoarse = false;
  job.started = job.deliveredAt = Clock::now();
  const std::uint64_t number = job.number;
  const std::stop_token stop = job.stop.get_token();
  DataSet& set = m_data.at(job.running.dataKey);
  // As what it is kept: a step that these data do not have yet may come.
  const std::int64_t step = job.running.step = set.stepFor(job.running.step);
  auto made = std::make_shared<Computed>();
  made->object = job.running.object;
  // What is shown of the same data: what was found out about these is known, and what carries state goes on from an earlier step.
  std::shared_ptr<const Computed> last =
      !job.running.anew && job.shownKey == job.running.dataKey ? job.shown : nullptr;
  const bool isEarlier = last && job.shownStep < step;
  std::optional<Problem> problem;
  std::unique_ptr<fields::PagedData> own;
  bool stopped = false, outOfMemory = false;
  try {
    if (set.state == DataSet::State::Failed)
      throw Error("its data could not be opened", "see what is said of the data");
    made->run = session::makeObjectRun(made->object, set.data->description());
    job.making = made;
    const bool hasPlan = hasPlanFor(set, job.running.dataKey, *made);
    if (!set.planProblem && !hasPlan && goesBesideLongWork(*made))
      own = planBeside(lock, set,
                       {.arrays = made->run->arrays(),
                        .stepsAtATime = made->run->stepsAtATime(),
                        .resultBytesPerTask = made->run->taskBytes(),
                        .keptBytes = made->run->stateBytes()});
    const auto known = m_jobs.find(id);
    if (known == m_jobs.end() || known->second.making != made) {
      stopped = true;  // forgotten meanwhile
    } else if (set.planProblem) {
      problem = set.planProblem;
    } else if (!hasPlan && !own) {
      stopped = true;
      turnAway(job, set);
    } else {
      tell(m_events.started, id, number);
      fields::PagedData& paged = own ? *own : *set.paged;
      session::ObjectSurroundings surroundings{paged, *m_account, m_options.spoolFolder, stop, {}};
      surroundings.watched = true;
      if (!job.took || *job.took >= m_options.soon) {
        surroundings.coarseIsThere = [&] { showCoarse(id, made); };
        const auto* const triangles = dynamic_cast<const session::TrianglesRun*>(made->run.get());
        job.waitsForCoarse = job.running.urgent && job.hasPicture && triangles && triangles->hasCoarse();
      }
      surroundings.coarseTime = (job.waitsForCoarse ? kDraggedTimes : 1) * m_options.coarseTime;
      surroundings.processors = m_options.processors;
      surroundings.traceLines = m_options.traceLines;
      if (job.running.nextStep < paged.description().steps()) surroundings.nextStep = job.running.nextStep;
      surroundings.makeSlabs = m_options.makeSlabs;
      surroundings.askResults = m_options.askResults;
      if (m_options.makeVolume)
        surroundings.makeVolume = [&make = m_options.makeVolume,
                                   volumes = set.volumes](const session::VolumeRequest& request) {
          return volumes->lease(make(request));
        };
      surroundings.progress = [&, began = job.started, told = job.started](std::size_t done,
                                                                           std::size_t total) mutable {
        const auto now = Clock::now();
        if (now - told < kProgressInterval && done < total) return;
        told = now;
        const double seconds = std::chrono::duration<double>(now - began).count();
        const double left =
            done > 0 ? seconds * static_cast<double>(total - done) / static_cast<double>(done) : 0;
        const std::lock_guard guard(m_mutex);
        const auto found = m_jobs.find(id);
        if (found != m_jobs.end() && !found->second.cancelled)
          tell(m_events.progress, ObjectProgress{id, number, done, total, left});
      };
      lock.unlock();
      try {
        const session::ObjectRun* const before =
            last && (isEarlier || !made->run->carriesState()) ? last->run.get() : nullptr;
        session::computeAlone(*made->run, surroundings, step, before);
        // Now: it may have to look at all of the result, and nobody waits for that.
        made->stats.emplace();
        made->stats->type = session::nameOf(made->object.type());  // by which it is said why nothing is there
        made->run->count(*made->stats);
        made->run->countMissing(*made->stats);
      } catch (const Cancelled&) {
        stopped = true;
      } catch (const OverBudget&) {
        problem = currentProblem();
        outOfMemory = true;
      } catch (...) {
        problem = currentProblem();
      }
      lock.lock();
    }
  } catch (...) {
    problem = currentProblem();
  }
  if (const auto found = m_jobs.find(id); found != m_jobs.end() && found->second.making == made) {
    if (outOfMemory && (found->second.isBeside || own)) {  // alone it may have enough
      problem.reset();
      stopped = true;
      turnAway(found->second, set);
    }
  }
  if (own) {
    set.wantsPlan = true;
    endPlan(lock, std::move(own));
  }
  endJob(id, made, std::move(problem), stopped);
  m_disposer.drop(std::move(made));
  if (last) m_disposer.drop(std::move(last));
}

void Workshop::endJob(ObjectId id, const std::shared_ptr<Computed>& made, std::optional<Problem> problem,
                      bool stopped) {
  const auto found = m_jobs.find(id);
  // Forgotten meanwhile, and perhaps asked for anew.
  if (found == m_jobs.end() || found->second.state != JobState::Running ||
      (found->second.making && found->second.making != made))
    return;
  Job& job = found->second;
  job.making.reset();  // not the last owner: `made` is the caller's as well
  if (made->run)
    m_busyPeriod.longestMissChain =
        std::max(m_busyPeriod.longestMissChain, made->run->lastGroup().longestWaitChain);
  const bool shows = made->run && !problem && !made->run->bounds().empty();
  // What is empty is a result as well, and that of steps to come goes on from it.
  const bool isWhole = made->run && !problem && !stopped;
  if (isWhole || (shows && job.cancelled)) {
    m_disposer.drop(std::exchange(job.shown, made));
    job.shownKey = job.running.dataKey;
    job.shownStep = job.running.step;
  }
  if (job.again || (stopped && job.interrupted && !job.cancelled)) {
    if (shows && !stopped) show(id, job, *made, job.running.object, false);
    job.state = JobState::Waiting;
    // One that was interrupted keeps its place.
    if (job.again)
      m_order.push_back(id);
    else
      m_order.push_front(id);
    return;
  }
  if (problem) {
    job.state = JobState::Failed;
    job.hasPicture = false;
    tell(m_events.ended, ObjectOutcome{id, job.number, ObjectEnd::Failed, *problem, {}});
  } else if (stopped) {
    job.state = JobState::Cancelled;
    if (shows) show(id, job, *made, job.running.object, false);
  } else {
    job.state = JobState::Done;
    job.took = Clock::now() - job.started;
    show(id, job, *made, job.running.object, true);
  }
}

/// Looks at the data's files, which may take as long as a disk far away does: while this hand is busy, so that the data stay, but without
/// the lock.
void Workshop::considerLevels(Lock& lock, ObjectId id) {
  for (std::shared_ptr<Computed> considered;;) {
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end()) return m_levels.forget(id);
    const Job& job = found->second;
    // Who computes it, or has done so meanwhile, asks for the levels of that.
    if (job.state != JobState::Done || !job.shown || job.shown == considered) return;
    considered = job.shown;
    const auto set = m_data.find(job.shownKey);
    if (!considered->run->drawsFromData() || set == m_data.end() || !set->second.data)
      return m_levels.forget(id);
    const fields::OpenData& data = *set->second.data;
    const std::vector<std::string> arrays = considered->run->arrays();
    const std::int64_t step = job.shownStep;
    ++set->second.users;
    lock.unlock();
    m_levels.consider(id, data, arrays, step);
    lock.lock();
    --set->second.users;
    m_changed.notify_all();
  }
}

}  // namespace farfield::app
