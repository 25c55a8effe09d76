// What can be reached with keys alone, and whether it has a name for those who do not see it.

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QStandardPaths>

#include "app/ui/dialogs/command_palette.h"
#include "app/ui/panels/time_bar.h"
#include "app/ui/window/panel_focus.h"
#include "tests/gui/window/support/in_sight.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

QString nameOf(QWidget* widget) {
  // A list of choices gives its choice as its name here, and the name through its label.
  if (qobject_cast<QComboBox*>(widget)) return widget->accessibleName();
  const QAccessibleInterface* const its = QAccessible::queryAccessibleInterface(widget);
  return its ? its->text(QAccessible::Name) : QString();
}

QString describe(const QWidget* widget) {
  return QString("%1 \"%2\"").arg(widget->metaObject()->className(), widget->objectName());
}

/// The dock that `widget` is in; empty where it is in none.
QString dockOf(const QWidget* widget) {
  for (; widget; widget = widget->parentWidget())
    if (qobject_cast<const QDockWidget*>(widget)) return widget->objectName();
  return {};
}

}  // namespace

class TestKeyboard : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void tabGoesThroughAllThatIsSeen();
  void panelsBehindAreReached();
  void panelsThatAreTornOffAreLeft();
  void panelsGoBackBehind();
  void keysLeaveAPanelThatGoesBehind();
  void panelsAskedForByNameAreInFront();
  void conversionIsFound();
  void whatIsNotPossibleIsSaid();
  void spacePlaysAmongSteps();
  void startPage();
  void whatHasTheKeyboardIsSeen();
  void whatHasTheKeyboardIsMarked_data();
  void whatHasTheKeyboardIsMarked();
};

void TestKeyboard::initTestCase() {
  skipWithoutOpenGl();
}

/// All stops of the keyboard, from where it is until it comes there again.
QList<QWidget*> walk(Qt::Key key) {
  QList<QWidget*> stops;
  for (QWidget* at = QApplication::focusWidget(); at && !stops.contains(at) && stops.size() < 500;
       at = QApplication::focusWidget()) {
    stops.append(at);
    QTest::keyClick(at, key);
  }
  return stops;
}

void TestKeyboard::tabGoesThroughAllThatIsSeen() {
  Studio studio({1400, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  studio.window.viewport().setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &studio.window.viewport(), kPatienceMs);
  const QList<QWidget*> stops = walk(Qt::Key_Tab);
  QCOMPARE(QApplication::focusWidget(), &studio.window.viewport());
  // Panel after panel, as they are seen.
  QStringList docks;
  for (QWidget* const stop : stops) {
    if (const QString dock = dockOf(stop); !dock.isEmpty() && (docks.isEmpty() || docks.back() != dock))
      docks.append(dock);
    QVERIFY2(!nameOf(stop).isEmpty(), qPrintable(describe(stop)));
    // What is further down in a panel that scrolls is in sight once the keyboard is there.
    if (dockOf(stop) != "dock.properties")
      QVERIFY2(isInSight(studio.window, stop), qPrintable(describe(stop)));
  }
  QCOMPARE(docks, (QStringList{"dock.pipeline", "dock.properties", "dock.time", "dock.memory"}));
  // All fields of the object, in the order in which they stand there.
  QStringList fields;
  for (QWidget* const stop : stops)
    if (dockOf(stop) == "dock.properties" && !stop->objectName().isEmpty()) fields.append(stop->objectName());
  QVERIFY2(fields.indexOf("vector") >= 0 && fields.indexOf("vector") < fields.indexOf("seeds.from") &&
               fields.indexOf("seeds.from") < fields.indexOf("color.by") &&
               fields.indexOf("color.by") < fields.indexOf("width"),
           qPrintable(fields.join(' ')));
  // And back the same way.
  QList<QWidget*> back = walk(Qt::Key_Backtab);
  std::reverse(back.begin() + 1, back.end());
  QCOMPARE(back, stops);
}

void TestKeyboard::panelsBehindAreReached() {
  Studio studio({1400, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.window.viewport().setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &studio.window.viewport(), kPatienceMs);
  QStringList met;
  for (int n = 0; n < 9; ++n) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
    QWidget* const at = QApplication::focusWidget();
    met.append(dockOf(at));
    // A panel that was behind is laid out first.
    QTRY_VERIFY2_WITH_TIMEOUT(isInSight(studio.window, at), qPrintable(describe(at)), kPatienceMs);
  }
  QCOMPARE(met, (QStringList{"dock.pipeline", "dock.views", "dock.properties", "dock.colors", "dock.volume",
                             "dock.time", "dock.memory", "dock.messages", QString()}));
  QCOMPARE(QApplication::focusWidget(), &studio.window.viewport());
  // Back, past one that is closed, and to where the keyboard was in a panel.
  auto* const messages = studio.child<QDockWidget>("dock.messages");
  messages->raise();
  QTRY_VERIFY_WITH_TIMEOUT(ui::PanelFocus::isInSight(messages), kPatienceMs);
  messages->close();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6, Qt::ShiftModifier);
  QCOMPARE(dockOf(QApplication::focusWidget()), "dock.memory");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  const QWidget* const was = QApplication::focusWidget();
  QCOMPARE(dockOf(was), "dock.memory");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6, Qt::ShiftModifier);
  QCOMPARE(QApplication::focusWidget(), was);
}

