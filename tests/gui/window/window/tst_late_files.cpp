// Session files that are long in being read or written: what is done meanwhile is not lost without a question. Needs a display with
// OpenGL; skips where there is none.

#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStandardPaths>
#include <semaphore>

#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// A window with an object of a sample, whose session files are behind something slow.
struct Slow : Studio {
  void holdFiles() {
    model.files().run([this] { letOn.acquire(); });
    holds = true;
  }
  void letFilesOn() {
    if (std::exchange(holds, false)) letOn.release();
  }
  ~Slow() { letFilesOn(); }
  QMessageBox* question() const { return child<QMessageBox>("saveChanges"); }
  void answer(QMessageBox::StandardButton button) const { question()->button(button)->click(); }
  std::size_t objects() { return session().objects.size(); }

  std::binary_semaphore letOn{0};
  bool holds = false;
};

}  // namespace

class TestLateFiles : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { skipWithoutOpenGl(); }
  void openingAsksAgain();
  void savingAsksAgain();
  void whatIsNewHasNoFile();
};

void TestLateFiles::openingAsksAgain() {
  Slow studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.objects() > 0, kPatienceMs);
  const QString path = studio.at("other.json");
  QSignalSpy saved(&studio.model, &app::AppModel::saved),
      loaded(&studio.model, &app::AppModel::sessionLoaded);
  const std::size_t few = studio.objects();
  studio.model.save(path);
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  // Nothing was done meanwhile: nothing is asked.
  studio.window.openPaths({path});
  QTRY_COMPARE_WITH_TIMEOUT(loaded.size(), 1, kPatienceMs);
  QVERIFY(!studio.question());
  const auto openWhileWorking = [&] {
    studio.holdFiles();
    studio.model.openSession(path);
    studio.trigger("addSlice");
    studio.letFilesOn();
  };
  openWhileWorking();
  QTRY_VERIFY_WITH_TIMEOUT(studio.question(), kPatienceMs);
  QVERIFY(studio.question()->informativeText().contains("other.json"));
  studio.answer(QMessageBox::Cancel);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.question(), kPatienceMs);
  QVERIFY(studio.objects() > few && studio.model.document().isModified());
  QVERIFY(studio.model.document().undoStack().canUndo());
  QCOMPARE(loaded.size(), 1);
  openWhileWorking();
  QTRY_VERIFY_WITH_TIMEOUT(studio.question(), kPatienceMs);
  studio.answer(QMessageBox::Discard);
  QTRY_COMPARE_WITH_TIMEOUT(loaded.size(), 2, kPatienceMs);
  QCOMPARE(studio.objects(), few);
  QVERIFY(!studio.model.document().isModified());
}

void TestLateFiles::savingAsksAgain() {
  Slow studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.objects() > 0, kPatienceMs);
  QSignalSpy saved(&studio.model, &app::AppModel::saved);
  studio.model.save(studio.at("mine.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  studio.trigger("addSlice");
  studio.window.close();
  QVERIFY(studio.question());
  studio.holdFiles();
  studio.answer(QMessageBox::Save);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.question(), kPatienceMs);
  studio.trigger("addSlice");  // while it is being saved
  studio.letFilesOn();
  QTRY_VERIFY_WITH_TIMEOUT(studio.question(), kPatienceMs);
  QVERIFY(studio.window.isVisible() && studio.model.document().isModified());
  studio.answer(QMessageBox::Save);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.isVisible(), kPatienceMs);
  QVERIFY(!studio.model.document().isModified());
}

/// A session that was replaced while it was being written leaves its file to nobody: what is saved next would go there unasked.
void TestLateFiles::whatIsNewHasNoFile() {
  for (const auto button : {QMessageBox::Discard, QMessageBox::Save}) {
    Slow studio;
    studio.model.open({"sample://abc?size=9"});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.objects() > 0, kPatienceMs);
    QSignalSpy saved(&studio.model, &app::AppModel::saved);
    const QString path = studio.at("mine.json");
    studio.model.save(path);
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
    studio.trigger("addSlice");
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
    const std::size_t all = studio.objects();
    studio.holdFiles();
    studio.trigger("save");
    studio.trigger("new");
    QVERIFY(studio.question());
    studio.answer(button);
    QTRY_VERIFY_WITH_TIMEOUT(!studio.question(), kPatienceMs);
    studio.letFilesOn();
    QTRY_COMPARE_WITH_TIMEOUT(saved.size(), button == QMessageBox::Save ? 3 : 2, kPatienceMs);
    app::Document& document = studio.model.document();
    QVERIFY(document.isEmpty());
    QCOMPARE(document.path(), QString());
    QVERIFY(!document.isModified());
    const app::LoadedSession written = app::loadSession(path);
    QVERIFY2(written.session, qPrintable(written.problem));
    QCOMPARE(written.session->objects.size(), all);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLateFiles test;
  return QTest::qExec(&test, count, words);
}
#include "tst_late_files.moc"
