#include "app/ui/application.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QApplication>
#include <QDir>
#include <QIcon>
#include <QTimer>
#include <cstdlib>
#include <cstring>

#include "app/ui/look.h"
#include "app/ui/main_window.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "render/qt3d/viewport.h"

namespace farfield::ui {
namespace {

bool isSet(const char* name) {
  const char* const value = std::getenv(name);
  return value && *value;
}

/// Whether somebody answers at the display ":7". Displays of other machines are taken for granted.
bool answers(const std::string& display) {
  const std::size_t colon = display.rfind(':');
  if (colon == std::string::npos) return false;
  if (colon != 0 && display.compare(0, colon, "unix") != 0) return true;
  const std::string number = display.substr(colon + 1, display.find('.', colon) - colon - 1);
  const std::string path = "/tmp/.X11-unix/X" + number;
  for (const bool abstract : {false, true}) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() + 2 > sizeof address.sun_path) return false;
    std::memcpy(address.sun_path + (abstract ? 1 : 0), path.data(), path.size());
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return true;
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
    const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), length) == 0;
    ::close(socket);
    if (connected) return true;
  }
  return false;
}

/// Qt ends the program with a page of advice where there is no display; a sentence is better.
void requireDisplay() {
  if (isSet("QT_QPA_PLATFORM") || isSet("WAYLAND_DISPLAY")) return;
  const char* const advice =
      "run it in a desktop session or with ssh -X, or draw without a display: farfield batchvis SESSION";
  if (!isSet("DISPLAY")) throw Unsupported("there is no display to open a window on", advice);
  if (!answers(std::getenv("DISPLAY")))
    throw Unsupported("nobody answers at the display " + std::string(std::getenv("DISPLAY")), advice);
}

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

int runApplication(const std::vector<std::string>& paths, app::AppParts parts) {
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
  applyTheme(model.settings().theme());
  MainWindow window(model);
  window.show();
  model.watchdog().start();
  QTimer::singleShot(0, &window, [&] {
    QStringList files;
    for (const std::string& path : paths) files.append(QString::fromStdString(path));
    window.openPaths(files);
    window.offerLeftWork(files.isEmpty() ? MainWindow::Offer::AsQuestion : MainWindow::Offer::AsNotice);
  });
  return QApplication::exec();
}

}  // namespace farfield::ui
