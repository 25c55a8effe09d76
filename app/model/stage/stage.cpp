#include "app/model/stage/stage.h"

#include <QScopedValueRollback>
#include <algorithm>

#include "app/first/flow_at_rest.h"
#include "app/model/document/line_shapes.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/stage/renderer_links.h"
#include "app/model/workshop/lost_links.h"
#include "core/fields/words/dates.h"
#include "core/session/run/runner.h"
#include "core/session/shown_volume.h"

namespace farfield::app {
namespace {

constexpr int kSettlesMs = 500;
/// What was read at a place where a probe no longer is stays so long: mostly the next is there by then.
constexpr int kReadsSoonMs = 200;
/// Between tries to reach a server.
constexpr int kTryAgainMs = 2000;

/// Those of which data are open.
std::set<std::string> openRenderers(const Document& document, const Stage& stage) {
  std::set<std::string> urls;
  for (const session::DataSource& source : document.session().data)
    if (const std::string url = rendererOf(source);
        !url.empty() && stage.dataStatus(source.name).state == DataState::Open)
      urls.insert(url);
  return urls;
}

}  // namespace

Stage::Stage(Document& document, Engine& engine, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_engine(engine),
      m_watch(this),
      m_ranges(document, engine, [this](const std::string& name) {
        return WholeRanges::Place{keyOf(name), summary(name)};
      }) {
  connect(&document, &Document::replaced, this, &Stage::syncAll);
  connect(&document, &Document::objectRemoved, this, &Stage::dropObject);
  // Two data sets that are compared have one scale.
  connect(&document, &Document::layoutChanged, this, [this] { shareScales(0); });
  connect(&document, &Document::dataAdded, this, [this] { syncData(); });
  connect(&document, &Document::dataChanged, this, [this] { syncData(); });
  connect(&document, &Document::objectAdded, this, [this](ObjectId id) {
    if (m_holdsNew) m_held.insert(id);
    syncObject(id);
  });
  connect(&document, &Document::objectChanged, this, [this](ObjectId id) {
    if (!m_holdsNew) m_held.erase(id);
    syncObject(id);
  });
  // Last of all: what still uses the data has been told by then.
  connect(&document, &Document::changed, this, [this] { syncData(); });
  const auto updateRanges = [this] { m_ranges.update(m_step); };
  connect(&document, &Document::changed, this, updateRanges);
  connect(&document, &Document::replaced, this, updateRanges);
  connect(this, &Stage::dataStatusChanged, this, updateRanges);
  connect(this, &Stage::stepChanged, this, updateRanges);
  connect(&m_ranges, &WholeRanges::changed, this, [this](const std::string& key) {
    shareScales(0);
    emit shownValuesChanged(key);
  });

  // What is no longer in the document may still be heard of for a moment.
  connect(&engine, &Engine::opening, this, [this](const std::string& key) {
    if (!m_data.contains(key)) return;
    m_data[key] = {};
    for (const std::string& name : namesOf(key)) emit dataStatusChanged(name);
    updateBusy();
  });
  connect(&engine, &Engine::opened, this,
          [this](const std::string& key, const std::shared_ptr<const DataSummary>& summary) {
            if (!m_data.contains(key)) return;
            m_data[key] = {DataState::Open, {}, summary};
            updateSteps();
            for (const std::string& name : namesOf(key)) {
              emit dataStatusChanged(name);
              emit dataOpened(name);
            }
            updateBusy();
            emit boundsChanged();
          });
  connect(&engine, &Engine::grown, this, &Stage::goOn);
  connect(&engine, &Engine::replaced, this, &Stage::takeAnew);
  connect(&engine, &Engine::notReplaced, this, &Stage::hearNotReplaced);
  connect(&m_watch, &SeriesWatch::changed, &engine, &Engine::lookAgain);
  connect(&engine, &Engine::openFailed, this, [this](const std::string& key, const Problem& problem) {
    if (!m_data.contains(key)) return;
    const auto again = m_again.extract(key);  // there was no memory for both, and what was open went first
    if (again) m_opened[key] = again.mapped().asked.value_or(again.mapped().said);
    m_data[key] = {DataState::Failed, problem, nullptr};
    const std::int64_t shown = stepToKeep();
    updateSteps();
    // Data that were open cannot be opened anew for now: the step that was shown of them comes back with them.
    if (stepToKeep() < shown) m_wantedStep = shown;
    const std::vector<std::string> names = namesOf(key);
    for (const std::string& name : names) emit dataStatusChanged(name);
    updateBusy();
    if (!again) return;
    syncDeferred(names);
    m_said.clear();  // the document may say something else by now
    syncData();
  });
  connect(&engine, &Engine::started, this, [this](ObjectId id) {
    if (!isWanted(id)) return;
    ObjectStatus& status = m_objects[id];
    status.state = ObjectState::Running;
    status.fraction = status.secondsLeft = 0;
    status.samples = status.allSamples = 0;
    emit statusChanged(id);
    updateBusy();
  });
  connect(&engine, &Engine::progressed, this, [this](const ObjectProgress& progress) {
    if (!isWanted(progress.id)) return;
    ObjectStatus& status = m_objects[progress.id];
    status.fraction =
        progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 0;
    status.secondsLeft = progress.secondsLeft;
    const session::Object* const object = m_document.object(progress.id);
    if (object && std::holds_alternative<session::Volume>(object->shape)) {
      status.samples = progress.done;
      status.allSamples = progress.total;
    }
    emit statusChanged(progress.id);
  });
  connect(&engine, &Engine::pictureReady, this, [this](const ObjectPicture& picture) {
    if (!isWanted(picture.id)) return;
    ObjectStatus& status = m_objects[picture.id];
    const bool isNew = !std::exchange(status.hasPicture, true);
    status.complete = picture.complete;
    status.coarse = picture.coarse;
    status.volumeLook = picture.item.volumeLook;
    status.volume = picture.item.volume;
    const bool moved =
        isNew || status.bounds.min != picture.bounds.min || status.bounds.max != picture.bounds.max;
    status.bounds = picture.bounds;
    m_shown[picture.id] = {picture.item, {}, picture.complete};
    shareScales(picture.id);
    noteColors(picture);
    emit statusChanged(picture.id);
    if (moved) emit boundsChanged();
  });
  connect(&engine, &Engine::ended, this, [this](const ObjectOutcome& outcome) {
    // Of what waits for its data it is not what is wanted any more.
    if (!isWanted(outcome.id) || m_deferred.contains(outcome.id)) return;
    ObjectStatus& status = m_objects[outcome.id];
    status.state = outcome.end == ObjectEnd::Done     ? ObjectState::Done
                   : outcome.end == ObjectEnd::Failed ? ObjectState::Failed
                                                      : ObjectState::Cancelled;
    status.problem = outcome.problem;
    if (outcome.end == ObjectEnd::Done) {
      status.stats = outcome.stats;
      noteRead(outcome.id);
    } else if (m_unread.contains(outcome.id)) {
      shareScales(outcome.id);
    }
    if (const session::Object* const object = m_document.object(outcome.id);
        object && outcome.end == ObjectEnd::Done && outcome.stats.count > 0)
      if (const auto* const surface = std::get_if<session::Isosurface>(&object->shape);
          surface && surface->values.size() == 1)
        noteValues(outcome.id, surface->by, {surface->values[0], surface->values[0]});
    status.inVain.clear();
    status.isAtRest = status.beganAtRest = false;
    if (const session::Object* const object = m_document.object(outcome.id))
      if (const auto data = summary(object->data); data && outcome.end == ObjectEnd::Done) {
        status.inVain = whyNothing(windowKind(object->type()), *data);
        const auto* const vector = vectorIn(*object);
        const bool began = vector && data->description.steps() > 1 && restsAtFirst(*data, *vector);
        status.isAtRest = began && m_step == 0;
        status.beganAtRest = began && m_step > 0;
      }
    // A picture of something else than what was asked for would be worse than none.
    if (outcome.end == ObjectEnd::Failed && status.hasPicture) {
      status.hasPicture = false;
      status.notDrawn.clear();
      status.bounds = {};
      status.volume.reset();
      m_shown.erase(outcome.id);
      emit itemGone(outcome.id);
      shareScales(0);
      emit boundsChanged();
    }
    emit statusChanged(outcome.id);
    updateBusy();
  });
  m_tryAgain.setSingleShot(true);
  m_tryAgain.setInterval(kTryAgainMs);
  connect(&m_tryAgain, &QTimer::timeout, this, [this] {
    for (auto& [key, again] : m_again)
      if (!again.server.empty() && !again.asked) askAgain(key, again);
  });
  m_readsSoon.setSingleShot(true);
  m_readsSoon.setInterval(kReadsSoonMs);
  connect(&m_readsSoon, &QTimer::timeout, this, &Stage::showUnread);
  m_settles.setSingleShot(true);
  m_settles.setInterval(kSettlesMs);
  connect(&m_settles, &QTimer::timeout, this, [this] { emit statusChanged(m_urgent); });
  connect(&engine, &Engine::counted, this,
          [this, known = std::make_shared<LostLinks>()](const WorkshopCounters& counters) {
            // Nobody waits any more where what did was stopped: that brings no server back.
            std::vector<std::string> left;
            for (auto& [key, status] : m_data) {
              const auto again = m_again.find(key);
              const bool isTried = again != m_again.end() && !again->second.server.empty();
              if (!known->isLeft(key, counters) || isTried) continue;
              if (!std::exchange(status.lostServer, {}).empty())
                for (const std::string& name : namesOf(key)) left.push_back(name);
            }
            for (const std::string& name : left) emit dataStatusChanged(name);
            watchLinks(counters);
          });
  connect(&engine, &Engine::levelsReported, this, [this](const LevelsReport& report) {
    const auto found = m_objects.find(report.id);
    if (found == m_objects.end()) return;
    found->second.levels = report;
    emit statusChanged(report.id);
    if (report.justMade && found->second.state == ObjectState::Done) syncObject(report.id, true);
  });
  auto* const renderers = new RendererLinks(this);
  const auto watchRenderers = [this, renderers] { renderers->watch(openRenderers(m_document, *this)); };
  connect(&document, &Document::changed, renderers, watchRenderers);
  connect(&document, &Document::replaced, renderers, watchRenderers);
  connect(this, &Stage::dataStatusChanged, renderers, watchRenderers);
  const auto connectAnew = [this, renderers](const std::string& key) {
    for (const std::string& name : namesOf(key))
      if (const session::DataSource* const source = m_document.session().find(name))
        return renderers->connectAnew(rendererOf(*source));
  };
  connect(&engine, &Engine::replaced, renderers, connectAnew);
  connect(&engine, &Engine::notReplaced, renderers, connectAnew);
  connect(
      renderers, &RendererLinks::told, this,
      [this](const std::string& url, const Problem& why, bool isOther) {
        std::set<std::string> keys;
        for (const session::DataSource& source : m_document.session().data)
          if (rendererOf(source) == url) keys.insert(keyOf(source.name));
        for (const std::string& key : keys) {
          const auto found = m_data.find(key);
          if (found == m_data.end() || found->second.state != DataState::Open || found->second.isReadAgain)
            continue;
          Problem& problem = found->second.problem;
          const bool wasGone = !problem.message.empty(), isGone = !why.message.empty();
          const bool isSame = wasGone == isGone && problem.isRefused == why.isRefused;
          problem = why;
          const std::vector<std::string> names = namesOf(key);
          // What failed meanwhile goes on, and its problem is none any more when the others hear of it.
          for (const ObjectId id : m_document.objectIds())
            if (const session::Object* const object = m_document.object(id);
                object && wasGone && !isGone && status(id).state == ObjectState::Failed &&
                std::find(names.begin(), names.end(), object->data) != names.end())
              syncObject(id, true);
          for (const std::string& name : isSame ? std::vector<std::string>() : names) {
            emit dataStatusChanged(name);
            if (!isGone) emit linkChanged(name);
          }
          if (isOther) readAgain(names.front());
        }
      });
  syncAll();
}

Stage::~Stage() = default;

ObjectStatus Stage::status(ObjectId id) const {
  const auto found = m_objects.find(id);
  if (found == m_objects.end()) return {};
  ObjectStatus status = found->second;
  const session::Object* const object = m_document.object(id);
  if (const auto* const lines = object ? std::get_if<session::Streamlines>(&object->shape) : nullptr)
    status.linesOfSeed = lines->direction == session::Direction::Both ? 2 : 1;
  if (const auto* const lines = object ? std::get_if<session::Streaklines>(&object->shape) : nullptr)
    status.isJoined = !lines->asPoints;
  if (object && (status.state == ObjectState::Running || status.state == ObjectState::Waiting))
    status.waitsFor = dataStatus(object->data).lostServer;
  // What was computed before it was hidden may be of another function than it is coloured by since.
  if (object && status.state == ObjectState::Hidden && status.scale.title != session::shownFunction(*object))
    status.shownRange.reset();
  return status;
}

DataStatus Stage::dataStatus(const std::string& name) const {
  const auto key = m_keys.find(name);
  if (key == m_keys.end()) return {};
  const auto found = m_data.find(key->second);
  return found == m_data.end() ? DataStatus{} : found->second;
}

std::shared_ptr<const DataSummary> Stage::summary(const std::string& name) const {
  return dataStatus(name).summary;
}

std::string Stage::keyOf(const std::string& name) const {
  const auto key = m_keys.find(name);
  return key == m_keys.end() ? std::string() : key->second;
}

std::vector<std::string> Stage::namesOf(const std::string& key) const {
  std::vector<std::string> names;
  for (const auto& [name, its] : m_keys)
    if (its == key) names.push_back(name);
  return names;
}

std::int64_t Stage::steps() const {
  return m_steps;
}

void Stage::setStep(std::int64_t step) {
  step = std::clamp<std::int64_t>(step, 0, m_steps - 1);
  m_wantedStep = 0;
  if (step == m_step) return;
  m_step = step;
  emit stepChanged(m_step);
  for (const ObjectId id : m_document.objectIds()) syncObject(id);
}

const paging::DatasetDescription* Stage::withSteps() const {
  for (const auto& [key, status] : m_data)
    if (status.summary && status.summary->description.steps() == m_steps) return &status.summary->description;
  return nullptr;
}

double Stage::timeOf(std::int64_t step) const {
  const paging::DatasetDescription* const data = withSteps();
  return data ? data->times[static_cast<std::size_t>(std::clamp<std::int64_t>(step, 0, m_steps - 1))]
              : static_cast<double>(step);
}

std::optional<double> Stage::timeToKeep() const {
  const session::Session& session = m_document.session();
  if (m_wantedStep > 0) return m_wantedStep == session.shownStep ? session.shownTime : std::nullopt;
  const double time = timeOf(m_step);
  return m_step > 0 && withSteps() && std::isfinite(time) ? std::optional(time) : std::nullopt;
}

std::optional<std::string> Stage::dateOf(std::int64_t step) const {
  const paging::DatasetDescription* const data = withSteps();
  return data ? fields::saidDate(*data, std::clamp<std::int64_t>(step, 0, m_steps - 1)) : std::nullopt;
}

Bounds Stage::bounds() const {
  Bounds bounds;
  for (const auto& [id, status] : m_objects)
    if (status.hasPicture) bounds.add(status.bounds);
  return bounds.empty() ? dataBounds() : bounds;
}

Bounds Stage::dataBounds() const {
  Bounds bounds;
  for (const auto& [key, status] : m_data)
    if (status.summary) bounds.add(status.summary->bounds);
  return bounds;
}

bool Stage::isBusy() const {
  return m_busy;
}

void Stage::setUrgent(ObjectId id) {
  const ObjectId before = std::exchange(m_urgent, id);
  if (before == id) return;
  const bool settles = m_settles.isActive();
  m_settles.stop();
  if (settles) emit statusChanged(before);
}

void Stage::settle(ObjectId id) {
  if (m_open.erase(id) > 0) emit statusChanged(id);
}

void Stage::noteDrawn(ObjectId id, const QString& whyNot) {
  const auto found = m_objects.find(id);
  if (found == m_objects.end() || !found->second.hasPicture || found->second.notDrawn == whyNot) return;
  found->second.notDrawn = whyNot;
  emit statusChanged(id);
}

void Stage::recompute(ObjectId id) {
  m_held.erase(id);
  // Somebody may have logged in elsewhere, which a connection that was refused does not know.
  const ObjectStatus before = status(id);
  if (const session::Object* const object = m_document.object(id);
      object && before.state == ObjectState::Failed && before.problem.asksForLogin)
    return readAgain(object->data);
  syncObject(id, true);
}

void Stage::hold(const std::function<void()>& add) {
  const QScopedValueRollback holds(m_holdsNew, true);
  add();
}

void Stage::release(ObjectId id) {
  if (m_held.erase(id) > 0) syncObject(id);
}

void Stage::cancelAll() {
  m_engine.cancelAll();
  std::set<ObjectId> waiting = std::exchange(m_held, {});
  waiting.merge(std::exchange(m_deferred, {}));
  stopReadingAgain();
  for (const ObjectId id : waiting) {
    ObjectStatus& status = m_objects[id];
    // What was running when it was put off may have ended since, which was not heard.
    if (status.state != ObjectState::Waiting && status.state != ObjectState::Running) continue;
    status.state = ObjectState::Cancelled;
    emit statusChanged(id);
  }
  updateBusy();
}

void Stage::syncAll() {
  // By value: dropping changes the map.
  std::vector<ObjectId> gone;
  for (const auto& [id, status] : m_objects)
    if (!m_document.object(id)) gone.push_back(id);
  for (const ObjectId id : gone) dropObject(id);
  m_held.clear();
  m_deferred.clear();
  m_open.clear();
  m_stepLeft.clear();
  m_step = 0;
  m_wantedStep = m_document.session().shownStep;
  setSteps(1);  // those of what was open before say nothing of this
  syncData(false);
  for (const ObjectId id : m_document.objectIds()) syncObject(id);
  updateSteps();
  emit stepChanged(m_step);
  emit boundsChanged();
}

/// False where what was on its way comes after it was hidden or removed, and of what others have computed for themselves.
bool Stage::isWanted(ObjectId id) const {
  const session::Object* const object = m_document.object(id);
  return object && object->visible;
}

void Stage::syncObject(ObjectId id, bool anew) {
  const session::Object* const object = m_document.object(id);
  if (!object) return;
  ObjectStatus& status = m_objects[id];
  if (!object->visible) {
    m_deferred.erase(id);
    m_unread.erase(id);
    if (status.state == ObjectState::Running || status.state == ObjectState::Waiting)
      m_engine.forget(id);
    else
      m_engine.hide(id);
    const bool shown = status.hasPicture;
    status.state = ObjectState::Hidden;
    if (shown) {
      status.hasPicture = false;
      status.notDrawn.clear();
      status.volume.reset();
      m_shown.erase(id);
      emit itemGone(id);
      shareScales(0);
      emit boundsChanged();
    }
    emit statusChanged(id);
    updateBusy();
    return;
  }
  if (comesOtherwise(object->data))
    m_deferred.insert(id);
  else
    m_deferred.erase(id);
  if (m_held.contains(id) || m_deferred.contains(id)) {
    status.state = ObjectState::Waiting;
    if (m_deferred.contains(id)) status.problem = {};
    if (m_readings.contains(id) && !m_readsSoon.isActive()) m_readsSoon.start();
    emit statusChanged(id);
    updateBusy();
    return;
  }
  ObjectRequest request;
  request.id = id;
  request.dataKey = keyOf(object->data);
  request.object = *object;
  request.object.data.clear();  // the key says it, whatever the data are called
  request.step = stepOf(*object);
  if (m_nextStep >= 0 && m_nextStep < m_steps) request.nextStep = m_nextStep;
  request.urgent = id == m_urgent;
  if (request.urgent) m_settles.start();
  request.anew = anew;
  const bool atOnce = m_engine.compute(request);
  if (!atOnce && status.state != ObjectState::Running) {
    status.state = ObjectState::Waiting;
    status.problem = {};
    emit statusChanged(id);
  }
  if (!atOnce && m_readings.contains(id) && !m_readsSoon.isActive()) m_readsSoon.start();
  updateBusy();
}

/// That is shown of it: the last one of its data where these have fewer.
std::int64_t Stage::stepOf(const session::Object& object) const {
  const auto its = summary(object.data);
  return its ? std::min(m_step, its->description.steps() - 1) : m_step;
}

void Stage::dropObject(ObjectId id) {
  m_engine.forget(id);
  m_held.erase(id);
  m_deferred.erase(id);
  m_readings.erase(id);
  m_unread.erase(id);
  const auto found = m_objects.find(id);
  if (found == m_objects.end()) return;
  const bool shown = found->second.hasPicture;
  m_objects.erase(found);
  m_shown.erase(id);
  if (shown) emit itemGone(id);
  if (shown) shareScales(0);
  emit boundsChanged();
  updateBusy();
}

void Stage::updateSteps() {
  std::int64_t steps = 1;
  const std::int64_t before = m_steps;
  for (const auto& [key, status] : m_data) {
    if (status.summary) steps = std::max(steps, status.summary->description.steps());
    // What is opened in the place of something else, as a store is in that of files, mostly has its steps: the one that is
    // shown stays until it is known.
    if (status.state == DataState::Opening) steps = std::max(steps, m_steps);
  }
  setSteps(steps);
  for (const auto& [key, status] : m_data)
    if (const auto left = status.summary ? m_stepLeft.find(m_opened.at(key)) : m_stepLeft.end();
        left != m_stepLeft.end()) {
      if (before <= left->second) m_wantedStep = left->second;
      m_stepLeft.erase(left);
    }
  if (m_wantedStep > 0 && m_wantedStep < m_steps) setStep(m_wantedStep);
}

void Stage::setSteps(std::int64_t steps) {
  if (steps == m_steps) return;
  m_steps = steps;
  const bool isGone = m_step >= m_steps;
  if (isGone) m_step = m_steps - 1;
  emit stepsChanged();
  if (!isGone) return;
  emit stepChanged(m_step);
  for (const ObjectId id : m_document.objectIds()) syncObject(id);
}

void Stage::updateBusy() {
  bool busy = false;
  for (const auto& [key, status] : m_data) busy |= status.state == DataState::Opening || status.isReadAgain;
  for (const auto& [id, status] : m_objects)
    busy |= status.state == ObjectState::Running || status.state == ObjectState::Waiting;
  if (busy == m_busy) return;
  m_busy = busy;
  emit busyChanged(m_busy);
}

}  // namespace farfield::app
