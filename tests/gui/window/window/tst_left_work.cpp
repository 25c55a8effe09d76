// Work that a program left that has ended or is about to: it is offered, and takes nothing away. Needs a display with OpenGL; skips
// where there is none.

#include <QComboBox>
#include <QDir>
#include <QDirIterator>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLockFile>
#include <QMessageBox>
#include <QStandardPaths>
#include <QToolButton>

#include "app/ui/widgets/notice_bar.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// As a program leaves its work that showed the outline of a sample, at that hour; returns the folder.
QString leave(Studio& studio, const QString& program, const QString& name, int hour) {
  session::Session left;
  left.data.push_back({"left", {"sample://abc?size=9"}, {}, {}, {}});
  session::Object outline;
  outline.name = name.toStdString() + " outline";
  outline.data = "left";
  outline.shape = session::Outline{};
  left.objects.push_back(outline);
  const QString folder = studio.at("data") + "/recovery/" + program;
  QDir().mkpath(folder);
  QFile file(folder + "/work.json");
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(QJsonDocument(QJsonObject{{"path", "/somewhere/" + name + ".json"},
                                       {"changed", QString("2026-11-21T%1:00:00.000Z").arg(hour)},
                                       {"name", name},
                                       {"folder", "/somewhere"},
                                       {"session", QString::fromStdString(session::toJson(left))}})
                 .toJson());
  return folder;
}

bool press(Studio& studio, const char* box, const QString& name) {
  for (QAbstractButton* const button : studio.child<QMessageBox>(box)->buttons())
    if (button->text().remove('&') == name) {
      button->click();
      return true;
    }
  return false;
}

}  // namespace

class TestLeftWork : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void leftWorkTakesNothingAway();
  void keysStayWithTheQuestion();
  void workOfWhoIsAboutToGoIsOffered();
  void newerWorkOfWhoIsAboutToGoIsOffered();
  void workOfSeveralIsChosenFrom();
};

void TestLeftWork::initTestCase() {
  skipWithoutOpenGl();
}

void TestLeftWork::leftWorkTakesNothingAway() {
  Studio studio;
  const QString folder = leave(studio, "gone", "wing", 12);
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const session::Session own = studio.session();
  auto* const notice = studio.child<QWidget>("notice");
  QVERIFY(!notice->isVisible());

  // Named files, or work that was begun before the answer came: a line above the view, and no question.
  for (const auto how : {ui::MainWindow::Offer::AsNotice, ui::MainWindow::Offer::AsQuestion}) {
    studio.window.offerLeftWork(how);
    QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
    QVERIFY(studio.child<QLabel>("notice.text")->text().contains("wing.json"));
    QVERIFY(!studio.child<QMessageBox>("recovery"));
    QTest::mouseClick(studio.child<QToolButton>("notice.close"), Qt::LeftButton);
    QVERIFY(!notice->isVisible());
  }
  QVERIFY(studio.session() == own);
  QVERIFY(QFile::exists(folder + "/work.json"));

  // On demand it is asked about, and what is open asks to be saved first.
  studio.window.offerLeftWork(ui::MainWindow::Offer::AsNotice);
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
  studio.trigger("recover");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("recovery"), kPatienceMs);
  QVERIFY(press(studio, "recovery", "Restore"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  QVERIFY(studio.session() == own);
  QVERIFY(press(studio, "saveChanges", "Cancel"));
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  QVERIFY(studio.session() == own);
  QVERIFY(QFile::exists(folder + "/work.json"));

  studio.trigger("recover");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("recovery"), kPatienceMs);
  QVERIFY(press(studio, "recovery", "Restore"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  QVERIFY(press(studio, "saveChanges",
                studio.child<QMessageBox>("saveChanges")->button(QMessageBox::Discard)->text().remove('&')));
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 1U, kPatienceMs);
  QCOMPARE(studio.session().objects[0].name, "wing outline");
  QVERIFY(studio.model.document().isModified());
  // The line does not go on to offer it.
  QVERIFY(!notice->isVisible());
  // What was left goes when this program has made it safe.
  QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(folder + "/work.json"), kPatienceMs);
  int kept = 0;
  for (QDirIterator files(studio.at("data"), {"work.json"}, QDir::Files, QDirIterator::Subdirectories);
       files.hasNext(); files.next())
    ++kept;
  QCOMPARE(kept, 1);
}

