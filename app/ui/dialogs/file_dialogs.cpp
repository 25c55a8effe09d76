#include "app/ui/dialogs/file_dialogs.h"

#include <QAbstractFileIconProvider>
#include <QApplication>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFileSystemModel>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QThreadPool>
#include <QTreeView>
#include <algorithm>
#include <memory>

#include "app/model/files/data_files.h"
#include "app/model/files/numbered_names.h"
#include "app/model/files/series_names.h"
#include "app/model/settings/settings.h"
#include "app/ui/widgets/focus_mark.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/typed_paths.h"

namespace farfield::ui {
namespace {

/// A folder, and what was asked for since, a line each, of which nobody knows yet whether it could be written.
constexpr const char *kWrittenTo = "written", *kAskedFor = "written.asked";
constexpr int kMostNamed = 6, kMostAskedFor = 8;

/// Qt's own read the beginning of each file to tell what it is, some of them on the window's thread: nobody knows how long that
/// takes of files elsewhere, and of those of the system it may never end.
class NameIcons final : public QObject, public QAbstractFileIconProvider {
 public:
  QIcon icon(IconType type) const override {
    return type == File ? m_file : m_folder;  // all others are opened as folders are
  }
  QIcon icon(const QFileInfo& info) const override { return info.isDir() ? m_folder : m_file; }
  QString type(const QFileInfo& info) const override {
    return info.isDir()              ? tr("Folder")
           : info.suffix().isEmpty() ? tr("File")
                                     : tr("%1 file").arg(info.suffix());
  }

 private:
  const QIcon m_folder = ui::icon("open"), m_file = ui::icon("data");
};

/// Gives a dialog its icons while it is made: it looks at its folder before its constructor ends.
class IconGiver final : public QObject {
 public:
  explicit IconGiver(QAbstractFileIconProvider& icons) : m_icons(icons) { qApp->installEventFilter(this); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    // Of its parts the list of files comes first, and what follows tells that it is there.
    if (event->type() == QEvent::ChildAdded && qobject_cast<QFileDialog*>(watched))
      if (auto* const files = watched->findChild<QFileSystemModel*>()) files->setIconProvider(&m_icons);
    return false;
  }

 private:
  QAbstractFileIconProvider& m_icons;
};

template <class Dialog>
Dialog* dialogWithIcons(QWidget* parent, const QString& title, const QString& folder) {
  auto* const icons = new NameIcons;
  const IconGiver giver(*icons);
  auto* const dialog = new Dialog(parent, title, folder);
  dialog->setOption(QFileDialog::DontUseNativeDialog);
  icons->setParent(dialog);  // goes after what asks it: children go in the order in which they came
  return dialog;
}

/// As a dialog does itself when something was chosen in it.
void endWith(QFileDialog& dialog, const QStringList& chosen) {
  emit dialog.filesSelected(chosen);
  emit dialog.fileSelected(chosen.front());
  dialog.QDialog::accept();
}

/// For a folder to write to, which is made where there is none of the name that was typed.
class FolderDialog final : public QFileDialog {
 public:
  using QFileDialog::QFileDialog;
  /// Qt's own has nothing to choose then.
  void takeNewNames() {
    const auto* const name = findChild<QLineEdit*>();
    const auto* const buttons = findChild<QDialogButtonBox*>();
    if (!name || !buttons || buttons->buttons().isEmpty()) return;
    QAbstractButton* const choose = buttons->buttons().front();
    // After the dialog itself has looked at the name.
    connect(
        name, &QLineEdit::textChanged, this,
        [=, this] {
          if (!newFolder().isEmpty()) choose->setEnabled(true);
        },
        Qt::QueuedConnection);
  }

 protected:
  void accept() override {
    const QString folder = newFolder();
    if (folder.isEmpty() || !QDir().mkdir(folder)) return QFileDialog::accept();
    endWith(*this, {folder});  // the dialog would have to see the new folder in its list first
  }

