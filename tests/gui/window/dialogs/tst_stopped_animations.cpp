// Animations that are stopped and go on, and quitting while they are written. Needs a display with OpenGL; skips where there is none.

#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QProgressDialog>
#include <QPushButton>
#include <QStandardPaths>
#include <QThread>
#include <QUndoStack>
#include <atomic>
#include <optional>

#include "app/ui/dialogs/animation_dialog.h"
#include "app/ui/widgets/notice_bar.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/written_files.h"

using namespace farfield;
using namespace farfield::test;

namespace {

using Kind = ui::AnimationChoice::Kind;

/// Draws as the program does, and can be held before a picture.
struct HeldPen {
  std::atomic<int> begun{0}, holdsAt{-1};

  std::function<void(app::AppParts&)> parts() {
    return [this](app::AppParts& parts) {
      parts.drawImage = [this, draw = parts.drawImage](const scene::Scene& scene, std::array<int, 2> size,
                                                       const std::filesystem::path& path) {
        // Small pictures of kept views are of no interest.
        if (path.string().find("_turn_") != std::string::npos) {
          const int number = begun++;
          QDeadlineTimer patience(kPatienceMs);
          while (number == holdsAt && !patience.hasExpired()) QThread::msleep(5);
        }
        draw(scene, size, path);
      };
    };
  }
};

}  // namespace

class TestStoppedAnimations : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void stoppedTurnsGoOn();
  void stoppedStepsGoOn();
  void stoppedOnceNothingIsOpen();
  void stepsStoppedByQuittingLeavePicturesAlone();
  void quittingAsksAboutWhatIsWritten();
  void whoQuitsDoesSoOnceAllIsWritten();
};

void TestStoppedAnimations::initTestCase() {
  skipWithoutOpenGl();
}

