// The fields of panels, whatever they hold: who has the keyboard, when what is typed takes effect, and how it is taken back.

#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>
#include <QWheelEvent>
#include <QWindow>

#include "app/ui/number_edit.h"
#include "app/ui/property_editor.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

QWidget* focused() {
  return QApplication::focusWidget();
}

bool opens(Studio& studio, const char* sample, const char* add) {
  if (!QTest::qWaitForWindowExposed(&studio.window)) return false;
  studio.model.open({sample});
  if (!QTest::qWaitFor([&] { return studio.rests() && !studio.session().objects.empty(); }, kPatienceMs))
    return false;
  studio.trigger(add);
  return QTest::qWaitFor([&] { return studio.viewRests(); }, kPatienceMs);
}

bool holds(QWidget* widget) {
  widget->setFocus();
  return QTest::qWaitFor([&] { return focused() == widget; }, kPatienceMs);
}

bool isInSight(const QWidget* widget) {
  return widget->isVisible() && !widget->visibleRegion().isEmpty() &&
         widget->visibleRegion().contains(widget->rect().center());
}

/// As the display tells of it.
void turnWheel(QWidget* over) {
  const QPointF at = QRectF(over->rect()).center();
  QWheelEvent wheel(over->mapTo(over->window(), at), over->mapToGlobal(at), {}, {0, -120}, Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QSpontaneKeyEvent::setSpontaneous(&wheel);
  qApp->notify(over->window()->windowHandle(), &wheel);
}

}  // namespace

class TestInputFields : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void theWheelTakesNoKeyboard();
  void whatIsResetHasTheKeyboard();
  void panelsGiveTheKeyboardToAField();
};

void TestInputFields::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestInputFields::theWheelTakesNoKeyboard() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://abc?size=9", "addStreamlines"));
  int turned = 0;
  for (const char* const name : {"dock.properties", "dock.colors"}) {
    auto* const dock = studio.child<QDockWidget>(name);
    dock->raise();
    auto* const field =
        dock->findChild<ui::NumberEdit*>(QString(name) == "dock.properties" ? "seeds.to" : "color.least");
    QTRY_VERIFY_WITH_TIMEOUT(field && field->isVisible(), kPatienceMs);
    QVERIFY(holds(field));
    for (QWidget* const each : dock->findChildren<QWidget*>()) {
      if (each == field || each->focusPolicy() == Qt::NoFocus || !isInSight(each)) continue;
      turnWheel(each);
      QVERIFY2(focused() == field, qPrintable(each->objectName() + ' ' + each->metaObject()->className()));
      ++turned;
    }
  }
  QVERIFY2(turned > 20, qPrintable(QString::number(turned)));
}

/// The arrow that did it is gone then.
void TestInputFields::whatIsResetHasTheKeyboard() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://abc?size=9", "addStreamlines"));
  const app::ObjectId id = studio.newest();
  auto* const width = studio.child<ui::NumberEdit>("width");
  QVERIFY(width);
  const session::Object before = *studio.model.document().object(id);
  QVERIFY(holds(width));
  width->selectAll();
  QTest::keyClicks(width, "7");
  QTest::keyClick(width, Qt::Key_Return);
  QVERIFY(!(*studio.model.document().object(id) == before));
  QTest::keyClick(width, Qt::Key_Tab);
  auto* const reset = qobject_cast<QToolButton*>(focused());
  QVERIFY(reset && reset->accessibleName().startsWith("Reset"));
  QTest::keyClick(reset, Qt::Key_Space);
  QVERIFY(*studio.model.document().object(id) == before);
  QVERIFY(!reset->isVisible());
  QCOMPARE(focused(), static_cast<QWidget*>(width));
  // What switches itself off hands the keyboard on in its panel.
  studio.child<QDockWidget>("dock.colors")->raise();
  auto* const size = studio.child<QDoubleSpinBox>("legend.size");
  QTRY_VERIFY_WITH_TIMEOUT(size->isVisible(), kPatienceMs);
  size->setValue(2);
  auto* const asAtFirst = studio.child<QPushButton>("legend.reset");
  QTRY_VERIFY_WITH_TIMEOUT(asAtFirst->isEnabled(), kPatienceMs);
  QVERIFY(holds(asAtFirst));
  QTest::keyClick(asAtFirst, Qt::Key_Space);
  QVERIFY(!asAtFirst->isEnabled());
  QVERIFY2(focused() && studio.child<QDockWidget>("dock.colors")->isAncestorOf(focused()),
           focused() ? qPrintable(focused()->objectName()) : "nothing");
}

/// Also where none of what is shown has had it: what scrolls around it does nothing with keys.
void TestInputFields::panelsGiveTheKeyboardToAField() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://taylor-green?size=9", "addStreamlines"));
  const auto area = [&] { return studio.window.findChild<ui::PropertyEditor*>(); };
  const auto goTo = [&](const char* dock) {
    for (int n = 0; n < 12; ++n) {
      QTest::keyClick(focused(), Qt::Key_F6);
      if (studio.child<QDockWidget>(dock)->isAncestorOf(focused())) return true;
    }
    return false;
  };
  QVERIFY(holds(&studio.window.viewport()));
  QVERIFY(goTo("dock.properties"));
  QVERIFY2(focused() != area(), "first");
  // The choice that had it goes with the object that it is of.
  QVERIFY(holds(studio.child<QComboBox>("as")));
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(holds(&studio.window.viewport()));
  QVERIFY(goTo("dock.properties"));
  QVERIFY2(focused() != area(), "of another object");
  QTest::keyClick(focused(), Qt::Key_Tab);
  QVERIFY(area()->isAncestorOf(focused()));
  // Where it was in what scrolls itself.
  QVERIFY(holds(area()));
  QTest::keyClick(focused(), Qt::Key_Tab);
  QVERIFY(area()->isAncestorOf(focused()));
  QVERIFY(holds(area()));
  QVERIFY(holds(&studio.window.viewport()));
  QVERIFY(goTo("dock.properties"));
  QVERIFY(area()->isAncestorOf(focused()));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestInputFields test;
  return QTest::qExec(&test, count, words);
}
#include "tst_input_fields.moc"
