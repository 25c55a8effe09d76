#include "core/session/run/surfaces/triangles_run.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/session/run/surfaces/taken_parts.h"
#include "core/session/run/task_order.h"
#include "core/session/run/time_left.h"

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
  const auto start = std::chrono::steady_clock::now();
  const tasks::GroupResult prepared = prepare(surroundings, step, limit);
  if (prepared.outOfTime) return prepared;
  tasks::GroupResult result =
      runTasks(surroundings, numbers, leftOf(limit, start), [&](std::size_t n, tasks::TaskContext& context) {
        ForgetfulSink sink;
        extract(n, surroundings.data, context, step, sink);
      });
  result.busySeconds += prepared.busySeconds;
  return result;
}

/// Null where there was no time or memory for all of it: half of a surface would be worse than the one before.
std::shared_ptr<SurfaceSpool> TrianglesRun::coarseOf(const ObjectSurroundings& surroundings,
                                                     std::int64_t step, const TimeBudget& budget) const {
  fields::PagedData& data = surroundings.data;
  const std::size_t count = taskCount(data.description());
  try {
    const auto spool = std::make_shared<SurfaceSpool>(surroundings.spoolFolder, count, valuesPerNode(),
                                                      surroundings.account);
    tasks::TaskGroup group;
    group.name = m_object.name;
    group.count = count;
    group.admission = &data.admission();
    group.run = [&](std::size_t number, tasks::TaskContext& context) {
      extractCoarsely(number, data, context, step, *spool);
    };
    group.timeBudget = surroundings.coarseTime;
    if (budget.given())
      group.timeBudget = std::clamp(budget.left() / 2, std::chrono::milliseconds{1}, group.timeBudget);
    const tasks::GroupResult result = data.makeScheduler()->run(group, surroundings.stop);
    return result.finished == count && spool->triangleCount() > 0 ? spool : nullptr;
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return nullptr;  // the surface itself says what is wrong, if it needs what could not be read
  }
}

void TrianglesRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  const TimeBudget budget(m_object.budgetMs);
  fields::PagedData& data = surroundings.data;
  const std::size_t count = taskCount(data.description());
  const auto spool =
      std::make_shared<SurfaceSpool>(surroundings.spoolFolder, count, valuesPerNode(), surroundings.account);
  m_result.store(std::make_shared<Result>(Result{spool, count, nullptr}));
  prepare(surroundings, step, std::chrono::milliseconds{0});
  std::shared_ptr<SurfaceSpool> coarse;
  if (surroundings.coarseIsThere && hasCoarse()) coarse = coarseOf(surroundings, step, budget);
  if (coarse) {
    m_result.store(std::make_shared<Result>(Result{spool, count, coarse}));
    surroundings.coarseIsThere();
  }
  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = surroundings.share.countOf(count);
  group.admission = &data.admission();
  group.progress = surroundings.progress;
  const TaskOrder own(group.count, TaskOrder::kindFor(surroundings.watched, budget.given()));
  const auto order = [&](std::size_t started) { return surroundings.share.number(own(started)); };
  group.run = [&](std::size_t started, tasks::TaskContext& context) {
    extract(order(started), data, context, step, *spool);
    if (coarse) coarse->drop(order(started));
  };
  group.timeBudget = budget.left();
  m_lastGroup = data.makeScheduler()->run(group, surroundings.stop);
  noteMissing(m_lastGroup.finished, group.count);
  if (m_lastGroup.finished == group.count)
    m_result.store(std::make_shared<Result>(Result{spool, count, nullptr}));
}

void TrianglesRun::writeGeometry(const std::filesystem::path& path) const {
  writeSurface(path, *m_result.load()->surface, writtenValues());
}

void TrianglesRun::writePieces(const std::filesystem::path& path, std::uint64_t triangles) const {
  writeSurfaceInPieces(path, *m_result.load()->surface, writtenValues(), triangles);
}

std::vector<NamedValue> TrianglesRun::writtenValues() const {
  if (!shownValue()) return {};
  return {{m_colorName, *shownValue()}};
}

std::optional<std::array<double, 2>> TrianglesRun::rangeOf(int value) const {
  const auto result = m_result.load();
  std::optional<std::array<double, 2>> range;
  if (!result) return range;
  for (const auto& spool : {result->coarse, result->surface}) {
    if (!spool) continue;
    const auto its = spool->range(value);
    if (its)
      range = range ? std::array{std::min((*range)[0], (*its)[0]), std::max((*range)[1], (*its)[1])} : *its;
  }
  return range;
}

std::optional<double> TrianglesRun::usualLeastOf(int value) const {
  const auto result = m_result.load();
  std::optional<double> least;
  if (!result) return least;
  for (const auto& spool : {result->coarse, result->surface})
    if (const auto its = spool ? spool->usualLeast(value) : std::nullopt)
      least = std::min(*its, least.value_or(*its));
  return least;
}

scene::SceneItem TrianglesRun::item(const Object& look) const {
  const auto result = m_result.load();
  if (!result) return describedItem(look, std::nullopt);
  scene::SceneItem item = describedItem(look, shownValue() ? rangeOf(*shownValue()) : std::nullopt,
                                        shownValue() ? usualLeastOf(*shownValue()) : std::nullopt);
  item.triangles = triangleGeometry(result->surface, shownValue(), shadeValue(), result->coarse);
  if (look.edges && result->surface) item.edges = edgeGeometry(result->surface);
  return item;
}

bool TrianglesRun::isCoarse() const {
  const auto result = m_result.load();
  return result && result->coarse;
}

Bounds TrianglesRun::bounds() const {
  const auto result = m_result.load();
  Bounds bounds;
  if (!result) return bounds;
  if (result->coarse) bounds.add(result->coarse->bounds());
  bounds.add(result->surface->bounds());
  return bounds;
}

void TrianglesRun::count(ObjectStats& stats) const {
  const auto result = m_result.load();
  stats.count += result->surface->triangleCount();
  stats.points += result->surface->nodeCount();
  if (result->coarse) stats.points += result->coarse->nodeCount();
}

ResultFacts TrianglesRun::facts(const TaskShare&) const {
  const auto result = m_result.load();
  return {result->numbers, static_cast<std::uint32_t>(valuesPerNode()), missing()[0], missing()[1]};
}

void TrianglesRun::handOver(const TaskShare& share, ResultSink& sink) const {
  const auto result = m_result.load();
  handOverPatches(*result->surface, result->numbers, share, sink);
}

std::shared_ptr<ResultSink> TrianglesRun::takeOver(const ObjectSurroundings& surroundings,
                                                   const paging::DatasetDescription& data, std::int64_t,
                                                   const ResultFacts& facts) {
  const std::size_t count = taskCount(data);
  if (facts.numbers != count || static_cast<int>(facts.width) != valuesPerNode())
    throw Invalid("a surface of another object than was asked for");
  const auto spool =
      std::make_shared<SurfaceSpool>(surroundings.spoolFolder, count, valuesPerNode(), surroundings.account);
  m_result.store(std::make_shared<Result>(Result{spool, count, nullptr}));
  return std::make_shared<TakenPatches>(spool, count);
}

}  // namespace farfield::session