void TestKeyboard::panelsThatAreTornOffAreLeft() {
  Studio studio({1400, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  auto* const colors = studio.child<QDockWidget>("dock.colors");
  colors->raise();
  colors->setFloating(true);
  QTRY_VERIFY_WITH_TIMEOUT(colors->isVisible() && colors->isFloating(), kPatienceMs);
  studio.window.activateWindow();
  studio.window.viewport().setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &studio.window.viewport(), kPatienceMs);
  QStringList met;
  do {
    const QString before = met.isEmpty() ? QString() : met.back();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
    QTRY_VERIFY2_WITH_TIMEOUT(QApplication::focusWidget() && dockOf(QApplication::focusWidget()) != before,
                              qPrintable(met.join(' ')), kPatienceMs);
    met.append(dockOf(QApplication::focusWidget()));
    // Styles mark it, whatever it is.
    QVERIFY(QApplication::focusWidget()->window()->testAttribute(Qt::WA_KeyboardFocusChange));
  } while (!met.back().isEmpty() && met.size() < 12);
  QVERIFY2(met.contains("dock.colors") && met.indexOf("dock.colors") < met.size() - 2,
           qPrintable(met.join(' ')));
  QCOMPARE(QApplication::focusWidget(), &studio.window.viewport());
}

void TestKeyboard::panelsGoBackBehind() {
  TemporaryFolder folder;
  const QString settings = QString::fromStdString((folder / "settings.ini").string());
  const auto isInFront = [](Studio& studio, const char* dock) {
    return ui::PanelFocus::isInSight(studio.child<QDockWidget>(dock));
  };
  const auto open = [](Studio& studio) {
    studio.model.open({"sample://taylor-green?size=9&steps=3"});
    return QTest::qWaitForWindowExposed(&studio.window) &&
           QTest::qWaitFor([&] { return studio.rests() && studio.session().objects.size() == 2; },
                           kPatienceMs);
  };
  const auto next = [] { QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6); };
  {
    Studio studio({1400, 900}, settings);
    QVERIFY(open(studio));
    studio.window.viewport().setFocus();
    QTRY_COMPARE(QApplication::focusWidget(), &studio.window.viewport());
    next();
    next();
    QTRY_VERIFY_WITH_TIMEOUT(isInFront(studio, "dock.views") && !isInFront(studio, "dock.pipeline"),
                             kPatienceMs);
    next();
    QTRY_VERIFY_WITH_TIMEOUT(isInFront(studio, "dock.pipeline") && !isInFront(studio, "dock.views"),
                             kPatienceMs);
    // Through three that lie behind one another, and out of them.
    next();
    next();
    QTRY_VERIFY_WITH_TIMEOUT(isInFront(studio, "dock.volume"), kPatienceMs);
    next();
    QTRY_VERIFY_WITH_TIMEOUT(isInFront(studio, "dock.properties"), kPatienceMs);
    // What is asked for while the keyboard is there stays.
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(isInFront(studio, "dock.volume"), kPatienceMs);
    studio.child<QDockWidget>("dock.colors")->raise();
    studio.window.viewport().setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(isInFront(studio, "dock.colors"), kPatienceMs);
    // The program ends while the keyboard is in one that was behind.
    next();
    next();
    QTRY_VERIFY_WITH_TIMEOUT(isInFront(studio, "dock.views"), kPatienceMs);
    studio.model.save(studio.at("flow.json"));
    QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified(), kPatienceMs);
    QVERIFY(studio.window.close());
  }
  Studio again({1400, 900}, settings);
  QVERIFY(open(again));
  QTRY_VERIFY_WITH_TIMEOUT(isInFront(again, "dock.pipeline") && !isInFront(again, "dock.views"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(isInFront(again, "dock.colors"), kPatienceMs);
}

/// Delete went on to the list of objects that another panel was in front of.
void TestKeyboard::keysLeaveAPanelThatGoesBehind() {
  Studio studio({1400, 900});
  studio.model.open({"sample://taylor-green?size=9"});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  auto* const pipeline = studio.child<QDockWidget>("dock.pipeline");
  auto* const views = studio.child<QDockWidget>("dock.views");
  studio.window.pipeline().select(studio.model.document().objectIds().front());
  QVERIFY(ui::PanelFocus::enter(pipeline));
  QTRY_COMPARE(dockOf(QApplication::focusWidget()), QString("dock.pipeline"));
  // as by a click on its tab
  views->raise();
  QTRY_COMPARE(dockOf(QApplication::focusWidget()), QString("dock.views"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Delete);
  QCOMPARE(studio.session().objects.size(), 2u);
  pipeline->raise();
  QTRY_COMPARE(dockOf(QApplication::focusWidget()), QString("dock.pipeline"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Delete);
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 1u, kPatienceMs);
}

/// One that was open already was closed by its name.
void TestKeyboard::panelsAskedForByNameAreInFront() {
  Studio studio({1400, 900});
  studio.model.open({"sample://taylor-green?size=9"});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  auto* const pipeline = studio.child<QDockWidget>("dock.pipeline");
  QVERIFY(ui::PanelFocus::enter(pipeline));
  const auto ask = [&](const QString& name) {
    studio.trigger("palette");
    QPointer<ui::CommandPalette> palette;
    QTRY_VERIFY_WITH_TIMEOUT(
        (palette = studio.window.findChild<ui::CommandPalette*>()) && palette->isVisible(), kPatienceMs);
    auto* const line = palette->findChild<QLineEdit*>();
    QTest::keyClicks(line, name);
    QVERIFY(palette->findChild<QListWidget*>()->currentItem());
    QCOMPARE(palette->findChild<QListWidget*>()->currentItem()->text(), name);
    QTest::keyClick(line, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!palette, kPatienceMs);
  };
  // In front from the first, behind another, closed, and each once more where it is then.
  for (const auto& [name, title] : {std::pair("dock.memory", "Memory and I/O"),
                                    std::pair("dock.views", "Views"), std::pair("dock.plots", "Plots")}) {
    auto* const dock = studio.child<QDockWidget>(name);
    for (int n = 0; n < 2; ++n) {
      ask(title);
      QTRY_VERIFY2_WITH_TIMEOUT(
          ui::PanelFocus::isInSight(dock) && dockOf(QApplication::focusWidget()) == name, name, kPatienceMs);
      QVERIFY2(dock->toggleViewAction()->isChecked(), name);
    }
  }
  // Among the panels of the menu its check mark closes it as before.
  studio.child<QDockWidget>("dock.plots")->toggleViewAction()->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QDockWidget>("dock.plots")->isHidden(), kPatienceMs);
}

void TestKeyboard::conversionIsFound() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  QVERIFY(!studio.action("convert")->isEnabled());
  const Outcome made =
      runFarfield({"sample", "cylinder", "-o", studio.at("wing"), "--size", "17,33,9", "--format", "plot3d"});
  QVERIFY2(made.status == 0, made.errors);
  studio.model.open({studio.at("wing.xyz"), studio.at("wing.q")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.window.activateWindow();
  studio.trigger("palette");
  QPointer<ui::CommandPalette> palette;
  QTRY_VERIFY_WITH_TIMEOUT((palette = studio.window.findChild<ui::CommandPalette*>()) && palette->isVisible(),
                           kPatienceMs);
  QTest::keyClicks(palette->findChild<QLineEdit*>(), "convert");
  const QListWidgetItem* const first = palette->findChild<QListWidget*>()->currentItem();
  QVERIFY(first);
  QCOMPARE(first->text(), QString("Convert to a paged store"));
  // Other programs' words are in what a command does.
  for (const auto& [typed, found] :
       {std::pair("theme", "Light or dark"), std::pair("preferences", "Settings")}) {
    auto* const line = palette->findChild<QLineEdit*>();
    line->clear();
    QTest::keyClicks(line, typed);
    QCOMPARE(palette->findChild<QListWidget*>()->currentItem()->text(), QString(found));
  }
  palette->close();
  // It is called so in the properties of the data, as each command is in both places.
  studio.window.pipeline().selectData(studio.session().data.front().name);
  QStringList offers;
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QPushButton>("convert"), kPatienceMs);
  const auto commandNamed = [&](const QString& text) {
    for (const QAction* const each : studio.window.findChildren<QAction*>())
      if (ui::plainText(*each) == ui::plainText(text)) return true;
    return false;
  };
  QVERIFY(commandNamed(studio.child<QPushButton>("convert")->text()));
  for (const QPushButton* const each :
       studio.child<QDockWidget>("dock.properties")->findChildren<QPushButton*>())
    if (each->text().startsWith("Add ")) {
      offers.append(each->text());
      QVERIFY2(commandNamed(each->text()), qPrintable(each->text()));
    }
  QVERIFY2(offers.contains("Add slice") && offers.contains("Add probe"), qPrintable(offers.join(", ")));
}

void TestKeyboard::whatIsNotPossibleIsSaid() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("palette");
  const QPointer<ui::CommandPalette> palette = studio.window.findChild<ui::CommandPalette*>();
  QVERIFY(palette);
  auto* const line = palette->findChild<QLineEdit*>();
  auto* const list = palette->findChild<QListWidget*>();
  auto* const note = palette->findChild<QLabel*>("palette.note");
  QVERIFY(!note->isVisible());  // what is possible comes first
  QTest::keyClicks(line, "convert");
  QVERIFY(list->currentItem());
  QCOMPARE(list->currentItem()->text(), QString("Convert to a paged store"));
  QCOMPARE(list->currentItem()->foreground().color(), ui::mutedColor());
  QVERIFY2(note->isVisible() && note->text().contains("A sample is computed"), qPrintable(note->text()));
  QTest::keyClick(line, Qt::Key_Return);
  QVERIFY(palette && palette->isVisible());
  line->setText("qqqq");
  QCOMPARE(list->count(), 0);
  QVERIFY(note->isVisible() && note->text().contains("No command"));
  QTest::keyClick(line, Qt::Key_Return);
  QVERIFY(palette && palette->isVisible());
  line->setText(ui::plainText(*studio.action("resetView")));
  QVERIFY(list->count() > 0 && !note->isVisible());
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(!palette || !palette->isVisible(), kPatienceMs);
}

