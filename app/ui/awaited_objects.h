#pragma once
// What is still being computed of what a file is to show, and when it is there: files are made of results that are complete.

#include <QObject>
#include <QStringList>

#include "app/model/app_model.h"

namespace farfield::ui {

/// Lives on the UI thread.
class AwaitedObjects : public QObject {
  Q_OBJECT
 public:
  /// Of the objects that are seen, those that are computed now or wait for it. Volumes are not among them: a picture casts them to the end.
  static QStringList namesIn(app::AppModel& model);

  /// Emits allThere() once, when none is left; `file` is what is written then.
  AwaitedObjects(app::AppModel& model, const QString& file, QObject* parent);
  const QString& file() const { return m_file; }

 signals:
  void allThere();

 private:
  void look();
  app::AppModel& m_model;
  const QString m_file;
  bool m_isThere = false;
};

}  // namespace farfield::ui
