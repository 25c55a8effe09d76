// The data of a stage: opened as they come into the document, closed as they go, read again, grown, and lost for a while.

#include <algorithm>
#include <cmath>

#include "app/model/stage.h"
#include "core/session/run/runner.h"

namespace farfield::app {

std::string dataKey(const session::Session& session, const session::DataSource& source) {
  std::string key;
  for (const std::string& name : source.source) key += session.resolve(name) + '\n';
  key += '\n';
  for (const std::string& name : source.solution) key += session.resolve(name) + '\n';
  key += '\n' + source.reader;
  for (const auto& [option, value] : source.options) key += '\n' + option + '=' + session::textOf(value);
  return key;
}

namespace {

/// The step at `time`, which was number `usual` of `count`. Where none is at that time it stays, as its file has another time now; or, where
/// steps have come or gone, it is the nearest, unless the times are others altogether.
std::int64_t stepNow(const std::vector<double>& times, double time, std::int64_t usual, std::int64_t count) {
  const auto [first, last] = std::minmax_element(times.begin(), times.end());
  if (times.empty() || !(time >= *first && time <= *last)) return usual;
  const auto nearest = std::min_element(times.begin(), times.end(), [time](double a, double b) {
    return std::abs(a - time) < std::abs(b - time);
  });
  const bool hasSame = *nearest == time;
  if (usual < static_cast<std::int64_t>(times.size()) &&
      (times[static_cast<std::size_t>(usual)] == time ||
       (!hasSame && count == static_cast<std::int64_t>(times.size()))))
    return usual;
  return nearest - times.begin();
}

}  // namespace

void Stage::syncData() {
  const session::Session& session = m_document.session();
  std::map<std::string, std::string> keys;
  for (const session::DataSource& source : session.data) keys[source.name] = dataKey(session, source);
  if (keys == m_keys) return;
  const std::map<std::string, std::string> before = std::exchange(m_keys, keys);
  // Told at the end, and by value: who hears it may edit the document, which comes back here.
  std::vector<std::string> told;
  for (const session::DataSource& source : session.data) {
    const std::string& key = m_keys.at(source.name);
    if (m_data.contains(key)) {
      // Open already under another name.
      if (const auto was = before.find(source.name); was == before.end() || was->second != key)
        told.push_back(source.name);
      continue;
    }
    m_data[key] = {};
    session::Session place;  // only what resolves paths
    place.baseFolder = session.baseFolder;
    session::Session alone = place;
    alone.data.push_back(source);
    m_watch.watch(key, alone);
    m_engine.open(key, [place, source] { return session::requestOf(place, source); });
    told.push_back(source.name);
  }
  for (const ObjectId id : m_document.objectIds()) {
    const session::Object* const object = m_document.object(id);
    if (!object) continue;
    const auto was = before.find(object->data);
    const auto now = m_keys.find(object->data);
    if (was != before.end() && now != m_keys.end() && was->second != now->second) {
      m_held.erase(id);  // nobody looks for a place in the data that are gone
      syncObject(id);
    }
  }
  for (auto entry = m_data.begin(); entry != m_data.end();) {
    if (!namesOf(entry->first).empty()) {
      ++entry;
      continue;
    }
    m_watch.forget(entry->first);
    m_engine.close(entry->first);
    std::erase_if(m_shownValues, [&](const auto& each) { return each.first.first == entry->first; });
    // Also where what comes in their place has as many steps until it is known: it may have fewer, or not open.
    if (const auto& its = entry->second.summary; its && m_step < its->description.steps())
      m_stepLeft[entry->first] = m_step;
    else if (!its && m_wantedStep > 0)
      m_stepLeft[entry->first] = m_wantedStep;
    entry = m_data.erase(entry);
  }
  if (m_data.empty()) m_wantedStep = 0;  // what is opened next is something else
  updateSteps();
  updateBusy();
  for (const std::string& name : told) emit dataStatusChanged(name);
  emit boundsChanged();
}

/// The data under `key` have more steps.
void Stage::goOn(const std::string& key, const std::shared_ptr<const DataSummary>& summary) {
  const auto found = m_data.find(key);
  if (found == m_data.end() || found->second.state != DataState::Open) return;
  const bool last = m_step == m_steps - 1;
  const std::int64_t before = found->second.summary->description.steps();
  found->second.summary = summary;
  found->second.problem = {};
  updateSteps();
  const std::vector<std::string> names = namesOf(key);
  for (const std::string& name : names) emit dataStatusChanged(name);
  emit boundsChanged();
  // What could not be read while it was being written; and where other data have more steps, these were at their last one for a step
  // that they did not have.
  const bool isBehind = before <= m_step;
  for (const ObjectId id : m_document.objectIds()) {
    const session::Object* const object = m_document.object(id);
    if (!object || std::find(names.begin(), names.end(), object->data) == names.end()) continue;
    const bool failed = status(id).state == ObjectState::Failed;
    if (failed || isBehind) syncObject(id, failed);
  }
  if (last) setStep(m_steps - 1);
  for (const std::string& name : names) emit dataGrown(name);
}

void Stage::readAgain(const std::string& name) {
  const auto found = m_data.find(keyOf(name));
  if (found == m_data.end()) return;
  if (found->second.state == DataState::Failed) return retryOpening(name);
  if (found->second.state != DataState::Open || std::exchange(found->second.isReadAgain, true)) return;
  const std::string key = found->first;
  found->second.problem = {};
  m_engine.readAgain(key);
  for (const std::string& each : namesOf(key)) emit dataStatusChanged(each);
  updateBusy();
}

/// The data under `key` are others.
void Stage::takeAnew(const std::string& key, const std::shared_ptr<const DataSummary>& summary) {
  const auto found = m_data.find(key);
  if (found == m_data.end() || found->second.state != DataState::Open) return;
  // Steps may have come or gone before the one that is seen, which has another number then.
  const bool isOfTheirSteps = found->second.summary && found->second.summary->description.steps() == m_steps;
  const std::vector<double> times =
      found->second.summary ? found->second.summary->description.times : std::vector<double>();
  const double seen = isOfTheirSteps ? times[static_cast<std::size_t>(m_step)] : 0;
  found->second.summary = summary;
  found->second.problem = {};
  found->second.isReadAgain = false;
  std::erase_if(m_shownValues, [&](const auto& each) { return each.first.first == key; });
  m_ranges.forget(key);
  emit shownValuesChanged(key);
  const std::int64_t before = m_step, count = m_steps;
  updateSteps();
  if (isOfTheirSteps) setStep(stepNow(summary->description.times, seen, before, count));
  const std::vector<std::string> names = namesOf(key);
  for (const std::string& name : names) emit dataStatusChanged(name);
  for (const ObjectId id : m_document.objectIds()) {
    const session::Object* const object = m_document.object(id);
    if (object && std::find(names.begin(), names.end(), object->data) != names.end()) syncObject(id);
  }
  for (const std::string& name : names) emit dataReadAgain(name);
  updateBusy();
  emit boundsChanged();
}

void Stage::endReadingAgain(const std::string& key, const Problem& problem) {
  const auto found = m_data.find(key);
  if (found == m_data.end()) return;
  found->second.isReadAgain = false;
  found->second.problem = problem;
  for (const std::string& name : namesOf(key)) emit dataStatusChanged(name);
  updateBusy();
}

void Stage::retryOpening(const std::string& name) {
  const std::string key = keyOf(name);
  if (key.empty() || dataStatus(name).state != DataState::Failed) return;
  const std::vector<std::string> names = namesOf(key);  // the same files may have several
  m_data.erase(key);
  std::erase_if(m_keys, [&](const auto& each) { return each.second == key; });
  syncData();
  for (const ObjectId id : m_document.objectIds())
    if (const session::Object* object = m_document.object(id);
        object && std::find(names.begin(), names.end(), object->data) != names.end())
      syncObject(id);
}

void Stage::retryWhatLackedMemory() {
  const std::vector<session::DataSource> all = m_document.session().data;  // opening them tells others
  for (const session::DataSource& source : all)
    if (const DataStatus& its = dataStatus(source.name);
        its.state == DataState::Failed && its.problem.lacksMemory)
      retryOpening(source.name);
  for (const ObjectId id : m_document.objectIds())
    if (status(id).state == ObjectState::Failed && status(id).problem.lacksMemory) recompute(id);
}

bool Stage::lacksLogin(const std::string& name) const {
  if (dataStatus(name).problem.asksForLogin) return true;
  const std::vector<ObjectId> ids = m_document.objectIds();
  return std::any_of(ids.begin(), ids.end(), [&](ObjectId id) {
    const ObjectStatus its = status(id);
    return its.state == ObjectState::Failed && its.problem.asksForLogin &&
           m_document.object(id)->data == name;
  });
}

void Stage::retryWhatLackedLogin() {
  const std::vector<session::DataSource> all = m_document.session().data;  // opening them tells others
  // A connection goes on with what it was begun with: only reading again makes another.
  for (const session::DataSource& source : all)
    if (lacksLogin(source.name)) readAgain(source.name);
}

void Stage::watchLinks(const WorkshopCounters& counters) {
  for (auto& [key, status] : m_data) {
    std::string lost;
    if (const auto links = counters.links.find(key); links != counters.links.end()) {
      // Of several copies one is enough.
      const auto& all = links->second;
      const auto isServer = [](const LinkSight& link) { return !link.name.empty(); };
      const auto first = std::find_if(all.begin(), all.end(), isServer);
      if (first != all.end() && std::all_of(all.begin(), all.end(), [&](const LinkSight& link) {
            return !isServer(link) || link.isLost();
          }))
        lost = first->name;
    }
    if (lost == status.lostServer) continue;
    status.lostServer = lost;
    for (const std::string& name : namesOf(key)) emit linkChanged(name);
  }
}

}  // namespace farfield::app