void TestKeyboard::spacePlaysAmongSteps() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && !studio.session().objects.empty(), kPatienceMs);
  auto* const slider = studio.child<QDockWidget>("dock.time")->findChild<QSlider*>();
  slider->setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(slider->hasFocus(), kPatienceMs);
  QTest::keyClick(slider, Qt::Key_Space);
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().step() > 0, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().step(), 2, kPatienceMs);
  // That it has the keyboard is seen well, beside its knob as well as at it.
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const QRgb mark = QApplication::palette().color(QPalette::Link).rgb();
  const auto marked = [&] {
    const QImage seen = slider->grab().toImage();
    int count = 0;
    for (int x = 0; x < seen.width(); ++x)
      for (int y = 0; y < 3; ++y)
        count += std::abs(qBlue(seen.pixel(x, y)) - qBlue(mark)) < 24 && qRed(seen.pixel(x, y)) < 160;
    return count;
  };
  QVERIFY2(marked() > slider->width() / 2, qPrintable(QString::number(marked())));
  slider->clearFocus();
  QCOMPARE(marked(), 0);
  // In a panel that has nothing to press, too; a button is pressed. Playing has ended by then, and would be paused otherwise.
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<ui::TimeBar*>()->isPlaying(), kPatienceMs);
  studio.model.stage().setStep(0);
  studio.child<QDockWidget>("dock.volume")->raise();
  QWidget* const panel = studio.child<QDockWidget>("dock.volume")->widget();
  panel->setFocus(Qt::TabFocusReason);
  QTRY_VERIFY_WITH_TIMEOUT(panel->hasFocus() && studio.viewRests(), kPatienceMs);
  QTest::keyClick(panel, Qt::Key_Space);
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().step(), 2, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  studio.child<QDockWidget>("dock.colors")->raise();
  auto* const turned = studio.child<QCheckBox>("color.inverted");
  turned->setFocus(Qt::TabFocusReason);
  QTRY_VERIFY_WITH_TIMEOUT(turned->hasFocus(), kPatienceMs);
  const bool before = turned->isChecked();
  QTest::keyClick(turned, Qt::Key_Space);
  QVERIFY(turned->isChecked() != before);
  QCOMPARE(studio.model.stage().step(), 2);
}