 private:
  /// Only one at a time: of a longer path that is not there something is probably misspelt.
  QString newFolder() const {
    const auto* const name = findChild<QLineEdit*>();
    if (!name || name->text().isEmpty()) return {};
    const QFileInfo named(directory().absoluteFilePath(name->text()));
    return !named.exists() && named.dir().exists() ? named.absoluteFilePath() : QString();
  }
};

/// For files, patterns that find some, and folders that are one data set.
class OpenDialog final : public QFileDialog {
 public:
  using QFileDialog::QFileDialog;
  /// Qt's own has nothing to open in them.
  void takeFolders() {
    const auto* const name = findChild<QLineEdit*>();
    const auto* const buttons = findChild<QDialogButtonBox*>();
    if (!name || !buttons || buttons->buttons().isEmpty()) return;
    const auto look = [this, open = buttons->buttons().front()] {
      if (!folderOfData().isEmpty() || !namesWithPatterns().isEmpty()) open->setEnabled(true);
    };
    // After the dialog itself has looked.
    connect(name, &QLineEdit::textChanged, this, look, Qt::QueuedConnection);
    connect(this, &QFileDialog::directoryEntered, this, look, Qt::QueuedConnection);
    QMetaObject::invokeMethod(this, look, Qt::QueuedConnection);
  }

 protected:
  void accept() override {
    if (const QString folder = folderOfData(); !folder.isEmpty()) return endWith(*this, {folder});
    if (const QStringList names = namesWithPatterns(); !names.isEmpty()) return takePatterns(names);
    if (const QStringList files = filesBesideFolders(); !files.isEmpty()) {
      emit filesSelected(files);
      return QDialog::accept();
    }
    QFileDialog::accept();
  }

