// How the window is laid out: on small screens, with and without time, and as it was left. Needs a display
// with OpenGL; skips where there is none.

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCommandLinkButton>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QStandardPaths>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <QWheelEvent>

#include "app/ui/panels/property_editor.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/window/panel_focus.h"
#include "render/color/lettering.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

QString plainTitle(const QMenu& menu) {
  return menu.title().remove('&');
}

}  // namespace

class TestLayout : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void fitsSmallScreens();
  void whatFailedFitsSmallScreens();
  void startPageCutsNothingOff();
  void viewStaysWhereItIs();
  void filesAreListedWithWholeNumbers();
  void timeIsShownWhereThereIsAny();
  void timeStaysAsItIsWanted();
  void layoutIsRemembered();
  void tornOffPanelsAreSetOff();
  void panelsComeToTheFront();
  void numbersAreWhole();
  void memoryIsSmallUntilAskedFor();
  void lightAndDark();
  void theWheelScrollsPanels();
  void namesOfFilesAreToldApart();
  void buttonsAreSharpAtAnyScale();
  void windowsFitTheScreenThatThereIs();
};

void TestLayout::initTestCase() {
  skipWithoutOpenGl();
}

void TestLayout::fitsSmallScreens() {
  Studio studio({1000, 640});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  for (const char* const name : {"viewIsometric", "orthographic", "keepView", "exportImage"})
    QVERIFY2(!studio.action(name)->isEnabled(), name);  // there is nothing to look at
  studio.model.open({"sample://cylinder?size=17,17,9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  QVERIFY(studio.action("viewIsometric")->isEnabled());
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY2(studio.window.width() <= 1024 && studio.window.height() <= 700,
           qPrintable(QString("%1 x %2").arg(studio.window.width()).arg(studio.window.height())));
  studio.window.pipeline().select(0);  // the picture's properties have sliders
  for (const QSlider* const slider : studio.window.findChildren<QSlider*>())
    QVERIFY2(!slider->isVisible() || slider->width() >= 40, qPrintable(slider->objectName()));
  const Bounds bounds = studio.model.stage().dataBounds();
  const double letters =
      color::letterPixels(studio.window.viewport().width(), studio.window.viewport().height());
  // Data and their legend lie beside each other, however they are fitted into the view, and without perspective, too.
  studio.window.pipeline().select(studio.model.document().objectIds().front());
  for (const bool flat : {false, true}) {
    studio.action("orthographic")->setChecked(flat);
    for (const char* const name : {"viewIsometric", "fitSelection", "resetView"}) {
      QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
      studio.trigger(name);
      QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
      QCOMPARE(studio.window.viewport().isOrthographic(), flat);
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 place{corner & 1 ? bounds.min.x : bounds.max.x, corner & 2 ? bounds.min.y : bounds.max.y,
                         corner & 4 ? bounds.min.z : bounds.max.z};
        const QPoint seen = studio.pixelOf(place);
        QVERIFY2(seen.x() >= 0 && seen.x() <= studio.window.viewport().width() - 7.5 * letters,
                 qPrintable(
                     QString("%1: %2 of %3").arg(name).arg(seen.x()).arg(studio.window.viewport().width())));
      }
    }
  }
  studio.action("orthographic")->setChecked(false);
  // With steps there is a panel more, which does not make it wider.
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().steps() == 3 && studio.viewRests(), kPatienceMs);
  QVERIFY(studio.child<QDockWidget>("dock.time")->isVisible());
  QTRY_VERIFY2_WITH_TIMEOUT(studio.window.width() <= 1024 && studio.window.height() <= 700,
                            qPrintable(QString::number(studio.window.width())), kPatienceMs);
  for (QWidget* const each : studio.child<QDockWidget>("dock.time")->widget()->findChildren<QWidget*>())
    if (each->isVisible() && (qobject_cast<QAbstractSpinBox*>(each) || qobject_cast<QAbstractButton*>(each)))
      QVERIFY2(each->width() >= each->minimumSizeHint().width() &&
                   studio.window.rect().contains(each->mapTo(&studio.window, each->rect().bottomRight())),
               each->metaObject()->className());
  // Something is left for the view.
  QVERIFY2(
      studio.window.viewport().width() > 300 && studio.window.viewport().height() > 150,
      qPrintable(
          QString("%1 x %2").arg(studio.window.viewport().width()).arg(studio.window.viewport().height())));
}

