// The errands of a workshop: what is written, and what is drawn into pictures. Volumes read their data while they are drawn, and a long
// animation of one may well see its data planned anew: what it draws is made again then, as it was.

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "app/model/workshop/workshop_drawn.h"
#include "core/base/error.h"
#include "core/base/stoppable_waits.h"

namespace farfield::app {
namespace {

/// What was written of an object before, beside files of now, would be taken for what it is now. Whether there was such a file.
bool isFileTakenAway(const std::filesystem::path& path) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(path, problem)) return false;
  if (std::filesystem::remove(path, problem)) return true;
  if (!problem) return false;
  throw Io("the object is empty, and its file of before cannot be removed: " + problem.message(),
           "remove it, for it is not of what is shown");
}

}  // namespace

/// With geometry of its own: what the view shows is not read by two at a time.
scene::SceneItem Workshop::DrawnPart::item() {
  scene::SceneItem made = computed->run->item(look);
  if (!fromData) return made;
  if (!scale) {
    scale = made.scale;
    opacity = made.volumeLook.opacity;
  }
  made.scale = *scale;
  made.volumeLook.opacity = opacity;
  return made;
}

void Workshop::DrawnPart::followData(const Workshop& workshop) {
  for (const auto& [itsKey, set] : workshop.m_data)
    if (isOf(*this, set)) key = itsKey;
}

bool Workshop::DrawnPart::isAnyOf(const DataSet& set) {
  return set.data &&
         std::any_of(set.drawn.begin(), set.drawn.end(), [](const auto& each) { return !each.expired(); });
}

void Workshop::DrawnPart::keepData(Workshop& workshop, const std::string& key) {
  const auto keyOf = [&key](int number) { return key + "\nkept " + std::to_string(number); };
  int number = 1;
  while (workshop.m_data.contains(keyOf(number))) ++number;
  DataSet& set = workshop.m_data.at(key);
  DataSet& kept = workshop.m_data[keyOf(number)];
  kept.state = DataSet::State::Open;
  kept.data = std::move(set.data);
  kept.paged = std::move(set.paged);
  kept.volumes = std::move(set.volumes);
  kept.plannedArrays = set.plannedArrays;
  kept.plannedTaskBytes = set.plannedTaskBytes;
  kept.planIsTight = set.planIsTight;
  kept.summary = set.summary;
  kept.timesReadAgain = set.timesReadAgain;
  kept.drawn = std::exchange(set.drawn, {});
  kept.plannedFor = std::exchange(set.plannedFor, {});
  workshop.computeVolumesAgain(key);
}

void Workshop::DrawnPart::closeKept(Workshop& workshop) {
  std::vector<std::string>& closing = workshop.m_closing;
  for (const auto& [key, set] : workshop.m_data)
    if (isKept(set) && !isAnyOf(set) && std::find(closing.begin(), closing.end(), key) == closing.end())
      closing.push_back(key);
}

void Workshop::DrawnPart::forget(Workshop& workshop, const std::shared_ptr<DrawnFromData>& drawn) {
  for (auto& [key, set] : workshop.m_data)
    std::erase_if(set.drawn, [&](const auto& each) { return each.lock() == drawn; });
  closeKept(workshop);
  workshop.m_changed.notify_all();
}

