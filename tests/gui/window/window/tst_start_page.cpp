// The start page: the keyboard goes through it as it is seen, up to a file of one's own; nothing on it looks chosen that is not, and icons
// have their own shape.

#include <QCommandLinkButton>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardPaths>

#include "core/base/machine.h"
#include "core/base/units.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

QWidget* focused() {
  return QApplication::focusWidget();
}

/// Tab until the keyboard is at `name`; false where it comes round without.
bool tabTo(const char* name) {
  for (int n = 0; n < 100; ++n) {
    if (focused() && focused()->objectName() == name) return true;
    QTest::keyClick(focused(), Qt::Key_Tab);
  }
  return false;
}

}  // namespace

class TestStartPage : public QObject {
  Q_OBJECT
 private slots:
  void tabGoesAsItIsSeen();
  void theTourEndsWithAFileOfOnesOwn();
  void noCardStaysMarked();
  void theBudgetIsSaid();
};

void TestStartPage::tabGoesAsItIsSeen() {
  Studio studio({1400, 900});
  for (const char* const name : {"one.h5", "two.h5"}) studio.model.settings().addRecent(studio.at(name));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  QTRY_COMPARE_WITH_TIMEOUT(focused(), studio.child<QWidget>("startPage"), kPatienceMs);
  QStringList order;
  for (int n = 0; n < 30; ++n) {
    QTest::keyClick(focused(), Qt::Key_Tab);
    QVERIFY(focused());
    order.append(focused()->objectName().isEmpty() ? focused()->accessibleName() : focused()->objectName());
    // What scrolls is covered by what it shows.
    if (qobject_cast<QScrollArea*>(focused())) continue;
    QVERIFY2(focused()->visibleRegion().contains(focused()->rect().center()), qPrintable(order.back()));
  }
  const auto at = [&](const char* name) { return order.indexOf(name); };
  QVERIFY2(at("startOpen") >= 0 && at("startOpen") < at("sample://cylinder") &&
               at("sample://cylinder") < at("sample://marschner-lobb") &&
               at("sample://marschner-lobb") < at("two.h5") && at("two.h5") < at("one.h5") &&
               at("one.h5") < at("session:cylinder-streaks") &&
               at("session:taylor-green-streaks") < at("tourOpen"),
           qPrintable(order.join(' ')));
}

void TestStartPage::theTourEndsWithAFileOfOnesOwn() {
  const Studio files;
  const Outcome made =
      runFarfield({"sample", "cylinder", "-o", files.at("mine"), "--size", "17,33,9", "--format", "plot3d"});
  QVERIFY2(made.status == 0, made.errors);
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  QTRY_COMPARE_WITH_TIMEOUT(focused(), studio.child<QWidget>("startPage"), kPatienceMs);
  // 1: something is open, and shown.
  QVERIFY(tabTo("sample://abc"));
  QTest::keyClick(focused(), Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  // 2: more is shown. 3: it is kept.
  QTRY_COMPARE_WITH_TIMEOUT(focused(), &studio.window.viewport(), kPatienceMs);
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 3, kPatienceMs);
  studio.model.save(studio.at("kept.json"));
  QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified(), kPatienceMs);
  // 4: back to the page, and on with a file of one's own.
  QTest::keyClick(focused(), Qt::Key_N, Qt::ControlModifier);
  QTRY_COMPARE_WITH_TIMEOUT(focused(), studio.child<QWidget>("startPage"), kPatienceMs);
  QVERIFY(tabTo("tourOpen"));
  QVERIFY(focused()->visibleRegion().contains(focused()->rect().center()));
  QTest::keyClick(focused(), Qt::Key_Return);
  QFileDialog* dialog = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((dialog = studio.window.findChild<QFileDialog*>()) && dialog->isVisible(),
                           kPatienceMs);
  auto* const name = dialog->findChild<QLineEdit*>("fileNameEdit");
  QTRY_VERIFY_WITH_TIMEOUT(name->hasFocus(), kPatienceMs);
  QTest::keyClicks(name, files.at("mine.xyz"));
  QTest::keyClick(name, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QCOMPARE(studio.session().data.front().source.front(), files.at("mine.xyz").toStdString());
}

/// The pointer was over the card that was clicked, and may be anywhere when the page comes back.
void TestStartPage::noCardStaysMarked() {
  Studio studio({1280, 800});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  QCursor::setPos(studio.window.mapToGlobal(QPoint(2, 2)));
  auto* const card = studio.child<QCommandLinkButton>("sample://abc");
  QTRY_VERIFY_WITH_TIMEOUT(card->isVisible(), kPatienceMs);
  const QImage before = card->grab().toImage();
  QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), card->mapToGlobal(QPointF(5, 5)));
  QApplication::sendEvent(card, &enter);
  QVERIFY(card->underMouse());
  QTest::mouseClick(card, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.model.document().clear();
  QTRY_VERIFY_WITH_TIMEOUT(card->isVisible(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!card->underMouse() && !card->isDown(), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(card->grab().toImage(), before, kPatienceMs);
}

/// Before anything is open.
void TestStartPage::theBudgetIsSaid() {
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowActive(&studio.window));
  const auto* const hint = studio.child<QLabel>("startHint");
  const QString machine = QString::fromStdString(formatBytes(machineMemoryBytes()));
  const auto says = [&](const char* budget) {
    return hint->isVisible() &&
           hint->text().contains(QString("at most %1 of this machine's %2").arg(budget, machine));
  };
  QVERIFY2(says("1.0 GiB"), qPrintable(hint->text()));
  // As it is after a change, while the page is seen.
  studio.trigger("settings");
  QDialog* dialog = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((dialog = studio.child<QDialog>("settings")) && dialog->isVisible(), kPatienceMs);
  auto* const memory = dialog->findChild<QLineEdit*>("settings.memory");
  QVERIFY(memory);
  typeNumber(memory, "512M");
  QCOMPARE(studio.model.memoryBytes(), std::uint64_t{512} << 20);
  QVERIFY2(says("512.0 MiB"), qPrintable(hint->text()));
  dialog->close();
  // Whoever else changes it.
  QVERIFY(studio.model.setMemoryBytes(std::uint64_t{2} << 30));
  QVERIFY2(says("2.0 GiB"), qPrintable(hint->text()));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestStartPage test;
  return QTest::qExec(&test, count, words);
}
#include "tst_start_page.moc"
