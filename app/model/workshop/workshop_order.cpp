// Which object is computed next, with which plan of memory, and what makes way for it.

#include <algorithm>
#include <exception>
#include <variant>

#include "app/model/workshop/workshop.h"
#include "core/base/error.h"

namespace farfield::app {
namespace {

/// So much has to be free, or pages that can go, for something quick beside long work.
constexpr std::uint64_t kRoomBeside = std::uint64_t{8} << 20;

/// In flight per processor, of what is quick beside long work with a plan of its own; and of what is free, the part for that.
constexpr int kTasksBeside = 16;
constexpr double kShareBeside = 0.5;
/// That such a plan leaves to the results of others.
constexpr std::uint64_t kResultsBeside = std::uint64_t{1} << 20;

/// Of surfaces that are there, or a plane's: others may visit all of the data.
bool isQuick(const session::Object& object) {
  return std::holds_alternative<session::Slice>(object.shape) ||
         std::holds_alternative<session::GridSurface>(object.shape) ||
         std::holds_alternative<session::Isolines>(object.shape) ||
         std::holds_alternative<session::Arrows>(object.shape) ||
         std::holds_alternative<session::Outline>(object.shape) ||
         std::holds_alternative<session::Probe>(object.shape);
}

}  // namespace

bool Workshop::hasRoomBesideLongWork() const {
  return m_computing > 0 && m_account->obtainableBytes() >= kRoomBeside &&
         std::none_of(m_jobs.begin(), m_jobs.end(), [](const auto& entry) {
           return entry.second.state == JobState::Running && isQuick(entry.second.running.object);
         });
}

/// Something that would begin again if memory were shared out anew, and takes long.
bool Workshop::longWorkRuns() const {
  return std::any_of(m_jobs.begin(), m_jobs.end(), [](const auto& entry) {
    return entry.second.state == JobState::Running && !isQuick(entry.second.running.object);
  });
}

bool Workshop::longWorkRunsElsewhere(const std::string& key) const {
  return std::any_of(m_jobs.begin(), m_jobs.end(), [&](const auto& entry) {
    const Job& job = entry.second;
    return job.state == JobState::Running && !isQuick(job.running.object) && job.running.dataKey != key;
  });
}

/// Whether it can be computed with the plan of its data, and is not worth a larger one.
bool Workshop::hasPlanFor(const DataSet& set, const std::string& key, const Computed& made) const {
  const session::ObjectRun& run = *made.run;
  if (!set.paged || run.taskBytes() > set.plannedTaskBytes || run.stepsAtATime() > set.paged->stepsAtATime())
    return false;
  const bool isPlanned = std::all_of(run.arrays().begin(), run.arrays().end(), [&](const std::string& name) {
    return std::find(set.plannedArrays.begin(), set.plannedArrays.end(), name) != set.plannedArrays.end();
  });
  if (!isPlanned || !set.planIsTight) return isPlanned;
  // A larger one is there once others are done.
  return showsWhatWouldGo(key) || goesBesideLongWork(made) || longWorkRunsElsewhere(key);
}

bool Workshop::goesBesideLongWork(const Computed& made) const {
  return isQuick(made.object) && longWorkRuns();
}

/// A plan from what is free, so that nobody who is at long work begins anew.
fields::PagedDataOptions Workshop::besideOthers(fields::PagedDataOptions needs) const {
  needs.processors = m_options.processors;
  needs.tasksPerProcessor =
      m_options.tasksPerProcessor > 0 ? std::min(m_options.tasksPerProcessor, kTasksBeside) : kTasksBeside;
  needs.readers = m_options.readers;
  needs.shareOfFree = kShareBeside;
  needs.keptBytes += kResultsBeside;
  needs.cache = m_cache;
  return needs;
}

/// Such a plan for something quick alone, which needs that; null where there is too little. The lock is not held meanwhile.
std::unique_ptr<fields::PagedData> Workshop::planBeside(Lock& lock, const DataSet& set,
                                                        const fields::PagedDataOptions& needs) {
  std::unique_ptr<fields::PagedData> own;
  std::exception_ptr failure;
  lock.unlock();
  try {
    own = std::make_unique<fields::PagedData>(*set.data, *m_account, besideOthers(needs));
  } catch (const OverBudget&) {
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  if (failure) std::rethrow_exception(failure);
  return own;
}

void Workshop::endPlan(Lock& lock, std::unique_ptr<fields::PagedData> own) {
  addSources(m_past, *own);
  lock.unlock();
  own.reset();  // waits for the reads that are in flight
  lock.lock();
}

/// It has not the memory that it needs beside others: it waits until its hand is no more beside them, or memory is shared out anew for it.
void Workshop::turnAway(Job& job, DataSet& set) {
  job.interrupted = true;
  if (job.isBeside)
    job.waitsItsTurn = true;
  else
    m_replan = set.planIsOld = true;
}

/// What is done beside others stops for something urgent, whose hand it has.
void Workshop::makeWay() {
  for (auto& [id, job] : m_jobs) {
    if (job.state != JobState::Running || !job.isBeside) continue;
    job.interrupted = true;
    job.stop.request_stop();
  }
}

Workshop::Job* Workshop::nextJob(bool urgentOnly, ObjectId& id) {
  // A job that began now would keep the foreman waiting.
  if (m_exclusive || foremanHasWork() || (!urgentOnly && m_busy >= m_concurrent)) return nullptr;
  enum class Pass { Urgent, Quick, Long };
  for (const Pass pass : {Pass::Urgent, Pass::Quick, Pass::Long}) {
    if (urgentOnly && (pass == Pass::Long || (pass == Pass::Quick && !hasRoomBesideLongWork()))) break;
    for (const ObjectId waiting : m_order) {
      Job& job = m_jobs.at(waiting);
      const Pass its = job.wanted.urgent            ? Pass::Urgent
                       : isQuick(job.wanted.object) ? Pass::Quick
                                                    : Pass::Long;
      if (its != pass || (urgentOnly && pass == Pass::Quick && job.waitsItsTurn)) continue;
      const auto set = m_data.find(job.wanted.dataKey);
      if (set == m_data.end() || set->second.state == DataSet::State::Queued ||
          set->second.state == DataSet::State::Opening)
        continue;
      if (set->second.state == DataSet::State::Open && !set->second.paged && !set->second.planProblem) {
        if (set->second.lacksRoom && longWorkRuns()) continue;
        // Beside long work what is quick is tried with a plan of its own, which is there sooner.
        if (!isQuick(job.wanted.object) || !longWorkRuns()) {
          if (!m_replan) m_changed.notify_all();
          m_replan = true;
          continue;
        }
      }
      id = waiting;
      return &job;
    }
  }
  return nullptr;
}

}  // namespace farfield::app
