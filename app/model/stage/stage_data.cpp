// The data of a stage: opened as they come into the document, closed as they go, grown, and lost for a while.

#include <algorithm>

#include "app/model/stage/stage.h"
#include "core/session/run/runner.h"

namespace farfield::app {

std::string dataKey(const session::Session& session, const session::DataSource& source) {
  std::string key = filesKey(session, source);
  for (const auto& [option, value] : source.options) key += '\n' + option + '=' + session::textOf(value);
  return key;
}

std::string filesKey(const session::Session& session, const session::DataSource& source) {
  std::string key;
  for (const std::string& name : source.source) key += session.resolve(name) + '\n';
  key += '\n';
  for (const std::string& name : source.solution) key += session.resolve(name) + '\n';
  return key + '\n' + source.reader;
}

namespace {

/// What resolves paths of the document as it is now.
session::Session placeOf(const session::Session& session) {
  session::Session place;
  place.baseFolder = session.baseFolder;
  return place;
}

}  // namespace

std::function<fields::OpenRequest()> Stage::requestOf(const session::DataSource& source) const {
  return [place = placeOf(m_document.session()), source] { return session::requestOf(place, source); };
}

void Stage::watchFiles(const std::string& key, const session::DataSource& source) {
  session::Session alone = placeOf(m_document.session());
  alone.data.push_back(source);
  m_watch.watch(key, alone);
}

void Stage::openData(const std::string& key, const session::DataSource& source) {
  m_data[key] = {};
  m_opened[key] = dataKey(m_document.session(), source);
  watchFiles(key, source);
  m_engine.open(key, requestOf(source));
}

/// `mayKeep`: what is open may be so until what is said of it now is open.
void Stage::syncData(bool mayKeep) {
  const session::Session& session = m_document.session();
  std::map<std::string, std::string> said;
  for (const session::DataSource& source : session.data) said[source.name] = dataKey(session, source);
  if (said == m_said) return;
  m_said = said;
  const std::map<std::string, std::string> before = std::exchange(m_keys, {});
  // Told at the end, and by value: who hears it may edit the document, which comes back here.
  std::vector<std::string> told, takenBack;
  std::vector<std::pair<std::string, session::DataSource>> changed;
  for (const session::DataSource& source : session.data) {
    const std::string& its = said.at(source.name);
    std::string& key = m_keys[source.name];
    const auto was = before.find(source.name);
    if (was != before.end() && m_opened.at(was->second) == its) {
      key = was->second;
      takenBack.push_back(key);
      continue;
    }
    // Under another name, or going to be.
    const auto open = std::find_if(m_opened.begin(), m_opened.end(), [&](const auto& each) {
      const auto again = m_again.find(each.first);
      return again == m_again.end() ? each.second == its
                                    : again->second.said == its && !again->second.isRefused;
    });
    if (open != m_opened.end()) {
      key = open->first;
      told.push_back(source.name);
      continue;
    }
    const bool isShared = was != before.end() &&
                          std::count_if(before.begin(), before.end(),
                                        [&](const auto& each) { return each.second == was->second; }) > 1;
    if (mayKeep && was != before.end() && !isShared && canBeOpenedAgain(was->second, source)) {
      key = was->second;
      changed.emplace_back(key, source);
      continue;
    }
    key = its;
    while (m_data.contains(key) || m_spent.contains(key)) key += '\n';
    openData(key, source);
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
      m_stepLeft[m_opened.at(entry->first)] = m_step;
    else if (!its && m_wantedStep > 0)
      m_stepLeft[m_opened.at(entry->first)] = m_wantedStep;
    m_opened.erase(entry->first);
    m_again.erase(entry->first);
    entry = m_data.erase(entry);
  }
  if (m_data.empty()) m_wantedStep = 0;  // what is opened next is something else
  updateSteps();
  updateBusy();
  for (const std::string& key : takenBack) takeBack(key);
  for (const auto& [key, source] : changed) {
    const std::string its = dataKey(m_document.session(), source);
    const auto now = m_said.find(source.name);
    if (now == m_said.end() || now->second != its) continue;  // who heard of another has edited these
    if (!m_again.contains(key) || m_again.at(key).said != its) openAgain(key, its, requestOf(source));
  }
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
  if (!m_again.contains(key)) found->second.problem = {};
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

void Stage::retryOpening(const std::string& name) {
  const std::string key = keyOf(name);
  const session::DataSource* const source = m_document.session().find(name);
  if (key.empty() || !source || dataStatus(name).state != DataState::Failed) return;
  const std::vector<std::string> names = namesOf(key);  // the same files may have several
  openData(key, *source);
  updateSteps();
  updateBusy();
  for (const std::string& each : names) emit dataStatusChanged(each);
  emit boundsChanged();
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
    // Nothing is asked of what is not open yet.
    if (const auto again = m_again.find(key); lost.empty() && again != m_again.end())
      lost = again->second.server;
    setLost(key, status, lost);
  }
}

}  // namespace farfield::app
