// Every field says what it is for, to the keyboard and to a click.

#include <QDialog>
#include <QMenu>
#include <QProcess>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStatusBar>
#include <QWhatsThis>

#include "app/model/object_tree.h"
#include "app/model/picture_fields.h"
#include "app/ui/field_editor.h"
#include "app/ui/message_list.h"
#include "app/ui/what_is_this.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// What is being explained now; null: nothing.
QWidget* explanation() {
  for (QWidget* const each : QApplication::topLevelWidgets())
    if (each->inherits("QWhatsThat") && each->isVisible()) return each;
  return nullptr;
}

}  // namespace

class TestWhatIsThis : public QObject {
  Q_OBJECT
 private slots:
  void everyFieldSaysWhatItIs();
  void everythingThatTakesKeysSaysWhatItIs();
  void headingsStandOnce();
  void whatCannotBeIsNotOffered();
  void whatIsEmptySaysWhy();
  void theKeyAsks();
  void theKeyAsksInDialogs();
  void aClickAsks();
  void withoutAFieldAClickAsks();
};

void TestWhatIsThis::everyFieldSaysWhatItIs() {
  Studio studio(QSize(1440, 900));
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const auto check = [&](const QString& where, int least) {
    int fields = 0;
    for (const auto* const editor : studio.window.findChildren<ui::FieldEditor*>()) {
      if (!editor->isVisible()) continue;
      const QWidget* const inner = editor->focusProxy();
      const QString text = ui::WhatIsThis::textFor(inner ? inner : editor);
      QVERIFY2(text.contains("<br>"), qPrintable(where + ": " + editor->objectName() + ": " + text));
      ++fields;
    }
    QVERIFY2(fields >= least, qPrintable(QString("%1: %2 fields").arg(where).arg(fields)));
  };
  for (const char* const add :
       {"addStreamlines", "addSurface", "addSlice", "addIsosurface", "addIsolines", "addArrows", "addLic",
        "addPathlines", "addOutline", "addProbe", "addVolume"}) {
    studio.trigger(add);
    check(add, 3);
  }
  studio.window.pipeline().select(0);
  studio.model.document().edit("Cut", [](app::Draft& draft) {
    draft.frame().image.clip.planes.push_back({});
    draft.frame().image.clip.box = {{{0, 0, 0}, {1, 1, 1}}};
  });
  check("picture", 10);
}

void TestWhatIsThis::everythingThatTakesKeysSaysWhatItIs() {
  Studio studio(QSize(1440, 900));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addSlice");
  for (const char* const panel : {"plotLine", "pinProbe"}) studio.trigger(panel);
  int asked = 0;
  QStringList silent;
  for (const QWidget* const each : studio.window.findChildren<QWidget*>()) {
    if (!each->isVisible() || !(each->focusPolicy() & Qt::TabFocus) || each->focusProxy()) continue;
    ++asked;
    if (ui::WhatIsThis::textFor(each).isEmpty())
      silent.append(QString(each->metaObject()->className()) + ' ' + each->objectName());
  }
  QVERIFY2(silent.isEmpty(), qPrintable(silent.join('\n')));
  QVERIFY2(asked > 30, qPrintable(QString::number(asked)));
}

void TestWhatIsThis::headingsStandOnce() {
  QStringList headings;
  for (const app::PictureField& its : app::pictureFields(session::Session{}, Bounds{{0, 0, 0}, {1, 1, 1}}))
    if (headings.isEmpty() || headings.back() != its.field.group) headings.append(its.field.group);
  QVERIFY(headings.size() >= 3);
  QCOMPARE(headings.removeDuplicates(), 0);
}

void TestWhatIsThis::whatCannotBeIsNotOffered() {
  Studio studio;
  QProcess sample;
  sample.setWorkingDirectory(QString::fromStdString(studio.folder.path().string()));
  sample.start(studio.parts().program,
               {"sample", "cylinder", "-o", "wing", "--size", "9,9,9", "--format", "plot3d"});
  QVERIFY(sample.waitForFinished(kPatienceMs) && sample.exitCode() == 0);
  QVERIFY(QFile::remove(studio.at("wing.q")));
  // A grid alone, through which nothing flows; it is said where the cursor is.
  studio.window.openPaths({studio.at("wing.xyz")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("wing") && studio.rests(), kPatienceMs);
  QVERIFY(studio.action("addSlice")->isEnabled() && studio.action("addSurface")->isEnabled());
  for (const char* const name : {"addStreamlines", "addArrows", "addLic"}) {
    QVERIFY2(!studio.action(name)->isEnabled(), name);
    QVERIFY2(studio.action(name)->statusTip().contains("vector"), name);
  }
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.action("addStreamlines")->isEnabled(), kPatienceMs);
  QVERIFY(!studio.action("addStreamlines")->statusTip().contains("no vector"));
}

