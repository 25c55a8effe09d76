#pragma once
// Work that was not saved survives the program's end, whatever ended it. Every running program has a folder
// of its own with a lock and, while its document holds unsaved work, that work; a few seconds after a change
// it is written anew. The lock of a program that is gone can be taken, and what lies there is offered.

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/model/document/document.h"
#include "app/model/files/session_files.h"

namespace farfield::app {

/// Work that a program left behind.
struct LeftWork {
  QString folder;  ///< of the program that is gone
  QString path;    ///< of the document; empty where it was never saved
  QDateTime changed;
  session::Session session;
  QStringList leftOut;  ///< what of it cannot be, a line each; the rest is there
};

/// Lives on the UI thread; files are written elsewhere.
class Recovery : public QObject {
  Q_OBJECT
 public:
  /// So long after a change the work is on disk, plus the time that writing takes.
  static constexpr int kDelayMs = 4000;
  /// So long the end of the program may wait for the disk.
  static constexpr int kLastWriteMs = 2000;

  /// `folder` holds the folders of all programs; made where it does not exist.
  Recovery(Document& document, SessionFiles& files, QString folder, QObject* parent = nullptr);
  struct ShownStep {
    std::int64_t step = 0;
    /// Where it is known: a step of that number may be another one when files come or go.
    std::optional<double> time = {};
  };
  /// `shown` says which step is shown: to go to another one is no edit, so the document does not know it.
  void setShownStep(std::function<ShownStep()> shown) { m_shown = std::move(shown); }
  /// Another step is shown: what is kept is written anew, a moment later.
  void noteStep() { schedule(); }
  /// A regular end: nothing is left behind.
  ~Recovery() override;

  /// What programs that are gone left behind, newest first. Reads files.
  std::vector<LeftWork> findLeftWork() const;
  /// The same without waiting; `done` is called later, unless the program ends before.
  void findLeftWork(std::function<void(const std::vector<LeftWork>&)> done) const;
  /// Takes it off the disk.
  void discard(const LeftWork& work);
  /// The document holds it now: keeps it safe as such, and then takes what was left off the disk.
  void takeOver(const LeftWork& work);

  /// The program is about to be ended: keeps the work as it is now. Waits for the disk, but not for ever.
  void keepNow();

  /// Empty where unsaved work is safe; else why it is not.
  QString problem() const { return m_problem; }

 signals:
  void problemChanged(const QString& problem);

 private:
  void schedule();
  /// `left` is taken off the disk when the work has been written.
  void writeNow(const QString& left = {});
  void report(const QString& problem);

  Document& m_document;
  SessionFiles& m_files;
  QString m_folder, m_own, m_problem;
  std::unique_ptr<QLockFile> m_lock;
  QTimer m_timer;
  std::function<ShownStep()> m_shown;
};

}  // namespace farfield::app