void Workshop::writeGeometry(ObjectId id, const std::filesystem::path& path,
                             std::function<void(std::optional<Problem>)> done, std::stop_token unwanted) {
  ask([this, id, path, done = std::move(done), unwanted = std::move(unwanted)] {
    const auto found = m_jobs.find(id);
    std::shared_ptr<Computed> shown;
    const bool isDone = found != m_jobs.end() && found->second.state == JobState::Done;
    const bool hasFailed = found != m_jobs.end() && found->second.state == JobState::Failed;
    if (isDone) shown = found->second.shown;
    m_errands.push_back([shown, isDone, hasFailed, path, done, unwanted](const std::stop_token&) {
      std::optional<Problem> problem;
      try {
        const StoppableWaits waits(unwanted);
        StoppableWaits::throwIfStopped();
        if (hasFailed) throw Invalid("the object could not be computed", "its properties say why");
        if (!isDone) throw Invalid("the object is not computed yet", "wait until it is");
        if (!shown || shown->run->bounds().empty())
          throw Invalid(isFileTakenAway(path)
                            ? "the object is empty: its file of before is removed, and nothing is written"
                            : "the object is empty, and nothing is written of it");
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
                    std::function<void(std::optional<Problem>)> done, std::stop_token unwanted) {
  const auto drawn = std::make_shared<std::vector<std::weak_ptr<DrawnFromData>>>();  // known with the lock
  const auto forget = [this, drawn] {
    ask([this, drawn] {
      for (const auto& each : *drawn) DrawnPart::forget(*this, each.lock());
    });
  };
  const auto forgets = std::make_shared<std::stop_callback<decltype(forget)>>(unwanted, forget);
  ask([this, ids, scene, draw = std::move(draw), done = std::move(done), unwanted, drawn, forgets] {
    std::vector<DrawnPart> parts;
    for (const ObjectId id : ids) {
      const auto found = m_jobs.find(id);
      if (found == m_jobs.end()) continue;
      const Job& job = found->second;
      const bool isVolume = std::holds_alternative<session::Volume>(job.wanted.object.shape);
      // Of a volume that is seen there is nothing for the moment in which its data are planned anew.
      if (!job.shown && !(isVolume && job.hasPicture)) continue;
      DrawnPart part;
      part.id = id;
      part.look = job.wanted.object;
      part.computed = job.shown;
      if (!job.shown || job.shown->run->drawsFromData()) {
        const session::Object& object = job.shown ? job.shown->object : job.wanted.object;
        part.key = job.shown ? job.shownKey : job.wanted.dataKey;
        if (const auto data = m_data.find(part.key); data != m_data.end()) {
          part.fromData = std::make_shared<DrawnFromData>(object);
          part.leases = data->second.volumes;
          part.step = job.shown ? job.shownStep : data->second.stepFor(job.wanted.step);
          part.timesReadAgain = data->second.timesReadAgain;
          data->second.drawn.push_back(part.fromData);
        } else if (!job.shown) {
          continue;
        }
      }
      parts.push_back(std::move(part));
    }
    for (const DrawnPart& part : parts)
      if (part.fromData) drawn->emplace_back(part.fromData);
    m_errands.push_back(
        [this, parts, scene, draw, done, unwanted, forgets](const std::stop_token& stop) mutable {
          std::stop_source either;
          const auto request = [&either] { either.request_stop(); };
          const std::stop_callback ends(stop, request), goes(unwanted, request);
          std::optional<Problem> problem;
          try {
            drawParts(std::exchange(parts, {}), scene, draw, either.get_token());
          } catch (const Cancelled&) {
            if (!unwanted.stop_requested()) problem = currentProblem();
          } catch (...) {
            problem = currentProblem();
          }
          done(problem);
        });
    m_changed.notify_all();
  });
}

void Workshop::drawParts(std::vector<DrawnPart> parts, const scene::Scene& scene,
                         const std::function<void(const scene::Scene&)>& draw, const std::stop_token& stop) {
  bool wasAtRest = false;
  for (;;) {
    for (DrawnPart& part : parts)
      if (part.isGone()) renew(part, stop);
    try {
      scene::Scene whole = scene;
      for (DrawnPart& part : parts) whole.items.push_back(part.item());
      draw(whole);
      return;
    } catch (const Cancelled&) {
      if (std::none_of(parts.begin(), parts.end(), [](const DrawnPart& part) { return part.isGone(); }))
        throw;
    } catch (const OverBudget&) {
      // Who computes has all of it, as after a smaller budget was set: when they rest there may be enough.
      if (wasAtRest || !waitForRest(stop, wasAtRest)) throw;
    }
  }
}

/// Until nobody computes; false where that takes too long. `isAtRest`: nobody did.
bool Workshop::waitForRest(const std::stop_token& stop, bool& isAtRest) {
  constexpr std::chrono::seconds kPatience{30};
  const auto restsNow = [this] { return m_busy == 0 && !foremanHasWork() && m_order.empty(); };
  Lock lock(m_mutex);
  isAtRest = restsNow();
  const bool rests = m_changed.wait_for(lock, stop, kPatience, restsNow);
  if (stop.stop_requested()) throw Cancelled();
  return rests;
}

/// The job that has made or makes the same as is drawn; null where the user has gone on to something else.
const Workshop::Job* Workshop::jobLike(const DrawnPart& part) const {
  const auto found = m_jobs.find(part.id);
  const auto data = m_data.find(part.key);
  if (found == m_jobs.end() || data == m_data.end()) return nullptr;
  const ObjectRequest& wanted = found->second.wanted;
  const bool isSame = wanted.dataKey == part.key && data->second.stepFor(wanted.step) == part.step &&
                      session::sameGeometry(wanted.object, part.fromData->object);
  return isSame ? &found->second : nullptr;
}

/// Whether the data are those that it was of, and not opened anew or read again since.
bool Workshop::isOf(const DrawnPart& part, const DataSet& set) {
  return set.timesReadAgain == part.timesReadAgain &&
         std::any_of(set.drawn.begin(), set.drawn.end(),
                     [&](const auto& each) { return each.lock() == part.fromData; });
}

/// Whether it can be made again now, or never.
bool Workshop::canRenew(const DrawnPart& part) {
  const auto found = m_data.find(part.key);
  if (found == m_data.end() || !isOf(part, found->second)) return true;
  if (const Job* const job = jobLike(part)) {
    if (job->state == JobState::Done && job->shown) return true;
    if (job->state == JobState::Waiting || job->state == JobState::Running) return false;
  }
  const DataSet& set = found->second;
  if (set.state == DataSet::State::Failed) return true;
  if (m_exclusive || foremanHasWork() || set.state != DataSet::State::Open) return false;
  if (!set.paged && !set.planProblem) {
    if (set.lacksRoom && longWorkRuns()) return false;
    m_replan = true;
    m_changed.notify_all();
    return false;
  }
  return m_busy < m_concurrent;
}

void Workshop::renew(DrawnPart& part, const std::stop_token& stop) {
  Lock lock(m_mutex);
  part.fromData->isAgain = true;
  m_disposer.drop(std::exchange(part.computed, nullptr));
  while (part.isGone()) {
    m_changed.wait(lock, stop, [&] {
      part.followData(*this);
      return canRenew(part);
    });
    if (stop.stop_requested()) throw Cancelled();
    const auto found = m_data.find(part.key);
    if (found == m_data.end() || !isOf(part, found->second))
      throw Invalid("the data of " + part.look.name + " were closed or read again meanwhile",
                    "export it again");
    DataSet& set = found->second;
    if (const Job* const job = jobLike(part); job && job->state == JobState::Done && job->shown) {
      part.computed = job->shown;
      part.leases = set.volumes;
    } else if (set.planProblem) {
      throw OverBudget(set.planProblem->message, set.planProblem->advice);
    } else if (set.state != DataSet::State::Open) {
      throw Invalid("the data of " + part.look.name + " cannot be opened any more", "export it again");
    } else {
      computeAnew(lock, part, stop);
    }
  }
}

/// Where it has no plan, memory is shared out anew for it as well. Stays gone where the foreman stops it.
void Workshop::computeAnew(Lock& lock, DrawnPart& part, const std::stop_token& stop) {
  DataSet& set = m_data.at(part.key);
  auto made = std::make_shared<Computed>();
  made->object = part.fromData->object;
  made->run = session::makeObjectRun(made->object, set.data->description());
  const bool isPlanned = std::any_of(set.plannedFor.begin(), set.plannedFor.end(),
                                     [&](const auto& each) { return each.lock() == part.fromData; });
  if (!isPlanned) {
    m_replan = set.planIsOld = true;
    m_changed.notify_all();
    return;
  }
  std::stop_source either;
  const auto end = [&either] { either.request_stop(); };
  const std::stop_callback ends(stop, end), byForeman(set.handsStop.get_token(), end);
  session::ObjectSurroundings surroundings{
      *set.paged, *m_account, m_options.spoolFolder, either.get_token(), {}};
  surroundings.watched = true;
  surroundings.processors = m_options.processors;
  if (m_options.makeVolume)
    surroundings.makeVolume = [&make = m_options.makeVolume,
                               volumes = set.volumes](const session::VolumeRequest& request) {
      return volumes->lease(make(request));
    };
  ++m_busy;
  ++set.users;
  lock.unlock();
  std::exception_ptr failure;
  bool isStopped = false;
  try {
    session::computeAlone(*made->run, surroundings, part.step, nullptr);
  } catch (const Cancelled&) {
    isStopped = true;
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  --set.users;
  --m_busy;
  m_changed.notify_all();
  if (failure) std::rethrow_exception(failure);
  if (isStopped) return;
  part.computed = std::move(made);
  part.leases = set.volumes;
}

void Workshop::errandLoop(std::stop_token stop) {
  Lock lock(m_mutex);
  for (;;) {
    m_changed.wait(lock, stop, [&] { return !m_errands.empty(); });
    if (stop.stop_requested()) return;
    Errand errand = std::move(m_errands.front());
    m_errands.pop_front();
    lock.unlock();
    errand(stop);
    errand = nullptr;  // with the last of a result, perhaps
    lock.lock();
    DrawnPart::closeKept(*this);
    m_changed.notify_all();  // what was put off for it
  }
}

}  // namespace farfield::app
