#include "app/ui/window/awaited_objects.h"

#include <utility>

#include "app/model/document/volume_looks.h"

namespace farfield::ui {

std::vector<app::ObjectId> AwaitedObjects::computed(app::AppModel& model) {
  std::vector<app::ObjectId> found;
  for (const app::ObjectId id : model.document().objectIds()) {
    const session::Object& object = *model.document().object(id);
    const app::ObjectStatus status = model.stage().status(id);
    const bool isComputed =
        status.state == app::ObjectState::Running || status.state == app::ObjectState::Waiting;
    // A volume that is seen reads what it lacks while the picture is drawn.
    const bool isSeen = app::volumeIn(object) && status.hasPicture;
    if (object.visible && isComputed && !isSeen) found.push_back(id);
  }
  return found;
}

QStringList AwaitedObjects::namesIn(app::AppModel& model) {
  QStringList names;
  for (const app::ObjectId id : computed(model))
    names.append(QString::fromStdString(model.document().object(id)->name));
  return names;
}

QStringList AwaitedObjects::failedIn(app::AppModel& model) {
  QStringList names;
  for (const app::ObjectId id : model.document().objectIds()) {
    const session::Object& object = *model.document().object(id);
    if (object.visible && model.stage().status(id).state == app::ObjectState::Failed)
      names.append(QString::fromStdString(object.name));
  }
  return names;
}

AwaitedObjects::AwaitedObjects(app::AppModel& model, const QString& its, QObject* parent)
    : PendingFile(its, true, parent),
      m_model(model),
      m_step(model.stage().step()),
      m_time(model.stage().timeOf(m_step)) {
  for (const app::ObjectId id : computed(model)) m_awaited.insert(id);
  connect(&model.stage(), &app::Stage::statusChanged, this, &AwaitedObjects::look);
  connect(&model.document(), &app::Document::changed, this, &AwaitedObjects::look);
  connect(&model.stage(), &app::Stage::stepChanged, this, &AwaitedObjects::look);
  connect(&model.stage(), &app::Stage::dataReadAgain, this, &AwaitedObjects::followStep);
  connect(&model.document(), &app::Document::replaced, this, [this] {
    if (!std::exchange(m_isThere, true)) emit closed();
  });
}

void AwaitedObjects::look() {
  // After all that hear of the same change: some begin what is next.
  QMetaObject::invokeMethod(this, &AwaitedObjects::lookNow, Qt::QueuedConnection);
}

void AwaitedObjects::lookAgain() {
  m_isThere = false;
  look();
}

/// Its moment may have another number since data were read again, or none.
void AwaitedObjects::followStep() {
  const app::Stage& stage = m_model.stage();
  for (std::int64_t step = 0; step < stage.steps(); ++step)
    if (stage.timeOf(step) == m_time) {
      m_step = step;
      return look();
    }
  if (!std::exchange(m_isThere, true)) emit closed();
}

void AwaitedObjects::lookNow() {
  if (m_isThere) return;
  if (!isAtItsStep()) {
    if (std::exchange(m_elsewhere, m_model.stage().step()) != m_model.stage().step()) emit elsewhere(m_step);
    return;
  }
  const bool isBack = std::exchange(m_elsewhere, std::nullopt).has_value();
  const std::vector<app::ObjectId> now = computed(m_model);
  m_awaited.insert(now.begin(), now.end());
  if (!now.empty()) {
    if (!std::exchange(m_stopped, {}).isEmpty() || isBack) emit goesOn(namesIn(m_model));
    return;
  }
  QStringList incomplete;
  for (const app::ObjectId id : m_awaited) {
    const session::Object* const object = m_model.document().object(id);
    const app::ObjectState state = m_model.stage().status(id).state;
    if (object && object->visible &&
        (state == app::ObjectState::Cancelled || state == app::ObjectState::Failed))
      incomplete.append(QString::fromStdString(object->name));
  }
  if (!incomplete.isEmpty()) {
    if (std::exchange(m_stopped, incomplete) != incomplete || isBack) emit stopped(incomplete);
    return;
  }
  m_isThere = true;
  emit allThere();
}

}  // namespace farfield::ui
