// Fields while they have the keyboard: where typing goes on, what is said of it, and what of it is seen.

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QScreen>
#include <QScrollArea>
#include <QSlider>
#include <QStandardPaths>
#include <set>

#include "app/model/own_functions.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/widgets/number_edit.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

bool opens(Studio& studio, const char* sample, const char* add) {
  if (!QTest::qWaitForWindowExposed(&studio.window)) return false;
  studio.model.open({sample});
  if (!QTest::qWaitFor([&] { return studio.rests() && !studio.session().objects.empty(); }, kPatienceMs))
    return false;
  studio.trigger(add);
  return QTest::qWaitFor([&] { return studio.viewRests(); }, kPatienceMs);
}

bool holds(QWidget* widget) {
  widget->setFocus(Qt::TabFocusReason);
  return QTest::qWaitFor([&] { return QApplication::focusWidget() == widget; }, kPatienceMs);
}

/// Goes to a list of names that is open.
void press(Qt::Key key) {
  QWidget* const list = QApplication::activePopupWidget();
  QTest::keyClick(list ? list : QApplication::focusWidget(), key);
}

/// Of the page that is shown.
QComboBox* listOf(Studio& studio, const char* name) {
  return studio.window.findChild<ui::PropertyEditor*>()->widget()->findChild<QComboBox*>(name);
}

/// Of the field `name` of the page that is shown.
const QLabel* saidOf(Studio& studio, const QString& name) {
  return studio.window.findChild<ui::PropertyEditor*>()->widget()->findChild<QLabel*>(name + ".error");
}

QRect onScreen(const QWidget* widget) {
  return {widget->mapToGlobal(QPoint()), widget->size()};
}

}  // namespace

class TestTypedFields : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void typingGoesOnWhereItWas();
  void typingGoesOnBehindWhatWasTaken();
  void oneCaretIsSeen();
  void whatIsSaidIsSeenBesideNames();
  void namesThatAreWholeNeedNoList();
  void typingGoesOnInOtherPages_data();
  void typingGoesOnInOtherPages();
  void whatANumberMayBeIsSaid();
  void whatSeveralNumbersMayBeIsSaid();
  void rangesOfNodesRunForwards();
  void narrowFieldsShowTheBeginning();
  void tabReachesFieldsOfOtherPages();
  void escLeavesAllToBeTypedOver_data();
  void escLeavesAllToBeTypedOver();
  void slidersComeBeforeTheirNumbers();
  void slidersGiveRoundNumbers();
  void lettersChoose();
};

void TestTypedFields::initTestCase() {
  skipWithoutOpenGl();
}

