#include "core/session/run/surface_run.h"

#include <algorithm>

#include "core/session/run/surface_sheets.h"
#include "core/session/run/task_order.h"
#include "core/session/vtp_writer.h"

namespace farfield::session {
namespace {

/// Hands a sheet's patches on under their numbers in the whole object.
class SheetSink final : public extract::SurfaceSink {
 public:
  SheetSink(SurfaceSpool& spool, std::size_t first) : m_spool(spool), m_first(first) {}
  void patch(std::size_t number, const extract::SurfacePatch& patch) override {
    m_spool.patch(m_first + number, patch);
  }

 private:
  SurfaceSpool& m_spool;
  std::size_t m_first;
};

class ForgetfulSink final : public extract::SurfaceSink {
 public:
  void patch(std::size_t, const extract::SurfacePatch&) override {}
};

}  // namespace

SurfaceRun::SurfaceRun(const Object& object, const paging::DatasetDescription& description)
    : ObjectRun(object, description, {}) {
  m_firstPatch.push_back(0);
  for (extract::OrientedSurface& sheet : sheetsOf(std::get<GridSurface>(object.shape), description)) {
    m_sheets.push_back(std::move(sheet.surface));
    m_firstPatch.push_back(m_firstPatch.back() + m_sheets.back().patchCount());
  }
}

std::size_t SurfaceRun::sheetOf(std::size_t number) const {
  return static_cast<std::size_t>(std::upper_bound(m_firstPatch.begin(), m_firstPatch.end(), number) -
                                  m_firstPatch.begin() - 1);
}

std::optional<std::vector<GatheredNodes>> SurfaceRun::gathered(const paging::DatasetDescription&) const {
  std::vector<std::string> arrays = m_functions->arrays();
  arrays.insert(arrays.end(), {"xyz", "iblank"});
  std::vector<GatheredNodes> regions;
  for (const extract::GridSurface& sheet : m_sheets)
    regions.push_back({sheet.block(), sheet.nodes(), arrays});
  return regions;
}

tasks::GroupResult SurfaceRun::tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                        std::span<const std::size_t> numbers,
                                        std::chrono::milliseconds limit) const {
  return runTasks(surroundings, numbers, limit, [&](std::size_t n, tasks::TaskContext& context) {
    const std::size_t sheet = sheetOf(n);
    ForgetfulSink sink;
    m_sheets[sheet].extract(n - m_firstPatch[sheet], surroundings.data, context, *m_functions, step, sink);
  });
}

void SurfaceRun::compute(const ObjectSurroundings& surroundings, std::int64_t step) {
  fields::PagedData& data = surroundings.data;
  const auto spool = std::make_shared<SurfaceSpool>(surroundings.spoolFolder, m_firstPatch.back(),
                                                    m_functions->outputCount(), surroundings.account);
  m_spool = spool;
  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = m_firstPatch.back();
  group.admission = &data.admission();
  group.timeBudget = std::chrono::milliseconds(m_object.budgetMs.value_or(0));
  group.progress = surroundings.progress;
  const TaskOrder order(group.count, surroundings.watched);
  group.describe = [&](std::size_t n) { return "patch " + std::to_string(order(n)); };
  group.run = [&](std::size_t started, tasks::TaskContext& context) {
    const std::size_t n = order(started);
    const std::size_t sheet = sheetOf(n);
    SheetSink sink(*spool, m_firstPatch[sheet]);
    m_sheets[sheet].extract(n - m_firstPatch[sheet], data, context, *m_functions, step, sink);
  };
  m_lastGroup = data.makeScheduler()->run(group, surroundings.stop);
}

void SurfaceRun::writeGeometry(const std::filesystem::path& path) const {
  std::optional<NamedValue> scalar;
  if (colorValue()) scalar = NamedValue{m_colorName, *colorValue()};
  writeSurface(path, *m_spool.load(), scalar);
}

SceneItem SurfaceRun::item(const Object& look) const {
  const auto spool = m_spool.load();
  SceneItem item = describedItem(look, colorValue() && spool ? spool->range(*colorValue()) : std::nullopt);
  if (spool) item.triangles = triangleGeometry(spool, colorValue());
  return item;
}

Bounds SurfaceRun::bounds() const {
  const auto spool = m_spool.load();
  return spool ? spool->bounds() : Bounds{};
}

void SurfaceRun::count(ObjectStats& stats) const {
  const auto spool = m_spool.load();
  stats.count += spool->triangleCount();
  stats.points += spool->nodeCount();
}

}  // namespace farfield::session
