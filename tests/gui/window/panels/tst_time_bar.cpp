// The numbers of the bar of time are typed like all numbers of the window: what cannot be is red and said, and changes nothing.

#include <QDialog>
#include <QElapsedTimer>
#include <QLabel>
#include <QStandardPaths>

#include "app/ui/panels/time_bar.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "tests/gui/window/support/in_sight.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestTimeBar : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void stepsThatAreNotThereAreNotTaken();
  void stepsAreTaken();
  void slowerThanOneStepASecond();
  void dialogsOfPicturesPause();

 private:
  struct Bar : Studio {
    explicit Bar(QSize size = {1280, 800}) : Studio(size) {
      model.open({"sample://taylor-green?size=9&steps=12"});
      ready = QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs) &&
              QTest::qWaitFor([&] { return viewRests(); }, kPatienceMs);
      step = child<ui::NumberEdit>("time.step");
      speed = child<ui::NumberEdit>("time.speed");
    }
    static void type(ui::NumberEdit* field, const char* text) {
      field->setFocus(Qt::TabFocusReason);
      field->selectAll();
      QTest::keyClicks(field, text);
    }
    static bool isRed(const ui::NumberEdit* field) {
      return field->palette().color(QPalette::Text) == ui::warningColor();
    }
    bool ready = false;
    ui::NumberEdit *step = nullptr, *speed = nullptr;
  };
};

void TestTimeBar::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestTimeBar::stepsThatAreNotThereAreNotTaken() {
  Bar bar;
  QVERIFY(bar.ready && bar.step && bar.step->isVisible());
  QVERIFY(QTest::qWaitForWindowExposed(&bar.window));
  bar.model.stage().setStep(4);
  QTRY_COMPARE_WITH_TIMEOUT(bar.step->text(), QString("4"), kPatienceMs);
  for (const char* const typed : {"25", "-3", "1e30", "4.6", "4 6", "two"}) {
    Bar::type(bar.step, typed);
    QVERIFY2(Bar::isRed(bar.step), typed);
    QTest::keyClick(bar.step, Qt::Key_Return);
    QVERIFY2(bar.model.stage().step() == 4, typed);
    // What may stand there is said where it is seen.
    auto* const said = bar.child<QLabel>("time.step.error");
    QVERIFY2(said && said->isVisible(), typed);
    QCOMPARE(said->text(), QString("A whole number from 0 to 11 is needed here."));
    QVERIFY(isInSight(bar.window, said) && said->visibleRegion().boundingRect() == said->rect());
    QVERIFY(!Bar::isRed(bar.step));
    QCOMPARE(bar.step->text(), QString("4"));
  }
  QTest::keyClick(bar.step, Qt::Key_Up);
  QCOMPARE(bar.model.stage().step(), 5);
}

void TestTimeBar::stepsAreTaken() {
  Bar bar({1024, 700});
  QVERIFY(bar.ready && bar.step && bar.step->isVisible());
  QVERIFY(QTest::qWaitForWindowExposed(&bar.window));
  QCOMPARE(bar.step->accessibleName(), QString("Step"));
  // By Return, and when typing pauses.
  Bar::type(bar.step, "7");
  QTest::keyClick(bar.step, Qt::Key_Return);
  QCOMPARE(bar.model.stage().step(), 7);
  Bar::type(bar.step, "11");
  QTRY_COMPARE_WITH_TIMEOUT(bar.model.stage().step(), 11, kPatienceMs);
  QTest::keyClick(bar.step, Qt::Key_Escape);
  QCOMPARE(bar.model.stage().step(), 7);
  // Arrows go a step, and not past the ends; keys of pages go through time from here, too.
  Bar::type(bar.step, "10");
  for (const std::int64_t to : {11, 11}) {
    QTest::keyClick(bar.step, Qt::Key_Up);
    QCOMPARE(bar.model.stage().step(), to);
  }
  QTest::keyClick(bar.step, Qt::Key_PageUp);
  QCOMPARE(bar.model.stage().step(), 10);
  QTest::keyClick(bar.step, Qt::Key_PageUp, Qt::ControlModifier);
  QCOMPARE(bar.model.stage().step(), 0);
  QCOMPARE(bar.step->text(), QString("0"));
  QTest::keyClick(bar.step, Qt::Key_Down);
  QCOMPARE(bar.model.stage().step(), 0);
  // The bar takes no more room than there is.
  QVERIFY2(bar.window.minimumSizeHint().width() <= 1024,
           qPrintable(QString::number(bar.window.minimumSizeHint().width())));
}

void TestTimeBar::slowerThanOneStepASecond() {
  Bar bar;
  QVERIFY(bar.ready && bar.speed && bar.speed->isVisible());
  QVERIFY(QTest::qWaitForWindowExposed(&bar.window));
  QCOMPARE(bar.speed->value(), 8);
  for (const char* const typed : {"1000", "-2", "0", "fast"}) {
    Bar::type(bar.speed, typed);
    QVERIFY2(Bar::isRed(bar.speed), typed);
    QTest::keyClick(bar.speed, Qt::Key_Return);
    QCOMPARE(bar.speed->value(), 8);
  }
  Bar::type(bar.speed, "0.5");
  QTest::keyClick(bar.speed, Qt::Key_Return);
  QCOMPARE(bar.speed->value(), 0.5);
  auto* const time = bar.window.findChild<ui::TimeBar*>();
  time->playAction()->setChecked(true);
  QCOMPARE(bar.model.stage().step(), 1);
  QElapsedTimer since;
  since.start();
  QTRY_COMPARE_WITH_TIMEOUT(bar.model.stage().step(), 2, kPatienceMs);
  QVERIFY2(since.elapsed() > 1500, qPrintable(QString::number(since.elapsed())));  // it began a little before
  time->playAction()->setChecked(false);
  QTest::keyClick(bar.speed, Qt::Key_Up);
  QCOMPARE(bar.speed->value(), 2);
}

/// What is written is the step at which somebody asked for it, not one that has come meanwhile behind the dialogs.
void TestTimeBar::dialogsOfPicturesPause() {
  Bar bar;
  QVERIFY(bar.ready);
  auto* const time = bar.window.findChild<ui::TimeBar*>();
  app::Stage& stage = bar.model.stage();
  for (const char* const name : {"exportImage", "exportAnimation", "exportGeometry", "saveAs"}) {
    time->playAction()->setChecked(true);
    const std::int64_t before = stage.step();
    QTRY_VERIFY_WITH_TIMEOUT(stage.step() != before, kPatienceMs);
    QVERIFY(time->isPlaying());
    bar.trigger(name);
    const std::int64_t asked = stage.step();
    QDialog* dialog = nullptr;
    const auto opened = [&] {
      for (QDialog* const each : bar.window.findChildren<QDialog*>())
        if (each->isVisible()) dialog = each;
      return dialog != nullptr;
    };
    QTRY_VERIFY2_WITH_TIMEOUT(opened(), name, kPatienceMs);
    QVERIFY2(!time->isPlaying(), name);
    QTRY_VERIFY2_WITH_TIMEOUT(bar.rests(), name, kPatienceMs);
    QVERIFY2(stage.step() == asked, name);
    dialog->reject();
    QTRY_VERIFY2_WITH_TIMEOUT(bar.window.findChildren<QDialog*>().isEmpty(), name, kPatienceMs);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestTimeBar test;
  return QTest::qExec(&test, count, words);
}
#include "tst_time_bar.moc"
