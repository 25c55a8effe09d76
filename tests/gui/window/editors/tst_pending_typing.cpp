// What is being typed when a command comes that is about it, sooner than typing pauses: it is saved, undone and asked about like the rest.
// Needs a display with OpenGL; skips where there is none.

#include <QAbstractItemView>
#include <QCompleter>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QStandardPaths>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

#include "app/ui/panels/property_editor.h"
#include "app/ui/widgets/number_edit.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// A slice, saved as `slice.json`.
bool opens(Studio& studio) {
  if (!QTest::qWaitForWindowExposed(&studio.window)) return false;
  studio.model.open({"sample://cylinder?size=17,13,5&blocks=1"});
  if (!QTest::qWaitFor([&] { return studio.rests() && !studio.session().objects.empty(); }, kPatienceMs))
    return false;
  studio.trigger("addSlice");
  if (!QTest::qWaitFor([&] { return studio.viewRests(); }, kPatienceMs)) return false;
  studio.model.save(studio.at("slice.json"));
  return QTest::qWaitFor([&] { return !studio.model.document().isModified(); }, kPatienceMs);
}

/// What is in the field is typed over; the keyboard stays there.
bool typeOver(QLineEdit* line, const char* text) {
  QWidget* const field = line->focusProxy() ? line->focusProxy() : line;
  field->setFocus(Qt::TabFocusReason);
  if (!QTest::qWaitFor([&] { return QApplication::focusWidget() == field; }, kPatienceMs)) return false;
  line->selectAll();
  QTest::keyClicks(field, text);
  return true;
}

QLineEdit* lineOf(Studio& studio, const QString& key) {
  const QWidget* const page = studio.window.findChild<ui::PropertyEditor*>()->widget();
  return page->findChild<QWidget*>("field." + key)->findChild<QLineEdit*>();
}

}  // namespace

class TestPendingTyping : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void itIsSaved_data();
  void itIsSaved();
  void theButtonOfABarSavesIt();
  void quittingAsksAboutIt();
  void itIsTheStepThatIsUndone();
  void commandsAboutTheSessionAskAboutIt();
  void tabGoesOnFromIt();
  void whatWasWrongWithItIsSaid();
  void escLeavesWhatWasChosen();
};

void TestPendingTyping::initTestCase() {
  skipWithoutOpenGl();
}

void TestPendingTyping::itIsSaved_data() {
  QTest::addColumn<QString>("field");
  QTest::addColumn<QString>("typed");
  QTest::newRow("number") << "opacity"
                          << "0.25";
  QTest::newRow("text") << "offsets"
                        << "0, 0.25";
  QTest::newRow("expression") << "color.by"
                              << "density*2";
  QTest::newRow("whole number") << "bands"
                                << "7";
}

void TestPendingTyping::itIsSaved() {
  QFETCH(QString, field);
  QFETCH(QString, typed);
  Studio studio;
  QVERIFY(opens(studio));
  QLineEdit* line = nullptr;
  if (field == "bands") {
    studio.child<QDockWidget>("dock.colors")->raise();
    line = studio.child<QLineEdit>("color.bands");
    QTRY_VERIFY_WITH_TIMEOUT(line && line->isVisible(), kPatienceMs);
  } else {
    line = lineOf(studio, field);
  }
  QVERIFY(line);
  QVERIFY(typeOver(line, typed.toUtf8()));
  const session::Object before = *studio.model.document().object(studio.newest());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_S, Qt::ControlModifier);
  const session::Object& now = *studio.model.document().object(studio.newest());
  QVERIFY2(!(now == before), "taken at once");
  QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified(), kPatienceMs);
  QFile file(studio.at("slice.json"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const session::Session saved = session::parseSession(file.readAll().toStdString());
  QVERIFY(saved.objects.back() == now);
  if (field == "opacity") QCOMPARE(saved.objects.back().opacity, 0.25);
  if (field == "offsets")
    QCOMPARE(std::get<session::Slice>(saved.objects.back().shape).offsets, (std::vector<double>{0, 0.25}));
  if (field == "color.by") QCOMPARE(saved.objects.back().color.by, std::string("density*2"));
  if (field == "bands") QCOMPARE(saved.objects.back().color.map.bands, 7);
  // Typing goes on where it was, and Esc still knows what there was before.
  QCOMPARE(line->text().left(static_cast<int>(typed.size())), typed);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  QVERIFY(!(*studio.model.document().object(studio.newest()) == saved.objects.back()));
}

/// It is off until there is something to save.
void TestPendingTyping::theButtonOfABarSavesIt() {
  Studio studio;
  QVERIFY(opens(studio));
  QWidget* const button = studio.child<QToolBar>("toolBar")->widgetForAction(studio.action("save"));
  QVERIFY(button && !button->isEnabled());
  QVERIFY(typeOver(lineOf(studio, "opacity"), "0.25"));
  QTest::mouseClick(button, Qt::LeftButton);
  QCOMPARE(studio.model.document().object(studio.newest())->opacity, 0.25);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.model.document().isModified(), kPatienceMs);
}