/// What is offered beside an error makes the window no wider than its screen.
void TestLayout::whatFailedFitsSmallScreens() {
  Studio studio({1000, 640});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  write(studio.at("a-grid.xyz"), QByteArray(12345, 'x'));
  write(studio.at("numbers.raw"), QByteArray(12345, 'x'));
  for (const char* const name : {"a-grid.xyz", "numbers.raw"}) {
    studio.model.open({studio.at(name)});
    const std::string data = studio.session().data.back().name;
    QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus(data).state, app::DataState::Failed,
                              kPatienceMs);
    studio.window.pipeline().selectData(data);
    QTRY_VERIFY_WITH_TIMEOUT(
        studio.child<QAbstractButton>(name == std::string("a-grid.xyz") ? "plot3d.read" : "raw.read"),
        kPatienceMs);
    QTest::qWait(50);  // for what it makes wider
    QVERIFY2(studio.window.width() <= 1024, qPrintable(QString::number(studio.window.width())));
  }
}

/// Every title has room for all of it, however narrow the window is.
void TestLayout::startPageCutsNothingOff() {
  Studio studio({1440, 900});
  studio.model.settings().addRecent("/data/a long name of a file that was opened last, and more of it.xyz");
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  for (const QSize size : {QSize(1440, 845), QSize(1024, 700), QSize(800, 640), QSize(640, 600)}) {
    studio.window.resize(size);
    QTRY_COMPARE_WITH_TIMEOUT(studio.window.size(), size, kPatienceMs);
    const QList<QCommandLinkButton*> buttons = studio.window.findChildren<QCommandLinkButton*>();
    QVERIFY(buttons.size() >= 9);
    const auto fits = [&] {
      return std::all_of(buttons.begin(), buttons.end(), [](const QCommandLinkButton* button) {
        // The title in its own, larger letters, beside the picture and the margins.
        QFont font = button->font();
        font.setPointSizeF(9);
        const int title = QFontMetrics(font).horizontalAdvance(button->text());
        return button->width() >= title + button->iconSize().width() + 20 &&
               button->width() >= button->sizeHint().width();
      });
    };
    QTRY_VERIFY2_WITH_TIMEOUT(fits(), qPrintable(QString::number(size.width())), kPatienceMs);
    // On a screen of usual size all of it is seen at once.
    if (size.width() < 1440) continue;
    const QScrollBar* const bar = studio.child<QScrollArea>("startPage")->verticalScrollBar();
    QTRY_COMPARE_WITH_TIMEOUT(bar->maximum(), 0, kPatienceMs);
    if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
      QVERIFY(studio.window.grab().save(where + QString("/start-%1.png").arg(size.width())));
  }
}

/// Whatever is selected: what is under the cursor does not move away.
void TestLayout::viewStaysWhereItIs() {
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=17,17,9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  const QSize size = studio.window.viewport().size();
  for (const char* const name : {"addVolume", "addSlice", "addIsosurface", "addSurface", "addArrows",
                                 "addIsolines", "addStreamlines", "addProbe"}) {
    if (!studio.action(name)->isEnabled()) continue;
    studio.trigger(name);
    QTest::qWait(50);
    QVERIFY2(studio.window.viewport().size() == size,
             qPrintable(QString("%1: %2 wide, before %3, the panel's least %4")
                            .arg(name)
                            .arg(studio.window.viewport().width())
                            .arg(size.width())
                            .arg(studio.window.findChild<ui::PropertyEditor*>()->minimumWidth())));
  }
}

void TestLayout::filesAreListedWithWholeNumbers() {
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.settings().setLastFolder(QString::fromStdString(studio.folder.path().string()));
  write(studio.at("a.q"), QByteArray(123456, 'x'));
  studio.trigger("open");
  auto* const dialog = studio.window.findChild<QFileDialog*>();
  QVERIFY(dialog);
  auto* const list = dialog->findChild<QTreeView*>("treeView");
  QVERIFY(list);
  constexpr int kSize = 1, kDate = 3;
  QTRY_VERIFY_WITH_TIMEOUT(list->model()->rowCount(list->rootIndex()) > 0, kPatienceMs);
  for (const int column : {kSize, kDate}) {
    QVERIFY(!list->isColumnHidden(column));
    QTRY_VERIFY_WITH_TIMEOUT(list->columnWidth(column) >=
                                 static_cast<QAbstractItemView*>(list)
                                     ->sizeHintForIndex(list->model()->index(0, column, list->rootIndex()))
                                     .width(),
                             kPatienceMs);
  }
  dialog->reject();
}

