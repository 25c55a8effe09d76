// Which object is computed next, and what makes way for it.

#include <algorithm>
#include <variant>

#include "app/model/workshop.h"

namespace farfield::app {
namespace {

/// So much has to be free, or pages that can go, for something quick beside long work.
constexpr std::uint64_t kRoomBeside = std::uint64_t{8} << 20;

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
        // Planning would begin the work of several anew, for something that can wait for one of them.
        if (urgentOnly && pass == Pass::Quick && m_computing > 1) continue;
        if (!m_replan) m_changed.notify_all();
        m_replan = true;
        continue;
      }
      id = waiting;
      return &job;
    }
  }
  return nullptr;
}

}  // namespace farfield::app