void TestTypedFields::typingGoesOnWhereItWas() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const auto by = [&] { return studio.model.document().object(studio.newest())->color.by; };
  const std::pair<std::string, std::string> typed[]{{"density*2", "+1"}, {"pressure", "-coefficient"}};
  for (const auto& [first, more] : typed) {
    QVERIFY(holds(listOf(studio, "color.by")));
    listOf(studio, "color.by")->lineEdit()->selectAll();
    QTest::keyClicks(QApplication::focusWidget(), QString::fromStdString(first));
    QTRY_VERIFY2_WITH_TIMEOUT(by() == first, by().c_str(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
    QTest::keyClicks(QApplication::focusWidget(), QString::fromStdString(more));
    QTRY_VERIFY2_WITH_TIMEOUT(by() == first + more, qPrintable(listOf(studio, "color.by")->currentText()),
                              kPatienceMs);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(by(), first + more);
  }
}

/// Return takes a number or a function, and does not end typing: what follows stands behind it, also once the picture has been made.
void TestTypedFields::typingGoesOnBehindWhatWasTaken() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addIsosurface"));
  const auto value = [&] {
    return std::get<session::Isosurface>(studio.model.document().object(studio.newest())->shape)
        .values.front();
  };
  auto* const field = studio.child<ui::NumberEdit>("value");
  QVERIFY(field);
  field->setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(field->hasFocus(), kPatienceMs);
  field->selectAll();
  QTest::keyClicks(field, "1.2");
  QTest::keyClick(field, Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(value(), 1.2, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QTest::qWait(300);
  QTest::keyClicks(field, "5");
  QTRY_COMPARE_WITH_TIMEOUT(value(), 1.25, kPatienceMs);

  const auto by = [&] { return studio.model.document().object(studio.newest())->color.by; };
  QVERIFY(holds(listOf(studio, "color.by")));
  listOf(studio, "color.by")->lineEdit()->selectAll();
  QTest::keyClicks(QApplication::focusWidget(), "density*2");
  press(Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(by(), std::string("density*2"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QTest::keyClicks(QApplication::focusWidget(), "+1");
  QTRY_VERIFY2_WITH_TIMEOUT(by() == "density*2+1", by().c_str(), kPatienceMs);
}

/// A caret that blinks is where what is typed goes.
void TestTypedFields::oneCaretIsSeen() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const auto by = [&] { return studio.model.document().object(studio.newest())->color.by; };
  const std::string before = by();
  for (const char* const typed : {"pressure", "density*2"}) {
    QVERIFY(holds(listOf(studio, "color.by")));
    listOf(studio, "color.by")->lineEdit()->selectAll();
    QTest::keyClicks(QApplication::focusWidget(), typed);
    QTRY_COMPARE_WITH_TIMEOUT(by(), std::string(typed), kPatienceMs);
    press(Qt::Key_Return);
    for (int n = 0; n < 3 && QApplication::focusWidget() != listOf(studio, "color.map"); ++n)
      press(Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(listOf(studio, "color.map")));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(by(), before);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
    QComboBox* const list = listOf(studio, "color.by");
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(listOf(studio, "color.map")));
    const QImage seen = list->lineEdit()->grab().toImage();
    for (int n = 0; n < 15; ++n) {
      QTest::qWait(QApplication::cursorFlashTime() / 10);
      QVERIFY2(list->lineEdit()->grab().toImage() == seen, typed);
    }
  }
}

/// The list of names lies neither over what is wrong with the beginning of a name nor under it, wherever there is room.
void TestTypedFields::whatIsSaidIsSeenBesideNames() {
  Studio studio({1000, 600});
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const QRect screen = studio.window.screen()->availableGeometry();
  for (const bool low : {false, true}) {
    studio.window.move(
        0, low ? screen.bottom() - listOf(studio, "color.by")->mapTo(&studio.window, QPoint()).y() - 60 : 0);
    QTest::qWait(200);
    QVERIFY(holds(listOf(studio, "color.by")));
    QLineEdit* const line = listOf(studio, "color.by")->lineEdit();
    line->selectAll();
    const QWidget* const offered = line->completer()->popup();
    for (const char letter : std::string("pressur")) {
      QTest::keyClick(
          QApplication::activePopupWidget() ? QApplication::activePopupWidget() : QApplication::focusWidget(),
          letter);
      QTRY_VERIFY_WITH_TIMEOUT(offered->isVisible(), kPatienceMs);
      QTRY_VERIFY_WITH_TIMEOUT(saidOf(studio, "color.by") && saidOf(studio, "color.by")->isVisible(),
                               kPatienceMs);
      const auto apart = [&] {
        return !onScreen(offered).intersects(onScreen(saidOf(studio, "color.by"))) &&
               !onScreen(offered).intersects(onScreen(line).adjusted(2, 4, -2, -4));
      };
      QTRY_VERIFY_WITH_TIMEOUT(apart(), kPatienceMs);
    }
    QTest::qWait(800);  // typing has paused
    QVERIFY(offered->isVisible() && saidOf(studio, "color.by")->isVisible());
    QVERIFY(!onScreen(offered).intersects(onScreen(saidOf(studio, "color.by"))));
    press(Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!offered->isVisible(), kPatienceMs);
    press(Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!saidOf(studio, "color.by")->isVisible(), kPatienceMs);
  }
}

void TestTypedFields::namesThatAreWholeNeedNoList() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const auto whole = [&](QLineEdit* line, const char* before, const char* rest) {
    line->setFocus(Qt::TabFocusReason);
    line->selectAll();
    const QPointer<QWidget> offered = line->completer()->popup();
    QTest::keyClicks(line, before);
    if (!QTest::qWaitFor([&] { return offered && offered->isVisible(); }, kPatienceMs)) return false;
    QTest::keyClicks(line, rest);
    return QTest::qWaitFor([&] { return !offered || !offered->isVisible(); }, kPatienceMs);
  };
  QVERIFY(whole(listOf(studio, "color.by")->lineEdit(), "pres", "sure"));
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.document().object(studio.newest())->color.by,
                            std::string("pressure"), kPatienceMs);
  studio.trigger("addProbe");
  QTRY_VERIFY_WITH_TIMEOUT(
      std::holds_alternative<session::Probe>(studio.model.document().object(studio.newest())->shape),
      kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && studio.child<QLineEdit>("show"), kPatienceMs);
  QVERIFY(whole(studio.child<QLineEdit>("show"), "density, pres", "sure"));
  const auto shown = [&] {
    return std::get<session::Probe>(studio.model.document().object(studio.newest())->shape).show;
  };
  QTRY_COMPARE_WITH_TIMEOUT(shown(), (std::vector<std::string>{"density", "pressure"}), kPatienceMs);
}

void TestTypedFields::typingGoesOnInOtherPages_data() {
  QTest::addColumn<QString>("field");
  QTest::addColumn<int>("part");
  QTest::addColumn<QString>("typed");
  QTest::addColumn<QString>("more");
  QTest::newRow("text") << "offsets" << 0 << "0, 0.25, "
                        << "0.5";
  QTest::newRow("number") << "opacity" << 0 << "0."
                          << "5";
  QTest::newRow("numbers, the second") << "origin" << 1 << "0."
                                       << "125";
  QTest::newRow("expression") << "color.by" << 0 << "density*"
                              << "2";
}

/// A function that is defined elsewhere meanwhile is in the lists of a page that is made anew.
void TestTypedFields::typingGoesOnInOtherPages() {
  QFETCH(QString, field);
  QFETCH(int, part);
  QFETCH(QString, typed);
  QFETCH(QString, more);
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const auto page = [&] { return studio.window.findChild<ui::PropertyEditor*>()->widget(); };
  const auto lineOf = [&] {
    return page()->findChild<QWidget*>("field." + field)->findChildren<QLineEdit*>()[part];
  };
  QLineEdit* const before = lineOf();
  QWidget* const keyboard = before->focusProxy() ? before->focusProxy() : before;
  QVERIFY(holds(keyboard));
  before->selectAll();
  QTest::keyClicks(QApplication::focusWidget(), typed);
  const QWidget* const old = page();
  app::defineFunction(studio.model.document(), studio.model.document().object(studio.newest())->data, "twice",
                      "density*2");
  QTRY_VERIFY_WITH_TIMEOUT(page() != old && listOf(studio, "color.by")->findData("twice") >= 0, kPatienceMs);
  QVERIFY(lineOf() != before);
  QCOMPARE(lineOf()->text(), typed);
  QCOMPARE(lineOf()->cursorPosition(), static_cast<int>(typed.size()));
  QVERIFY(lineOf()->hasFocus() || lineOf()->parentWidget()->hasFocus());
  QTest::keyClicks(QApplication::focusWidget(), more);
  QCOMPARE(lineOf()->text(), typed + more);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  const session::Object& object = *studio.model.document().object(studio.newest());
  const auto& slice = std::get<session::Slice>(object.shape);
  if (field == "offsets") QCOMPARE(slice.offsets, (std::vector<double>{0, 0.25, 0.5}));
  if (field == "opacity") QCOMPARE(object.opacity, 0.5);
  if (field == "origin") QCOMPARE(slice.origin->y, 0.125);
  if (field == "color.by") QCOMPARE(object.color.by, std::string("density*2"));
}

/// A number that springs back says what it may be.
void TestTypedFields::whatANumberMayBeIsSaid() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  studio.trigger("camera");
  auto* const dialog = studio.child<QDialog>("cameraDialog");
  QVERIFY(dialog && dialog->isVisible());
  for (const char* const name : {"camera.angle", "camera.stretch.z"}) {
    auto* const edit = dialog->findChild<ui::NumberEdit*>(name);
    QVERIFY2(edit && edit->toolTip().contains("above 0"), name);
    edit->setFocus();
    const QString before = edit->text();
    edit->selectAll();
    QTest::keyClicks(edit, "0");
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(edit->text(), before);
    const auto said = [&] { return dialog->findChild<QLabel*>(QString(name) + ".error"); };
    QVERIFY2(said() && said()->isVisible(), name);
    QVERIFY2(said()->text().contains("is needed here"), qPrintable(said()->text()));
    QVERIFY(said()->width() <= dialog->width() &&
            said()->heightForWidth(said()->width()) <= said()->height());
    QVERIFY(dialog->rect().contains(QRect(said()->mapTo(dialog, QPoint()), said()->size())));
    // What is right needs no words.
    edit->selectAll();
    QTest::keyClicks(edit, "1");
    QVERIFY2(!said()->isVisible(), name);
    QTest::keyClick(edit, Qt::Key_Escape);
    QCOMPARE(edit->text(), before);
  }
  dialog->close();
  // Also where typing only pauses; what is no number yet is left alone until then.
  auto* const opacity = studio.child<ui::NumberEdit>("opacity");
  QVERIFY(holds(opacity));
  opacity->selectAll();
  QTest::keyClicks(opacity, "7");
  QVERIFY(!saidOf(studio, "opacity") || !saidOf(studio, "opacity")->isVisible());
  QTRY_VERIFY_WITH_TIMEOUT(saidOf(studio, "opacity") && saidOf(studio, "opacity")->isVisible(), kPatienceMs);
  QVERIFY2(saidOf(studio, "opacity")->text().contains("from 0 to 1"),
           qPrintable(saidOf(studio, "opacity")->text()));
  QTest::keyClick(opacity, Qt::Key_Escape);
  QVERIFY(!saidOf(studio, "opacity")->isVisible());
}

