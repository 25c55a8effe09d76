#include "app/ui/file_dialogs.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QTreeView>

#include "app/model/settings.h"

namespace farfield::ui {
namespace {

constexpr const char* kWrittenTo = "written";

QFileDialog* makeDialog(QWidget* parent, app::Settings& settings, const QString& title,
                        const QString& folder) {
  QString begin = QDir::homePath();
  // Data may lie where nobody may write.
  for (const QString& each :
       {QString::fromUtf8(settings.windowLayout(kWrittenTo)), folder, settings.lastFolder()})
    if (!each.isEmpty() && QFileInfo(each).isWritable()) {
      begin = each;
      break;
    }
  auto* const dialog = new QFileDialog(parent, title, begin);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setOption(QFileDialog::DontUseNativeDialog);
  return dialog;
}

void keep(app::Settings& settings, const QString& folder) {
  settings.setWindowLayout(kWrittenTo, folder.toUtf8());
}

}  // namespace

void askForNewFile(QWidget* parent, app::Settings& settings, const NewFile& file,
                   std::function<void(const QString& path)> chosen, std::function<void()> givenUp) {
  QFileDialog* const dialog = makeDialog(parent, settings, file.title, file.folder);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setNameFilter(file.filter);
  dialog->setDefaultSuffix(file.suffix);
  showColumnsWhole(*dialog);
  dialog->selectFile(file.name);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [&settings, chosen = std::move(chosen)](const QString& path) {
                     keep(settings, QFileInfo(path).absolutePath());
                     chosen(path);
                   });
  if (givenUp) QObject::connect(dialog, &QFileDialog::rejected, parent, std::move(givenUp));
  dialog->open();
}

void askForFolder(QWidget* parent, app::Settings& settings, const QString& title, const QString& folder,
                  std::function<void(const QString& folder)> chosen) {
  QFileDialog* const dialog = makeDialog(parent, settings, title, folder);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  showColumnsWhole(*dialog);
  QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                   [&settings, chosen = std::move(chosen)](const QString& path) {
                     keep(settings, path);
                     chosen(path);
                   });
  dialog->open();
}

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

}  // namespace farfield::ui
