// How little room panels take in a small window, and that what is in them is whole there or says that it is not. Needs a display with
// OpenGL; skips where there is none.

#include <QDockWidget>
#include <QHelpEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardPaths>
#include <QToolButton>
#include <QToolTip>

#include "app/ui/widgets/elided_button.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestNarrowPanels : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void theViewHasMostOfASmallWindow();
  void buttonsAreInOneRowWhereThereIsRoom();
  void buttonsThatAreCutOffSaySo();
  void columnsAreAsWideAsWhatIsPutIntoThem_data();
  void columnsAreAsWideAsWhatIsPutIntoThem();
};

void TestNarrowPanels::initTestCase() {
  skipWithoutOpenGl();
}

void TestNarrowPanels::theViewHasMostOfASmallWindow() {
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=17,17,9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  for (const char* const name : {"addStreamlines", "addVolume"}) {
    studio.trigger(name);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  }
  QCOMPARE(studio.window.width(), 1024);
  const QWidget& view = studio.window.viewport();
  QVERIFY2(view.width() >= 400, qPrintable(QString::number(view.width())));
  // Who wants still more of it makes the pipeline narrower, in which all buttons are seen then, too.
  auto* const pipeline = studio.child<QDockWidget>("dock.pipeline");
  studio.window.resizeDocks({pipeline}, {10}, Qt::Horizontal);
  QTRY_VERIFY2_WITH_TIMEOUT(view.width() >= 450, qPrintable(QString::number(view.width())), kPatienceMs);
  for (const char* const name : {"dock.pipeline", "dock.views"}) {
    auto* const dock = studio.child<QDockWidget>(name);
    dock->raise();
    QTRY_VERIFY_WITH_TIMEOUT(dock->widget()->isVisible() && !dock->visibleRegion().isEmpty(), kPatienceMs);
    int buttons = 0;
    for (const QToolButton* const button : dock->widget()->findChildren<QToolButton*>()) {
      if (!button->isVisible()) continue;
      ++buttons;
      const QRect its(button->mapTo(dock->widget(), QPoint()), button->size());
      QVERIFY2(dock->widget()->rect().contains(its) && button->width() >= button->sizeHint().width(),
               qPrintable(button->text()));
      for (const QToolButton* const other : dock->widget()->findChildren<QToolButton*>())
        QVERIFY(other == button || !other->isVisible() || other->parentWidget() != button->parentWidget() ||
                !other->geometry().intersects(button->geometry()));
    }
    QVERIFY2(buttons >= 4, qPrintable(QString("%1 %2").arg(name).arg(buttons)));
  }
}

void TestNarrowPanels::buttonsAreInOneRowWhereThereIsRoom() {
  for (const QSize size : {QSize(1280, 800), QSize(1440, 900)}) {
    Studio studio(size);
    QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
    studio.model.open({"sample://cylinder?size=17,17,9"});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
    studio.trigger("addStreamlines");
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
    QCOMPARE(studio.window.width(), size.width());
    int buttons = 0;
    for (const QToolButton* const button : studio.window.pipeline().findChildren<QToolButton*>()) {
      if (!button->isVisible()) continue;
      ++buttons;
      QVERIFY2(button->y() < button->height(), qPrintable(button->text()));
    }
    QVERIFY2(buttons >= 8, qPrintable(QString::number(buttons)));
    QVERIFY2(studio.window.viewport().width() >= size.width() / 2,
             qPrintable(QString::number(studio.window.viewport().width())));
  }
}

void TestNarrowPanels::buttonsThatAreCutOffSaySo() {
  const QString text("Formulas, and functions of your own …");
  QWidget panel;
  auto* const button = new ui::ElidedButton(ui::icon("data"), text, &panel);
  button->setToolTip("Opens the calculator");
  QVERIFY(button->minimumSizeHint().width() < 2 * button->sizeHint().width() / 3);
  panel.resize(button->sizeHint() * 2);
  button->resize(button->sizeHint());
  panel.show();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  QCOMPARE(button->shownText(), text);
  button->resize(button->minimumSizeHint());
  QVERIFY2(button->shownText().startsWith("Formulas") && button->shownText().endsWith(QStringLiteral("…")) &&
               button->shownText() != text,
           qPrintable(button->shownText()));
  QCOMPARE(button->text(), text);  // for who has it read out
  const QPoint at = button->rect().center();
  QHelpEvent asks(QEvent::ToolTip, at, button->mapToGlobal(at));
  QApplication::sendEvent(button, &asks);
  QVERIFY2(QToolTip::text().contains(text) && QToolTip::text().contains("Opens"),
           qPrintable(QToolTip::text()));
}

void TestNarrowPanels::columnsAreAsWideAsWhatIsPutIntoThem_data() {
  QTest::addColumn<int>("width");
  QTest::newRow("room") << 1440;
  QTest::newRow("small window") << 1024;
}

/// A panel is put into the column of names. Where the window has no room for a wider one it scrolls sideways.
void TestNarrowPanels::columnsAreAsWideAsWhatIsPutIntoThem() {
  QFETCH(int, width);
  Studio studio({width, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=17,17,9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  auto* const pipeline = studio.child<QDockWidget>("dock.pipeline");
  for (const char* const name : {"dock.colors", "dock.volume"}) {
    auto* const dock = studio.child<QDockWidget>(name);
    studio.window.pipeline().select(0);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
    studio.window.tabifyDockWidget(pipeline, dock);
    studio.window.resizeDocks({pipeline}, {10}, Qt::Horizontal);
    dock->show();
    if (std::string(name) == "dock.volume") studio.trigger("addVolume");
    studio.window.pipeline().select(studio.newest());
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
    dock->raise();
    if (auto* const points = studio.child<QToolButton>("color.edit"); points->isVisible()) points->click();
    auto* const area = qobject_cast<QScrollArea*>(dock->widget());
    QVERIFY(area);
    const auto isWhole = [&] {
      const QWidget* const page = area->viewport();
      for (const QWidget* const part : area->widget()->findChildren<QWidget*>()) {
        if (!part->isVisible() || !(part->focusPolicy() & Qt::TabFocus)) continue;
        const int left = part->mapTo(page, QPoint()).x();
        if (left < 0 || left + part->width() > page->width()) return false;
      }
      return area->widget()->isVisible() && !dock->visibleRegion().isEmpty();
    };
    if (width > 1024)
      QTRY_VERIFY2_WITH_TIMEOUT(isWhole(), name, kPatienceMs);
    else
      QTRY_VERIFY2_WITH_TIMEOUT(isWhole() || area->horizontalScrollBar()->isVisible(), name, kPatienceMs);
  }
  QCOMPARE(studio.window.width(), width);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestNarrowPanels test;
  return QTest::qExec(&test, count, words);
}
#include "tst_narrow_panels.moc"
