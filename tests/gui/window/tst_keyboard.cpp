// What can be reached with keys alone, and whether it has a name for those who do not see it.

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTreeView>

#include "app/model/probes.h"
#include "app/ui/command_palette.h"
#include "app/ui/number_edit.h"
#include "app/ui/panel_focus.h"
#include "tests/gui/window/studio.h"

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
  void panelsGoBackBehind();
  void conversionIsFound();
  void startPage();
  void returnPressesButtons();
  void commandsAreNoEditing();
  void whatHasTheKeyboardIsSeen();
  void whatHasTheKeyboardIsMarked_data();
  void whatHasTheKeyboardIsMarked();
  void deleteIsOfWhatIsThere();
  void choicesThatReshapeKeepTheKeyboard();
  void lettersGoOnWhereOthersCome();
  void rangesComeBackAsTheyWere();
  void endsOfTimeHaveKeys();
};

void TestKeyboard::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

bool isInSight(const QWidget& window, const QWidget* widget) {
  const QRect its(widget->mapTo(&window, QPoint(0, 0)), widget->size());
  return widget->isVisible() && window.rect().contains(its.center());
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

void TestKeyboard::returnPressesButtons() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  studio.child<QWidget>("sample://abc")->setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), studio.child<QWidget>("sample://abc"), kPatienceMs);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  // A tick in the properties, too.
  studio.trigger("picture");
  auto* const tick = studio.child<QWidget>("image.scaleBar");
  QVERIFY(tick && !studio.session().image.notes.scaleBar);
  tick->setFocus();
  QTest::keyClick(tick, Qt::Key_Enter);
  QVERIFY(studio.session().image.notes.scaleBar);
}

void TestKeyboard::commandsAreNoEditing() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addStreamlines");
  auto* const field = studio.child<QLineEdit>("integrator.maxSteps");
  QVERIFY(field);
  const auto enter = [&] {
    field->setFocus();
    field->setCursorPosition(0);
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), field, kPatienceMs);
  };
  const QString before = field->text();
  QVERIFY(!before.isEmpty());
  enter();
  QTest::keyClick(field, Qt::Key_K, Qt::ControlModifier);
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChild<ui::CommandPalette*>(), kPatienceMs);
  studio.window.findChild<ui::CommandPalette*>()->close();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<ui::CommandPalette*>(), kPatienceMs);
  QCOMPARE(field->text(), before);
  enter();
  QTest::keyClick(field, Qt::Key_E, Qt::ControlModifier);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QDialog>("exportImage.dialog"), kPatienceMs);
  studio.child<QDialog>("exportImage.dialog")->reject();
  // What every line of text can do it still does.
  enter();
  QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
  QCOMPARE(field->selectedText(), field->text());
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

/// An object is removed where objects are listed or seen; elsewhere Delete is of what is listed there.
void TestKeyboard::deleteIsOfWhatIsThere() {
  Studio studio({1400, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const Vec3 middle = studio.model.stage().summary("abc")->bounds.center();
  const app::ObjectId probes = app::pinProbe(studio.model.document(), "abc", middle, {});
  app::pinProbe(studio.model.document(), "abc", middle + Vec3{0.5, 0, 0}, {});
  studio.trigger("keepView");
  studio.trigger("keepView");
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const app::ObjectId lines = studio.newest();
  QCOMPARE(studio.window.pipeline().selectedObject(), lines);
  const auto press = [&](QWidget* widget, Qt::Key key) {
    widget->setFocus();
    if (!QTest::qWaitFor([&] { return QApplication::focusWidget() == widget; }, kPatienceMs)) return false;
    QTest::keyClick(widget, key);
    return true;
  };
  const auto places = [&] {
    return std::get<session::Probe>(studio.model.document().object(probes)->shape).points.size();
  };
  // A tick of its properties: nothing is listed there.
  auto* const tick = studio.child<QDockWidget>("dock.properties")->findChild<QCheckBox*>();
  QVERIFY(tick && press(tick, Qt::Key_Delete));
  QVERIFY(studio.model.document().object(lines));
  studio.child<QDockWidget>("dock.probes")->show();
  studio.child<QDockWidget>("dock.probes")->raise();
  auto* const table = studio.child<QTableWidget>("probes.table");
  QTRY_VERIFY_WITH_TIMEOUT(table->isVisible() && table->rowCount() == 2, kPatienceMs);
  table->selectRow(0);
  QVERIFY(press(table, Qt::Key_Delete));
  QTRY_COMPARE_WITH_TIMEOUT(places(), std::size_t(1), kPatienceMs);
  QVERIFY(studio.model.document().object(lines));
  studio.child<QDockWidget>("dock.views")->raise();
  auto* const views = studio.child<QListWidget>("views.list");
  QTRY_VERIFY_WITH_TIMEOUT(views->isVisible() && views->count() == 2, kPatienceMs);
  views->setCurrentRow(0);
  const std::string second = studio.session().views[1].name;
  QVERIFY(press(views, Qt::Key_Delete));
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().views.size(), std::size_t(1), kPatienceMs);
  QCOMPARE(studio.session().views[0].name, second);
  QVERIFY(studio.model.document().object(lines));
  // And F2 gives the view another name there.
  views->setCurrentRow(0);
  QVERIFY(press(views, Qt::Key_F2));
  QTRY_VERIFY_WITH_TIMEOUT(qobject_cast<QLineEdit*>(QApplication::focusWidget()), kPatienceMs);
  QVERIFY(views->isAncestorOf(QApplication::focusWidget()));
  QTest::keyClicks(QApplication::focusWidget(), "front");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().views[0].name, std::string("front"), kPatienceMs);
  // In the view it is what is selected in the pipeline.
  QVERIFY(press(&studio.window.viewport(), Qt::Key_Delete));
  QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().object(lines), kPatienceMs);
}

