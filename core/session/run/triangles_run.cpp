#include "core/session/run/triangles_run.h"

#include "core/session/run/task_order.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {
namespace {

class ForgetfulSink final : public extract::SurfaceSink {
 public:
  void patch(std::size_t, const extract::SurfacePatch&) override {}
};

}  // namespace

tasks::GroupResult TrianglesRun::tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                          std::span<const std::size_t> numbers,
                                          std::chrono::milliseconds limit) const {
  return runTasks(surroundings, numbers, limit, [&](std::size_t n, tasks::TaskContext& context) {
    ForgetfulSink sink;
    extract(n, surroundings.data, context, step, sink);
  });
}

void TrianglesRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  const TimeBudget budget(m_object.budgetMs);
  fields::PagedData& data = surroundings.data;
  const std::size_t count = taskCount(data.description());
  const auto spool =
      std::make_shared<SurfaceSpool>(surroundings.spoolFolder, count, valuesPerNode(), surroundings.account);
  m_spool.store(spool);
  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = count;
  group.admission = &data.admission();
  group.progress = surroundings.progress;
  const TaskOrder order(group.count, TaskOrder::kindFor(surroundings.watched, budget.given()));
  group.describe = [&](std::size_t n) { return taskName().one + (" " + std::to_string(order(n))); };
  group.run = [&](std::size_t started, tasks::TaskContext& context) {
    extract(order(started), data, context, step, *spool);
  };
  group.timeBudget = budget.left();
  m_lastGroup = data.makeScheduler()->run(group, surroundings.stop);
  noteMissing(m_lastGroup.finished, count);
}

void TrianglesRun::writeGeometry(const std::filesystem::path& path) const {
  writeSurface(path, *m_spool.load(), writtenValues());
}

void TrianglesRun::writePieces(const std::filesystem::path& path, std::uint64_t triangles) const {
  writeSurfaceInPieces(path, *m_spool.load(), writtenValues(), triangles);
}

std::vector<NamedValue> TrianglesRun::writtenValues() const {
  if (!shownValue()) return {};
  return {{m_colorName, *shownValue()}};
}

scene::SceneItem TrianglesRun::item(const Object& look) const {
  const auto spool = m_spool.load();
  scene::SceneItem item =
      describedItem(look, shownValue() && spool ? spool->range(*shownValue()) : std::nullopt);
  if (spool) item.triangles = triangleGeometry(spool, shownValue(), shadeValue());
  return item;
}

Bounds TrianglesRun::bounds() const {
  const auto spool = m_spool.load();
  return spool ? spool->bounds() : Bounds{};
}

void TrianglesRun::count(ObjectStats& stats) const {
  const auto spool = m_spool.load();
  stats.count += spool->triangleCount();
  stats.points += spool->nodeCount();
}

}  // namespace farfield::session
