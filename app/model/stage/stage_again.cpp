// Data of a stage that are open and are opened once more in their own place: as their files are now, or as the document says by now, as
// with a function that was defined. What is open stays until the other is, and where that cannot be opened for now.

#include <algorithm>
#include <cmath>

#include "app/model/stage/stage.h"

namespace farfield::app {
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

bool isAmong(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

/// Whether what is open under `key` may be seen while `source` is being opened: it is of the same files.
bool Stage::canBeOpenedAgain(const std::string& key, const session::DataSource& source) const {
  const auto found = m_data.find(key);
  if (found == m_data.end() || found->second.state != DataState::Open) return false;
  const std::string files = filesKey(m_document.session(), source), &opened = m_opened.at(key);
  if (!opened.starts_with(files) || (opened.size() > files.size() && opened[files.size()] != '\n'))
    return false;
  const auto again = m_again.find(key);
  return again == m_again.end() || !again->second.isRefused ||
         again->second.said != dataKey(m_document.session(), source);
}

void Stage::readAgain(const std::string& name) {
  const auto found = m_data.find(keyOf(name));
  if (found == m_data.end()) return;
  if (found->second.state == DataState::Failed) return retryOpening(name);
  if (found->second.state != DataState::Open || found->second.isReadAgain) return;
  const std::string key = found->first;
  if (const auto again = m_again.find(key); again != m_again.end())
    openAgain(key, std::string(again->second.said), again->second.request);
  else
    openAgain(key, std::string(m_opened.at(key)), {});
}

void Stage::openAgain(const std::string& key, const std::string& said,
                      std::function<fields::OpenRequest()> request) {
  Again& again = m_again[key];
  again.said = said;
  again.request = std::move(request);
  again.isStopped = again.isRefused = false;
  again.problem = {};
  DataStatus& status = m_data.at(key);
  status.isReadAgain = true;
  status.problem = {};
  const std::vector<std::string> names = namesOf(key);
  // What is being computed may be of a function that is defined only then.
  if (said != m_opened.at(key))
    for (const auto& [id, its] : m_objects)
      if (const session::Object* const object = m_document.object(id);
          object && isAmong(names, object->data) &&
          (its.state == ObjectState::Waiting || its.state == ObjectState::Running) && !m_held.contains(id))
        m_deferred.insert(id);
  if (!again.asked)
    askAgain(key, again);
  else if (*again.asked != said && !std::exchange(again.isGivenUp, true))
    m_engine.stopReading(key);
  for (const std::string& name : names) emit dataStatusChanged(name);
  updateBusy();
}

void Stage::askAgain(const std::string& key, Again& again) {
  again.asked = again.said;
  again.isGivenUp = false;
  m_engine.readAgain(key, again.request);
}

/// The document says of the data under `key` what they are: nothing else is to be opened in their place.
void Stage::takeBack(const std::string& key) {
  const auto found = m_again.find(key);
  if (found == m_again.end()) return;
  Again& again = found->second;
  if (again.said == m_opened.at(key)) return;  // as their files are now
  if (!again.asked) {
    m_again.erase(found);
    return endReadingAgain(key, {});
  }
  again.said = m_opened.at(key);
  // Not as they are: what was asked for may be in their place already, which is not heard yet.
  const std::vector<std::string> names = namesOf(key);
  const session::DataSource* const source =
      names.empty() ? nullptr : m_document.session().find(names.front());
  again.request = source ? requestOf(*source) : nullptr;
  if (*again.asked == again.said) return;
  if (!std::exchange(again.isGivenUp, true)) m_engine.stopReading(key);
}

void Stage::hearNotReplaced(const std::string& key, const Problem& problem) {
  const auto found = m_again.find(key);
  if (found == m_again.end() || !found->second.asked) return;
  Again& again = found->second;
  const std::string asked = *std::exchange(again.asked, std::nullopt);
  const bool isOtherwise = again.said != m_opened.at(key);
  if ((again.said != asked || again.isGivenUp) && !again.isStopped) {
    if (isOtherwise) return askAgain(key, again);
    m_again.erase(found);
    return endReadingAgain(key, {});
  }
  if (!again.isStopped && !problem.noAnswerFrom.empty()) {
    again.server = problem.noAnswerFrom;
    again.problem = problem;
    if (!m_tryAgain.isActive()) m_tryAgain.start();
    return setLost(key, m_data.at(key), again.server);
  }
  // What it says has no meaning for these files: what is seen is not of what it says, then. Who has to log in first finds out after that.
  if (problem.isRefused && !problem.asksForLogin && isOtherwise) {
    again.isRefused = true;
    m_said.clear();
    return syncData();
  }
  Problem its = problem.message.empty() && !again.problem.message.empty() ? again.problem : problem;
  if (its.message.empty() && isOtherwise) its.message = tr("it was stopped").toStdString();
  again.server.clear();
  if (!isOtherwise) m_again.erase(found);
  endReadingAgain(key, its);
}

/// They stay what they are.
void Stage::endReadingAgain(const std::string& key, const Problem& problem) {
  const auto found = m_data.find(key);
  if (found == m_data.end()) return;
  found->second.isReadAgain = false;
  found->second.problem = problem;
  found->second.lostServer.clear();  // nobody waits for it any more
  const std::vector<std::string> names = namesOf(key);
  for (const std::string& name : names) emit dataStatusChanged(name);
  syncDeferred(names);
  updateBusy();
}

/// Those that the engine is at are heard of.
void Stage::stopReadingAgain() {
  std::vector<std::pair<std::string, Problem>> ended;
  for (auto& [key, again] : m_again) {
    again.isStopped = true;
    if (!again.asked && !again.server.empty()) ended.emplace_back(key, again.problem);
  }
  for (const auto& [key, problem] : ended) {
    m_again.at(key).server.clear();
    if (m_again.at(key).said == m_opened.at(key)) m_again.erase(key);
    endReadingAgain(key, problem);
  }
}

/// Whether these data, which are open, are being opened otherwise.
bool Stage::comesOtherwise(const std::string& dataName) const {
  const auto again = m_again.find(keyOf(dataName));
  return again != m_again.end() && (again->second.asked || !again->second.server.empty()) &&
         again->second.said != m_opened.at(again->first);
}

void Stage::syncDeferred(const std::vector<std::string>& names) {
  const std::set<ObjectId> all = m_deferred;
  for (const ObjectId id : all)
    if (const session::Object* const object = m_document.object(id);
        object && isAmong(names, object->data) && m_deferred.erase(id) > 0)
      syncObject(id);
}

/// The data under `key` are others.
void Stage::takeAnew(const std::string& key, const std::shared_ptr<const DataSummary>& summary) {
  const auto found = m_data.find(key);
  const auto again = m_again.find(key);
  if (found == m_data.end() || found->second.state != DataState::Open || again == m_again.end() ||
      !again->second.asked)
    return;
  DataStatus& status = found->second;
  const std::string now = *again->second.asked, before = std::exchange(m_opened[key], now);
  const bool otherwise = now != before;
  if (otherwise) m_spent.insert(key);
  // Something else may be wanted by now.
  status.isReadAgain = again->second.said != now;
  again->second.asked.reset();
  again->second.server.clear();
  if (status.isReadAgain)
    askAgain(key, again->second);
  else
    m_again.erase(again);
  const std::vector<std::string> names = namesOf(key);
  if (const session::DataSource* const source =
          names.empty() ? nullptr : m_document.session().find(names.front());
      source && otherwise)
    watchFiles(key, *source);
  // Steps may have come or gone before the one that is seen, which has another number then.
  const bool isOfTheirSteps = status.summary && status.summary->description.steps() == m_steps;
  const std::vector<double> times =
      status.summary ? status.summary->description.times : std::vector<double>();
  const double seen = isOfTheirSteps ? times[static_cast<std::size_t>(m_step)] : 0;
  const auto left = m_stepLeft.find(now);
  const std::int64_t leftAt = left == m_stepLeft.end() ? -1 : left->second;
  if (otherwise && status.summary && m_step < status.summary->description.steps())
    m_stepLeft[before] = m_step;
  status.summary = summary;
  status.problem = {};
  std::erase_if(m_shownValues, [&](const auto& each) { return each.first.first == key; });
  m_ranges.forget(key);
  emit shownValuesChanged(key);
  const std::int64_t stepBefore = m_step, count = m_steps;
  updateSteps();
  if (isOfTheirSteps && m_step != leftAt)
    setStep(stepNow(summary->description.times, seen, stepBefore, count));
  // Who hears of it may edit the document.
  if (const auto its = m_data.find(key); its != m_data.end()) setLost(key, its->second, {});
  for (const std::string& name : names) emit dataStatusChanged(name);
  for (const ObjectId id : m_document.objectIds()) {
    const session::Object* const object = m_document.object(id);
    if (!object || !isAmong(names, object->data)) continue;
    m_deferred.erase(id);
    syncObject(id);
  }
  for (const std::string& name : names) {
    if (otherwise) emit dataOpened(name);
    emit dataReadAgain(name, otherwise);
  }
  updateBusy();
  emit boundsChanged();
}

void Stage::setLost(const std::string& key, DataStatus& status, const std::string& server) {
  if (std::exchange(status.lostServer, server) == server) return;
  for (const std::string& name : namesOf(key)) emit linkChanged(name);
}

}  // namespace farfield::app
