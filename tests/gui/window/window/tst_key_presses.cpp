// What single keys do where the keyboard is: Return, Delete, letters, the commands among fields, and the ends of time.

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableWidget>

#include "app/model/probes.h"
#include "app/ui/dialogs/command_palette.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/panels/time_bar.h"
#include "app/ui/widgets/number_edit.h"
#include "tests/gui/window/support/in_sight.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestKeyPresses : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void returnPressesButtons();
  void commandsAreNoEditing();
  void deleteIsOfWhatIsThere();
  void choicesThatReshapeKeepTheKeyboard();
  void theKeyboardStaysWhereFieldsGo();
  void lettersGoOnWhereOthersCome();
  void rangesComeBackAsTheyWere();
  void endsOfTimeHaveKeys();
  void nothingPlaysBehindADialog();
  void savingUnderAnotherNameHasAKey();
};

void TestKeyPresses::initTestCase() {
  skipWithoutOpenGl();
}

void TestKeyPresses::returnPressesButtons() {
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

void TestKeyPresses::commandsAreNoEditing() {
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

/// An object is removed where objects are listed or seen; elsewhere Delete is of what is listed there.
void TestKeyPresses::deleteIsOfWhatIsThere() {
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
  // Where the field that had the keyboard goes, because something else was added, the view has it.
  QVERIFY(press(studio.child<QLineEdit>("integrator.maxSteps"), Qt::Key_Home));
  studio.trigger("addIsosurface");
  const app::ObjectId added = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &studio.window.viewport(), kPatienceMs);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Delete);
  QVERIFY(!studio.model.document().object(added) && studio.model.document().object(lines));
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
void TestKeyPresses::choicesThatReshapeKeepTheKeyboard() {
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

/// Tab goes to a field that what was typed takes away: the keyboard is in the next one that is there, and Tab goes on from it.
void TestKeyPresses::theKeyboardStaysWhereFieldsGo() {
  Studio studio({1280, 800});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  studio.trigger("addIsolines");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  auto* const panel = studio.window.findChild<ui::PropertyEditor*>();
  QVERIFY(panel);
  const auto fieldOf = [](QWidget* widget) {
    for (; widget; widget = widget->parentWidget())
      if (!widget->objectName().isEmpty() && !widget->objectName().startsWith("qt_"))
        return widget->objectName();
    return QString();
  };
  auto* const values = studio.child<QLineEdit>("value");
  QVERIFY(values && studio.child<QWidget>("count"));
  values->setFocus(Qt::TabFocusReason);
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), static_cast<QWidget*>(values), kPatienceMs);
  QTest::keyClicks(values, "0.5 0.8");
  QTest::keyClick(values, Qt::Key_Tab);
  QCOMPARE(std::get<session::Isolines>(studio.model.document().object(id)->shape).values,
           (std::vector<double>{0.5, 0.8}));
  QWidget* const at = QApplication::focusWidget();
  QVERIFY(at && at->isVisible() && panel->isAncestorOf(at));
  QVERIFY2(at != panel && at != values, qPrintable(fieldOf(at)));
  QVERIFY2(fieldOf(at) != "value" && fieldOf(at) != "count" && fieldOf(at) != "range",
           qPrintable(fieldOf(at)));
  QTest::keyClick(at, Qt::Key_Tab);
  QVERIFY(QApplication::focusWidget() != at && panel->isAncestorOf(QApplication::focusWidget()));
}

/// The second letter of a choice comes when the first has brought other fields.
void TestKeyPresses::lettersGoOnWhereOthersCome() {
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
void TestKeyPresses::rangesComeBackAsTheyWere() {
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
      draft.object(each.id).color.rangeOf = session::RangeOf::Symmetric;
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
    QVERIFY(color().rangeOf != session::RangeOf::Symmetric);
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY2(color() == before, name);
    QCOMPARE(studio.model.document().undoStack().count(), steps);
    studio.window.viewport().setFocus();
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &studio.window.viewport(), kPatienceMs);
    QVERIFY2(color() == before, name);
  }
}

