// The main states of the window, as pictures. With FARFIELD_SCREENSHOTS naming a folder they are written
// there: so the pictures of the user guide are made (docs/user/take_screenshots). Without, it checks that
// every state can be reached and shows what it is about.

#include <QDir>
#include <QDockWidget>
#include <QLineEdit>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStandardPaths>
#include <QTreeWidget>

#include "app/ui/animation_dialog.h"
#include "app/ui/command_palette.h"
#include "app/ui/connect_dialog.h"
#include "tests/gui/window/remote_readers.h"
#include "tests/gui/window/studio.h"
#include "tests/remote/server_process.h"

using namespace farfield;
using namespace farfield::test;

class TestScreenshots : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void guide();

 private:
  /// The window with `over`, a window of its own, at its place on it.
  void take(Studio& studio, const QString& name, QWidget* over = nullptr);
  void settle(Studio& studio);
  /// Data on another machine, looked for and opened.
  void connectDialog(Studio& studio);
};

void TestScreenshots::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestScreenshots::settle(Studio& studio) {
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  // What is shown is what there is to be shown, in full detail and with its legends.
  const auto shown = [&] {
    return studio.window.viewport().grab().toImage().convertToFormat(QImage::Format_RGB32) ==
           studio.picture().convertToFormat(QImage::Format_RGB32);
  };
  QTRY_VERIFY_WITH_TIMEOUT(shown(), kPatienceMs);
}

void TestScreenshots::take(Studio& studio, const QString& name, QWidget* over) {
  QImage image = studio.window.grab().toImage().convertToFormat(QImage::Format_RGB32);
  if (over) {
    QPainter painter(&image);
    const QPoint at = over->mapToGlobal(QPoint(0, 0)) - studio.window.mapToGlobal(QPoint(0, 0));
    painter.setPen(QColor(128, 128, 128));
    painter.drawRect(QRect(at, over->size()).adjusted(-1, -1, 0, 0));
    painter.drawPixmap(at, over->grab());
  }
  const QString folder = qEnvironmentVariable("FARFIELD_SCREENSHOTS");
  if (folder.isEmpty()) return;
  QVERIFY(QDir().mkpath(folder));
  QVERIFY(image.save(folder + '/' + name + ".png"));
}

void TestScreenshots::connectDialog(Studio& studio) {
  studio.model.document().clear();
  const QString data = studio.at("runs");
  QVERIFY(QDir().mkpath(data + "/wing/deep") && QDir().mkpath(studio.at("server")));
  const auto sample = [&](const QStringList& words) { return runFarfield(QStringList{"sample"} + words).status; };
  QCOMPARE(sample({"cylinder", "-o", data + "/wing/cylinder.h5", "--size", "48,40,20", "--format", "farfield"}), 0);
  QCOMPARE(sample({"tornado", "-o", data + "/wing/tornado", "--size", "33,33,33", "--format", "plot3d"}), 0);
  // The usual port where it is free: the picture is to look the same.
  auto server = std::make_unique<ServerProcess>(QStringList{"--root", data, "--listen", "127.0.0.1:4780"},
                                                studio.at("server"));
  if (server->address.isEmpty())
    server = std::make_unique<ServerProcess>(QStringList{"--root", data}, studio.at("server"));
  QVERIFY(!server->address.isEmpty());
  studio.model.settings().addPlace("s3://flows/wing.h5");
  studio.model.settings().addPlace("far+ssh://me@cluster/data/flows/");
  studio.model.settings().addPlace("far://cluster:4780/runs/");
  studio.trigger("connect");
  auto* const dialog = studio.window.findChild<ui::ConnectDialog*>();
  QVERIFY(dialog);
  dialog->goTo("far://" + server->address + "/wing/cylinder.h5");
  auto* const folder = dialog->findChild<QTreeWidget*>("connect.folder");
  QTRY_COMPARE_WITH_TIMEOUT(folder->topLevelItemCount(), 4, kPatienceMs);
  QTest::qWait(200);
  take(studio, "connect", dialog);
  QTest::mouseClick(dialog->findChild<QPushButton>("connect.open"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  settle(studio);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QLabel>("link")->text().isEmpty(), kPatienceMs);
  take(studio, "remote");
  studio.model.document().clear();
}

void TestScreenshots::guide() {
  Studio studio({1280, 820}, {}, {}, remoteReaders());
  ui::MainWindow& window = studio.window;
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  QTest::qWait(200);
  take(studio, "start");

  studio.model.open({"sample://cylinder"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  settle(studio);
  take(studio, "opened");

  studio.trigger("addStreamlines");
  const app::ObjectId lines = studio.newest();
  session::Object object = *studio.model.document().object(lines);
  object.name = "rake";
  object.color.by = "pressure";
  auto& its = std::get<session::Streamlines>(object.shape);
  its.seeds = session::LineSeeds{{-6, -4, 2}, {-6, 4, 2}, 40};
  studio.model.document().setObject(lines, object, "Rake");
  studio.model.document().edit("Hide", [&](app::Draft& draft) {
    draft.object(studio.model.document().objectIds()[1]).visible = false;
  });
  settle(studio);
  take(studio, "rake");

  studio.trigger("addSlice");
  studio.model.document().edit("Both", [&](app::Draft& draft) {
    draft.object(studio.newest()).color.by = "pressure";
    draft.object(studio.newest()).color.map.name = "cool-warm";
  });
  settle(studio);
  take(studio, "slice");
  studio.trigger("undo");
  studio.trigger("undo");
  studio.window.pipeline().selectData("cylinder");
  settle(studio);
  take(studio, "data");

  studio.trigger("palette");
  auto* const palette = window.findChild<ui::CommandPalette*>();
  QVERIFY(palette);
  QTest::keyClicks(palette->findChild<QLineEdit*>(), "view");
  QTest::qWait(200);
  take(studio, "palette", palette);
  palette->close();

  studio.trigger("exportAnimation");
  auto* const animation = window.findChild<ui::AnimationDialog*>();
  QVERIFY(animation);
  QTest::qWait(200);
  take(studio, "animation", animation);
  animation->reject();

  connectDialog(studio);
  studio.trigger("theme");
  studio.model.open({"sample://taylor-green?steps=12"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  studio.model.document().edit("Dark", [](app::Draft& draft) {
    draft.frame().image.background = {0.09f, 0.1f, 0.12f, 1};
  });
  studio.model.stage().setStep(6);
  settle(studio);
  take(studio, "time");
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestScreenshots test;
  return QTest::qExec(&test, count, words);
}
#include "tst_screenshots.moc"