void TestPendingTyping::quittingAsksAboutIt() {
  Studio studio;
  QVERIFY(opens(studio));
  QVERIFY(typeOver(lineOf(studio, "opacity"), "0.25"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Q, Qt::ControlModifier);
  QVERIFY(studio.window.isVisible());
  auto* const box = studio.child<QMessageBox>("saveChanges");
  QVERIFY(box);
  box->reject();
  QCOMPARE(studio.model.document().object(studio.newest())->opacity, 0.25);
}

void TestPendingTyping::itIsTheStepThatIsUndone() {
  Studio studio;
  QVERIFY(opens(studio));
  const auto opacity = [&] { return studio.model.document().object(studio.newest())->opacity; };
  QVERIFY(typeOver(lineOf(studio, "opacity"), "0.5"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  QCOMPARE(opacity(), 0.5);
  QVERIFY(typeOver(lineOf(studio, "opacity"), "0.25"));
  studio.trigger("undo");
  QCOMPARE(opacity(), 0.5);
  QTest::qWait(1000);  // longer than a pause in typing
  QCOMPARE(opacity(), 0.5);
  QCOMPARE(lineOf(studio, "opacity")->text(), QString("0.5"));
  studio.trigger("redo");
  QCOMPARE(opacity(), 0.25);
}

void TestPendingTyping::commandsAboutTheSessionAskAboutIt() {
  Studio studio;
  QVERIFY(opens(studio));
  QVERIFY(typeOver(lineOf(studio, "opacity"), "0.25"));
  studio.trigger("copyCommand");
  auto* const box = studio.child<QMessageBox>("saveForCommand");
  QVERIFY2(box, "what is copied says what was in the file");
  box->reject();
}

/// However fast: to what stands next, also where the page is made anew by what was typed.
void TestPendingTyping::tabGoesOnFromIt() {
  Studio studio;
  QVERIFY(opens(studio));
  studio.trigger("addIsosurface");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const auto field = [&] {
    const QWidget* const page = studio.window.findChild<ui::PropertyEditor*>()->widget();
    return page->findChild<QWidget*>("field.by");
  };
  const auto by = [&] {
    return std::get<session::Isosurface>(studio.model.document().object(studio.newest())->shape).by;
  };
  for (const char* const typed : {"density*3", "density*4"}) {
    const bool usual = by().find('*') == std::string::npos;
    QVERIFY(typeOver(lineOf(studio, "by"), typed));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(by(), std::string(typed));
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
    QWidget* const now = QApplication::focusWidget();
    QVERIFY(now && !field()->isAncestorOf(now));
    // To the value, or to the arrow that puts back what is usual, which is there the second time.
    const auto* const line = qobject_cast<QLineEdit*>(now);
    QVERIFY2(usual ? !line || line->hasSelectedText() : qobject_cast<QToolButton*>(now) != nullptr,
             now->metaObject()->className());
  }
}

/// Also where nobody had time to see it before the field was left.
void TestPendingTyping::whatWasWrongWithItIsSaid() {
  Studio studio;
  QVERIFY(opens(studio));
  QLineEdit* const line = lineOf(studio, "color.by");
  const QString before = line->text();
  QVERIFY(typeOver(line, "nosuch*2"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  QCOMPARE(lineOf(studio, "color.by")->text(), before);
  const auto said = [&] {
    const QList<QLabel*> labels = studio.window.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->objectName().endsWith(".error") && label->text().contains("nosuch");
    });
  };
  QVERIFY(said());
  QTRY_VERIFY_WITH_TIMEOUT(!said(), kPatienceMs);
}

/// A name of the list is taken as one that was typed to its end.
void TestPendingTyping::escLeavesWhatWasChosen() {
  Studio studio;
  QVERIFY(opens(studio));
  const auto by = [&] { return studio.model.document().object(studio.newest())->color.by; };
  QLineEdit* line = lineOf(studio, "color.by");
  QVERIFY(typeOver(line, "vel"));
  QTRY_VERIFY_WITH_TIMEOUT(line->completer()->popup()->isVisible(), kPatienceMs);
  QTest::keyClick(line->completer()->popup(), Qt::Key_Down);
  QTest::keyClick(line->completer()->popup(), Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(QString::fromStdString(by()).startsWith("vel"), kPatienceMs);
  const std::string chosen = by();
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  line = lineOf(studio, "color.by");
  QVERIFY(typeOver(line, "qqq"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  QCOMPARE(lineOf(studio, "color.by")->text(), QString::fromStdString(chosen));
  QCOMPARE(by(), chosen);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestPendingTyping test;
  return QTest::qExec(&test, count, words);
}
#include "tst_pending_typing.moc"