void TestLayout::timeIsShownWhereThereIsAny() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  auto* const time = studio.child<QDockWidget>("dock.time");
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QVERIFY(!time->isVisible());
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().steps() == 3, kPatienceMs);
  QVERIFY(time->isVisible());
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 4u, kPatienceMs);
  // Data go with what was shown of them, in one step.
  studio.trigger("undo");
  QCOMPARE(studio.session().data.size(), 1u);
  QCOMPARE(studio.session().objects.size(), 2u);
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().steps() == 1, kPatienceMs);
  QVERIFY(!time->isVisible());
  // Who wants to see it all the same does.
  time->toggleViewAction()->trigger();
  QVERIFY(time->isVisible());
}

void TestLayout::timeStaysAsItIsWanted() {
  const TemporaryFolder folder;
  const QString settings = QString::fromStdString((folder / "settings.ini").string());
  const auto open = [](Studio& studio, const char* source, std::int64_t steps) {
    studio.model.open({source});
    return QTest::qWaitFor(
        [&] {
          return studio.model.stage().steps() == steps && studio.rests() &&
                 studio.session().objects.size() >= 2;
        },
        kPatienceMs);
  };
  {
    Studio studio({1280, 800}, settings);
    QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
    auto* const time = studio.child<QDockWidget>("dock.time");
    QVERIFY(open(studio, "sample://taylor-green?size=9&steps=3", 3));
    QVERIFY(time->isVisible());
    // Closed by the button of its title bar: other data and the way over the start page do not bring it back.
    auto* const close = time->findChild<QAbstractButton*>("qt_dockwidget_closebutton");
    QVERIFY(close);
    QTest::mouseClick(close, Qt::LeftButton);
    QVERIFY(!time->isVisible());
    QVERIFY(open(studio, "sample://taylor-green?size=9&steps=5", 5));
    QVERIFY(!time->isVisible());
    studio.model.document().clear();
    QVERIFY(open(studio, "sample://taylor-green?size=9&steps=4", 4));
    QVERIFY(!time->isVisible());
    studio.model.document().clear();
    studio.window.close();
  }
  // The next start does not, either.
  Studio studio({1280, 800}, settings);
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  auto* const time = studio.child<QDockWidget>("dock.time");
  QVERIFY(open(studio, "sample://taylor-green?size=9&steps=3", 3));
  QVERIFY(!time->isVisible());
  // Opened by the user it stays, where there is nothing to step through, too.
  time->toggleViewAction()->trigger();
  QVERIFY(time->isVisible());
  studio.model.document().clear();
  QVERIFY(open(studio, "sample://abc?size=9", 1));
  QVERIFY(time->isVisible());
  // Until the layout is set back.
  studio.trigger("resetLayout");
  QVERIFY(!time->isVisible());
  QVERIFY(open(studio, "sample://taylor-green?size=9&steps=3", 3));
  QVERIFY(time->isVisible());
}

void TestLayout::layoutIsRemembered() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.child<QDockWidget>("dock.memory")->close();
  // Through the start page and back.
  studio.model.document().clear();
  QVERIFY(!studio.child<QDockWidget>("dock.pipeline")->isVisible());
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QDockWidget>("dock.pipeline")->isVisible(), kPatienceMs);
  QVERIFY(!studio.child<QDockWidget>("dock.memory")->isVisible());
  studio.trigger("resetLayout");
  QVERIFY(studio.child<QDockWidget>("dock.memory")->isVisible());
}