void TestStoppedAnimations::stoppedTurnsGoOn() {
  HeldPen pen;
  Studio studio({1280, 800}, {}, {}, nullptr, pen.parts());
  QVERIFY(opens(studio, "sample://cylinder"));
  const QString folder = studio.at("turn");
  QVERIFY(QDir().mkpath(folder));
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  auto* const goOn = studio.child<QPushButton>("notice.button");
  pen.holdsAt = 2;
  studio.window.exportAnimationTo(folder, shortTurn(6));
  QTRY_COMPARE_WITH_TIMEOUT(pen.begun.load(), 3, kPatienceMs);
  QTest::mouseClick(studio.child<QProgressDialog>("animationJob")->findChild<QPushButton*>(), Qt::LeftButton);
  pen.holdsAt = -1;
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
  // The one that was being drawn is stopped as well.
  QVERIFY2(notice->text().contains("2 of 6"), qPrintable(notice->text()));
  QCOMPARE(filesIn(folder, "*.png").size(), 2);

  // What shows something else is not mixed with them.
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QTest::mouseClick(goOn, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("warning"), kPatienceMs);
  studio.child<QMessageBox>("warning")->accept();
  QCOMPARE(pen.begun.load(), 3);
  studio.model.document().undoStack().undo();
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);

  QVERIFY(notice->isVisible());
  QTest::mouseClick(goOn, Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(filesIn(folder, "*.png").size(), 6, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animationJob"), kPatienceMs);
  QCOMPARE(pen.begun.load(), 7);  // none that was whole was drawn twice
  QVERIFY(!notice->isVisible());

  // As if it had never been stopped.
  const QString whole = studio.at("whole");
  QVERIFY(QDir().mkpath(whole));
  studio.window.exportAnimationTo(whole, shortTurn(6));
  QTRY_COMPARE_WITH_TIMEOUT(filesIn(whole, "*.png").size(), 6, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animationJob"), kPatienceMs);
  for (const QString& name : filesIn(whole, "*.png"))
    QCOMPARE(QImage(folder + '/' + name), QImage(whole + '/' + name));
}

void TestStoppedAnimations::stoppedStepsGoOn() {
  // The program, which waits for ever unless it is to go on.
  QString script;
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) {
    script = QFileInfo(parts.settingsFile).absolutePath() + "/program";
    QFile file(script);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\ncase \"$*\" in *--resume*) exec '" + parts.program.toUtf8() +
               "' \"$@\";; esac\nexec sleep 600\n");
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    parts.program = script;
  });
  QVERIFY(opens(studio, "sample://taylor-green?steps=3&size=9"));
  const QString folder = studio.at("steps");
  QVERIFY(QDir().mkpath(folder));
  // Of another day: they are to be replaced.
  for (int n = 0; n < 2; ++n) {
    QFile old(folder + QString("/taylor-green_000%1.png").arg(n));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("of another day") > 0 && old.flush());
    QVERIFY(old.setFileTime(QDateTime::currentDateTime().addDays(-1), QFileDevice::FileModificationTime));
  }
  ui::AnimationChoice choice;
  choice.kind = Kind::Steps;
  choice.last = 2;
  choice.sizePixels = {96, 64};
  studio.window.exportAnimationTo(folder, choice);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QDialog>("programJob"), kPatienceMs);
  // What another program writes there meanwhile is none of them.
  QFile other(folder + "/other.png");
  QVERIFY(other.open(QIODevice::WriteOnly) && other.write("of another program") > 0 && other.flush());
  QTest::mouseClick(studio.child<QDialog>("programJob")->findChild<QPushButton*>(), Qt::LeftButton);
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
  QVERIFY2(notice->text().contains("0 of 3"), qPrintable(notice->text()));
  QVERIFY(other.remove());
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("programJob"), kPatienceMs);
  QCOMPARE(filesIn(folder, "*.png").size(), 2);
  // What is done meanwhile is not in them.
  studio.model.document().undoStack().undo();
  QTest::mouseClick(studio.child<QPushButton>("notice.button"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QDialog>("programJob"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("programJob"), kPatienceMs);
  const QStringList pictures = filesIn(folder, "*.png");
  QCOMPARE(pictures.size(), 3);
  for (const QString& name : pictures) QCOMPARE(QImage(folder + '/' + name).size(), QSize(96, 64));
}

/// The empty page has no animation, whatever ends there.
void TestStoppedAnimations::stoppedOnceNothingIsOpen() {
  QString script;
  Studio studio({1280, 800}, {}, {}, nullptr, [&](app::AppParts& parts) {
    script = QFileInfo(parts.settingsFile).absolutePath() + "/program";
    QFile file(script);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("#!/bin/sh\nexec sleep 600\n") > 0);
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    parts.program = script;
  });
  QVERIFY(opens(studio, "sample://taylor-green?steps=3&size=9"));
  ui::AnimationChoice choice;
  choice.kind = Kind::Steps;
  choice.last = 2;
  choice.sizePixels = {96, 64};
  const QString folder = studio.at("steps");
  QVERIFY(QDir().mkpath(folder));
  studio.window.exportAnimationTo(folder, choice);
  const auto job = [&] { return studio.child<QDialog>("programJob"); };
  QTRY_VERIFY_WITH_TIMEOUT(job(), kPatienceMs);
  studio.model.document().clear();
  QTest::mouseClick(job()->findChild<QPushButton*>(), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!job(), kPatienceMs);
  QVERIFY(!studio.action("exportAnimation")->isEnabled());
}

