#include "core/session/kinds/isosurface/isosurface_run.h"

#include <algorithm>

#include "core/base/error.h"

namespace farfield::session {
namespace {

/// With several values: the value of the surface that a node belongs to.
constexpr const char* kOwnName = "value";

/// Values that nodes have beside functions; a function of that name takes precedence.
std::vector<std::string> ownNames(const paging::DatasetDescription& description) {
  const std::vector<fields::FunctionInfo> functions = fields::availableFunctions(description);
  const bool taken = std::any_of(functions.begin(), functions.end(),
                                 [](const fields::FunctionInfo& f) { return f.name == kOwnName; });
  return taken ? std::vector<std::string>{} : std::vector<std::string>{kOwnName};
}

/// What nodes have beside the value of their surface: the colouring function, if it is another one.
fields::FunctionPlan shownPlan(const paging::DatasetDescription& description, const fields::FunctionPlan& by,
                               const std::optional<int>& color, const std::string& colorName) {
  const bool another = color && colorName != by.functions().front().name;
  return {description, another ? std::vector{colorName} : std::vector<std::string>{}};
}

}  // namespace

IsosurfaceRun::IsosurfaceRun(const Object& object, const paging::DatasetDescription& description)
    : TrianglesRun(object, description, {std::get<Isosurface>(object.shape).by}, ownNames(description), "by"),
      m_plans{m_functions, fields::FunctionPlan(description, {std::get<Isosurface>(object.shape).by}),
              fields::FunctionPlan(description, {})},
      m_surface(description, std::get<Isosurface>(object.shape).values),
      m_taskBytes(0) {
  if (m_plans.by.outputCount() != 1)
    throw Invalid("'" + m_plans.by.functions().front().name + "' is a vector, and a surface needs one number",
                  "use one of its components or its magnitude")
        .at("by");
  m_plans.shown = shownPlan(description, m_plans.by, colorValue(), m_colorName);
  m_taskBytes = extract::isosurfaceTaskBytes(description, m_plans);
}

std::optional<int> IsosurfaceRun::shownValue() const {
  if (m_colorName.empty()) return std::nullopt;
  return m_plans.shown.outputCount() > 0 ? 0 : ownValue();
}

std::vector<NamedValue> IsosurfaceRun::writtenValues() const {
  std::vector<NamedValue> written = TrianglesRun::writtenValues();
  if (m_surface.values().size() > 1 && m_colorName != kOwnName) written.push_back({kOwnName, ownValue()});
  return written;
}

std::unique_ptr<ObjectRun> makeRun(const Isosurface&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<IsosurfaceRun>(object, description);
}

}  // namespace farfield::session