/// Numbers that are good by themselves and not beside each other: said, and taken back where typing ends.
void TestTypedFields::whatSeveralNumbersMayBeIsSaid() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const auto fieldsOf = [&](const QString& key) {
    const auto* const editor =
        studio.window.findChild<ui::PropertyEditor*>()->widget()->findChild<QWidget*>("field." + key);
    return editor ? editor->findChildren<ui::NumberEdit*>() : QList<ui::NumberEdit*>();
  };
  const auto says = [&](const QString& key) {
    const QLabel* const said = saidOf(studio, "field." + key);
    return said && said->isVisible() && said->text().contains("below");
  };
  studio.model.document().edit("Cut", [](app::Draft& draft) {
    draft.frame().image.clip.box = {{{-1, -1, -1}, {1, 1, 1}}};
  });
  const app::ObjectId slice = studio.newest();
  for (const char* const key : {"image.clip.min", "color.range"}) {
    const bool ofPicture = std::string(key) != "color.range";
    studio.window.pipeline().select(ofPicture ? 0 : slice);
    QTRY_VERIFY2_WITH_TIMEOUT(!fieldsOf(key).isEmpty(), key, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
    ui::NumberEdit* const edit = fieldsOf(key).front();
    QVERIFY(holds(edit));
    const QString before = edit->text();
    const int steps = studio.model.document().undoStack().index();
    edit->selectAll();
    QTest::keyClicks(edit, "1000");
    QVERIFY2(!says(key), key);
    QTRY_VERIFY2_WITH_TIMEOUT(says(key), key, kPatienceMs);
    const auto ink = [](const QWidget* field) { return field->palette().color(QPalette::Text); };
    QVERIFY2(ink(edit) != ink(fieldsOf(key)[1]), key);
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(ink(edit), ink(fieldsOf(key)[1]));
    QVERIFY2(says(key), key);
    QCOMPARE(edit->text(), before);
    QCOMPARE(studio.model.document().undoStack().index(), steps);
    // What is right needs no words.
    edit->selectAll();
    QTest::keyClicks(edit, "-0.5");
    QTRY_VERIFY2_WITH_TIMEOUT(!says(key) && studio.model.document().undoStack().index() == steps + 1, key,
                              kPatienceMs);
    QTest::keyClick(edit, Qt::Key_Return);
  }
  QCOMPARE((*studio.session().image.clip.box)[0], (Vec3{-0.5, -1, -1}));
  // What is said lies over no field that the keyboard has gone to.
  studio.window.pipeline().select(0);
  QTRY_VERIFY_WITH_TIMEOUT(!fieldsOf("image.clip.min").isEmpty() && studio.viewRests(), kPatienceMs);
  QVERIFY(holds(fieldsOf("image.clip.min")[0]));
  ui::NumberEdit* const first = fieldsOf("image.clip.min")[0];
  first->selectAll();
  QTest::keyClicks(QApplication::focusWidget(), "1000");
  for (int n = 0; n < 6; ++n) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    // Red for as long as it stands there, where the next number of the row might still mend it.
    const bool stands = n < 2;
    QCOMPARE(first->text(), QString(stands ? "1000" : "-0.5"));
    QCOMPARE(first->palette().color(QPalette::Text) !=
                 fieldsOf("image.clip.max")[0]->palette().color(QPalette::Text),
             stands);
    const QLabel* const said = saidOf(studio, "field.image.clip.min");
    QVERIFY(said && said->isVisible());
    QVERIFY2(!onScreen(said).intersects(onScreen(QApplication::focusWidget())),
             qPrintable(QApplication::focusWidget()->accessibleName()));
  }
}