/// The window is in sight behind a question and may be clicked into; its keys change nothing until there is an answer.
void TestLeftWork::keysStayWithTheQuestion() {
  Studio studio;
  leave(studio, "gone", "wing", 12);
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  auto* const pipeline = studio.child<QWidget>("pipeline");
  pipeline->setFocus();
  const session::Session own = studio.session();
  studio.trigger("recover");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("recovery"), kPatienceMs);
  for (const auto key : {Qt::Key_Delete, Qt::Key_Space}) QTest::keyClick(studio.window.windowHandle(), key);
  QVERIFY(studio.session() == own);
  studio.child<QMessageBox>("recovery")->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("recovery"), kPatienceMs);
  studio.window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&studio.window));
  pipeline->setFocus();
  QTest::keyClick(pipeline, Qt::Key_Delete);
  QCOMPARE(studio.session().objects.size(), own.objects.size() - 1);
}

void TestLeftWork::workOfWhoIsAboutToGoIsOffered() {
  Studio studio;
  // As a program keeps it that has been killed and is not gone yet.
  const QString folder = studio.at("data") + "/recovery/dying";
  QVERIFY(QDir().mkpath(folder));
  QLockFile lock(folder + "/lock");
  lock.setStaleLockTime(0);
  QVERIFY(lock.tryLock());
  leave(studio, "dying", "wing", 12);
  QCOMPARE(studio.model.recovery().findLeftWork().size(), 0U);
  studio.window.offerLeftWork(ui::MainWindow::Offer::AsQuestion);
  QTest::qWait(100);  // whatever it finds in the meantime: nothing that is held
  QVERIFY(!studio.child<QMessageBox>("recovery"));
  lock.unlock();
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible() || studio.child<QMessageBox>("recovery"), kPatienceMs);
}

void TestLeftWork::newerWorkOfWhoIsAboutToGoIsOffered() {
  Studio studio;
  leave(studio, "gone", "older", 11);
  const QString folder = leave(studio, "dying", "newer", 12);
  QLockFile lock(folder + "/lock");
  lock.setStaleLockTime(0);
  QVERIFY(lock.tryLock());
  studio.window.offerLeftWork(ui::MainWindow::Offer::AsQuestion);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("recovery"), kPatienceMs);
  QVERIFY(studio.child<QMessageBox>("recovery")->informativeText().contains("older.json"));
  QVERIFY(press(studio, "recovery", "Later"));
  lock.unlock();
  // Only what was not offered before.
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
  QVERIFY(notice->text().contains("newer.json") && !notice->text().contains("older.json"));
}

void TestLeftWork::workOfSeveralIsChosenFrom() {
  Studio studio;
  const QString oldest = leave(studio, "a", "oldest", 10), newest = leave(studio, "b", "newest", 12),
                middle = leave(studio, "c", "middle", 11);
  const auto workIn = [](const QString& folder) { return QFile::exists(folder + "/work.json"); };
  studio.window.offerLeftWork(ui::MainWindow::Offer::AsQuestion);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("recovery"), kPatienceMs);
  auto* which = studio.child<QComboBox>("recovery.which");
  QVERIFY(which && which->isVisible());
  QCOMPARE(which->count(), 3);
  for (int n = 0; n < 3; ++n)
    QVERIFY(which->itemText(n).startsWith(QStringList{"newest.json", "middle.json", "oldest.json"}[n]));
  QCOMPARE(which->currentIndex(), 0);
  // It stands between what is said and the buttons, and covers neither.
  auto* const box = studio.child<QMessageBox>("recovery");
  for (QAbstractButton* const button : box->buttons())
    QVERIFY(which->mapTo(box, which->rect().bottomLeft()).y() < button->mapTo(box, QPoint()).y());
  for (const char* const label : {"qt_msgbox_label", "qt_msgbox_informativelabel"}) {
    auto* const text = box->findChild<QLabel*>(label);
    QVERIFY(text->mapTo(box, text->rect().bottomLeft()).y() < which->mapTo(box, QPoint()).y());
  }

  // The one in the middle is dropped; the others are asked about again.
  which->setCurrentIndex(1);
  QVERIFY(press(studio, "recovery", "Discard"));
  QTRY_VERIFY_WITH_TIMEOUT(!workIn(middle), kPatienceMs);
  QVERIFY(workIn(oldest) && workIn(newest));
  QTRY_VERIFY_WITH_TIMEOUT(
      studio.child<QComboBox>("recovery.which") && studio.child<QComboBox>("recovery.which") != which,
      kPatienceMs);
  which = studio.child<QComboBox>("recovery.which");
  QCOMPARE(which->count(), 2);
  // The oldest is taken up, and the newest stays.
  which->setCurrentIndex(1);
  QVERIFY(press(studio, "recovery", "Restore"));
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 1U, kPatienceMs);
  QCOMPARE(studio.session().objects[0].name, "oldest outline");
  QTRY_VERIFY_WITH_TIMEOUT(!workIn(oldest), kPatienceMs);
  QVERIFY(workIn(newest));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLeftWork test;
  return QTest::qExec(&test, count, words);
}
#include "tst_left_work.moc"