/// Who chooses a panel sees it, also where it lay behind another; chosen once more it is closed.
void TestLayout::panelsComeToTheFront() {
  Studio studio({1440, 900});
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.viewRests(), kPatienceMs);
  const auto dock = [&](const char* name) { return studio.child<QDockWidget>(name); };
  const auto inSight = [](const QDockWidget* its) { return ui::PanelFocus::isInSight(its); };
  for (const char* const name : {"dock.colors", "dock.volume", "dock.properties", "dock.messages",
                                 "dock.memory", "dock.views", "dock.pipeline", "dock.plots", "dock.probes"}) {
    QTRY_VERIFY2_WITH_TIMEOUT(!inSight(dock(name)) || name == std::string("dock.properties"), name,
                              kPatienceMs);
    if (inSight(dock(name))) continue;
    dock(name)->toggleViewAction()->trigger();
    QTRY_VERIFY2_WITH_TIMEOUT(inSight(dock(name)), name, kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(dock(name)->toggleViewAction()->isChecked(), name, kPatienceMs);
  }
  dock("dock.probes")->toggleViewAction()->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(dock("dock.probes")->isHidden(), kPatienceMs);
  QVERIFY(!dock("dock.probes")->toggleViewAction()->isChecked());
  // What leads to a panel shows it.
  dock("dock.colors")->raise();
  studio.trigger("picture");
  QTRY_VERIFY_WITH_TIMEOUT(inSight(dock("dock.properties")), kPatienceMs);
  dock("dock.views")->raise();
  studio.window.pipeline().select(studio.newest());
  studio.trigger("rename");
  QTRY_VERIFY_WITH_TIMEOUT(inSight(dock("dock.pipeline")), kPatienceMs);
}

/// In a field that is too narrow for all digits there are fewer, not parts of them; where one types there are all.
void TestLayout::numbersAreWhole() {
  QWidget panel;
  ui::NumberEdit edit({}, &panel), other({}, &panel);
  const double value = -0.00012345678;
  const QString whole = ui::textOfNumber(value);
  panel.resize(600, 100);
  other.move(0, 60);
  edit.setValue(value);
  panel.show();
  panel.activateWindow();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  other.setFocus();
  edit.resize(400, 30);
  QCOMPARE(edit.text(), whole);
  edit.resize(edit.minimumSizeHint().width() + edit.fontMetrics().horizontalAdvance("000"), 30);
  QVERIFY(edit.text() != whole);
  QVERIFY(edit.fontMetrics().horizontalAdvance(edit.text()) < edit.width());
  QVERIFY(std::abs(edit.text().toDouble() - value) < 0.1 * std::abs(value));
  QCOMPARE(*edit.value(), value);
  // Return in a field where nothing was typed changes nothing.
  QSignalSpy edited(&edit, &ui::NumberEdit::edited);
  QFocusEvent in(QEvent::FocusIn, Qt::TabFocusReason), out(QEvent::FocusOut, Qt::TabFocusReason);
  QApplication::sendEvent(&edit, &in);
  QCOMPARE(edit.text(), whole);
  QTest::keyClick(&edit, Qt::Key_Return);
  QCOMPARE(*edit.value(), value);
  QApplication::sendEvent(&edit, &out);
  QCOMPARE(*edit.value(), value);
}

void TestLayout::memoryIsSmallUntilAskedFor() {
  const TemporaryFolder folder;
  const QString settings = QString::fromStdString((folder / "settings.ini").string());
  int detailed = 0;
  {
    Studio studio({1280, 800}, settings);
    QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
    studio.model.open({"sample://abc?size=9"});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
    auto* const dock = studio.child<QDockWidget>("dock.memory");
    auto* const map = studio.child<QLabel>("memory.map");
    QTRY_VERIFY2_WITH_TIMEOUT(dock->height() < 110, qPrintable(QString::number(dock->height())), kPatienceMs);
    QVERIFY(studio.child<QSlider>("memory.budget")->isVisible() && !map->isVisible());
    studio.child<QToolButton>("memory.more")->click();
    QVERIFY(map->isVisible());
    QTRY_VERIFY2_WITH_TIMEOUT(dock->height() > 150, qPrintable(QString::number(dock->height())), kPatienceMs);
    detailed = dock->height();
    studio.model.document().clear();
    studio.window.close();
  }
  // As it was left.
  Studio studio({1280, 800}, settings);
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  auto* const dock = studio.child<QDockWidget>("dock.memory");
  QVERIFY(studio.child<QLabel>("memory.map")->isVisible());
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(dock->height() - detailed) < 20, kPatienceMs);
  studio.child<QToolButton>("memory.more")->click();
  QTRY_VERIFY2_WITH_TIMEOUT(dock->height() < 110, qPrintable(QString::number(dock->height())), kPatienceMs);
}

