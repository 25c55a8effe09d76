// Work that a program left that has ended or is about to: it is offered, and takes nothing away. Needs a display with OpenGL; skips
// where there is none.

#include <QDir>
#include <QDirIterator>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLockFile>
#include <QMessageBox>
#include <QStandardPaths>
#include <QToolButton>

#include "app/ui/notice_bar.h"
#include "core/session/session_json.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// Keeps `work` in the folder as a program does that has not saved it.
void leave(const QString& folder, const session::Session& work) {
  QFile file(folder + "/work.json");
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QJsonDocument(QJsonObject{{"path", "/somewhere/wing.json"},
                                       {"changed", "2026-11-21T12:00:00.000Z"},
                                       {"name", "wing"},
                                       {"folder", "/somewhere"},
                                       {"session", QString::fromStdString(session::toJson(work))}})
                 .toJson());
}

}  // namespace

class TestLeftWork : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void leftWorkTakesNothingAway();
  void keysStayWithTheQuestion();
  void workOfWhoIsAboutToGoIsOffered();
};

void TestLeftWork::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestLeftWork::leftWorkTakesNothingAway() {
  Studio studio;
  session::Session left;
  left.data.push_back({"left", {"sample://abc?size=9"}, {}, {}, {}});
  session::Object outline;
  outline.name = "left outline";
  outline.data = "left";
  outline.shape = session::Outline{};
  left.objects.push_back(outline);
  const QString folder = studio.at("data") + "/recovery/gone";
  QVERIFY(QDir().mkpath(folder));
  leave(folder, left);
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
  studio.trigger("recover");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("recovery"), kPatienceMs);
  const auto press = [&](const char* box, const QString& name) {
    for (QAbstractButton* const button : studio.child<QMessageBox>(box)->buttons())
      if (button->text().remove('&') == name) return button->click();
    QFAIL(qPrintable("there is no " + name));
  };
  press("recovery", "Restore");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  QVERIFY(studio.session() == own);
  press("saveChanges", "Cancel");
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  QVERIFY(studio.session() == own);
  QVERIFY(QFile::exists(folder + "/work.json"));

  studio.trigger("recover");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("recovery"), kPatienceMs);
  press("recovery", "Restore");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("saveChanges"), kPatienceMs);
  press("saveChanges",
        studio.child<QMessageBox>("saveChanges")->button(QMessageBox::Discard)->text().remove('&'));
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 1U, kPatienceMs);
  QCOMPARE(studio.session().objects[0].name, "left outline");
  QVERIFY(studio.model.document().isModified());
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
  const QString folder = studio.at("data") + "/recovery/gone";
  QVERIFY(QDir().mkpath(folder));
  session::Session left;
  left.data.push_back({"left", {"sample://abc?size=9"}, {}, {}, {}});
  leave(folder, left);
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  auto* const pipeline = studio.child<QWidget>("pipeline");
  pipeline->setFocus();
  const session::Session own = studio.session();
  studio.trigger("recover");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("recovery"), kPatienceMs);
  for (const auto key : {Qt::Key_Delete, Qt::Key_Space}) {
    QTest::keyClick(pipeline, key);
    QTest::keyClick(studio.window.windowHandle(), key);
  }
  QVERIFY(studio.session() == own);
  studio.child<QMessageBox>("recovery")->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("recovery"), kPatienceMs);
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
  session::Session left;
  left.data.push_back({"left", {"sample://abc?size=9"}, {}, {}, {}});
  leave(folder, left);
  QCOMPARE(studio.model.recovery().findLeftWork().size(), 0U);
  studio.window.offerLeftWork(ui::MainWindow::Offer::AsQuestion);
  QTest::qWait(100);  // whatever it finds in the meantime: nothing that is held
  QVERIFY(!studio.child<QMessageBox>("recovery"));
  lock.unlock();
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible() || studio.child<QMessageBox>("recovery"), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLeftWork test;
  return QTest::qExec(&test, count, words);
}
#include "tst_left_work.moc"
