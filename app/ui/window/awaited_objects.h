#pragma once
// What is still being computed of what a file is to show, and when it is there: files are made of results that are complete.

#include <QObject>
#include <QStringList>
#include <optional>
#include <set>
#include <stop_token>
#include <vector>

#include "app/model/app_model.h"

namespace farfield::ui {

/// A file that is being made, as long as this is there: who quits is asked. Lives on the UI thread.
class PendingFile : public QObject {
  Q_OBJECT
 public:
  PendingFile(const QString& file, bool canStop, QObject* parent)
      : QObject(parent), path(file), canBeStopped(canStop) {}
  const QString path;
  const bool canBeStopped;  ///< else the program ends once it is written
  std::stop_source unwanted;  ///< the user leaves it out
};

/// Lives on the UI thread.
class AwaitedObjects : public PendingFile {
  Q_OBJECT
 public:
  /// Of the objects that are seen, those that are computed now or wait for it. Volumes only until they are seen: a picture casts them to the end.
  static QStringList namesIn(app::AppModel& model);
  /// Of those that are seen, the ones that could not be computed.
  static QStringList failedIn(app::AppModel& model);

  /// Emits allThere() once, when none is left; `path` is what is written then. stopped() where none is computed any more, and some that
  /// were are not complete: computed again, they are awaited again. It is of the step that is shown now: none is there while another one is.
  AwaitedObjects(app::AppModel& model, const QString& path, QObject* parent);
  std::int64_t step() const { return m_step; }
  bool isAtItsStep() const { return m_model.stage().step() == m_step; }
  /// After allThere(), where nothing could be written.
  void lookAgain();

 signals:
  void allThere();
  void stopped(const QStringList& names);
  /// Another step is shown than the one that it is of.
  void elsewhere(std::int64_t step);
  /// After stopped() or elsewhere().
  void goesOn(const QStringList& names);
  /// What it was to be of has been closed, or its step is gone: nothing else follows.
  void closed();

 private:
  static std::vector<app::ObjectId> computed(app::AppModel& model);
  void look();
  void lookNow();
  void followStep();
  app::AppModel& m_model;
  std::set<app::ObjectId> m_awaited;
  QStringList m_stopped;
  bool m_isThere = false;
  std::optional<std::int64_t> m_elsewhere;  ///< that is shown instead
  std::int64_t m_step;
  double m_time;  ///< of it
};

}  // namespace farfield::ui
