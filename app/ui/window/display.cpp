#include "app/ui/window/display.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QScreen>
#include <cstdlib>
#include <cstring>

#include "core/base/error.h"
#include "render/qt3d/viewport.h"

namespace farfield::ui {
namespace {

bool isSet(const char* name) {
  const char* const value = std::getenv(name);
  return value && *value;
}

/// Whether a server answers at the display ":7". Displays of other machines are taken for granted.
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

}  // namespace

void requireDisplay() {
  if (isSet("QT_QPA_PLATFORM") || isSet("WAYLAND_DISPLAY")) return;
  const char* const advice =
      "run it in a desktop session or with ssh -X, or draw without a display: farfield batchvis SESSION";
  if (!isSet("DISPLAY")) throw Unsupported("there is no display to open a window on", advice);
  if (!answers(std::getenv("DISPLAY")))
    throw Unsupported("nobody answers at the display " + std::string(std::getenv("DISPLAY")), advice);
}

doctor::DrawingDevice describeDisplay() {
  requireDisplay();
  qt3d::prepareEnvironment();
  int count = 1;
  char name[] = "farfield";
  char* words[] = {name, nullptr};
  QGuiApplication application(count, words);
  doctor::DrawingDevice device;
  device.through = QGuiApplication::platformName().toStdString();
  if (const QScreen* const screen = QGuiApplication::primaryScreen())
    device.through += ", a screen of " + std::to_string(screen->size().width()) + " x " +
                      std::to_string(screen->size().height());
  const auto nothing = [&](const char* what) {
    return Unsupported(std::string(what) + " (" + device.through + ")",
                       "install an OpenGL driver, for example the packages libgl1 and libgl1-mesa-dri");
  };
  QOpenGLContext context;
  QOffscreenSurface surface;
  surface.create();
  if (!context.create() || !context.makeCurrent(&surface)) throw nothing("the display gives no OpenGL");
  const QSurfaceFormat format = context.format();
  if (format.renderableType() == QSurfaceFormat::OpenGLES || format.version() < qMakePair(3, 3))
    throw nothing("the display gives no OpenGL 3.3");
  const auto textOf = [&](GLenum what) {
    const auto* const text = reinterpret_cast<const char*>(context.functions()->glGetString(what));
    return std::string(text ? text : "unknown");
  };
  device.name = textOf(GL_RENDERER);
  device.version = textOf(GL_VERSION);
  context.doneCurrent();
  return device;
}

}  // namespace farfield::ui
