// The calculator: what is wrong is said of each field, what is kept is shown, and what is typed stays while one looks for a name.

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QFocusEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QTreeWidget>
#include <QWindow>

#include "app/model/own_functions.h"
#include "app/model/probes.h"
#include "app/ui/dialogs/calculator.h"
#include "app/ui/panels/pipeline_panel.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// Over a sample that has a pressure, with all of its parts.
struct Calculator {
  Calculator() {
    studio.model.open({"sample://cylinder?size=17,13,5&blocks=1"});
    if (!QTest::qWaitFor([&] { return studio.session().objects.size() == 2 && studio.rests(); }, kPatienceMs))
      return;
    studio.trigger("calculator");
    dialog = studio.window.findChild<ui::Calculator*>();
    list = dialog->findChild<QTreeWidget*>("calculator.functions");
    name = dialog->findChild<QLineEdit*>("calculator.name");
    keep = dialog->findChild<QPushButton*>("calculator.keep");
    problem = dialog->findChild<QLabel*>("calculator.problem");
  }
  QLineEdit* line() const { return dialog->findChild<QComboBox*>("calculator.expression")->lineEdit(); }
  static void type(QLineEdit* into, const char* text) {
    into->setFocus();
    into->selectAll();
    QTest::keyClicks(into, text);
  }
  static bool isRed(const QLineEdit* line) {
    return line->palette().color(QPalette::Text) == ui::warningColor();
  }

  Studio studio;
  ui::Calculator* dialog = nullptr;
  QTreeWidget* list = nullptr;
  QLineEdit* name = nullptr;
  QPushButton* keep = nullptr;
  QLabel* problem = nullptr;
};

}  // namespace

class TestCalculator : public QObject {
  Q_OBJECT
 private slots:
  void wrongNamesAndExpressionsAreTold();
  void whatIsKeptIsShown();
  void whatIsTypedStays();
  void tabGoesAsItIsSeen();
  void lettersGoToTheFields();
  void namesThatAreWholeNeedNoList();
  void whatIsInUseIsNotRemovedUnasked();
  void whatIsReadBesideItStays();
  void oneInTheWayIsTakenAway();
  void threeExpressionsAreAVector();
  void whatOthersAreMadeOfStaysWhatTheyNeed();
};

/// Each field that is wrong is red, and what is wrong with it is said.
void TestCalculator::wrongNamesAndExpressionsAreTold() {
  const Calculator parts;
  QVERIFY(parts.dialog && parts.dialog->isVisible());
  parts.type(parts.name, "my cp");
  parts.type(parts.line(), "presure*2");
  QVERIFY(parts.isRed(parts.name) && parts.isRed(parts.line()));
  const QString both = parts.problem->text();
  QVERIFY2(both.contains("A name begins with a letter") && both.contains("presure"), qPrintable(both));
  // All of it is seen, and nothing is over it.
  QVERIFY(!parts.line()->completer()->popup()->isVisible());
  const auto isWhole = [&] {
    return parts.problem->heightForWidth(parts.problem->width()) <= parts.problem->height();
  };
  QTRY_VERIFY2_WITH_TIMEOUT(isWhole(),
                            qPrintable(QString("%1 of %2 pixels")
                                           .arg(parts.problem->height())
                                           .arg(parts.problem->heightForWidth(parts.problem->width()))),
                            kPatienceMs);
  parts.type(parts.name, "mycp");
  QVERIFY(!parts.isRed(parts.name) && parts.isRed(parts.line()));
  QVERIFY2(!parts.problem->text().contains("A name begins") && parts.problem->text().contains("presure"),
           qPrintable(parts.problem->text()));
  QVERIFY(!parts.keep->isEnabled());
  parts.type(parts.line(), "pressure*2");
  QVERIFY(!parts.isRed(parts.line()) && parts.problem->text().isEmpty() && parts.keep->isEnabled());
  // The array of the conserved variables is in no list.
  parts.type(parts.name, "q");
  QVERIFY(parts.isRed(parts.name) && !parts.isRed(parts.line()) && !parts.keep->isEnabled());
  QVERIFY2(parts.problem->text().contains("“q” already"), qPrintable(parts.problem->text()));
  // What is not typed yet is no mistake beside one that is.
  parts.name->clear();
  parts.type(parts.line(), "presure");
  QVERIFY2(parts.problem->text().contains("presure") && !parts.problem->text().contains("name"),
           qPrintable(parts.problem->text()));
}