/// What no session can have is refused where it is typed: it could not be saved.
void TestTypedFields::rangesOfNodesRunForwards() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSurface"));
  const auto nodes = [&] {
    return std::get<session::GridSurface>(studio.model.document().object(studio.newest())->shape).range[0];
  };
  const session::IndexRange before = nodes();
  auto* const field = studio.child<QLineEdit>("range.i");
  QVERIFY(field && holds(field));
  field->selectAll();
  QTest::keyClicks(field, "12 to 5");
  const QLabel* said = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((said = saidOf(studio, "range.i")) && said->isVisible(), kPatienceMs);
  QVERIFY2(said->text().contains("5 to 12"), qPrintable(said->text()));
  QTest::keyClick(field, Qt::Key_Return);
  QVERIFY(nodes() == before);
  field->selectAll();
  QTest::keyClicks(field, "5 to 12");
  QTest::keyClick(field, Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT((nodes() == session::IndexRange{5, 12}), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!(said = saidOf(studio, "range.i")) || !said->isVisible(), kPatienceMs);
}

void TestTypedFields::narrowFieldsShowTheBeginning() {
  QWidget panel;
  QLineEdit before(&panel);
  ui::NumberEdit edit({}, &panel);
  panel.resize(300, 100);
  edit.setGeometry(0, 50, edit.minimumSizeHint().width(), edit.sizeHint().height());
  edit.setValue(0.59248226);
  panel.show();
  panel.activateWindow();
  QVERIFY(QTest::qWaitForWindowExposed(&panel));
  QVERIFY(holds(&before));
  QVERIFY(holds(&edit));
  QCOMPARE(edit.text(), QString("0.59248226"));
  QCOMPARE(edit.selectedText(), edit.text());
  QCOMPARE(edit.cursorPosition(), 0);
  // What is typed takes the place of all of it.
  QTest::keyClicks(&edit, "3");
  QCOMPARE(edit.text(), QString("3"));
}