void TestKeyboard::startPage() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  studio.child<QWidget>("startOpen")->setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), studio.child<QWidget>("startOpen"), kPatienceMs);
  QStringList names;
  for (QWidget* const stop : walk(Qt::Key_Tab)) {
    QVERIFY2(!nameOf(stop).isEmpty(), qPrintable(describe(stop)));
    QVERIFY(dockOf(stop).isEmpty());
    names.append(stop->objectName());
  }
  QVERIFY2(names.contains("sample://cylinder") && names.contains("sample://marschner-lobb"),
           qPrintable(names.join(' ')));
  // A sample, with keys alone.
  studio.child<QWidget>("sample://cylinder")->setFocus();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
}

/// A panel that scrolls does so for the keyboard, also where it comes from another panel, forward or back.
void TestKeyboard::whatHasTheKeyboardIsSeen() {
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  studio.window.viewport().setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &studio.window.viewport(), kPatienceMs);
  const auto isSeen = [](const QWidget* widget) {
    return widget->visibleRegion().contains(widget->rect().center());
  };
  for (const Qt::Key key : {Qt::Key_Backtab, Qt::Key_Tab}) {
    int scrolled = 0;
    QList<QWidget*> met;
    for (QWidget* at = QApplication::focusWidget(); !met.contains(at) && met.size() < 500;
         at = QApplication::focusWidget()) {
      met.append(at);
      if (dockOf(at) == "dock.properties" && !qobject_cast<QScrollArea*>(at)) {
        ++scrolled;
        QVERIFY2(isSeen(at), qPrintable(describe(at)));
      }
      QTest::keyClick(at, key);
    }
    QVERIFY2(scrolled > 10, qPrintable(QString::number(scrolled)));
  }
}

