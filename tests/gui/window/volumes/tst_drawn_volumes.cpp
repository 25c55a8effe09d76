// Pictures of volumes that are being drawn while the data that they read are removed, read again or closed, and what waits behind them. Needs a display with OpenGL;
// skips where there is none.

#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QThread>
#include <atomic>

#include "app/ui/window/awaited_objects.h"
#include "app/volume_maker.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/volume_sight.h"
#include "tests/gui/window/support/written_files.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// Draws as the program does, but only once it may.
struct HeldPen {
  std::atomic<bool> isHeld{false};
  std::atomic<int> begun{0};

  std::function<void(app::AppParts&)> parts() {
    return [this](app::AppParts& parts) {
      parts.drawImage = [this, draw = parts.drawImage](const scene::Scene& scene, std::array<int, 2> size,
                                                       const std::filesystem::path& path) {
        ++begun;
        for (const QDeadlineTimer patience(kPatienceMs); isHeld && !patience.hasExpired();)
          QThread::msleep(5);
        draw(scene, size, path);
      };
    };
  }
};

}  // namespace

class TestDrawnVolumes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void picturesKeepTheDataThatTheyBeganWith();
  void whatIsLeftOutIsNotWritten();
  void norIsGeometry();
  void filmsMoveNoView();
};

void TestDrawnVolumes::initTestCase() {
  skipWithoutOpenGl();
}

/// Whatever becomes of these meanwhile.
void TestDrawnVolumes::picturesKeepTheDataThatTheyBeganWith() {
  HeldPen pen;
  Studio studio({1024, 700}, {}, app::volumeMaker({}), nullptr, pen.parts());
  const auto let = qScopeGuard([&] { pen.isHeld = false; });
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  const std::string data = studio.session().data.front().name;
  const auto isThere = [&] { return !studio.window.findChild<ui::PendingFile*>(); };
  exportAs(studio, "wanted.png");
  QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
  const QImage wanted(studio.at("wanted.png"));
  QVERIFY(!wanted.isNull());
  const auto drawWhile = [&](const char* name, const std::function<void()>& something) {
    pen.isHeld = true;
    const int before = pen.begun;
    exportAs(studio, name);
    QTRY_VERIFY_WITH_TIMEOUT(pen.begun > before, kPatienceMs);
    something();
    pen.isHeld = false;
    QTRY_VERIFY_WITH_TIMEOUT(isThere(), kPatienceMs);
    QVERIFY2(QFile::exists(studio.at(name)), qPrintable(studio.window.statusBar()->currentMessage()));
    QCOMPARE(QImage(studio.at(name)), wanted);
  };
  const auto isSeen = [&] { return studio.rests() && studio.stateOf(id) == app::ObjectState::Done; };
  drawWhile("again.png", [&] {
    const QSignalSpy read(&studio.model.stage(), &app::Stage::dataReadAgain);
    studio.model.stage().readAgain(data);
    QTRY_VERIFY_WITH_TIMEOUT(read.count() == 1 && isSeen(), kPatienceMs);
  });
  drawWhile("undone.png", [&] {
    studio.model.document().removeData(data);
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
    // They have been closed by the time that something else is there.
    studio.model.open({"sample://abc?size=9"});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().data.size() == 1, kPatienceMs);
    for (int steps = 0; steps < 8 && !studio.model.document().object(id); ++steps) studio.trigger("undo");
    QTRY_VERIFY_WITH_TIMEOUT(studio.model.document().object(id) && isSeen(), kPatienceMs);
  });
  drawWhile("removed.png", [&] {
    studio.model.document().removeData(data);
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  });
}

/// Who is asked, and says so.
void TestDrawnVolumes::whatIsLeftOutIsNotWritten() {
  HeldPen pen;
  Studio studio({1024, 700}, {}, app::volumeMaker({}), nullptr, pen.parts());
  const auto let = qScopeGuard([&] { pen.isHeld = false; });
  addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  pen.isHeld = true;
  exportAs(studio, "left.png");
  QTRY_COMPARE_WITH_TIMEOUT(pen.begun.load(), 1, kPatienceMs);
  studio.trigger("new");
  auto* const asked = studio.child<QMessageBox>("unwritten");
  QVERIFY(asked);
  buttonOf(*asked, QMessageBox::DestructiveRole)->click();
  if (auto* const save = studio.child<QMessageBox>("saveChanges"))
    save->button(QMessageBox::Discard)->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().data.empty() && studio.rests(), kPatienceMs);
  // The data have gone by then, and are not kept for it.
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  pen.isHeld = false;
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<ui::PendingFile*>(), kPatienceMs);
  QVERIFY(!QFile::exists(studio.at("left.png")));
  QVERIFY2(studio.window.statusBar()->currentMessage().contains("left.png is not written"),
           qPrintable(studio.window.statusBar()->currentMessage()));
}