 private:
  /// That are marked together with folders, which a range of rows takes in: Qt's own goes into these, and opens nothing.
  QStringList filesBesideFolders() const {
    const auto* const list = findChild<QListView*>("listView");
    QStringList files;
    bool any = false;
    for (const QModelIndex& row : list ? list->selectionModel()->selectedRows() : QModelIndexList()) {
      const QString path = row.data(QFileSystemModel::FilePathRole).toString();
      if (QFileInfo(path).isDir())
        any = true;
      else
        files.append(path);
    }
    return any ? files : QStringList();
  }
  /// All that is named where a pattern is among it, and several files may be chosen.
  QStringList namesWithPatterns() const {
    const auto* const line = findChild<QLineEdit*>();
    if (!line || fileMode() != QFileDialog::ExistingFiles) return {};
    const QStringList names = pathsIn(*this, line->text());
    return std::any_of(names.begin(), names.end(), app::isPattern) ? names : QStringList();
  }
  /// Once it is known that they find something: their folders may be large, or slow to answer.
  void takePatterns(const QStringList& names) {
    QThreadPool::globalInstance()->start([names, guard = QPointer(this)] {
      const auto none = std::find_if(names.begin(), names.end(), [](const QString& name) {
        return app::isPattern(name) && app::filesOf(name) == QStringList{name};
      });
      const QString missing = none == names.end() ? QString() : *none;
      QMetaObject::invokeMethod(
          qApp,
          [=] {
            if (!guard || !guard->isVisible() || guard->namesWithPatterns() != names) return;
            if (missing.isEmpty()) return endWith(*guard, names);
            auto* const box = new QMessageBox(
                QMessageBox::Warning, guard->windowTitle(),
                QFileDialog::tr("%1\nFile not found.\nPlease verify the correct file name was given.")
                    .arg(missing),
                QMessageBox::Ok, guard);
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->open();
          },
          Qt::QueuedConnection);
    });
  }
  /// That is named, or that is shown where nothing is.
  QString folderOfData() const {
    const auto* const name = findChild<QLineEdit*>();
    const QString named = directory().absoluteFilePath(name ? name->text() : QString());
    const bool isData = QFileInfo(named).isDir() && app::kindOf(named) == app::FileKind::Data;
    return isData ? QDir::cleanPath(named) : QString();
  }
};

template <class Dialog = QFileDialog>
Dialog* makeDialog(QWidget* parent, app::Settings& settings, const QString& title, const QString& folder) {
  QString begin = QDir::homePath();
  // Data may lie where nobody may write.
  for (const QString& each :
       {QString::fromUtf8(settings.windowLayout(kWrittenTo)), folder, settings.lastFolder()})
    if (!each.isEmpty() && QFileInfo(each).isWritable()) {
      begin = each;
      break;
    }
  auto* const dialog = dialogWithIcons<Dialog>(parent, title, begin);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  const QFontMetrics letters = dialog->fontMetrics();
  keepSize(*dialog, settings, "files.write", {letters.averageCharWidth() * 110, letters.height() * 28});
  return dialog;
}

/// Sizes and dates are seen whole, names have the rest; what kind a file is, its name says.
void showColumnsWhole(QFileDialog& dialog) {
  auto* const list = dialog.findChild<QTreeView*>("treeView");
  if (!list) return;
  constexpr int kKind = 2, kLooksAt = 100;
  QHeaderView* const header = list->header();
  header->setResizeContentsPrecision(kLooksAt);  // rows: a folder may have many thousands
  header->setStretchLastSection(false);
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(0, QHeaderView::Stretch);
  list->setColumnHidden(kKind, true);
}

/// The dialog chooses in its list what is typed, and writes what is chosen there into the line: meant for clicks, but done
/// whenever its window is not yet, or no longer, the active one; each folder of a path is chosen beside those before, and Return
/// takes the first. What is typed goes before what follows from it.
void keepWhatIsTyped(QFileDialog& dialog) {
  auto* const line = dialog.findChild<QLineEdit*>("fileNameEdit");
  if (!line) return;
  struct Typed {
    QString text;
    int cursor = 0;
    bool goesOn = false;
  };
  const auto typed = std::make_shared<Typed>();
  QObject::connect(line, &QLineEdit::textEdited, line, [line, typed](const QString& text) {
    *typed = {text, line->cursorPosition(), true};
  });
  // Before the line takes it.
  const auto complete = [typed](const QString& text) {
    typed->text = text;
    typed->cursor = static_cast<int>(text.size());
  };
  if (const QCompleter* const completer = line->completer()) {
    QObject::connect(completer, qOverload<const QString&>(&QCompleter::activated), line, complete);
    QObject::connect(completer, qOverload<const QString&>(&QCompleter::highlighted), line, complete);
  }
  auto* const list = dialog.findChild<QListView*>("listView");
  QObject::connect(line, &QLineEdit::textChanged, line, [line, typed, list](const QString& text) {
    if (!typed->goesOn) return;
    if (text.isEmpty()) {  // it was taken: a folder, which the dialog has gone to
      typed->goesOn = false;
      return;
    }
    if (text != typed->text) {
      const QSignalBlocker quiet(line);  // it would be chosen in the list once more
      line->setText(typed->text);
      line->setCursorPosition(typed->cursor);
    }
    if (list && !line->hasFocus()) list->selectionModel()->clearSelection();
  });
  // Names that are offered for a folder which has been gone to lie over its list, and take the first click there.
  const auto shut = [line] {
    if (line->text().isEmpty() && line->completer()) line->completer()->popup()->hide();
  };
  QObject::connect(&dialog, &QFileDialog::directoryEntered, line, shut, Qt::QueuedConnection);
  if (const auto* const files = dialog.findChild<QFileSystemModel*>())
    QObject::connect(files, &QFileSystemModel::directoryLoaded, line, shut, Qt::QueuedConnection);
  // Who goes to the list, or to a button, has typed enough.
  QObject::connect(qApp, &QApplication::focusChanged, line, [line, typed, &dialog](QWidget*, QWidget* now) {
    if (now && now != line && dialog.isAncestorOf(now)) typed->goesOn = false;
  });
}

QStringList askedFor(const app::Settings& settings) {
  return QString::fromUtf8(settings.windowLayout(kAskedFor)).split('\n', Qt::SkipEmptyParts);
}

/// Others may still be on their way.
void noteAskedFor(app::Settings& settings, const QString& path) {
  QStringList all = askedFor(settings);
  all.removeAll(path);
  all.append(path);
  settings.setWindowLayout(kAskedFor,
                           all.mid(std::max<qsizetype>(0, all.size() - kMostAskedFor)).join('\n').toUtf8());
}

}  // namespace

void askForNewFile(QWidget* parent, app::Settings& settings, const NewFile& file,
                   std::function<void(const QString& path)> chosen, std::function<void()> givenUp) {
  QFileDialog* const dialog = makeDialog(parent, settings, file.title, file.folder);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilter(file.filter);
  dialog->setDefaultSuffix(file.suffix);
  prepareFileDialog(*dialog);
  dialog->selectFile(file.name);
  // Where there is one ending the dialog gives it to names without any; "run1.v2" is to have it, too.
  const QString ending = file.filter.count('*') == 1 ? '.' + file.suffix : QString();
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [parent, &settings, ending, chosen = std::move(chosen), givenUp](const QString& named) {
                     const bool lacks = !named.endsWith(ending, Qt::CaseInsensitive);
                     const QString path = lacks ? named + ending : named;
                     noteAskedFor(settings, path);
                     if (lacks)
                       askToReplace(
                           parent, {path}, [chosen, path] { chosen(path); }, givenUp);
                     else
                       chosen(path);
                   });
  if (givenUp) QObject::connect(dialog, &QFileDialog::rejected, parent, std::move(givenUp));
  dialog->open();
}

