#pragma once
// What a file holds, beside the dialog in which it is chosen, before it is opened: what `farfield info` says of it, and a small
// picture. Both are made by the program itself in a process of its own, so that a file of any size or damage
// costs the window nothing and is given up when another is chosen.

#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>
#include <QWidget>
#include <map>
#include <optional>
#include <string>

#include "app/model/files/data_files.h"
#include "app/model/files/plain_numbers.h"

class QFileDialog;
class QGroupBox;
class QLabel;
class QTextEdit;

namespace farfield::ui {

class RawOptions;

class OpenPreview : public QWidget {
  Q_OBJECT
 public:
  /// Whether a folder is gone into, or opened as what is in it.
  enum class Folders { GoneInto, Opened };
  /// `program` has the subcommands.
  OpenPreview(const QString& program, QWidget* parent, Folders folders = Folders::GoneInto);
  /// Gives up what runs.
  ~OpenPreview() override;
  /// What is chosen is the grid of these from now on, and not of those that its name goes with.
  void setSolutions(const QStringList& solutions) { m_solutions = solutions; }
  /// How what is chosen is to be read: what is said here of plain numbers; none of anything else, or while too little is said.
  std::map<std::string, std::string> options() const;
  /// Looks at what is chosen in `dialog`, one of Qt's own, and at what is typed there.
  void follow(QFileDialog& dialog);

 public slots:
  /// Looks at a file, soon, together with what belongs to it; a folder that is no data set and is gone into, or nothing: says what there
  /// will be.
  void lookAt(const QString& path) { lookAtAll({path}); }
  /// Several at once, as Open takes them together: of several data sets their names alone.
  void lookAtAll(const QStringList& paths);

 private:
  enum class Part { Words, Picture };
  /// What stands in the dialog's line, which is what will be opened.
  void lookAtNames(const QFileDialog& dialog, const QString& line);
  /// What is too long for a line goes on below where it began, not below what it is said of.
  void say(const QString& words);
  void start(Part part);
  /// Finds what Open makes of the paths, away from the UI thread: folders may be slow to answer.
  void find();
  /// Looks at the one data set that it makes of them; says which they are where they are several, or none and why.
  void take(const app::Picked& picked, const QStringList& session,
            const std::optional<app::NumberFiles>& numbers);
  /// Asks how plain numbers are stored, of files that nobody knows.
  void ask(const app::NumberFiles& numbers);
  void stopAsking();
  /// Looks at the one data set as it is said to be read.
  void lookAtSet();
  void finish(int status, QProcess::ExitStatus how);
  /// What runs is killed, and not waited for.
  void giveUp();

  const QString m_program;
  const Folders m_folders;
  quint64 m_looks = 0;  ///< what was found for an earlier one is dropped
  QStringList m_paths;
  QStringList m_solutions;
  app::DataFiles m_files;  ///< of the one set that is looked at
  QString m_together;      ///< says which files belong together, where it is several
  Part m_part = Part::Words;
  QTemporaryDir m_folder;
  QTimer m_soon;
  QProcess* m_process = nullptr;  ///< that is waited for
  QLabel* m_picture;
  QTextEdit* m_words;
  QGroupBox* m_asks;
  RawOptions* m_raw = nullptr;  ///< in it, while it asks
};

}  // namespace farfield::ui