/// That of two objects, behind a picture that is drawn before them. One has a file of before, which stays.
void TestDrawnVolumes::norIsGeometry() {
  HeldPen pen;
  Studio studio({1024, 700}, {}, app::volumeMaker({}), nullptr, pen.parts());
  const auto let = qScopeGuard([&] { pen.isHeld = false; });
  QVERIFY(opens(studio, "sample://abc?size=9"));
  QVERIFY(studio.session().objects.size() > 1);
  const QString folder = studio.at("geometry"), before = folder + "/outline.vtp";
  QVERIFY(QDir().mkpath(folder));
  QFile file(before);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write("of before") > 0);
  file.close();
  pen.isHeld = true;
  exportAs(studio, "left.png");
  QTRY_COMPARE_WITH_TIMEOUT(pen.begun.load(), 1, kPatienceMs);
  studio.trigger("exportGeometry");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  auto* const files = studio.child<QFileDialog>({});
  files->setDirectory(folder);
  files->selectFile(folder);
  QMetaObject::invokeMethod(files, "accept");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("replaceFiles"), kPatienceMs);
  buttonOf(*studio.child<QMessageBox>("replaceFiles"), QMessageBox::AcceptRole)->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChildren<ui::PendingFile*>().size() > 2, kPatienceMs);
  studio.trigger("new");
  auto* const asked = studio.child<QMessageBox>("unwritten");
  QVERIFY(asked);
  buttonOf(*asked, QMessageBox::DestructiveRole)->click();
  if (auto* const save = studio.child<QMessageBox>("saveChanges"))
    save->button(QMessageBox::Discard)->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().data.empty() && studio.rests(), kPatienceMs);
  pen.isHeld = false;
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<ui::PendingFile*>(), kPatienceMs);
  QCOMPARE(filesIn(folder, "*"), QStringList{"outline.vtp"});
  QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll() == "of before");
  QVERIFY2(studio.window.statusBar()->currentMessage().contains("is not written: it was left out"),
           qPrintable(studio.window.statusBar()->currentMessage()));
}

/// Who is asked something while a turn is drawn sees behind the question what was seen before.
void TestDrawnVolumes::filmsMoveNoView() {
  HeldPen pen;
  Studio studio({1024, 700}, {}, app::volumeMaker({}), nullptr, pen.parts());
  const auto let = qScopeGuard([&] { pen.isHeld = false; });
  addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  const auto seen = [&] { return studio.window.viewport().grab().toImage(); };
  const scene::Camera camera = studio.window.viewport().camera();
  // Once it is as sharp as it becomes, which does not change any more.
  QImage before;
  for (int same = 0, tries = 0; same < 8 && tries < 300; ++tries) {
    QTest::qWait(200);
    const QImage now = seen();
    same = now == before ? same + 1 : 0;
    before = now;
  }
  const QString folder = studio.at("turn");
  QVERIFY(QDir().mkpath(folder));
  pen.isHeld = true;
  studio.window.exportAnimationTo(folder, shortTurn(8));
  QTRY_COMPARE_WITH_TIMEOUT(pen.begun.load(), 1, kPatienceMs);
  studio.trigger("new");
  QVERIFY(studio.child<QMessageBox>("saveChanges"));
  pen.isHeld = false;
  for (int begun = 1; begun < 8; begun = pen.begun) {
    QCOMPARE(seen(), before);
    QTRY_VERIFY_WITH_TIMEOUT(pen.begun > begun, kPatienceMs);
  }
  QTRY_COMPARE_WITH_TIMEOUT(filesIn(folder, "*.png").size(), 8, kPatienceMs);
  QVERIFY(QImage(folder + '/' + filesIn(folder, "*.png")[0]) !=
          QImage(folder + '/' + filesIn(folder, "*.png")[3]));
  QCOMPARE(seen(), before);
  QVERIFY(studio.window.viewport().camera() == camera);
  studio.child<QMessageBox>("saveChanges")->reject();
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestDrawnVolumes test;
  return QTest::qExec(&test, count, words);
}
#include "tst_drawn_volumes.moc"
