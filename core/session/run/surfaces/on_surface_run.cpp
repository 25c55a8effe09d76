#include "core/session/run/surfaces/on_surface_run.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/session/run/task_order.h"

namespace farfield::session {
namespace {

std::vector<std::string> withThoseOf(const SurfaceShape& surface, std::vector<std::string> functions) {
  for (const std::string& each : functionsOf(surface))
    if (std::find(functions.begin(), functions.end(), each) == functions.end()) functions.push_back(each);
  return functions;
}

}  // namespace

OnSurfaceRun::OnSurfaceRun(const Object& object, const paging::DatasetDescription& description,
                           std::vector<std::string> functions, const std::vector<std::string>& own,
                           const char* key)
    : ObjectRun(object, description, withThoseOf(surfaceUnder(object)->shape, std::move(functions)), own,
                key) {
  try {
    m_surface = tasksOf(surfaceUnder(object)->shape, description, m_functions);
  } catch (Error& error) {
    error.at("on");
    throw;
  }
}

void OnSurfaceRun::runGroup(const ObjectSurroundings& surroundings, std::chrono::milliseconds time,
                            const std::function<void(std::size_t, tasks::TaskContext&)>& run) {
  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = surroundings.share.countOf(m_surface->count());
  group.admission = &surroundings.data.admission();
  group.progress = surroundings.progress;
  const TaskOrder own(group.count, TaskOrder::kindFor(surroundings.watched, time.count() > 0));
  const auto order = [&](std::size_t started) { return surroundings.share.number(own(started)); };
  group.run = [&](std::size_t started, tasks::TaskContext& context) { run(order(started), context); };
  group.timeBudget = time;
  m_lastGroup = surroundings.data.makeScheduler()->run(group, surroundings.stop);
}

void OnSurfaceRun::requireFits(const ResultFacts& facts) const {
  if (facts.numbers != m_surface->count() || static_cast<int>(facts.width) != m_surface->valuesPerNode())
    throw Invalid("parts of another object than was asked for");
}

ResultFacts OnSurfaceRun::facts(const TaskShare&) const {
  return {m_surface->count(), static_cast<std::uint32_t>(m_surface->valuesPerNode()), missing()[0],
          missing()[1]};
}

}  // namespace farfield::session