void askForFolder(QWidget* parent, app::Settings& settings, const QString& title, const QString& folder,
                  std::function<void(const QString& folder)> chosen) {
  auto* const dialog = makeDialog<FolderDialog>(parent, settings, title, folder);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->takeNewNames();
  prepareFileDialog(*dialog);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [&settings, chosen = std::move(chosen)](const QString& path) {
                     noteAskedFor(settings, path);
                     chosen(path);
                   });
  dialog->open();
}

void noteWritten(app::Settings& settings, const QString& path) {
  const QString folder = QFileInfo(path).absolutePath();
  for (const QString& asked : askedFor(settings))
    if (path == asked || folder == asked)
      settings.setWindowLayout(kWrittenTo,
                               (QFileInfo(asked).isDir() ? asked : QFileInfo(asked).absolutePath()).toUtf8());
}

void askForFile(QWidget* parent, const QString& title, const QString& folder, const QString& filter,
                std::function<void(const QString& path)> chosen) {
  QFileDialog* const dialog = newFileDialog(parent, title, folder);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilter(filter);
  prepareFileDialog(*dialog);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(chosen));
  dialog->open();
}

void askToReplace(QWidget* parent, const QStringList& paths, std::function<void()> replace,
                  std::function<void()> keep) {
  QStringList there;
  for (const QString& path : paths)
    if (QFileInfo::exists(path)) there.append(QFileInfo(path).fileName());
  if (there.isEmpty()) return replace();
  const auto count = static_cast<int>(there.size());
  const QString folder = QFileInfo(paths.front()).absolutePath();
  auto* const box =
      new QMessageBox(QMessageBox::Warning, QObject::tr("Farfield"),
                      count == 1 ? QObject::tr("%1 is there already. Replace it?").arg(there.front())
                                 : QObject::tr("%1 of the files are there already. Replace them?").arg(count),
                      QMessageBox::NoButton, parent);
  box->setObjectName("replaceFiles");
  if (count > kMostNamed)
    there = there.first(kMostNamed - 1) << QObject::tr("and %1 more").arg(count - kMostNamed + 1);
  box->setInformativeText(count == 1 ? QObject::tr("In %1.").arg(folder)
                                     : QObject::tr("In %1: %2.").arg(folder, there.join(", ")));
  QPushButton* const yes = box->addButton(QObject::tr("&Replace"), QMessageBox::AcceptRole);
  QPushButton* const no = box->addButton(QMessageBox::Cancel);
  // Return alone loses nothing.
  box->setDefaultButton(no);
  box->setEscapeButton(no);
  box->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(box, &QMessageBox::finished, parent,
                   [box, yes, replace = std::move(replace), keep = std::move(keep)] {
                     if (box->clickedButton() == yes)
                       replace();
                     else if (keep)
                       keep();
                   });
  box->open();
}

QFileDialog* newOpenDialog(QWidget* parent, const QString& title, const QString& folder) {
  auto* const dialog = dialogWithIcons<OpenDialog>(parent, title, folder);
  dialog->setFileMode(QFileDialog::ExistingFiles);
  dialog->takeFolders();
  return dialog;
}

QFileDialog* newFileDialog(QWidget* parent, const QString& title, const QString& folder) {
  auto* const dialog = dialogWithIcons<QFileDialog>(parent, title, folder);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  return dialog;
}

void keepSize(QFileDialog& dialog, app::Settings& settings, const QString& kind, QSize first) {
  const QList<QByteArray> kept = settings.windowLayout(kind).split('x');
  const QSize last = kept.size() == 2 ? QSize(kept[0].toInt(), kept[1].toInt()) : QSize();
  // Never smaller than what is in it needs, which the layout sees to.
  dialog.resize((last.isEmpty() ? first : last).boundedTo(dialog.screen()->availableSize()));
  QObject::connect(&dialog, &QDialog::finished, &dialog, [&dialog, &settings, kind] {
    if (dialog.isMaximized()) return;
    settings.setWindowLayout(kind,
                             QByteArray::number(dialog.width()) + 'x' + QByteArray::number(dialog.height()));
  });
}

void prepareFileDialog(QFileDialog& dialog) {
  new FocusMark(&dialog);  // of its lists, as of the window's
  showColumnsWhole(dialog);
  keepWhatIsTyped(dialog);
}

}  // namespace farfield::ui