void TestCalculator::whatIsKeptIsShown() {
  const Calculator parts;
  QVERIFY(parts.dialog && parts.dialog->isVisible());
  // Nothing of the kind is in sight at first; what is looked for may hide it, too.
  parts.list->setCurrentItem(parts.list->topLevelItem(0));
  parts.type(parts.dialog->findChild<QLineEdit*>("calculator.filter"), "velocity");
  parts.type(parts.name, "mycp");
  parts.type(parts.line(), "pressure*2");
  QTest::keyClick(parts.line(), Qt::Key_Return);
  const auto isShown = [&] {
    const QTreeWidgetItem* const item = parts.list->currentItem();
    return item && item->text(0) == "mycp" && item->isSelected() &&
           parts.list->viewport()->rect().contains(parts.list->visualItemRect(item).center());
  };
  QTRY_VERIFY_WITH_TIMEOUT(isShown(), kPatienceMs);
  QVERIFY(parts.name->text().isEmpty() && parts.line()->text().isEmpty());
  QVERIFY2(parts.problem->text().contains("mycp") && parts.problem->text().contains("kept"),
           qPrintable(parts.problem->text()));
  // Until something else is done.
  parts.type(parts.name, "m");
  QVERIFY(!parts.problem->text().contains("kept"));
}

/// An expression that is not whole yet is gone on with from the list.
void TestCalculator::whatIsTypedStays() {
  const Calculator parts;
  QVERIFY(parts.dialog && parts.dialog->isVisible());
  parts.type(parts.line(), "pressure/");
  // As when the list is clicked, whichever window the display calls the active one.
  QFocusEvent gone(QEvent::FocusOut, Qt::MouseFocusReason);
  QApplication::sendEvent(parts.line()->parentWidget(), &gone);
  QCOMPARE(parts.line()->text(), QString("pressure/"));
  parts.list->setCurrentItem(parts.list->findItems("density", Qt::MatchExactly).front());
  parts.dialog->findChild<QPushButton*>("calculator.insert")->click();
  QCOMPARE(parts.line()->text(), QString("pressure/density"));
}

/// From above to below; and the row that Remove takes is seen to be chosen.
void TestCalculator::lettersGoToTheFields() {
  const Calculator parts;
  QVERIFY(parts.dialog && QTest::qWaitForWindowActive(parts.dialog));
  QWidget* const fields[]{parts.name, parts.dialog->findChild<QComboBox*>("calculator.expression"),
                          parts.dialog->findChild<QLineEdit*>("calculator.filter")};
  const Qt::Key letters[]{Qt::Key_N, Qt::Key_E, Qt::Key_F};
  for (int n = 0; n < 3; ++n) {
    // A display without a window manager may take the keyboard from a window that has just got it.
    bool went = false;
    for (int times = 0; times < 10 && !went; ++times) {
      parts.dialog->activateWindow();
      QVERIFY(QTest::qWaitForWindowActive(parts.dialog));
      QTest::keyClick(parts.dialog->windowHandle(), letters[n], Qt::AltModifier);
      went = QTest::qWaitFor([&] { return QApplication::focusWidget() == fields[n]; }, 500);
    }
    QVERIFY2(went, QByteArray::number(n));
  }
}