/// The first number makes other fields of them, under the keyboard that is on its way to the second.
void TestTypedFields::tabReachesFieldsOfOtherPages() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const auto page = [&] { return studio.window.findChild<ui::PropertyEditor*>()->widget(); };
  const auto normal = [&](int part) {
    return page()->findChild<QWidget*>("field.normal")->findChildren<ui::NumberEdit*>()[part];
  };
  const auto shape = [&] {
    return std::get<session::Slice>(studio.model.document().object(studio.newest())->shape);
  };
  QVERIFY(holds(listOf(studio, "across")));
  QTest::keyClicks(QApplication::focusWidget(), "y");
  QTRY_VERIFY_WITH_TIMEOUT((shape().normal == Vec3{0, 1, 0} && studio.viewRests()), kPatienceMs);
  QTest::qWait(QApplication::keyboardInputInterval() + 100);
  QVERIFY(holds(normal(0)));
  normal(0)->selectAll();
  const QWidget* const before = page();
  QTest::keyClicks(QApplication::focusWidget(), "1");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  QVERIFY(page() != before);
  QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(normal(1)));
  QCOMPARE(normal(1)->selectedText(), QString("1"));
  QTest::keyClicks(QApplication::focusWidget(), "2");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  QCOMPARE(shape().normal, (Vec3{1, 2, 0}));
  QCOMPARE(normal(2)->selectedText(), QString("0"));
}

void TestTypedFields::escLeavesAllToBeTypedOver_data() {
  QTest::addColumn<QString>("field");
  QTest::addColumn<QString>("typed");
  QTest::newRow("number") << "opacity"
                          << "0.5";
  QTest::newRow("numbers") << "origin"
                           << "0.125";
  QTest::newRow("text") << "offsets"
                        << "0, 0.5";
  QTest::newRow("expression") << "color.by"
                              << "density*2";
}