void TestKeyboard::whatHasTheKeyboardIsMarked_data() {
  QTest::addColumn<bool>("hasData");
  QTest::addColumn<bool>("isDark");
  QTest::newRow("start page") << false << false;
  QTest::newRow("start page, dark") << false << true;
  QTest::newRow("data") << true << false;
  QTest::newRow("data, dark") << true << true;
}

/// Each stop looks otherwise with the keyboard than without it.
void TestKeyboard::whatHasTheKeyboardIsMarked() {
  QFETCH(bool, hasData);
  QFETCH(bool, isDark);
  const int blinking = QApplication::cursorFlashTime();
  const auto blinksAgain = qScopeGuard([=] { QApplication::setCursorFlashTime(blinking); });
  QApplication::setCursorFlashTime(0);
  Studio studio({1400, 900});
  ui::applyTheme(isDark ? app::Theme::Dark : app::Theme::Light);
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  for (const char* const name : {"wing.json", "wing.ff"}) studio.model.settings().addRecent(studio.at(name));
  if (hasData) {
    studio.model.open({"sample://taylor-green?size=9&steps=3"});
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
    studio.trigger("addSlice");
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  }
  QWidget* const first = hasData ? &studio.window.viewport() : studio.child<QWidget>("startOpen");
  QList<QDockWidget*> fronts{nullptr};
  if (hasData)
    for (const char* const name : {"dock.views", "dock.colors", "dock.messages", "dock.probes", "dock.plots"})
      fronts.append(studio.child<QDockWidget>(name));
  int met = 0;
  QStringList unmarked;
  for (QDockWidget* const front : fronts) {
    if (front) {
      front->show();
      front->raise();
      QTRY_VERIFY2_WITH_TIMEOUT(ui::PanelFocus::isInSight(front), qPrintable(front->objectName()),
                                kPatienceMs);
    }
    first->clearFocus();
    first->setFocus(Qt::TabFocusReason);
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), first, kPatienceMs);
    QList<QWidget*> stops;
    for (QWidget* at = first; !stops.contains(at) && stops.size() < 500; at = QApplication::focusWidget()) {
      stops.append(at);
      ++met;
      const QRect around = at->rect().adjusted(-4, -4, 4, 4);
      const auto seen = [&] {
        return studio.window.grab(QRect(at->mapTo(&studio.window, around.topLeft()), around.size()))
            .toImage();
      };
      const QImage with = seen();
      at->clearFocus();
      const QImage without = seen();
      at->setFocus(Qt::TabFocusReason);
      QCOMPARE(QApplication::focusWidget(), at);
      if (with == without && !unmarked.contains(describe(at))) unmarked.append(describe(at));
      QTest::keyClick(at, Qt::Key_Tab);
    }
  }
  QVERIFY2(unmarked.isEmpty(), qPrintable(unmarked.join(", ")));
  QVERIFY2(met > 10, qPrintable(QString::number(met)));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestKeyboard test;
  return QTest::qExec(&test, count, words);
}
#include "tst_keyboard.moc"