void TestWhatIsThis::whatIsEmptySaysWhy() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const auto textOf = [&](const char* add, const std::function<void(session::Object&)>& away) {
    studio.trigger(add);
    const app::ObjectId id = studio.newest();
    session::Object object = *studio.model.document().object(id);
    away(object);
    studio.model.document().setObject(id, object, "Away");
    return QTest::qWaitFor(
               [&] {
                 return studio.rests() && studio.stateOf(id) == app::ObjectState::Done &&
                        !app::stateText(studio.model.stage().status(id)).isEmpty();
               },
               kPatienceMs)
               ? app::stateText(studio.model.stage().status(id))
               : QString();
  };
  const QString surface = textOf("addIsosurface", [](session::Object& object) {
    std::get<session::Isosurface>(object.shape).values = {1e9};
  });
  QVERIFY2(surface.contains("no cell has the value"), qPrintable(surface));
  const QString slice = textOf("addSlice", [](session::Object& object) {
    std::get<session::Slice>(object.shape).origin = {1e3, 1e3, 1e3};
  });
  QVERIFY2(slice.contains("Move the plane"), qPrintable(slice));
  // Where somebody looks, and where it is kept.
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChild<ui::MessageList*>()->allText().contains("Move the plane"),
                           kPatienceMs);
}

void TestWhatIsThis::theKeyAsks() {
  Studio studio(QSize(1440, 900));
  QVERIFY(QTest::qWaitForWindowActive(&studio.window));
  studio.model.open({"sample://cylinder"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addStreamlines");
  auto* const field = studio.child<QWidget>("integrator.maxLength");
  QVERIFY(field);
  field->setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(field->hasFocus(), kPatienceMs);
  QTest::keyClick(field, Qt::Key_F1, Qt::ShiftModifier);
  QTRY_VERIFY_WITH_TIMEOUT(explanation(), kPatienceMs);
  QTest::keyClick(explanation(), Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(!explanation(), kPatienceMs);
  // It has what its label says in a tip, and more.
  const QString text = ui::WhatIsThis::textFor(field);
  QVERIFY2(text.contains("Longest line") && text.contains("direction") && text.contains("By default"),
           qPrintable(text));
}

void TestWhatIsThis::theKeyAsksInDialogs() {
  Studio studio(QSize(1440, 900));
  QVERIFY(QTest::qWaitForWindowActive(&studio.window));
  studio.model.open({"sample://cylinder"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("exportImage");
  auto* const dialog = studio.child<QDialog>("exportImage.dialog");
  QVERIFY(dialog);
  auto* const field = dialog->findChild<QWidget*>("export.transparent");
  QTest::keyClick(field, Qt::Key_F1, Qt::ShiftModifier);
  QTRY_VERIFY_WITH_TIMEOUT(explanation(), kPatienceMs);
  QTest::keyClick(explanation(), Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(!explanation(), kPatienceMs);
  dialog->reject();
}

void TestWhatIsThis::aClickAsks() {
  Studio studio(QSize(1440, 900));
  QVERIFY(QTest::qWaitForWindowActive(&studio.window));
  studio.model.open({"sample://cylinder"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const std::size_t before = studio.session().objects.size();
  studio.trigger("explainClick");
  QVERIFY(QWhatsThis::inWhatsThisMode());
  auto* const field = studio.child<QWidget>("dock.pipeline");
  QTest::mouseClick(field, Qt::LeftButton, {}, {20, 8});
  QTRY_VERIFY_WITH_TIMEOUT(explanation(), kPatienceMs);
  QVERIFY(!QWhatsThis::inWhatsThisMode());
  QCOMPARE(studio.session().objects.size(), before);
  QTest::keyClick(explanation(), Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(!explanation(), kPatienceMs);
}

/// Where nothing has the keyboard of which there is anything to say.
void TestWhatIsThis::withoutAFieldAClickAsks() {
  Studio studio(QSize(1440, 900));
  QVERIFY(QTest::qWaitForWindowActive(&studio.window));
  studio.model.open({"sample://cylinder"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  const auto said = [&] { return studio.window.statusBar()->currentMessage(); };
  if (QWidget* const held = QApplication::focusWidget()) held->clearFocus();
  QTRY_VERIFY_WITH_TIMEOUT(!QApplication::focusWidget(), kPatienceMs);
  studio.trigger("whatIsThis");
  QVERIFY(QWhatsThis::inWhatsThisMode());
  QVERIFY2(said().contains("Click on") && said().contains("F1 opens the guide"), qPrintable(said()));
  QTest::mouseClick(studio.child<QWidget>("dock.pipeline"), Qt::LeftButton, {}, {20, 8});
  QTRY_VERIFY_WITH_TIMEOUT(explanation(), kPatienceMs);
  QVERIFY(!QWhatsThis::inWhatsThisMode() && said().isEmpty());
  QTest::keyClick(explanation(), Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(!explanation(), kPatienceMs);
  // On the start page as well.
  studio.trigger("new");
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().data.empty(), kPatienceMs);
  studio.trigger("whatIsThis");
  QVERIFY(explanation() || (QWhatsThis::inWhatsThisMode() && said().contains("Click on")));
  QTest::keyClick(&studio.window, Qt::Key_Escape);
  QTRY_VERIFY_WITH_TIMEOUT(!QWhatsThis::inWhatsThisMode() && !said().contains("Click on"), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestWhatIsThis test;
  return QTest::qExec(&test, count, words);
}
#include "tst_what_is_this.moc"
