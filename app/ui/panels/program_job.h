#pragma once
// Long work with files that needs nothing of the window: the program itself, as a command, in a process of
// its own. What it has to say is shown in a small window beside the work; it can be stopped, and a job that
// ends badly takes nothing with it.

#include <QDialog>
#include <QProcess>
#include <QTimer>
#include <functional>

class QLabel;
class QProgressBar;
class QProgressDialog;

namespace farfield::ui {

/// What a line of progress says: "convert: 42 %, 126 of 300 pages, 3 s left"; nothing for other lines.
struct JobProgress {
  int percent = 0;
  QString text;  ///< what is behind the percentage
};
std::optional<JobProgress> jobProgress(const QString& line);

/// Where jobs are shown: in a corner of the window, out of the way of the work, and the keyboard stays with it. Before the
/// job is shown.
void placeAside(QDialog& job);
/// A small window of the same kind for what this program does by itself, `most` parts of it, with Stop; `title` is its window's. It stays until
/// it is deleted, and is shown as QProgressDialog::setMinimumDuration() says.
QProgressDialog* makeJobDialog(const char* objectName, const QString& title, const QString& text, int most,
                               QWidget* parent);

/// Why no other begins while one runs.
QString whyNoOtherJob();

class ProgramJob : public QDialog {
  Q_OBJECT
 public:
  /// `done` is called once, with what went wrong; empty: nothing. Not where the user stopped it, which is
  /// told as `stopped`. Deletes itself at its end.
  struct Ends {
    std::function<void(const QString& problem)> done;
    std::function<void()> stopped;
  };
  /// It begins once `mayStart` says so, which is asked again and again for ten seconds at most; empty: at once.
  ProgramJob(const QString& what, const QString& program, const QStringList& arguments, Ends ends,
             QWidget* parent, std::function<bool()> mayStart = {});
  /// For jobs whose own lines speak of parts only: shown in place of them from now on.
  void showProgress(const JobProgress& progress);
  /// Stops what runs, and waits for it for a moment.
  ~ProgramJob() override;

 public slots:
  /// Stops the job.
  void reject() override;

 private:
  void read();
  void set(const JobProgress& progress);
  void finish(int status, QProcess::ExitStatus how);

  QProcess m_process;
  QTimer m_toStart;
  Ends m_ends;
  QProgressBar* m_bar;
  QLabel* m_text;
  QByteArray m_rest;
  QString m_lastLine;
  bool m_stopping = false, m_told = false;
};

}  // namespace farfield::ui