/// Towards the middle, from where they were.
void TestLayout::tornOffPanelsAreSetOff() {
  Studio studio({1280, 800});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && !studio.session().objects.empty(), kPatienceMs);
  for (const char* const name : {"dock.pipeline", "dock.properties"}) {
    auto* const dock = studio.child<QDockWidget>(name);
    auto* const tear = dock->findChild<QAbstractButton*>("qt_dockwidget_floatbutton");
    const QPoint was = dock->mapToGlobal(QPoint());
    tear->click();
    QTRY_VERIFY2_WITH_TIMEOUT(dock->isFloating() && std::abs(dock->pos().x() - was.x()) > 20 &&
                                  std::abs(dock->pos().y() - was.y()) > 20,
                              name, kPatienceMs);
    QCOMPARE(dock->pos().x() > was.x(), QString(name) == "dock.pipeline");
    tear->click();
  }
}

void TestLayout::lightAndDark() {
  Studio studio;
  const bool dark = ui::isDark();
  studio.trigger("theme");
  QCOMPARE(ui::isDark(), !dark);
  // Tips are not the one bright thing among dark panels.
  ui::applyTheme(app::Theme::Dark);
  QVERIFY(QToolTip::palette().color(QPalette::ToolTipBase).lightness() < 128);
  ui::applyTheme(dark ? app::Theme::Light : app::Theme::Dark);
  // What was in the colour of warnings before is in that of the new theme, and what is drawn in colours of text.
  QLabel warned(&studio.window);
  ui::showWarning(&warned, QPalette::WindowText, true);
  QCOMPARE(warned.palette().color(QPalette::WindowText), ui::warningColor());
  const QColor before = ui::warningColor();
  ui::MessageList seen, hidden;
  seen.show();
  for (ui::MessageList* const messages : {&seen, &hidden})
    messages->add(ui::MessageKind::Problem, "something is wrong");
  studio.trigger("theme");
  QVERIFY(ui::warningColor() != before);
  QCOMPARE(warned.palette().color(QPalette::WindowText), ui::warningColor());
  QTRY_COMPARE_WITH_TIMEOUT(seen.item(0)->foreground().color(), ui::warningColor(), kPatienceMs);
  hidden.show();
  QCOMPARE(hidden.item(0)->foreground().color(), ui::warningColor());
  // What has no blanks is broken as well, and copied as it was.
  const QString command =
      "farfield batchvis /a/long/folder/of/somebody/session.json --set camera={\"position\":[1.25,2.5,3.75],"
      "\"target\":[0,0,0],\"up\":[0,0,1]}";
  seen.resize(200, 300);
  seen.add(ui::MessageKind::Note, command);
  const int row = seen.count() - 1;
  const int lines = seen.fontMetrics().horizontalAdvance(command) / seen.viewport()->width();
  QTRY_VERIFY_WITH_TIMEOUT(seen.visualItemRect(seen.item(row)).height() > lines * seen.fontMetrics().height(),
                           kPatienceMs);
  QVERIFY(seen.visualItemRect(seen.item(row)).width() <= seen.viewport()->width());
  QVERIFY(seen.allText().endsWith(command));
  ui::showWarning(&warned, QPalette::WindowText, false);
  QCOMPARE(warned.palette().color(QPalette::WindowText), QApplication::palette().color(QPalette::WindowText));
  QCOMPARE(ui::isDark(), dark);
}