/// The list of those that go on with the same letters would lie over the button.
void TestCalculator::namesThatAreWholeNeedNoList() {
  const Calculator parts;
  QVERIFY(parts.dialog && QTest::qWaitForWindowActive(parts.dialog));
  parts.line()->setFocus();
  const QWidget* const popup = parts.line()->completer()->popup();
  QTest::keyClicks(parts.line(), "pressure / densit");
  QTRY_VERIFY_WITH_TIMEOUT(popup->isVisible(), 10'000);
  QTest::keyClicks(parts.line(), "y");
  QTRY_VERIFY_WITH_TIMEOUT(!popup->isVisible(), 10'000);
  QTest::keyClicks(parts.line(), "-");
  QTRY_VERIFY_WITH_TIMEOUT(popup->isVisible(), 10'000);
}

void TestCalculator::tabGoesAsItIsSeen() {
  const Calculator parts;
  QVERIFY(parts.dialog && parts.dialog->isVisible());
  QStringList order;
  const QWidget* const first = parts.dialog->findChild<QLineEdit*>("calculator.filter");
  for (const QWidget* each = first; order.isEmpty() || each != first; each = each->nextInFocusChain())
    if (each->objectName().startsWith("calculator.")) order.append(each->objectName().section('.', 1));
  const auto at = [&](const char* name) { return order.indexOf(name); };
  QVERIFY2(at("functions") < at("insert") && at("insert") < at("remove") && at("remove") < at("name") &&
               at("name") < at("expression") && at("expression") < at("keep"),
           qPrintable(order.join(' ')));
  parts.list->setFocus(Qt::TabFocusReason);
  QTRY_VERIFY_WITH_TIMEOUT(parts.list->currentItem(), kPatienceMs);
  QVERIFY(parts.list->currentItem()->isSelected());
}

/// Who uses it is said, also what does so by another function; what is taken away comes back whole.
void TestCalculator::whatIsInUseIsNotRemovedUnasked() {
  Calculator parts;
  QVERIFY(parts.dialog && parts.dialog->isVisible());
  const std::string data = parts.studio.session().data.front().name;
  app::Document& document = parts.studio.model.document();
  app::defineFunction(document, data, "mycp", "pressure*2");
  app::defineFunction(document, data, "mycp-root", "sqrt(mycp)");
  QTRY_VERIFY_WITH_TIMEOUT(
      parts.studio.rests() && parts.list->findItems("mycp-root", Qt::MatchExactly).size() == 1, kPatienceMs);
  const auto remove = [&](const char* name) {
    parts.list->setCurrentItem(parts.list->findItems(name, Qt::MatchExactly).front());
    parts.dialog->findChild<QPushButton*>("calculator.remove")->click();
    return parts.dialog->findChild<QMessageBox*>("removeFunction");
  };
  const auto answer = [&](QMessageBox* box, QMessageBox::ButtonRole role) {
    for (QAbstractButton* const button : box->buttons())
      if (box->buttonRole(button) == role) return button->click();
  };
  const auto has = [&](const char* name) {
    return app::ownFunctions(parts.studio.session(), data).contains(name);
  };
  // Coloured by an expression of a function of it.
  parts.studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.rests(), kPatienceMs);
  const app::ObjectId slice = parts.studio.newest();
  session::Object coloured = *document.object(slice);
  coloured.color.by = "1+mycp-root";
  document.setObject(slice, coloured, "Colour by");
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.rests(), kPatienceMs);
  QCOMPARE(parts.studio.stateOf(slice), app::ObjectState::Done);
  QMessageBox* box = remove("mycp");
  QVERIFY(box && box->isVisible());
  const QString said = box->text() + box->informativeText();
  QVERIFY2(said.contains("mycp") && said.contains("mycp-root") &&
               said.contains(QString::fromStdString(coloured.name)) && !said.contains("outline"),
           qPrintable(said));
  answer(box, QMessageBox::RejectRole);
  QVERIFY(has("mycp"));
  QTRY_VERIFY_WITH_TIMEOUT(!parts.dialog->findChild<QMessageBox*>("removeFunction"), kPatienceMs);
  box = remove("mycp-root");
  QVERIFY(box && !box->informativeText().contains("Functions"));
  answer(box, QMessageBox::DestructiveRole);
  QVERIFY(!has("mycp-root"));
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.stateOf(slice) == app::ObjectState::Failed, kPatienceMs);
  // What is missing is said at the slice.
  parts.studio.window.pipeline().select(slice);
  auto* const note = parts.studio.child<QLabel>("properties.note");
  QTRY_VERIFY2_WITH_TIMEOUT(note->isVisible() && note->text().contains("mycp-root"), qPrintable(note->text()),
                            kPatienceMs);
  parts.studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(has("mycp-root") && parts.studio.rests(), kPatienceMs);
  QCOMPARE(parts.studio.stateOf(slice), app::ObjectState::Done);
  // What is made of it goes with it, and the data stay.
  QTRY_VERIFY_WITH_TIMEOUT(!parts.dialog->findChild<QMessageBox*>("removeFunction"), kPatienceMs);
  app::defineFunction(document, data, "other", "pressure*3");
  QTRY_VERIFY_WITH_TIMEOUT(
      parts.studio.rests() && parts.list->findItems("other", Qt::MatchExactly).size() == 1, kPatienceMs);
  const int steps = document.undoStack().index();
  box = remove("mycp");
  QVERIFY(box && box->informativeText().contains("mycp-root"));
  answer(box, QMessageBox::DestructiveRole);
  QVERIFY(!has("mycp") && !has("mycp-root") && has("other"));
  QCOMPARE(document.undoStack().index(), steps + 1);
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.stateOf(slice) == app::ObjectState::Failed, kPatienceMs);
  const app::ObjectId outline = document.idNamed("outline");
  QTRY_COMPARE_WITH_TIMEOUT(parts.studio.stateOf(outline), app::ObjectState::Done, kPatienceMs);
  QVERIFY(parts.list->findItems("other", Qt::MatchExactly).size() == 1);
  parts.studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(has("mycp") && has("mycp-root") && parts.studio.rests(), kPatienceMs);
  QCOMPARE(parts.studio.stateOf(slice), app::ObjectState::Done);
  // What nothing shows is just removed.
  app::defineFunction(document, data, "unused", "pressure*3");
  QTRY_VERIFY_WITH_TIMEOUT(
      parts.studio.rests() && parts.list->findItems("unused", Qt::MatchExactly).size() == 1, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!parts.dialog->findChild<QMessageBox*>("removeFunction"), kPatienceMs);
  QVERIFY(!remove("unused"));
  QVERIFY(!has("unused"));
}

