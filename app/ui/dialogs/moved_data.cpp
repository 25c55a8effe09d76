#include "app/ui/dialogs/moved_data.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/model/app_model.h"
#include "app/model/workshop/moved_files.h"
#include "app/ui/dialogs/file_dialogs.h"

namespace farfield::ui {
namespace {

/// Grid and solution may both have moved: either says where the other is.
QString titleOf(const std::vector<std::string>& missing) {
  QStringList names;
  for (const std::string& name : missing) names.append(QFileInfo(QString::fromStdString(name)).fileName());
  return names.size() == 1
             ? QCoreApplication::translate("MovedData", "Where %1 is now").arg(names[0])
             : QCoreApplication::translate("MovedData", "Where %1 or %2 is now").arg(names[0], names[1]);
}

void choose(QWidget* parent, app::AppModel& model, const std::string& dataName,
            const std::vector<std::string>& allMissing, const QString& folder) {
  const std::string missing = allMissing.front();
  QFileDialog* const dialog = newOpenDialog(parent, titleOf(allMissing), folder);
  dialog->setObjectName("chooseMoved");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setNameFilter(QCoreApplication::translate("MovedData", "All files (*)"));
  prepareFileDialog(*dialog);
  QObject::connect(dialog, &QFileDialog::fileSelected, &model,
                   [&model, dataName, missing](const QString& file) {
                     const auto moved = std::make_shared<std::map<std::string, std::string>>();
                     model.files().look(
                         [=, session = model.document().session()] {
                           *moved = app::movedNames(session, missing, file.toStdString());
                         },
                         [=, &model] { app::takeMoved(model.document(), dataName, *moved); });
                   });
  dialog->open();
}

}  // namespace

void askForMovedData(QWidget* parent, app::AppModel& model, const std::string& dataName) {
  const auto missing = std::make_shared<std::vector<std::string>>();
  const auto folder = std::make_shared<QString>();
  model.files().look(
      [=, session = model.document().session(), begin = model.settings().lastFolder()] {
        if (const session::DataSource* const source = session.find(dataName))
          *missing = app::firstNotThere(session, *source);
        if (missing->empty()) return;
        // Where it was, if only its name is another, or else where one was last.
        const QString before = QFileInfo(QString::fromStdString(missing->front())).absolutePath();
        *folder = QFileInfo(before).isDir() ? before : begin;
      },
      [=, &model, guard = QPointer(parent)] {
        if (!guard) return;
        if (missing->empty()) return model.stage().retryOpening(dataName);
        choose(guard, model, dataName, *missing, *folder);
      });
}

}  // namespace farfield::ui
