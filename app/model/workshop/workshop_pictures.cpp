// What a workshop hands out of objects: those that are done, and what there is of others while they are made.

#include <algorithm>

#include "app/model/workshop/workshop.h"
#include "core/base/error.h"

namespace farfield::app {
namespace {

/// When there is something new of an object that is worth showing: soon at first, then as it grows, so that
/// showing it costs a bounded share of making it.
constexpr std::chrono::milliseconds kFirstPicture{30}, kNextPicture{100}, kLatestPicture{1000};
constexpr double kGrowth = 1.6, kLeastGrowth = 1.05;

/// `geometry`, which keeps `account` as well: reading it claims memory.
template <class Geometry>
std::shared_ptr<const Geometry> kept(std::shared_ptr<const Geometry> geometry,
                                     const std::shared_ptr<MemoryAccount>& account, Disposer& disposer) {
  if (!geometry) return nullptr;
  const Geometry* const plain = geometry.get();
  // The account comes first, so that it goes last.
  using Pair = std::pair<std::shared_ptr<MemoryAccount>, std::shared_ptr<const Geometry>>;
  return disposer.wrap(
      std::shared_ptr<const Geometry>(std::make_shared<Pair>(account, std::move(geometry)), plain));
}

template <class Function, class... Arguments>
void tell(const Function& event, const Arguments&... arguments) {
  if (event) event(arguments...);
}

std::uint64_t pointsOf(const session::ObjectRun& run) {
  session::ObjectStats stats;
  run.count(stats);
  return stats.points;
}

/// Whether what has so many points now is worth showing, `since` it was shown with so many.
bool isWorthShowing(std::uint64_t points, std::uint64_t before, std::chrono::steady_clock::duration since) {
  const auto grown = static_cast<double>(points) / static_cast<double>(std::max<std::uint64_t>(1, before));
  return points > 0 && (before == 0 || (since >= kNextPicture && grown >= kGrowth) ||
                        (since >= kLatestPicture && grown >= kLeastGrowth));
}

}  // namespace

/// What there is of an object, as it is shown with some looks.
struct Workshop::Drawn {
  ObjectPicture picture;
  std::optional<Problem> problem;  ///< these looks cannot be drawn
};

/// With the lock or without.
Workshop::Drawn Workshop::drawn(const Computed& computed, const session::Object& look) {
  Drawn drawn;
  ObjectPicture& picture = drawn.picture;
  try {
    picture.item = computed.run->item(look);
    picture.item.lines = kept(std::move(picture.item.lines), m_account, m_disposer);
    picture.item.triangles = kept(std::move(picture.item.triangles), m_account, m_disposer);
    picture.item.edges = kept(std::move(picture.item.edges), m_account, m_disposer);
    picture.item.volume = kept(std::move(picture.item.volume), m_account, m_disposer);
    picture.bounds = computed.run->bounds();
    picture.coarse = computed.run->isCoarse();
  } catch (const Cancelled&) {
    throw;
  } catch (...) {
    drawn.problem = currentProblem();
  }
  return drawn;
}

void Workshop::show(ObjectId id, Job& job, Computed& computed, const session::Object& look, bool complete) {
  handOut(id, job, computed, look, complete, drawn(computed, look));
}

void Workshop::handOut(ObjectId id, Job& job, Computed& computed, const session::Object& look, bool complete,
                       Drawn drawn) {
  if (drawn.problem) {
    job.hasPicture = false;
    return tell(m_events.ended, ObjectOutcome{id, job.number, ObjectEnd::Failed, *drawn.problem, {}});
  }
  ObjectPicture& picture = drawn.picture;
  picture.id = id;
  picture.request = job.number;
  picture.complete = complete;
  if (complete) {
    if (!session::isDrawnLike(std::exchange(computed.look, look), look)) {
      computed.lines.reset();
      computed.triangles.reset();
      computed.edges.reset();
    }
    if (!computed.lines) computed.lines = picture.item.lines;
    if (!computed.triangles) computed.triangles = picture.item.triangles;
    picture.item.lines = computed.lines;
    picture.item.triangles = computed.triangles;
    if (picture.item.edges) {
      if (!computed.edges) computed.edges = picture.item.edges;
      picture.item.edges = computed.edges;
    }
  }
  tell(m_events.picture, picture);
  job.hasPicture = true;
  if (complete)
    tell(m_events.ended,
         ObjectOutcome{id, job.number, ObjectEnd::Done, {}, computed.stats.value_or(session::ObjectStats{})});
}

/// Something coarse of what is being made is there, on the hand's thread.
void Workshop::showCoarse(ObjectId id, const std::shared_ptr<Computed>& made) {
  const std::uint64_t points = pointsOf(*made->run);
  const std::lock_guard guard(m_mutex);
  const auto found = m_jobs.find(id);
  if (found == m_jobs.end() || found->second.making != made || found->second.cancelled) return;
  Job& job = found->second;
  job.deliveredPoints = points;
  job.deliveredAt = Clock::now();
  show(id, job, *made, job.running.object, false);
  if (job.again) stopSuperseded(job, job.deliveredAt);
}

/// Counting what there is may mean to read all of it: nobody waits for that. Of what draws from its data that is known at once, and
/// these stay while the lock is held.
void Workshop::deliverPartial(Lock& lock, ObjectId id, Clock::time_point now) {
  const auto making = [&]() -> Job* {
    const auto found = m_jobs.find(id);
    if (found == m_jobs.end()) return nullptr;
    Job& job = found->second;
    return job.state == JobState::Running && job.making && !job.cancelled ? &job : nullptr;
  };
  Job* job = making();
  if (!job) return;
  const std::uint64_t before = job->deliveredPoints;
  const auto since = now - job->deliveredAt;
  if (now - job->started >= kFirstPicture && (before == 0 || since >= kNextPicture)) {
    std::shared_ptr<Computed> made = job->making;
    const session::Object look = job->running.object;
    const bool isApart = !made->run->drawsFromData();
    std::uint64_t points = 0;
    std::optional<Drawn> its;
    if (isApart) lock.unlock();
    try {
      if (!made->run->bounds().empty()) points = pointsOf(*made->run);
      if (isWorthShowing(points, before, since)) its = drawn(*made, look);
    } catch (const std::exception&) {
      // What cannot be counted yet: whoever makes it says what is wrong.
    }
    if (isApart) lock.lock();
    job = making();
    if (job && job->making == made && its) {
      job->deliveredPoints = points;
      job->deliveredAt = now;
      // Other looks may have been chosen meanwhile.
      if (job->running.object == look)
        handOut(id, *job, *made, look, false, std::move(*its));
      else
        show(id, *job, *made, job->running.object, false);
    }
    m_disposer.drop(std::move(made));
  }
  if (job && job->again) stopSuperseded(*job, now);
}

}  // namespace farfield::app