void TestKeyPresses::endsOfTimeHaveKeys() {
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

  // There is nothing before the first step and behind the last one, and no number is changed by the way.
  auto* const bar = studio.window.findChild<ui::TimeBar*>();
  QVERIFY(bar);
  for (const bool last : {false, true}) {
    const auto key = last ? Qt::Key_PageDown : Qt::Key_PageUp;
    studio.model.stage().setStep(last ? 4 : 0);
    for (QWidget* const field : studio.window.findChildren<QWidget*>()) {
      auto* const box = qobject_cast<QSpinBox*>(field);
      auto* const slider = qobject_cast<QSlider*>(field);
      auto* const number = qobject_cast<ui::NumberEdit*>(field);
      if (!field->isVisible() || !field->isEnabled() || (!box && !slider && !number)) continue;
      const auto value = [&]() -> std::optional<double> {
        if (number) return number->value();
        return box ? box->value() : slider->value();
      };
      const auto before = value();
      for (const auto held : {Qt::NoModifier, Qt::ControlModifier}) QTest::keyClick(field, key, held);
      QVERIFY2(value() == before, qPrintable(field->accessibleName()));
      QCOMPARE(studio.model.stage().step(), std::int64_t{last ? 4 : 0});
    }
    // It is one of time itself, too.
    QVERIFY(bar->findChild<ui::NumberEdit*>("time.step") &&
            bar->findChild<ui::NumberEdit*>("time.step")->isVisible());
  }
}

/// The window is in sight behind a dialog and may be made the active one: no key of it does anything until the dialog is answered.
void TestKeyPresses::nothingPlaysBehindADialog() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=5"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QWidget* const view = &studio.window.viewport();
  QAction* const play = studio.window.findChild<ui::TimeBar*>()->playAction();
  auto* const budget = studio.child<QLineEdit>("memory.bytes");
  const QString before = budget->text();
  for (const char* command : {"exportAnimation", "exportImage", "settings"}) {
    studio.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&studio.window));
    view->setFocus();
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), view, kPatienceMs);
    studio.trigger(command);
    QTRY_VERIFY2_WITH_TIMEOUT(QApplication::activeModalWidget(), command, kPatienceMs);
    auto* const dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    QVERIFY2(dialog, command);
    const session::Session own = studio.session();
    for (const auto key :
         {Qt::Key_Space, Qt::Key_PageDown, Qt::Key_Delete, Qt::Key_Left, Qt::Key_Return, Qt::Key_F}) {
      QTest::keyClick(view, key);
      QVERIFY2(!play->isChecked(), qPrintable(QString("%1, %2, to the view").arg(command).arg(key)));
      QTest::keyClick(studio.window.windowHandle(), key);
      QVERIFY2(!play->isChecked(), qPrintable(QString("%1, %2, to the window").arg(command).arg(key)));
    }
    QTest::keyClicks(budget, "7");
    QCOMPARE(budget->text(), before);
    QCOMPARE(studio.model.stage().step(), std::int64_t{0});
    QVERIFY2(studio.session() == own, command);
    // The dialog has its keys.
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY2_WITH_TIMEOUT(!QApplication::activeModalWidget(), command, kPatienceMs);
  }
  studio.window.activateWindow();
  QVERIFY(QTest::qWaitForWindowActive(&studio.window));
  QTest::keyClick(view, Qt::Key_Space);
  QVERIFY(play->isChecked());
}

void TestKeyPresses::savingUnderAnotherNameHasAKey() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QTest::keyClick(&studio.window.viewport(), Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChild<QFileDialog*>(), kPatienceMs);
  QCOMPARE(studio.window.findChild<QFileDialog*>()->acceptMode(), QFileDialog::AcceptSave);
  studio.window.findChild<QFileDialog*>()->reject();
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestKeyPresses test;
  return QTest::qExec(&test, count, words);
}
#include "tst_key_presses.moc"
