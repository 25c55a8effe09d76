#include "app/ui/window/application.h"

#include <QApplication>
#include <QDir>
#include <QIcon>
#include <QTimer>
#include <algorithm>

#include "app/ui/widgets/look.h"
#include "app/ui/window/display.h"
#include "app/ui/window/ending_signals.h"
#include "app/ui/window/main_window.h"
#include "core/base/log.h"
#include "core/base/machine.h"
#include "render/qt3d/viewport.h"

namespace farfield::ui {
namespace {

/// An exception that leaves an event handler would end the program and the work in it.
class Application final : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override {
    try {
      return QApplication::notify(receiver, event);
    } catch (const std::exception& error) {
      log::warning(std::string("something went wrong in the window: ") + error.what());
      return true;
    }
  }
};

}  // namespace

int runApplication(const ApplicationStart& start, app::AppParts parts) {
  requireDisplay();
  qt3d::prepareEnvironment();
  int count = 1;
  char name[] = "farfield";
  char* words[] = {name, nullptr};
  Application application(count, words);
  QApplication::setApplicationName("farfield");
  QApplication::setApplicationDisplayName("Farfield");
  QApplication::setApplicationVersion(FARFIELD_VERSION);
  QApplication::setDesktopFileName("farfield");
  QApplication::setWindowIcon(applicationIcon());
  app::AppModel model(std::move(parts));
  if (start.memoryBytes) model.engine().setMemoryBytes(std::min(*start.memoryBytes, machineMemoryBytes()));
  applyTheme(model.settings().theme());
  MainWindow window(model);
  window.show();
  doBeforeEndingSignals(&window, [&] { model.recovery().keepNow(); });
  model.watchdog().start();
  QTimer::singleShot(0, &window, [&] {
    QStringList files;
    for (const std::string& path : start.paths) files.append(QString::fromStdString(path));
    window.openPaths(files);
    window.offerLeftWork(files.isEmpty() ? MainWindow::Offer::AsQuestion : MainWindow::Offer::AsNotice);
  });
  return QApplication::exec();
}

}  // namespace farfield::ui
