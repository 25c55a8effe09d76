#pragma once
// The program as a user has it: a process of its own on a display of the test's own, worked by mouse and keys
// alone, and looked at by what is on the screen and on the disk.

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPoint>
#include <QProcess>
#include <QProcessEnvironment>
#include <QScreen>
#include <QTest>
#include <optional>
#include <utility>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {

/// Only how long a failure takes: the machine may have other things to do.
constexpr int kPatienceMs = 60'000;

/// What mouse and keyboard of the display do.
inline bool act(const QStringList& words) {
  QProcess process;
  process.start(FARFIELD_XDOTOOL, words);
  return process.waitForFinished(kPatienceMs) && process.exitCode() == 0;
}
inline bool press(const QString& keys) {
  return act({"key", "--clearmodifiers", keys});
}
inline bool type(const QString& text) {
  return act({"type", "--delay", "5", "--", text});
}
inline bool moveTo(const QPoint& place) {
  return act({"mousemove", QString::number(place.x()), QString::number(place.y())});
}
inline bool click(const QPoint& place) {
  return moveTo(place) && act({"sleep", "0.1", "click", "1"});
}
/// With the left button from one place to another, slowly enough for everybody to notice.
inline bool dragMouse(const QPoint& from, const QPoint& to) {
  constexpr int kSteps = 12;
  QStringList words{
      "mousemove", QString::number(from.x()), QString::number(from.y()), "sleep", "0.2", "mousedown", "1"};
  for (int n = 1; n <= kSteps; ++n) {
    const QPoint at = from + (to - from) * n / kSteps;
    words += {"sleep", "0.05", "mousemove", QString::number(at.x()), QString::number(at.y())};
  }
  return act(words + QStringList{"sleep", "0.3", "mouseup", "1"});
}

inline QImage screen() {
  return QGuiApplication::primaryScreen()->grabWindow(0).toImage();
}
/// Waits until nothing on the screen changes any more.
inline bool isStill() {
  QImage last;
  return QTest::qWaitFor(
      [&] {
        const QImage before = std::exchange(last, screen());
        QTest::qWait(60);  // longer than the program needs for a picture of something that moves
        return before == last;
      },
      kPatienceMs);
}
/// For whoever wants to see what the test saw: with FARFIELD_SCREENSHOTS naming a folder.
inline void keepScreen(const QString& name) {
  const QString folder = qEnvironmentVariable("FARFIELD_SCREENSHOTS");
  if (!folder.isEmpty() && QDir().mkpath(folder) && isStill()) screen().save(folder + '/' + name + ".png");
}

/// Pixels with the colours of lines in the middle of the screen, above the pictures of the start page.
inline int colouredPixels(const QImage& image) {
  int count = 0;
  for (int y = image.height() / 4; y < 2 * image.height() / 5; ++y)
    for (int x = image.width() / 4; x < 2 * image.width() / 3; ++x) {
      const QColor color = image.pixelColor(x, y);
      count += std::max({color.red(), color.green(), color.blue()}) -
                   std::min({color.red(), color.green(), color.blue()}) >
               60;
    }
  return count;
}

inline QJsonObject readJson(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QJsonDocument::fromJson(file.readAll()).object();
}
inline QJsonObject lastObject(const QString& path) {
  const QJsonArray objects = readJson(path)["objects"].toArray();
  return objects.isEmpty() ? QJsonObject() : objects.last().toObject();
}

/// Waits for a window that is called so and gives it the keyboard.
inline bool focus(const QString& name) {
  QElapsedTimer timer;
  timer.start();
  while (timer.elapsed() < kPatienceMs) {
    if (act({"search", "--onlyvisible", "--name", name, "windowfocus"})) return true;
    QTest::qWait(50);
  }
  return false;
}
inline bool isThere(const QString& name) {
  return act({"search", "--onlyvisible", "--name", name});
}

/// A home of its own for the program, and whatever a test writes.
struct Desk {
  QString at(const QString& name) const {
    return QString::fromStdString((folder / name.toStdString()).string());
  }
  bool start(QProcess& program, const QStringList& arguments) const {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HOME", at("home"));
    for (const char* const name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
      environment.remove(name);
    QDir().mkpath(at("home"));
    program.setProcessEnvironment(environment);
    program.setWorkingDirectory(at("home"));
    program.start(programPath(), arguments);
    return program.waitForStarted(kPatienceMs);
  }
  static bool saveAs(const QString& path) {
    if (!press("ctrl+s") || !focus("Save the session") || !press("ctrl+a") || !type(path) || !press("Return"))
      return false;
    return QTest::qWaitFor([&] { return QFile::exists(path); }, kPatienceMs);
  }

  TemporaryFolder folder;
};

}  // namespace farfield::test
