// The fields of panels, whatever they hold: who has the keyboard, when what is typed takes effect, and how it is taken back.

#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QStandardPaths>
#include <QToolButton>
#include <QWheelEvent>
#include <QWindow>
#include <cstdlib>

#include "app/ui/panels/property_editor.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/typed_line.h"
#include "tests/gui/window/support/studio.h"

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
  void undoTakesBackWhatWasTyped();
  void textTakesEffectWhenTypingPauses();
  void whatTookEffectStaysWhenItIsLeft();
  void typingGoesOnWhereItWas();
  void expressionsAreTheDocumentsAfterAPause();
  void expressionsThatBringOtherFieldsAreUndone();
  void titlesOfLegendsTakeEffectWhenTypingPauses();
  void keysThroughChoicesAreOneStep();
  void bandsAreTypedAsOthers();
  void escapeIsOfTheField();
  void otherFieldsTakeNoMoreRoom();
  void windowsGoWhileSomebodyTypes();
};

void TestInputFields::initTestCase() {
  skipWithoutOpenGl();
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
  auto* const size = studio.child<QLineEdit>("legend.size");
  QTRY_VERIFY_WITH_TIMEOUT(size->isVisible(), kPatienceMs);
  typeNumber(size, "2");
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

/// One Ctrl+Z takes back what has taken effect, with the keyboard in its field, and both say the same at any time.
void TestInputFields::undoTakesBackWhatWasTyped() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://abc?size=9", "addSlice"));
  const app::ObjectId id = studio.newest();
  const auto origin = [&] {
    return std::get<session::Slice>(studio.model.document().object(id)->shape).origin;
  };
  const auto edits = studio.child<QWidget>("field.origin")->findChildren<ui::NumberEdit*>();
  QCOMPARE(edits.size(), 3);
  ui::NumberEdit* const field = edits[2];
  const QString was = field->text();
  const auto before = origin();
  const int steps = studio.model.document().undoStack().count();
  QVERIFY(holds(field));
  const QString whole = field->text();
  field->selectAll();
  QTest::keyClicks(field, "2");
  QTRY_VERIFY_WITH_TIMEOUT(origin() && (*origin())[2] == 2, kPatienceMs);
  QCOMPARE(focused(), static_cast<QWidget*>(field));
  QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(origin(), before);
  QCOMPARE(field->text(), whole);
  QTest::keyClick(field, Qt::Key_Y, Qt::ControlModifier);
  QVERIFY(origin() && (*origin())[2] == 2);
  QCOMPARE(field->text(), "2");
  QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(origin(), before);
  // By an arrow key, and typed once more.
  QTest::keyClick(field, Qt::Key_Up);
  QVERIFY(origin() != before);
  QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(origin(), before);
  QCOMPARE(field->text(), whole);
  // What has not taken effect is the field's own.
  field->selectAll();
  QTest::keyClicks(field, "-");
  QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(origin(), before);
  QCOMPARE(field->text(), whole);
  QVERIFY(holds(&studio.window.viewport()));
  QCOMPARE(field->text(), was);
  QCOMPARE(origin(), before);
  QCOMPARE(studio.model.document().undoStack().index(), steps);
  // A range that was typed after one that was undone comes back to what it was before that one.
  auto* const end = studio.child<ui::NumberEdit>("color.range");
  const session::Coloring color = studio.model.document().object(id)->color;
  const auto range = [&] { return studio.model.document().object(id)->color.range; };
  for (const char* const typed : {"0.125", "0.25"}) {
    QVERIFY(holds(end));
    end->selectAll();
    QTest::keyClicks(end, typed);
    QTRY_VERIFY2_WITH_TIMEOUT(range() && (*range())[0] == QString(typed).toDouble(), typed, kPatienceMs);
    QTest::keyClick(end, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(studio.model.document().object(id)->color == color);
  }
}

void TestInputFields::whatTookEffectStaysWhenItIsLeft() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://abc?size=9", "addSlice"));
  const app::ObjectId id = studio.newest();
  const auto offsets = [&] {
    return std::get<session::Slice>(studio.model.document().object(id)->shape).offsets;
  };
  auto* const field = studio.child<QLineEdit>("offsets");
  QVERIFY(holds(field));
  QTest::keyClicks(field, "-1, 0, 2");
  QTRY_COMPARE_WITH_TIMEOUT(offsets(), (std::vector<double>{-1, 0, 2}), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QTest::keyClick(field, Qt::Key_Tab);
  QVERIFY(!field->hasFocus());
  QCOMPARE(field->text(), "-1, 0, 2");
  QCOMPARE(offsets(), (std::vector<double>{-1, 0, 2}));
}

void TestInputFields::typingGoesOnWhereItWas() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://abc?size=9", "addIsosurface"));
  const app::ObjectId id = studio.newest();
  const auto values = [&] {
    return std::get<session::Isosurface>(studio.model.document().object(id)->shape).values;
  };
  const auto field = [&] {
    for (auto* const each : studio.window.findChildren<QLineEdit*>("value.list"))
      if (each->isVisible()) return each;
    return static_cast<QLineEdit*>(nullptr);
  };
  QVERIFY(field() && holds(field()));
  field()->selectAll();
  QTest::keyClicks(field(), "1");
  QTRY_COMPARE_WITH_TIMEOUT(values(), std::vector<double>{1}, kPatienceMs);
  QTest::keyClicks(focused(), ", 1.5");
  QTRY_COMPARE_WITH_TIMEOUT(values(), (std::vector<double>{1, 1.5}), kPatienceMs);
  QTest::keyClicks(focused(), ", 1.25");
  QTRY_COMPARE_WITH_TIMEOUT(values(), (std::vector<double>{1, 1.5, 1.25}), kPatienceMs);
  QCOMPARE(field()->text(), "1, 1.5, 1.25");
  // Of several the first has a number of its own, where it was.
  auto* const first = studio.child<ui::NumberEdit>("value");
  QVERIFY(first && first->isVisible());
  QVERIFY(holds(first));
  first->selectAll();
  QTest::keyClicks(first, "0.75");
  QTest::keyClick(first, Qt::Key_Return);
  QCOMPARE(values(), (std::vector<double>{0.75, 1.5, 1.25}));
  QCOMPARE(field()->text(), "0.75, 1.5, 1.25");
  // What is chosen to be typed over stays so while the panel is filled anew, also with another number.
  first->selectAll();
  first->setValue(0.75);
  QCOMPARE(first->selectedText(), "0.75");
  first->setValue(1);
  QCOMPARE(first->selectedText(), "1");
}

