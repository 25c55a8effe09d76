#include "core/session/kinds/isosurface/isosurface_run.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/fields/groups/node_boxes.h"
#include "core/session/run/surfaces/surface_tasks.h"

namespace farfield::session {
namespace {

extract::Overlaps overlapsOf(const Isosurface& shape) {
  return shape.resolvesOverlaps ? extract::Overlaps::Resolved : extract::Overlaps::All;
}

void requireNumber(const fields::FunctionPlan& by) {
  if (by.outputCount() == 1) return;
  throw Invalid("'" + by.functions().front().name + "' is a vector, and a surface needs one number",
                "use one of its components or its magnitude")
      .at("by");
}

/// What nodes have beside the value of their surface: the colouring function, if it is another one.
fields::FunctionPlan shownPlan(const paging::DatasetDescription& description, const fields::FunctionPlan& by,
                               const std::optional<int>& color, const std::string& colorName) {
  const bool another = color && colorName != by.functions().front().name;
  return {description, another ? std::vector{colorName} : std::vector<std::string>{}};
}

/// The surfaces for objects that lie on them.
class IsosurfaceTasks final : public SurfaceTasks {
 public:
  IsosurfaceTasks(const Isosurface& shape, const paging::DatasetDescription& description,
                  std::shared_ptr<const fields::FunctionPlan> functions)
      : m_plans{functions, fields::FunctionPlan(description, {shape.by}), *functions},
        m_surface(description, shape.values, overlapsOf(shape)),
        m_bytes(extract::isosurfaceTaskBytes(description, m_plans, overlapsOf(shape))) {
    requireNumber(m_plans.by);
  }
  TaskName name() const override { return {"part", "parts"}; }
  std::size_t count() const override { return m_surface.taskCount(); }
  std::uint64_t bytes() const override { return m_bytes; }
  std::size_t mostTrials() const override { return 16'384; }
  int valuesPerNode() const override { return m_plans.shown.outputCount() + 1; }
  void extract(std::size_t number, fields::PagedData& data, tasks::TaskContext& context, std::int64_t step,
               extract::SurfaceSink& sink) const override {
    m_surface.extract(number, data, context, m_plans, step, sink);
  }

 private:
  fields::SurfaceFunctions m_plans;
  extract::Isosurface m_surface;
  std::uint64_t m_bytes;
};

}  // namespace

std::vector<std::string> isoValueNames(const paging::DatasetDescription& description) {
  const std::vector<fields::FunctionInfo> functions = fields::availableFunctions(description);
  const bool taken = std::any_of(functions.begin(), functions.end(),
                                 [](const fields::FunctionInfo& f) { return f.name == kIsoValueName; });
  return taken ? std::vector<std::string>{} : std::vector<std::string>{kIsoValueName};
}

IsosurfaceRun::IsosurfaceRun(const Object& object, const paging::DatasetDescription& description)
    : TrianglesRun(object, description, {std::get<Isosurface>(object.shape).by}, isoValueNames(description),
                   "by"),
      m_plans{m_functions, fields::FunctionPlan(description, {std::get<Isosurface>(object.shape).by}),
              fields::FunctionPlan(description, {})},
      m_surface(description, std::get<Isosurface>(object.shape).values,
                overlapsOf(std::get<Isosurface>(object.shape))),
      m_taskBytes(0),
      m_ofCells(fields::NodeBoxes::areSameOverCells(description, m_plans.by)) {
  requireNumber(m_plans.by);
  m_plans.shown = shownPlan(description, m_plans.by, colorValue(), m_colorName);
  m_taskBytes =
      extract::isosurfaceTaskBytes(description, m_plans, overlapsOf(std::get<Isosurface>(object.shape)));
}

void IsosurfaceRun::count(ObjectStats& stats) const {
  TrianglesRun::count(stats);
  if (m_ofCells) stats.set("valuesOfCells", true);
}

std::optional<int> IsosurfaceRun::shownValue() const {
  if (m_colorName.empty()) return std::nullopt;
  return m_plans.shown.outputCount() > 0 ? 0 : ownValue();
}

std::vector<NamedValue> IsosurfaceRun::writtenValues() const {
  std::vector<NamedValue> written = TrianglesRun::writtenValues();
  if (m_surface.values().size() > 1 && m_colorName != kIsoValueName)
    written.push_back({kIsoValueName, ownValue()});
  return written;
}

std::unique_ptr<SurfaceTasks> makeTasks(const Isosurface& shape,
                                        const paging::DatasetDescription& description,
                                        std::shared_ptr<const fields::FunctionPlan> functions) {
  return std::make_unique<IsosurfaceTasks>(shape, description, std::move(functions));
}

std::unique_ptr<ObjectRun> makeRun(const Isosurface&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<IsosurfaceRun>(object, description);
}

}  // namespace farfield::session