/// Nobody can go on with them: neither what only that is for stays, nor a video that was to be replaced.
void TestStoppedAnimations::stepsStoppedByQuittingLeavePicturesAlone() {
  std::optional<Studio> studio;
  QString script;
  studio.emplace(QSize(1280, 800), QString(), session::VolumeMaker(), nullptr, [&](app::AppParts& parts) {
    script = QFileInfo(parts.settingsFile).absolutePath() + "/program";
    parts.program = script;
  });
  QVERIFY(opens(*studio, "sample://taylor-green?steps=3&size=9"));
  // A program that has written some of it, and waits.
  const QByteArray checkpoint =
      QByteArray::fromStdString(studio->session().objects.back().name) + ".checkpoint";
  QFile program(script);
  QVERIFY(program.open(QIODevice::WriteOnly));
  program.write(
      "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; shift; done\ncd \"$out\"\n"
      ": > taylor-green_0001.png; : > '" +
      checkpoint + "'; : > '" + checkpoint + ".paths'\nexec sleep 600\n");
  program.close();
  QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  const TemporaryFolder out;
  const QString folder = QString::fromStdString(out.path().string());
  const auto write = [&](const QString& name) {
    QFile file(folder + '/' + name);
    QVERIFY(file.open(QIODevice::WriteOnly) &&
            file.setFileTime(QDateTime::currentDateTime().addDays(-1), QFileDevice::FileModificationTime));
  };
  write("taylor-green.mp4");
  write("other.checkpoint");
  ui::AnimationChoice choice;
  choice.kind = Kind::Steps;
  choice.last = 2;
  choice.sizePixels = {96, 64};
  choice.video = ".mp4";
  studio->window.exportAnimationTo(folder, choice);
  QTRY_COMPARE_WITH_TIMEOUT(filesIn(folder, "*").size(), 5, kPatienceMs);
  studio->trigger("quit");
  QTRY_VERIFY_WITH_TIMEOUT(studio->child<QMessageBox>("stopJobs"), kPatienceMs);
  QTest::mouseClick(buttonOf(*studio->child<QMessageBox>("stopJobs"), QMessageBox::DestructiveRole),
                    Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!studio->window.isVisible(), kPatienceMs);
  studio.reset();
  QCOMPARE(filesIn(folder, "*"), (QStringList{"other.checkpoint", "taylor-green_0001.png"}));
}

void TestStoppedAnimations::quittingAsksAboutWhatIsWritten() {
  HeldPen pen;
  Studio studio({1280, 800}, {}, {}, nullptr, pen.parts());
  QVERIFY(opens(studio, "sample://cylinder"));
  const QString folder = studio.at("turn");
  QVERIFY(QDir().mkpath(folder));
  const auto question = [&] { return studio.child<QMessageBox>("stopJobs"); };
  const auto answer = [&](QMessageBox::ButtonRole role) {
    QAbstractButton* const button = buttonOf(*question(), role);
    QVERIFY(button);
    QTest::mouseClick(button, Qt::LeftButton);
  };
  pen.holdsAt = 1;
  studio.window.exportAnimationTo(folder, shortTurn(3));
  QTRY_COMPARE_WITH_TIMEOUT(pen.begun.load(), 2, kPatienceMs);
  studio.trigger("quit");
  QTRY_VERIFY_WITH_TIMEOUT(question(), kPatienceMs);
  QVERIFY(studio.window.isVisible());
  answer(QMessageBox::RejectRole);
  QTRY_VERIFY_WITH_TIMEOUT(!question(), kPatienceMs);
  pen.holdsAt = -1;
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animationJob"), kPatienceMs);
  QCOMPARE(filesIn(folder, "*.png").size(), 3);
  QVERIFY(studio.window.isVisible());  // who stays is not asked later

  pen.holdsAt = pen.begun + 1;
  studio.window.exportAnimationTo(folder, shortTurn(3));
  QTRY_COMPARE_WITH_TIMEOUT(pen.begun.load(), pen.holdsAt + 1, kPatienceMs);
  studio.window.close();
  QTRY_VERIFY_WITH_TIMEOUT(question(), kPatienceMs);
  answer(QMessageBox::DestructiveRole);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.isVisible(), kPatienceMs);
  pen.holdsAt = -1;
}

/// The question goes when there is nothing left to ask, and what was asked for goes on.
void TestStoppedAnimations::whoQuitsDoesSoOnceAllIsWritten() {
  HeldPen pen;
  Studio studio({1280, 800}, {}, {}, nullptr, pen.parts());
  QVERIFY(opens(studio, "sample://cylinder"));
  const QString folder = studio.at("turn");
  QVERIFY(QDir().mkpath(folder));
  pen.holdsAt = 1;
  studio.window.exportAnimationTo(folder, shortTurn(3));
  QTRY_COMPARE_WITH_TIMEOUT(pen.begun.load(), 2, kPatienceMs);
  studio.window.close();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("stopJobs"), kPatienceMs);
  QVERIFY(studio.window.isVisible());
  pen.holdsAt = -1;
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.isVisible(), kPatienceMs);
  QCOMPARE(filesIn(folder, "*.png").size(), 3);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestStoppedAnimations test;
  return QTest::qExec(&test, count, words);
}
#include "tst_stopped_animations.moc"