void TestInputFields::textTakesEffectWhenTypingPauses() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://abc?size=9", "addSlice"));
  const app::ObjectId id = studio.newest();
  const auto offsets = [&] {
    return std::get<session::Slice>(studio.model.document().object(id)->shape).offsets;
  };
  auto* const field = studio.child<QLineEdit>("offsets");
  const int steps = studio.model.document().undoStack().count();
  QVERIFY(holds(field));
  QTest::keyClicks(field, "0,2");
  QTRY_COMPARE_WITH_TIMEOUT(offsets(), (std::vector<double>{0, 2}), kPatienceMs);
  QCOMPARE(field->text(), "0,2");  // as it was typed, which may go on
  QTest::keyClicks(field, "5");
  QTRY_COMPARE_WITH_TIMEOUT(offsets(), (std::vector<double>{0, 25}), kPatienceMs);
  QTest::keyClick(field, Qt::Key_Escape);
  QVERIFY(offsets().empty());
  QCOMPARE(field->text(), QString());
  QCOMPARE(studio.model.document().undoStack().count(), steps);
  // What makes no sense takes no effect.
  QTest::keyClicks(field, "abc");
  QTRY_VERIFY_WITH_TIMEOUT(field->toolTip().contains("Write numbers"), kPatienceMs);
  QTest::keyClick(field, Qt::Key_Escape);
  QCOMPARE(field->text(), QString());
  QVERIFY(!field->toolTip().contains("Write numbers"));
  // One step, which one Ctrl+Z takes back.
  QTest::keyClicks(field, "1,3");
  QTRY_COMPARE_WITH_TIMEOUT(offsets(), (std::vector<double>{1, 3}), kPatienceMs);
  QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(offsets().empty());
  QCOMPARE(field->text(), QString());
  QTest::keyClicks(field, "1, 4");
  QTRY_COMPARE_WITH_TIMEOUT(offsets(), (std::vector<double>{1, 4}), kPatienceMs);
  QTest::keyClick(field, Qt::Key_Return);
  QCOMPARE(offsets(), (std::vector<double>{1, 4}));
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
  QVERIFY(offsets().empty());
  QVERIFY(holds(&studio.window.viewport()));
  QVERIFY(offsets().empty());
}