/// A choice that brings other fields with it is gone on in, where it was.
void TestKeyboard::choicesThatReshapeKeepTheKeyboard() {
  Studio studio({1280, 800});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addStreamlines");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  const auto form = [&] { return studio.model.document().object(id)->shape; };
  const auto field = [&] { return studio.child<QComboBox>("as"); };
  QVERIFY(field());
  field()->setFocus();
  auto* const scroll = qobject_cast<QScrollArea*>(
      studio.child<QWidget>("field.as")->parentWidget()->parentWidget()->parentWidget());
  QVERIFY(scroll);
  scroll->verticalScrollBar()->setValue(scroll->verticalScrollBar()->maximum() / 2);
  scroll->ensureWidgetVisible(field());
  const auto height = [&] { return field()->mapTo(scroll, QPoint()).y(); };
  const int before = height();
  for (int times = 0; times < 3; ++times) {
    const auto was = form();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    QVERIFY(!(form() == was));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(field()));
    QCoreApplication::sendPostedEvents();
    QVERIFY2(std::abs(height() - before) <= 40, qPrintable(QString("%1, %2").arg(before).arg(height())));
    QVERIFY(isInSight(studio.window, field()));
  }
}

/// The second letter of a choice comes when the first has brought other fields.
void TestKeyboard::lettersGoOnWhereOthersCome() {
  const int interval = QApplication::keyboardInputInterval();
  const auto asBefore = qScopeGuard([=] { QApplication::setKeyboardInputInterval(interval); });
  QApplication::setKeyboardInputInterval(2 * kPatienceMs);  // a machine that is busy is no slow hand
  Studio studio({1280, 800});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addStreamlines");
  const app::ObjectId id = studio.newest();
  const auto seeds = [&] {
    return std::get<session::Streamlines>(studio.model.document().object(id)->shape).seeds;
  };
  studio.model.document().edit("Box", [&](app::Draft& draft) {
    std::get<session::Streamlines>(draft.object(id).shape).seeds =
        session::BoxSeeds{{1, 1, 1}, {2, 2, 2}, {2, 2, 2}};
  });
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  auto* const kind = studio.child<QComboBox>("seeds.type");
  kind->setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), static_cast<QWidget*>(kind), kPatienceMs);
  const int steps = studio.model.document().undoStack().count();
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_P);
  QVERIFY(std::holds_alternative<session::PointSeeds>(seeds()));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_L);
  QVERIFY(std::holds_alternative<session::PlaneSeeds>(seeds()));
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  studio.trigger("undo");
  QVERIFY(std::holds_alternative<session::BoxSeeds>(seeds()));
}

/// Esc puts back a range that was automatic together with how it was, though typing one end has chosen both.
void TestKeyboard::rangesComeBackAsTheyWere() {
  Studio studio({1280, 800});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  const app::ObjectId id = studio.newest();
  const auto color = [&] { return studio.model.document().object(id)->color; };
  studio.model.document().edit("Symmetric", [&](app::Draft& draft) {
    for (const app::DocumentState::Entry& each : std::vector(draft.objects()))
      draft.object(each.id).color.symmetric = true;
  });
  const session::Coloring before = color();
  for (const auto& [dock, name] :
       {std::pair("dock.properties", "color.range"), std::pair("dock.colors", "color.least"),
        std::pair("dock.colors", "color.greatest")}) {
    studio.child<QDockWidget>(dock)->raise();
    auto* const field = studio.child<ui::NumberEdit>(name);
    QTRY_VERIFY2_WITH_TIMEOUT(field && field->isVisible(), name, kPatienceMs);
    // What is typed below differs from what is shown, which is symmetric again only when it has been drawn so.
    const auto shown = [&] { return studio.model.stage().status(id).shownRange; };
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && shown() && (*shown())[0] == -(*shown())[1], kPatienceMs);
    const int steps = studio.model.document().undoStack().count();
    field->setFocus();
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), static_cast<QWidget*>(field), kPatienceMs);
    field->selectAll();
    QTest::keyClicks(field, "0.125");
    QTRY_VERIFY2_WITH_TIMEOUT(color().range, name, kPatienceMs);
    QVERIFY(!color().symmetric);
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY2(color() == before, name);
    QCOMPARE(studio.model.document().undoStack().count(), steps);
    studio.window.viewport().setFocus();
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &studio.window.viewport(), kPatienceMs);
    QVERIFY2(color() == before, name);
  }
}

void TestKeyboard::endsOfTimeHaveKeys() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=5"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QWidget* const view = &studio.window.viewport();
  view->setFocus();
  const auto at = [&](Qt::Key key, Qt::KeyboardModifiers held) {
    QTest::keyClick(view, key, held);
    return studio.model.stage().step();
  };
  QTRY_COMPARE_WITH_TIMEOUT(at(Qt::Key_PageDown, Qt::ControlModifier), std::int64_t{4}, kPatienceMs);
  QCOMPARE(at(Qt::Key_PageUp, Qt::NoModifier), std::int64_t{3});
  QCOMPARE(at(Qt::Key_PageUp, Qt::ControlModifier), std::int64_t{0});
  QCOMPARE(at(Qt::Key_PageDown, Qt::NoModifier), std::int64_t{1});
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestKeyboard test;
  return QTest::qExec(&test, count, words);
}
#include "tst_keyboard.moc"