/// Probes of several functions lose the one that is removed, and what is made of it; with it all of them come back.
void TestCalculator::whatIsReadBesideItStays() {
  using Names = std::vector<std::string>;
  Calculator parts;
  QVERIFY(parts.dialog && parts.dialog->isVisible());
  const std::string data = parts.studio.session().data.front().name;
  app::Document& document = parts.studio.model.document();
  app::defineFunction(document, data, "mycp", "pressure*2");
  app::defineFunction(document, data, "mycp-root", "sqrt(mycp)");
  QTRY_VERIFY_WITH_TIMEOUT(
      parts.studio.rests() && parts.list->findItems("mycp-root", Qt::MatchExactly).size() == 1, kPatienceMs);
  const Vec3 place = parts.studio.model.stage().summary(data)->bounds.center();
  const Names all{"density", "mycp", "1+mycp-root", "pressure"};
  const app::ObjectId probes = app::pinProbe(document, data, place, all);
  const auto read = [&] { return std::get<session::Probe>(document.object(probes)->shape).show; };
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.rests() && parts.studio.stateOf(probes) == app::ObjectState::Done,
                           kPatienceMs);
  const int steps = document.undoStack().index();
  parts.list->setCurrentItem(parts.list->findItems("mycp", Qt::MatchExactly).front());
  parts.dialog->findChild<QPushButton*>("calculator.remove")->click();
  auto* const box = parts.dialog->findChild<QMessageBox*>("removeFunction");
  QVERIFY(box && box->informativeText().contains(QString::fromStdString(document.object(probes)->name)));
  for (QAbstractButton* const button : box->buttons())
    if (box->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
  QVERIFY(app::ownFunctions(parts.studio.session(), data).empty());
  QCOMPARE(read(), (Names{"density", "pressure"}));
  QCOMPARE(document.undoStack().index(), steps + 1);
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.rests() && parts.studio.stateOf(probes) == app::ObjectState::Done,
                           kPatienceMs);
  parts.studio.trigger("undo");
  QCOMPARE(read(), all);
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.rests() && parts.studio.stateOf(probes) == app::ObjectState::Done,
                           kPatienceMs);
}

/// Data that cannot be opened for a function, as a session may have it, offer to take that away.
void TestCalculator::oneInTheWayIsTakenAway() {
  Calculator parts;
  QVERIFY(parts.dialog && parts.dialog->isVisible());
  Studio& studio = parts.studio;
  const std::string data = studio.session().data.front().name;
  app::defineFunction(studio.model.document(), data, "good", "pressure*2");
  app::defineFunction(studio.model.document(), data, "goodbad", "presure*2");
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus(data).state, app::DataState::Failed, kPatienceMs);
  studio.window.pipeline().selectData(data);
  const auto offered = [&]() -> QPushButton* {
    for (QPushButton* const each : studio.window.findChildren<QPushButton*>())
      if (each->text().startsWith("Remove the function")) return each;
    return nullptr;
  };
  QTRY_VERIFY_WITH_TIMEOUT(offered(), kPatienceMs);
  QCOMPARE(offered()->text(), QString("Remove the function goodbad"));
  offered()->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary(data) && studio.rests(), kPatienceMs);
  QCOMPARE(app::ownFunctions(studio.session(), data).size(), std::size_t(1));
  QVERIFY(app::ownFunctions(studio.session(), data).contains("good"));
}

