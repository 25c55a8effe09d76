#include "app/ui/awaited_objects.h"

#include "app/model/volume_fields.h"

namespace farfield::ui {

QStringList AwaitedObjects::namesIn(app::AppModel& model) {
  QStringList names;
  for (const app::ObjectId id : model.document().objectIds()) {
    const session::Object& object = *model.document().object(id);
    const app::ObjectState state = model.stage().status(id).state;
    const bool isComputed = state == app::ObjectState::Running || state == app::ObjectState::Waiting;
    if (object.visible && isComputed && !app::volumeIn(object))
      names.append(QString::fromStdString(object.name));
  }
  return names;
}

AwaitedObjects::AwaitedObjects(app::AppModel& model, const QString& path, QObject* parent)
    : PendingFile(path, true, parent), m_model(model) {
  connect(&model.stage(), &app::Stage::statusChanged, this, &AwaitedObjects::look);
  connect(&model.document(), &app::Document::changed, this, &AwaitedObjects::look);
}

void AwaitedObjects::look() {
  // After all that hear of the same change: some begin what is next.
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (m_isThere || !namesIn(m_model).isEmpty()) return;
        m_isThere = true;
        emit allThere();
      },
      Qt::QueuedConnection);
}

}  // namespace farfield::ui