void TestInputFields::expressionsAreTheDocumentsAfterAPause() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const app::ObjectId id = studio.newest();
  const auto by = [&] { return studio.model.document().object(id)->color.by; };
  // An expression is a choice of its own, with which the field is made anew.
  const auto list = [&] { return studio.child<QComboBox>("color.by"); };
  const std::string before = by();
  const QString shown = list()->currentText();
  const int steps = studio.model.document().undoStack().count();
  int stopped = 0;
  connect(studio.action("cancel"), &QAction::triggered, this, [&] { ++stopped; });
  const auto type = [&](const char* text) {
    list()->lineEdit()->selectAll();
    QTest::keyClicks(list(), text);
  };
  QVERIFY(holds(list()));
  type("pressure*2");
  QTRY_COMPARE_WITH_TIMEOUT(by(), std::string("pressure*2"), kPatienceMs);
  QCOMPARE(list()->currentText(), QString("pressure*2"));
  QTest::keyClick(list(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(by(), before);
  QCOMPARE(list()->currentText(), shown);
  QTest::keyClick(list(), Qt::Key_Y, Qt::ControlModifier);
  QCOMPARE(by(), std::string("pressure*2"));
  QCOMPARE(list()->currentText(), QString("pressure*2"));
  QTest::keyClick(list(), Qt::Key_Z, Qt::ControlModifier);
  // What has not taken effect is the line's.
  type("pressure*");
  QTest::keyClick(list(), Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(by(), before);
  QVERIFY(list()->currentText() != "pressure*");
  QTest::keyClick(list(), Qt::Key_Escape);
  QCOMPARE(list()->currentText(), shown);
  // Typed on after the pause, it is still one step, and Esc takes back all of it, before it stops anything.
  type("pressure*3");
  QTRY_COMPARE_WITH_TIMEOUT(by(), std::string("pressure*3"), kPatienceMs);
  QTest::keyClicks(list(), "4");
  QTRY_COMPARE_WITH_TIMEOUT(by(), std::string("pressure*34"), kPatienceMs);
  QCOMPARE(list()->currentText(), QString("pressure*34"));
  studio.action("cancel")->setEnabled(true);
  QTest::keyClick(list(), Qt::Key_Escape);
  QCOMPARE(by(), before);
  QCOMPARE(list()->currentText(), shown);
  QCOMPARE(stopped, 0);
  QCOMPARE(studio.model.document().undoStack().index(), steps);
  QVERIFY(holds(&studio.window.viewport()));
  QCOMPARE(by(), before);
  QCOMPARE(studio.model.document().undoStack().index(), steps);
}

/// From one colour to a function there are a map and a range as well: typing goes on beside them, and one undo takes all back.
void TestInputFields::expressionsThatBringOtherFieldsAreUndone() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const app::ObjectId id = studio.newest();
  session::Object plain = *studio.model.document().object(id);
  plain.color.by.clear();
  studio.model.document().setObject(id, plain, "One colour");
  const auto by = [&] { return studio.model.document().object(id)->color.by; };
  const auto list = [&] {
    return studio.window.findChild<ui::PropertyEditor*>()->widget()->findChild<QComboBox*>("color.by");
  };
  const int steps = studio.model.document().undoStack().index();
  const QString shown = list()->currentText();
  for (const auto back : {Qt::Key_Z, Qt::Key_Escape}) {
    QVERIFY(holds(list()));
    list()->lineEdit()->selectAll();
    QTest::keyClicks(list(), "pressure*2");
    QTRY_COMPARE_WITH_TIMEOUT(by(), std::string("pressure*2"), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(focused(), static_cast<QWidget*>(list()), kPatienceMs);
    QTest::keyClicks(focused(), "5");
    QTRY_COMPARE_WITH_TIMEOUT(by(), std::string("pressure*25"), kPatienceMs);
    QTest::keyClick(focused(), back, back == Qt::Key_Z ? Qt::ControlModifier : Qt::NoModifier);
    QCOMPARE(by(), std::string());
    QCOMPARE(list()->currentText(), shown);
    QVERIFY(studio.model.document().undoStack().index() <= steps + (back == Qt::Key_Escape ? 1 : 0));
    QVERIFY(holds(&studio.window.viewport()));
    QCOMPARE(by(), std::string());
  }
}

void TestInputFields::titlesOfLegendsTakeEffectWhenTypingPauses() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://abc?size=9", "addSlice"));
  const std::string function = studio.model.document().object(studio.newest())->color.by;
  const auto title = [&] {
    const auto& looks = studio.session().image.legends;
    return looks.contains(function) ? looks.at(function).title : std::string();
  };
  studio.child<QDockWidget>("dock.colors")->raise();
  auto* const line = studio.child<QLineEdit>("legend.title");
  QTRY_VERIFY_WITH_TIMEOUT(line->isVisible(), kPatienceMs);
  QCOMPARE(line->placeholderText(), QString::fromStdString(function));
  const int steps = studio.model.document().undoStack().count();
  QVERIFY(holds(line));
  QTest::keyClicks(line, "Speed");
  QTRY_COMPARE_WITH_TIMEOUT(title(), std::string("Speed"), kPatienceMs);
  QTest::keyClicks(line, " of air");
  QTRY_COMPARE_WITH_TIMEOUT(title(), std::string("Speed of air"), kPatienceMs);
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  QTest::keyClick(line, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(title(), std::string());
  QCOMPARE(line->text(), QString());
  QTest::keyClicks(line, "Wind");
  QTRY_COMPARE_WITH_TIMEOUT(title(), std::string("Wind"), kPatienceMs);
  QTest::keyClick(line, Qt::Key_Escape);
  QCOMPARE(title(), std::string());
  QCOMPARE(line->text(), QString());
  // What is being typed when another function is shown is not that one's.
  QTest::keyClicks(line, "Wi");
  session::Object other = *studio.model.document().object(studio.newest());
  other.color.by = "velocity-x";
  studio.model.document().setObject(studio.newest(), other, "Colour by");
  QTRY_COMPARE_WITH_TIMEOUT(line->placeholderText(), QString("velocity-x"), kPatienceMs);
  QCOMPARE(line->text(), QString());
  QVERIFY(holds(&studio.window.viewport()));
  QVERIFY(!studio.session().image.legends.contains("velocity-x"));
}

/// As a slider that is dragged: what is met on the way to a choice is no choice.
void TestInputFields::keysThroughChoicesAreOneStep() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const app::ObjectId id = studio.newest();
  const session::Object before = *studio.model.document().object(id);
  QUndoStack& undo = studio.model.document().undoStack();
  const int steps = undo.index();
  // From a list alone, and from one beside which expressions are typed.
  for (const char* const name : {"color.map", "color.by"}) {
    auto* const list = studio.child<QComboBox>(name);
    QVERIFY(holds(list));
    const int first = list->currentIndex();
    const auto key = first + 3 < list->count() ? Qt::Key_Down : Qt::Key_Up;
    for (int n = 0; n < 3; ++n) QTest::keyClick(list, key);
    QVERIFY2(std::abs(list->currentIndex() - first) == 3, name);
    QVERIFY2(*studio.model.document().object(id) != before, name);
    QVERIFY2(undo.index() == steps + 1, name);
    QTest::keyClick(list, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY2(*studio.model.document().object(id) == before, name);
    QCOMPARE(list->currentIndex(), first);
    // Where keys have paused a new step begins.
    QTest::keyClick(list, key);
    QTest::qWait(3 * ui::kTypingPauseMs);
    QTest::keyClick(list, key);
    QVERIFY2(undo.index() == steps + 2, name);
    undo.undo();
    undo.undo();
    QVERIFY2(*studio.model.document().object(id) == before, name);
    QTest::qWait(3 * ui::kTypingPauseMs);
    QVERIFY2(*studio.model.document().object(id) == before, name);
  }
  // And along a slider.
  auto* const slider = studio.child<QSlider>("opacity.slider");
  QVERIFY(holds(slider));
  for (int n = 0; n < 3; ++n) QTest::keyClick(slider, Qt::Key_Left);
  QVERIFY(studio.model.document().object(id)->opacity < 1);
  QCOMPARE(undo.index(), steps + 1);
  QTest::qWait(3 * ui::kTypingPauseMs);
  QTest::keyClick(slider, Qt::Key_Left);
  QCOMPARE(undo.index(), steps + 2);
  undo.undo();
  undo.undo();
  QTest::qWait(3 * ui::kTypingPauseMs);
  QVERIFY(*studio.model.document().object(id) == before);
}

void TestInputFields::bandsAreTypedAsOthers() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://abc?size=9", "addSlice"));
  const app::ObjectId id = studio.newest();
  const auto bands = [&] { return studio.model.document().object(id)->color.map.bands; };
  studio.child<QDockWidget>("dock.colors")->raise();
  auto* const box = studio.child<ui::NumberEdit>("color.bands");
  QTRY_VERIFY_WITH_TIMEOUT(box->isVisible(), kPatienceMs);
  const int before = bands();
  const std::optional<double> shown = box->value();
  QVERIFY(holds(box));
  QTest::keyClick(box, Qt::Key_Up);
  QVERIFY(bands() != before);
  QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(bands(), before);
  QVERIFY(box->value() == shown);
  // Typed: it waits neither for Return nor for the keyboard to leave.
  box->selectAll();
  QTest::keyClicks(box, "9");
  QTRY_COMPARE_WITH_TIMEOUT(bands(), 9, kPatienceMs);
  QTest::keyClick(box, Qt::Key_Z, Qt::ControlModifier);
  QCOMPARE(bands(), before);
  QVERIFY(box->value() == shown);
  box->selectAll();
  QTest::keyClicks(box, "7");
  QTRY_COMPARE_WITH_TIMEOUT(bands(), 7, kPatienceMs);
  QTest::keyClick(box, Qt::Key_Escape);
  QCOMPARE(bands(), before);
  QVERIFY(box->value() == shown);
  QVERIFY(holds(&studio.window.viewport()));
  QCOMPARE(bands(), before);
}

/// While an object is computed Esc stops that, but not where it takes back what is being typed.
void TestInputFields::escapeIsOfTheField() {
  Studio studio({1280, 800});
  QVERIFY(opens(studio, "sample://abc?size=9", "addSlice"));
  studio.action("cancel")->setEnabled(true);
  int stopped = 0;
  connect(studio.action("cancel"), &QAction::triggered, this, [&] { ++stopped; });
  auto* const number = studio.child<ui::NumberEdit>("origin");
  auto* const text = studio.child<QLineEdit>("offsets");
  for (QLineEdit* const field : {static_cast<QLineEdit*>(number), text}) {
    QVERIFY(holds(field));
    const QString before = field->text();
    field->selectAll();
    QTest::keyClicks(field, "1");
    studio.action("cancel")->setEnabled(true);
    QTest::keyClick(field, Qt::Key_Escape);
    QCOMPARE(field->text(), before);
    QCOMPARE(stopped, 0);
  }
}

/// Where the window is small, a choice that brings other fields neither moves the view nor takes controls away.
void TestInputFields::otherFieldsTakeNoMoreRoom() {
  Studio studio({1024, 700});
  QVERIFY(opens(studio, "sample://taylor-green?size=9&steps=3", "addStreamlines"));
  const auto area = studio.window.findChild<ui::PropertyEditor*>();
  const auto slider = [&] {
    for (QSlider* const each : area->widget()->findChildren<QSlider*>())
      if (each->objectName() == "opacity.slider") return each;
    return static_cast<QSlider*>(nullptr);
  };
  QVERIFY(slider() && slider()->isVisibleTo(area->widget()));
  const int wide = area->width();
  for (const char* const form : {"tubes", "ribbons", "arrows", "particles", "lines"}) {
    auto* const field = area->widget()->findChild<QComboBox*>("as");
    QVERIFY(field);
    field->setCurrentIndex(field->findData(form));
    emit field->activated(field->currentIndex());
    QTRY_VERIFY2_WITH_TIMEOUT(studio.viewRests(), form, kPatienceMs);
    QCoreApplication::sendPostedEvents();
    QVERIFY2(area->width() == wide, qPrintable(QString("%1, %2").arg(form).arg(area->width())));
    QTRY_VERIFY2_WITH_TIMEOUT(slider() && slider()->isVisibleTo(area->widget()), form, kPatienceMs);
  }
}

/// What was taken and what is still being typed.
void TestInputFields::windowsGoWhileSomebodyTypes() {
  for (const bool taken : {false, true}) {
    Studio studio({1280, 800});
    QVERIFY(opens(studio, "sample://abc?size=9", "addSlice"));
    auto* const offsets = studio.child<QLineEdit>("offsets");
    QVERIFY(offsets && holds(offsets));
    const app::ObjectId id = studio.newest();
    const session::Object before = *studio.model.document().object(id);
    QTest::keyClicks(offsets, "0, 0.5");
    if (taken) QTRY_VERIFY_WITH_TIMEOUT(*studio.model.document().object(id) != before, kPatienceMs);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestInputFields test;
  return QTest::qExec(&test, count, words);
}
#include "tst_input_fields.moc"