/// Whatever comes under the cursor on the way down a panel keeps its value.
void TestLayout::theWheelScrollsPanels() {
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  auto* const properties = studio.window.findChild<ui::PropertyEditor*>();
  QTRY_VERIFY_WITH_TIMEOUT(properties->verticalScrollBar()->maximum() > 0, kPatienceMs);
  const session::Object before = *studio.model.document().object(studio.newest());
  int turned = 0;
  for (QWidget* const each : properties->widget()->findChildren<QWidget*>()) {
    if (!each->isVisible() || !(qobject_cast<QComboBox*>(each) || qobject_cast<QSlider*>(each))) continue;
    each->setFocus();  // also where one has chosen something just now
    const QPointF at = QRectF(each->rect()).center();
    QWheelEvent wheel(at, each->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(each, &wheel);
    QVERIFY2(!wheel.isAccepted(), qPrintable(each->objectName()));  // so that it goes on to the panel
    ++turned;
  }
  QVERIFY(turned > 2);
  QTest::qWait(0);
  QVERIFY(*studio.model.document().object(studio.newest()) == before);
}

/// Two files of one name have their folders, letters are what they are in a name, and a long series names a few of its files.
void TestLayout::namesOfFilesAreToldApart() {
  Studio studio;
  app::Settings& settings = studio.model.settings();
  QStringList series{"/data/wing.xyz"};
  for (int n = 0; n < 500; ++n) series.append(QString("/data/wing_%1.q").arg(n));
  for (const QString& each :
       {series.join('\n'), QString("/data/hot & cold.h5"), QString("/two/c.h5"), QString("/one/c.h5")})
    settings.addRecent(each);
  QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // of lines that have been replaced
  QStringList menu, page;
  for (const QMenu* const each : studio.window.findChildren<QMenu*>())
    if (plainTitle(*each) == "Open recent")
      for (const QAction* const action : each->actions()) menu.append(action->text());
  for (const QPushButton* const each : studio.child<QWidget>("startPage")->findChildren<QPushButton*>())
    if (each->isFlat()) {
      page.append(each->text());
      QVERIFY2(each->toolTip().count('\n') < 12, qPrintable(each->text()));
    }
  for (const QStringList* const texts : {&menu, &page}) {
    QVERIFY2(texts->size() >= 4, qPrintable(texts->join(' ')));
    QCOMPARE(texts->at(0), QString("c.h5 in /one"));
    QCOMPARE(texts->at(1), QString("c.h5 in /two"));
    QCOMPARE(texts->at(2), QString("hot && cold.h5"));
    QCOMPARE(texts->at(3), QString("wing.xyz + wing_*.q (500 files)"));
  }
}

/// Those of panels are drawn for the screen's pixels, and no icon is drawn out to the shape of its place.
void TestLayout::buttonsAreSharpAtAnyScale() {
  const Studio studio;
  int met = 0;
  for (const char* const name : {"qt_dockwidget_closebutton", "qt_dockwidget_floatbutton"})
    for (const QAbstractButton* const button : studio.window.findChildren<QAbstractButton*>(name)) {
      const QSize drawn = button->icon().pixmap(QSize(16, 16), 2).size();
      QVERIFY2(drawn == QSize(32, 32), qPrintable(QString("%1: %2").arg(name).arg(drawn.width())));
      ++met;
    }
  QVERIFY(met > 10);
  QImage tall(16, 40, QImage::Format_ARGB32_Premultiplied);
  tall.fill(Qt::transparent);
  QPainter onto(&tall);
  ui::icon("new").paint(&onto, tall.rect());
  onto.end();
  int first = tall.height(), last = 0;
  for (int y = 0; y < tall.height(); ++y)
    for (int x = 0; x < tall.width(); ++x)
      if (tall.pixelColor(x, y).alpha() > 20) first = std::min(first, y), last = y;
  QVERIFY2(last - first < 16, qPrintable(QString("%1 to %2").arg(first).arg(last)));
  QVERIFY(std::abs(first + last - tall.height()) <= 2);
}

/// One that was used on a larger screen before.
void TestLayout::windowsFitTheScreenThatThereIs() {
  TemporaryFolder folder;
  const QString settings = QString::fromStdString((folder / "settings.ini").string());
  const QRect screen = QGuiApplication::primaryScreen()->availableGeometry();
  {
    Studio large(screen.size() * 2, settings);
    QVERIFY(QTest::qWaitForWindowExposed(&large.window));
    large.model.open({"sample://abc?size=9"});
    QTRY_VERIFY_WITH_TIMEOUT(large.rests() && !large.session().objects.empty(), kPatienceMs);
    QVERIFY(large.window.width() > screen.width());
    large.model.document().clear();
    QVERIFY(large.window.close());
  }
  app::Settings kept(settings);
  QVERIFY(!kept.windowLayout("geometry").isEmpty());
  const Studio files;
  app::AppModel model(files.parts());
  model.settings().setWindowLayout("geometry", kept.windowLayout("geometry"));
  model.settings().setWindowLayout("docks", kept.windowLayout("docks"));
  ui::MainWindow window(model);
  window.show();
  QVERIFY(QTest::qWaitForWindowExposed(&window));
  QVERIFY2(screen.contains(window.frameGeometry()), qPrintable(QString("%1 x %2 at %3, %4")
                                                                   .arg(window.width())
                                                                   .arg(window.height())
                                                                   .arg(window.x())
                                                                   .arg(window.y())));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLayout test;
  return QTest::qExec(&test, count, words);
}
#include "tst_layout.moc"