/// Lines follow it, its magnitude colours them, and neither is taken away unasked.
void TestCalculator::threeExpressionsAreAVector() {
  Calculator parts;
  QVERIFY(parts.dialog && parts.dialog->isVisible());
  parts.type(parts.name, "sideways");
  parts.type(parts.line(), "velocity-y, velocity");
  QVERIFY2(!parts.keep->isEnabled() && parts.problem->text().contains("three for a vector"),
           qPrintable(parts.problem->text()));
  parts.type(parts.line(), "velocity-y, 0, min(velocity-x, 1)");
  QVERIFY2(parts.keep->isEnabled(), qPrintable(parts.problem->text()));
  QTest::keyClick(parts.line(), Qt::Key_Return);
  const auto row = [&](const char* name) -> const QTreeWidgetItem* {
    const auto found = parts.list->findItems(name, Qt::MatchExactly);
    return found.size() == 1 ? found.front() : nullptr;
  };
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.rests() && row("sideways") && row("sideways-magnitude"), kPatienceMs);
  QVERIFY2(row("sideways")->text(1).startsWith("a vector: velocity-y, 0"),
           qPrintable(row("sideways")->text(1)));
  parts.studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.session().objects.size() == 3 && parts.studio.rests(), kPatienceMs);
  const app::ObjectId lines = parts.studio.newest();
  parts.studio.model.document().edit("Follow it", [&](app::Draft& draft) {
    session::Object& object = draft.object(lines);
    std::get<session::Streamlines>(object.shape).vector = {"sideways"};
    object.color.by = "sideways-magnitude";
  });
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.rests(), kPatienceMs);
  QCOMPARE(parts.studio.stateOf(lines), app::ObjectState::Done);
  const app::FunctionUsers users =
      app::usersOf(parts.studio.model, parts.studio.session().data.front().name, "sideways");
  QCOMPARE(users.objects, QStringList(QString::fromStdString(parts.studio.session().objects.back().name)));
}

/// Data with a function that means nothing could not be opened.
void TestCalculator::whatOthersAreMadeOfStaysWhatTheyNeed() {
  Calculator parts;
  QVERIFY(parts.dialog && parts.dialog->isVisible());
  const std::string data = parts.studio.session().data.front().name;
  app::Document& document = parts.studio.model.document();
  app::defineFunction(document, data, "number", "pressure+1");
  app::defineFunction(document, data, "twice", "number*2");
  app::defineFunction(document, data, "sideways", "velocity-y, 0, 0");
  app::defineFunction(document, data, "along", "sideways-x*2");  // else sideways minus twice the place
  QTRY_VERIFY_WITH_TIMEOUT(
      parts.studio.rests() && parts.list->findItems("along", Qt::MatchExactly).size() == 1, kPatienceMs);
  const int steps = document.undoStack().index();
  const auto isRefused = [&](const char* name, const char* expression, const char* said) {
    parts.type(parts.name, name);
    parts.type(parts.line(), expression);
    QTest::keyClick(parts.line(), Qt::Key_Return);
    return parts.isRed(parts.line()) && !parts.keep->isEnabled() && parts.problem->text().contains(said) &&
           document.undoStack().index() == steps;
  };
  QVERIFY2(isRefused("number", "pressure, 0, 0", "“twice” is made of it, and needs one number"),
           qPrintable(parts.problem->text()));
  QVERIFY2(isRefused("sideways", "pressure", "“along” is made of it, and needs a vector"),
           qPrintable(parts.problem->text()));
  // What they can be made of takes its place.
  parts.type(parts.name, "number");
  parts.type(parts.line(), "pressure+2");
  QVERIFY2(parts.keep->isEnabled(), qPrintable(parts.problem->text()));
  QTest::keyClick(parts.line(), Qt::Key_Return);
  QCOMPARE(document.undoStack().index(), steps + 1);
  QTRY_VERIFY_WITH_TIMEOUT(parts.studio.rests(), kPatienceMs);
  QCOMPARE(parts.studio.stateOf(document.idNamed("outline")), app::ObjectState::Done);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestCalculator test;
  return QTest::qExec(&test, count, words);
}
#include "tst_calculator.moc"
