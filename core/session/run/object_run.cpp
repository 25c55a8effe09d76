#include "core/session/run/object_run.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/small_pages.h"
#include "core/fields/functions/vector_parts.h"
#include "core/fields/words/axis_names.h"
#include "core/session/json/on_surface.h"
#include "core/session/run/remote_run.h"
#include "core/session/run/shared_ranges.h"
#include "core/session/run/time_budget.h"

namespace farfield::session {
namespace {

/// Adds the key that asked for a function to the error that it does not exist.
void requireFunctions(const paging::DatasetDescription& description,
                      const std::vector<std::string>& functions, const std::string& colorBy,
                      const char* key) {
  for (const std::string& name : functions) try {
      const fields::FunctionPlan alone(description, {name});
    } catch (Error& error) {
      error.at(name == colorBy ? "color.by" : key);
      throw;
    }
}

/// Whether the nodes of a wall are shown.
bool isOnWalls(const Object& object) {
  if (const OnSurface* const on = surfaceUnder(object)) return std::holds_alternative<GridSurface>(on->shape);
  return std::holds_alternative<GridSurface>(object.shape);
}

template <class S>
constexpr bool kIsComputable = requires(const S& shape, const Object& object,
                                        const paging::DatasetDescription& description) {
  makeRun(shape, object, description);
};

template <class... S>
std::vector<std::string> computableOf(const std::variant<S...>*) {
  std::vector<std::string> names;
  ((kIsComputable<S> ? names.push_back(S::kType) : void()), ...);
  return names;
}

/// "streamlines, slice or outline"
std::string computableKinds() {
  const std::vector<std::string> names = computableOf(static_cast<const Shape*>(nullptr));
  std::string list = names.front();
  for (std::size_t n = 1; n < names.size(); ++n) list += (n + 1 < names.size() ? ", " : " or ") + names[n];
  return list;
}

}  // namespace

ObjectRun::ObjectRun(const Object& object, const paging::DatasetDescription& description,
                     std::vector<std::string> functions, const std::vector<std::string>& own, const char* key)
    : m_object(object) {
  const bool ofItsOwn = std::find(own.begin(), own.end(), object.color.by) != own.end();
  if (ofItsOwn) {
    m_colorName = object.color.by;
    // Particles go by the time of the steps.
    if (const std::string units = fields::timeUnitsOf(description); m_colorName == "age" && !units.empty())
      m_legendTitle = m_colorName + " [" + units + "]";
  }
  const std::string by = ofItsOwn ? std::string{} : object.color.by;
  if (!by.empty() && std::find(functions.begin(), functions.end(), by) == functions.end())
    functions.push_back(by);
  requireFunctions(description, functions, by, key);
  m_functions = std::make_shared<fields::FunctionPlan>(description, functions);
  for (std::size_t n = 0; n < functions.size(); ++n)
    if (const fields::FunctionInfo& its = m_functions->functions()[n]; its.onWalls && !isOnWalls(object))
      throw Invalid("'" + its.name + "' has values on walls only",
                    "show it on a grid-surface that is a face of a block")
          .at(functions[n] == by ? "color.by" : key);
  if (by.empty()) return;
  for (std::size_t n = 0; n < functions.size(); ++n) {
    if (functions[n] != by) continue;
    if (m_functions->functions()[n].components != 1)
      throw Invalid("'" + by + "' is a vector, and colours need one number",
                    "colour by " + by + "-x, -y, -z or " + by + "-magnitude")
          .at("color.by");
    m_colorValue = m_functions->outputOf(n);
    m_colorName = m_functions->functions()[n].name;
    sayUnits(description, m_colorName);
  }
}

void ObjectRun::sayUnits(const paging::DatasetDescription& description, const std::string& function) {
  if (std::string title = fields::withUnits(description, function); title != function)
    m_legendTitle = std::move(title);
}

tasks::GroupResult ObjectRun::runTasks(
    const ObjectSurroundings& surroundings, std::span<const std::size_t> numbers,
    std::chrono::milliseconds limit, const std::function<void(std::size_t, tasks::TaskContext&)>& run) const {
  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = numbers.size();
  group.admission = &surroundings.data.admission();
  group.timeBudget = limit;
  group.run = [&](std::size_t n, tasks::TaskContext& context) { run(numbers[n], context); };
  return surroundings.data.makeScheduler()->run(group, surroundings.stop);
}

void ObjectRun::noteMissing(std::size_t finished, std::size_t tasks) {
  if (finished >= tasks) return;
  m_missing += tasks - finished;
  m_ofTasks += tasks;
}

void ObjectRun::countMissing(ObjectStats& stats) const {
  if (m_missing == 0) return;
  stats.set("missing", m_missing);
  stats.set("missingOf", m_ofTasks);
  stats.set("missingAre", std::string(taskName().many));
}

scene::SceneItem ObjectRun::describedItem(const Object& look,
                                          const std::optional<std::array<double, 2>>& range,
                                          const std::optional<double>& usualLeast) const {
  scene::SceneItem item;
  item.name = look.name;
  item.opacity = look.opacity;
  item.lighting = look.lighting.value_or(usualLighting(look.shape));
  item.color = look.color.solid;
  item.clipped = look.clipped;
  item.colored = !m_colorName.empty() && !look.color.by.empty();
  if (item.colored) {
    item.scale.title = m_colorName;
    item.scale.legend.title = m_legendTitle;
    item.scale.map = look.color.map;
    item.scale.logarithmic = look.color.logarithmic;
    item.scale.bandLines = look.color.bandLines && look.color.map.bands > 0;
    item.scale.nanColor = look.color.nan;
    item.scale.below = look.color.below;
    item.scale.above = look.color.above;
    item.scale.hasValues = look.color.range || range;
    // without values there is no range; any that the scale can show will do
    const std::array<double, 2> ofNothing =
        look.color.logarithmic ? std::array<double, 2>{1, 10} : std::array<double, 2>{0, 1};
    std::array<double, 2> shown = look.color.range.value_or(range.value_or(ofNothing));
    if (look.color.rangeOf == RangeOf::Symmetric && !look.color.range) {
      const double most = std::max(std::abs(shown[0]), std::abs(shown[1]));
      shown = {-most, most};
    }
    setRange(item.scale, shown);
    if (usualLeast && !look.color.range) beginAtUsual(item.scale, *usualLeast);
  }
  return item;
}

bool sameGeometry(const Object& before, const Object& after) {
  const auto plain = [](Object object) {
    object.name.clear();
    object.visible = true;
    object.opacity = 1;
    object.lighting.reset();
    object.edges = false;
    object.clipped = true;
    const std::string by = object.color.by;
    object.color = {};
    object.color.by = by;
    object.shape = withoutLooks(std::move(object.shape));
    return object;
  };
  Object a = plain(before), b = plain(after);
  if (b.color.by.empty()) a.color.by.clear();
  std::visit(
      [](auto& shape, const auto& next) {
        if constexpr (requires { shape.forgetWhatLacks(next); }) shape.forgetWhatLacks(next);
      },
      a.shape, b.shape);
  return a == b;
}

bool isDrawnLike(const Object& one, const Object& other) {
  return std::visit(
      [](const auto& a, const auto& b) {
        if constexpr (requires { a.isDrawnLike(b); }) return a.isDrawnLike(b);
        return true;
      },
      one.shape, other.shape);
}

void computeAlone(ObjectRun& run, const ObjectSurroundings& surroundings, std::int64_t step,
                  const ObjectRun* before) {
  std::optional<SmallPages> pages;
  if (isLittleTime(run.object().budgetMs)) pages.emplace();
  RunSteps steps;
  for (std::int64_t n = run.carriesState() ? 0 : step; n <= step; ++n) steps.chosen.push_back(n);
  steps.first = steps.chosen.size() - 1;
  steps.before = before;
  for (std::size_t n = run.begin(surroundings, steps); n < steps.chosen.size(); ++n)
    run.step(surroundings, steps.chosen[n]);
  run.complete(surroundings, step);
  run.end(surroundings);
}

void requireComputable(const Object& object) {
  const bool computable = std::visit([]<class S>(const S&) { return kIsComputable<S>; }, object.shape);
  if (!computable)
    throw Unsupported(
        std::string("objects of type ") + nameOf(object.type()) + " cannot be computed by this version",
        "use " + computableKinds());
  const bool takesDevices = std::visit(
      []<class S>(const S&) {
        return requires {
          S::kTakesDevices;
        };
      },
      object.shape);
  if (object.engine == Engine::OpenCl && !takesDevices)
    throw Unsupported(
        std::string("objects of type ") + nameOf(object.type()) + " are not computed with OpenCL",
        "use \"engine\": \"cpu\"");
}

std::unique_ptr<ObjectRun> makeObjectRun(const Object& object,
                                         const paging::DatasetDescription& description) {
  requireComputable(object);
  if (description.attributes.contains(kRendererAttribute) && object.type() != kTypeOf<Slabs>)
    return std::make_unique<RemoteRun>(object, description);
  return std::visit(
      [&]<class S>(const S& shape) -> std::unique_ptr<ObjectRun> {
        if constexpr (kIsComputable<S>)
          return makeRun(shape, object, description);
        else
          return nullptr;
      },
      object.shape);
}

}  // namespace farfield::session