void TestTypedFields::escLeavesAllToBeTypedOver() {
  QFETCH(QString, field);
  QFETCH(QString, typed);
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  const auto line = [&] {
    return studio.window.findChild<ui::PropertyEditor*>()
        ->widget()
        ->findChild<QWidget*>("field." + field)
        ->findChild<QLineEdit*>();
  };
  const session::Object before = *studio.model.document().object(studio.newest());
  const QString text = line()->text();
  // Also where it had taken effect already.
  for (const bool taken : {false, true}) {
    QVERIFY(holds(line()->focusProxy() ? line()->focusProxy() : line()));
    line()->selectAll();
    QTest::keyClicks(QApplication::focusWidget(), typed);
    if (taken)
      QTRY_VERIFY_WITH_TIMEOUT(
          !(*studio.model.document().object(studio.newest()) == before) && studio.viewRests(), kPatienceMs);
    press(Qt::Key_Escape);
    if (line()->text() != text) press(Qt::Key_Escape);  // the first one was of the list of names
    QCOMPARE(line()->text(), text);
    QCOMPARE(line()->selectedText(), text);
    QVERIFY(*studio.model.document().object(studio.newest()) == before);
    QTest::keyClicks(QApplication::focusWidget(), "1");
    QCOMPARE(line()->text(), QString("1"));
    press(Qt::Key_Escape);
    if (line()->text() != text) press(Qt::Key_Escape);
  }
}

void TestTypedFields::slidersComeBeforeTheirNumbers() {
  Studio studio;
  QVERIFY(opens(studio, "sample://taylor-green?size=9&steps=3", "addIsosurface"));
  int pairs = 0;
  for (QSlider* const slider : studio.window.findChildren<QSlider*>()) {
    if (!slider->isVisible() || slider->visibleRegion().isEmpty()) continue;
    auto* const number = slider->parentWidget()->findChild<ui::NumberEdit*>();
    if (!number || !number->isVisible()) continue;
    const QPoint end = slider->mapTo(&studio.window, slider->rect().topRight());
    QVERIFY(end.x() <= number->mapTo(&studio.window, QPoint()).x());
    QVERIFY(holds(slider));
    QTest::keyClick(slider, Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(number));
    QTest::keyClick(number, Qt::Key_Backtab, Qt::ShiftModifier);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(slider));
    ++pairs;
  }
  QVERIFY2(pairs >= 2, qPrintable(QString::number(pairs)));
  // In the bar of time: what plays, the slider, the step, the speed.
  const QWidget* const bar = studio.child<QDockWidget>("dock.time")->widget();
  QList<QWidget*> met;
  for (QWidget* at = bar->nextInFocusChain(); bar->isAncestorOf(at); at = at->nextInFocusChain())
    if (at->isVisible() && (at->focusPolicy() & Qt::TabFocus) && !at->focusProxy()) met.append(at);
  QVERIFY(met.size() >= 3);
  QRect before;
  for (const QWidget* const each : met) {
    const QRect its(each->mapTo(bar, QPoint()), each->size());
    QVERIFY2(its.left() > before.right() || its.top() > before.bottom(), qPrintable(each->accessibleName()));
    before = its;
  }
}

/// As many digits as tell where the slider stands.
void TestTypedFields::slidersGiveRoundNumbers() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addIsosurface"));
  const auto value = [&] {
    return std::get<session::Isosurface>(studio.model.document().object(studio.newest())->shape)
        .values.front();
  };
  auto* const slider = studio.child<QSlider>("value.slider");
  QVERIFY(slider && slider->maximum() > 100);
  std::set<double> values;
  for (int at = 1; at < slider->maximum(); at += 7) {
    slider->setValue(at);
    QCOMPARE(slider->value(), at);
    QVERIFY2(QString::number(value(), 'g', 5).toDouble() == value(),
             qPrintable(QString::number(value(), 'g', 17)));
    values.insert(value());
  }
  QCOMPARE(values.size(), static_cast<std::size_t>((slider->maximum() - 1 + 6) / 7));
}

void TestTypedFields::lettersChoose() {
  Studio studio;
  QVERIFY(opens(studio, "sample://cylinder?size=17,13,5&blocks=1", "addSlice"));
  for (const char* const letter : {"x", "y", "z", "i", "j", "k", "l"}) {
    QVERIFY(holds(listOf(studio, "across")));
    QTest::keyClicks(QApplication::focusWidget(), letter);
    QTRY_VERIFY2_WITH_TIMEOUT(listOf(studio, "across")->currentText().startsWith(letter), letter,
                              kPatienceMs);
    QTest::qWait(QApplication::keyboardInputInterval() + 100);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestTypedFields test;
  return QTest::qExec(&test, count, words);
}
#include "tst_typed_fields.moc"
