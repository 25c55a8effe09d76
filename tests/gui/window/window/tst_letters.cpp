// Letters with Alt: of a menu, of a dialog, of the window with each of its panels no two are alike.

#include <QDockWidget>
#include <QGroupBox>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QStandardPaths>
#include <QTabBar>
#include <map>

#include "app/ui/window/panel_focus.h"
#include "tests/gui/window/support/every_dialog.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// What was met with each letter, and what has one that something else has.
class Letters {
 public:
  void add(const QString& text) {
    const QString letter = QKeySequence::mnemonic(text).toString();
    if (letter.isEmpty()) return;
    if (const QString other = m_met[letter]; !other.isEmpty()) m_alike.append(other + " and " + text);
    m_met[letter] = text;
  }
  std::size_t count() const { return m_met.size(); }
  QByteArray alike() const { return m_alike.join(", ").toUtf8(); }

 private:
  std::map<QString, QString> m_met;
  QStringList m_alike;
};

/// All that a letter reaches in a window as it is seen.
Letters lettersOf(const QWidget& window) {
  Letters letters;
  for (const QWidget* const each : window.findChildren<QWidget*>()) {
    if (!each->isVisible() || each->window() != &window) continue;
    if (const auto* const label = qobject_cast<const QLabel*>(each); label && label->buddy())
      letters.add(label->text());
    if (const auto* const button = qobject_cast<const QAbstractButton*>(each)) letters.add(button->text());
    if (const auto* const group = qobject_cast<const QGroupBox*>(each)) letters.add(group->title());
    if (const auto* const tabs = qobject_cast<const QTabBar*>(each))
      for (int n = 0; n < tabs->count(); ++n) letters.add(tabs->tabText(n));
    if (const auto* const menus = qobject_cast<const QMenuBar*>(each))
      for (const QAction* const menu : menus->actions()) letters.add(menu->text());
  }
  return letters;
}

}  // namespace

class TestLetters : public QObject {
  Q_OBJECT
 private slots:
  void menus_data();
  void menus();
  void dialogs_data();
  void dialogs();
  void panels();
  void questions();
};

void TestLetters::menus_data() {
  QTest::addColumn<QString>("source");
  QTest::newRow("start page") << QString();
  QTest::newRow("steps") << QString("sample://taylor-green?size=9&steps=3");
}

void TestLetters::menus() {
  QFETCH(QString, source);
  Studio studio;
  if (!source.isEmpty()) {
    studio.model.open({source});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
    studio.trigger("keepView");
  }
  int menus = 0;
  const std::function<void(const QList<QAction*>&, const QString&)> look = [&](const QList<QAction*>& actions,
                                                                               const QString& menu) {
    Letters letters;
    for (const QAction* const action : actions) {
      letters.add(action->text());
      if (!action->menu()) continue;
      emit action->menu()->aboutToShow();
      look(action->menu()->actions(), action->text());
    }
    QVERIFY2(letters.alike().isEmpty(), qPrintable(menu + ": " + letters.alike()));
    ++menus;
  };
  look(studio.window.menuBar()->actions(), "menu bar");
  QVERIFY2(menus > 10, qPrintable(QString::number(menus)));
}

void TestLetters::dialogs_data() {
  addDialogs();
  QTest::newRow("open") << QString("open") << 0;
  QTest::newRow("openFolder") << QString("openFolder") << 0;
}

void TestLetters::dialogs() {
  QFETCH(QString, action);
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  QDialog* const dialog = openedDialog(studio, action);
  QVERIFY(dialog);
  forEachLook(*dialog, [&](const QString& how) {
    const QByteArray alike = lettersOf(*dialog).alike();
    QVERIFY2(alike.isEmpty(), how.toUtf8() + ": " + alike);
  });
  dialog->close();
}

void TestLetters::panels() {
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addStreamlines");
  for (QDockWidget* const dock : studio.window.findChildren<QDockWidget*>()) {
    dock->show();
    dock->raise();
    QTRY_VERIFY_WITH_TIMEOUT(ui::PanelFocus::isInSight(dock), kPatienceMs);
    const Letters letters = lettersOf(studio.window);
    QVERIFY(letters.count() >= 6);  // of the menus
    QVERIFY2(letters.alike().isEmpty(), dock->objectName().toUtf8() + ": " + letters.alike());
  }
}

void TestLetters::questions() {
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  studio.trigger("new");
  QMessageBox* box = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((box = studio.window.findChild<QMessageBox*>()) && box->isVisible(), kPatienceMs);
  const Letters letters = lettersOf(*box);
  QVERIFY2(letters.count() >= 2 && letters.alike().isEmpty(), letters.alike());
  box->done(QMessageBox::Cancel);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLetters test;
  return QTest::qExec(&test, count, words);
}
#include "tst_letters.moc"
