#include "app/model/stage/whole_ranges.h"

#include <algorithm>
#include <utility>

#include "app/first/first_objects.h"
#include "app/model/document/volume_looks.h"
#include "core/base/error.h"

namespace farfield::app {
namespace {

/// Of single steps so many are remembered.
constexpr std::size_t kMostFound = 4096;

/// As `function` is called where it is known; empty where it is no number of these data.
std::string nameIn(const DataSummary& data, const std::string& function) {
  if (data.ranges.contains(function)) return function;
  try {
    const fields::FunctionPlan plan(data.description, {function});
    return plan.outputCount() == 1 ? plan.functions().front().name : std::string();
  } catch (const Error&) {
    return {};
  }
}

/// Data that do not change in time are shown at every step.
std::int64_t ownStep(const DataSummary& data, std::int64_t step) {
  return std::clamp<std::int64_t>(step, 0, data.description.steps() - 1);
}

/// What renders elsewhere has the values, and says what it knows of them.
bool canBeFound(const DataSummary& data, const std::string& name) {
  return !name.empty() && rendererFunctions(data).empty();
}

}  // namespace

WholeRanges::WholeRanges(Document& document, Engine& engine, Finder find, QObject* parent)
    : QObject(parent), m_document(document), m_engine(engine), m_find(std::move(find)) {
  connect(&engine, &Engine::rangeFound, this, &WholeRanges::take);
}

WholeRange WholeRanges::of(const std::string& dataName, const std::string& function,
                           std::optional<std::int64_t> step) const {
  const Place place = m_find(dataName);
  if (!place.data) return {};
  const std::string name = nameIn(*place.data, function);
  if (step && place.data->description.steps() > 1)
    step = ownStep(*place.data, *step);
  else
    step.reset();
  if (const auto said = place.data->ranges.find(name); !step && said != place.data->ranges.end())
    return {said->second, true, false, 1, true};
  WholeRange known;
  known.canBeFound = canBeFound(*place.data, name);
  known.isLooking = m_wanted.contains({place.key, name, step});
  if (const auto found = m_found.find({place.key, name, step}); found != m_found.end()) {
    const RangeFound& its = found->second;
    known.ends = its.ends;
    known.isWhole = its.isWhole;
    known.isLooking = known.isLooking && !its.isWhole && !its.isOver;
    known.part = its.part;
  }
  return known;
}

void WholeRanges::add(std::map<Name, RangeRequest>& wanted, const std::string& dataName,
                      const std::string& function, std::int64_t step, Of of, bool asked) const {
  const Place place = m_find(dataName);
  if (!place.data || function.empty()) return;
  const std::string name = nameIn(*place.data, function);
  const bool ofStep = of == Of::Step && place.data->description.steps() > 1;
  if (!canBeFound(*place.data, name) || (!ofStep && place.data->ranges.contains(name))) return;
  const std::int64_t own = ownStep(*place.data, step);
  RangeRequest& request = wanted
                              .try_emplace({place.key, name, ofStep ? std::optional(own) : std::nullopt},
                                           RangeRequest{place.key, name, own, ofStep})
                              .first->second;
  request.asked |= asked;
}

void WholeRanges::update(std::int64_t step) {
  std::map<Name, RangeRequest> wanted;
  std::set<std::string> keys;
  for (const session::DataSource& source : m_document.session().data) keys.insert(m_find(source.name).key);
  for (const session::Object& object : m_document.session().objects) {
    if (!object.visible) continue;
    const auto* const surface = std::get_if<session::Isosurface>(&object.shape);
    const session::Volume* const volume = volumeIn(object);
    if (surface) add(wanted, object.data, surface->by, step, Of::AllSteps, false);
    if (volume && volume->look.mode == scene::VolumeMode::Isosurface)
      add(wanted, object.data, session::shownFunction(object), step, Of::AllSteps, false);
    const bool hasOwnRange = object.color.range || (volume && volume->range);
    if (isOfWholeData(object.color) && !hasOwnRange)
      add(wanted, object.data, session::shownFunction(object), step,
          object.color.rangeOf == session::RangeOf::Step ? Of::Step : Of::AllSteps, true);
  }
  std::erase_if(m_found, [&](const auto& each) { return !keys.contains(std::get<0>(each.first)); });
  // What is known stays, and goes on with data that grow.
  for (const auto& [name, found] : m_found)
    if (const auto& [key, function, ofStep] = name; found.isWhole && !ofStep)
      wanted.try_emplace(name, RangeRequest{key, function, step});
  std::map<Name, bool> asked;
  for (const auto& [name, request] : wanted) asked.emplace(name, request.asked);
  if (!std::exchange(m_asksAnew, false) && asked == m_wanted) return;
  m_wanted = std::move(asked);
  std::vector<RangeRequest> requests;
  requests.reserve(wanted.size());
  for (const auto& [name, request] : wanted) {
    // What is known of one step does not change with steps that come.
    const auto found = m_found.find(name);
    if (!request.ofStep || found == m_found.end() || !found->second.isWhole) requests.push_back(request);
  }
  m_engine.findRanges(requests);
}

void WholeRanges::forget(const std::string& key) {
  std::erase_if(m_found, [&](const auto& each) {
    const auto& [its, function, ofStep] = each.first;
    return its == key && (ofStep || !m_wanted.contains(each.first));
  });
  m_asksAnew = true;  // for the single steps
}

void WholeRanges::take(const RangeFound& found) {
  const Name name{found.dataKey, found.function, found.step};
  if (!m_wanted.contains(name)) return;  // nobody wants it any more
  if (m_found.size() >= kMostFound)
    std::erase_if(m_found, [&](const auto& each) { return !m_wanted.contains(each.first); });
  m_found[name] = found;
  emit changed(found.dataKey);
}

}  // namespace farfield::app
