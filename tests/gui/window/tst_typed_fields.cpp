// What fields look like while they have the keyboard: where typing goes on, what is said of it, and what of it is seen.

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QStandardPaths>

#include "app/ui/number_edit.h"
#include "app/ui/property_editor.h"
#include "tests/gui/window/studio.h"

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

}  // namespace

class TestTypedFields : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void typingGoesOnWhereItWas();
  void oneCaretIsSeen();
  void narrowFieldsShowTheBeginning();
  void lettersChoose();
};

void TestTypedFields::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
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
