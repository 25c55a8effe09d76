#pragma once
// Dialogs that ask where something is to be written. All of them begin where something was written last: who exports
// ten pictures does not look for the folder ten times.

#include <QSize>
#include <QString>
#include <QStringList>
#include <functional>

class QFileDialog;
class QWidget;

namespace farfield::app {
class Settings;
}

namespace farfield::ui {

struct NewFile {
  QString title;
  QString filter;  ///< "Tables (*.csv)"
  QString suffix;  ///< which a name without one gets
  QString name;    ///< that is offered
  QString folder;  ///< to begin in where nothing was written yet; empty: the one that was opened from
};

/// Calls `chosen` with the file, once one is chosen; `givenUp` otherwise.
void askForNewFile(QWidget* parent, app::Settings& settings, const NewFile& file,
                   std::function<void(const QString& path)> chosen, std::function<void()> givenUp = {});

/// The same of a folder that files are written into.
void askForFolder(QWidget* parent, app::Settings& settings, const QString& title, const QString& folder,
                  std::function<void(const QString& folder)> chosen);

/// What one of these dialogs asked for is written, a file, or at least one into a folder: the next begin there. Where writing failed,
/// or something else was asked for since, nothing changes.
void noteWritten(app::Settings& settings, const QString& path);

/// Calls `chosen` with a file that is to be read, once one is chosen. `folder`: to begin in; empty: the current one.
void askForFile(QWidget* parent, const QString& title, const QString& folder, const QString& filter,
                std::function<void(const QString& path)> chosen);

/// Calls `replace` where none of `paths` is there, or where they may be replaced: a question names those that are. Else `keep`.
void askToReplace(QWidget* parent, const QStringList& paths, std::function<void()> replace,
                  std::function<void()> keep = {});

/// For files to open, and folders that are one data set: Open takes those as files, chosen or gone into. Owned by `parent`.
QFileDialog* newOpenDialog(QWidget* parent, const QString& title, const QString& folder);

/// For one file, or for a folder with its files shown. Owned by `parent`, gone when closed.
QFileDialog* newFileDialog(QWidget* parent, const QString& title, const QString& folder);

/// What every dialog for files has: columns that are seen whole, and a line in which what is typed stays.
void prepareFileDialog(QFileDialog& dialog);

/// The dialog is as large as one of this kind was last, by `kind` in the settings; the first one as `first`, but not larger than the
/// screen.
void keepSize(QFileDialog& dialog, app::Settings& settings, const QString& kind, QSize first);

}  // namespace farfield::ui
