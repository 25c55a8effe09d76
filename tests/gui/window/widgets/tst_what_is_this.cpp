// Every field says what it is for, to the keyboard and to a click.

#include <QDialogButtonBox>
#include <QDockWidget>
#include <QMenu>
#include <QProcess>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStatusBar>
#include <QToolButton>
#include <QWhatsThis>

#include "app/model/fields/picture_fields.h"
#include "app/model/object_tree.h"
#include "app/ui/editors/field_editor.h"
#include "app/ui/editors/plot3d_options.h"
#include "app/ui/editors/raw_options.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/widgets/what_is_this.h"
#include "app/ui/window/panel_focus.h"
#include "app/volume_maker.h"
#include "tests/gui/window/support/every_dialog.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/file_contents.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// What is being explained now; null: nothing.
QWidget* explanation() {
  for (QWidget* const each : QApplication::topLevelWidgets())
    if (each->inherits("QWhatsThat") && each->isVisible()) return each;
  return nullptr;
}

/// Of what Tab reaches in `whole`, all that says nothing by itself: what is said of a panel as a whole explains none of its
/// fields, but the list that it is. Returns how many were asked. What ends a dialog says so.
int silentIn(const QWidget& whole, const QString& where, QStringList& silent) {
  static const QStringList kAllOfTheirPanel{"pipeline", "views.list"};
  int asked = 0;
  for (const QWidget* const each : whole.findChildren<QWidget*>()) {
    if (!each->isVisible() || each->window() != whole.window() || !(each->focusPolicy() & Qt::TabFocus) ||
        each->focusProxy() || kAllOfTheirPanel.contains(each->objectName()))
      continue;
    const auto* const buttons = qobject_cast<const QDialogButtonBox*>(each->parentWidget());
    auto* const button = qobject_cast<QAbstractButton*>(const_cast<QWidget*>(each));
    if (buttons && button && buttons->buttonRole(button) == QDialogButtonBox::RejectRole) continue;
    const QDockWidget* dock = nullptr;
    for (const QWidget* at = each; at && !dock; at = at->parentWidget())
      dock = qobject_cast<const QDockWidget*>(at);
    if (dock && (each == dock || each == dock->widget())) continue;
    ++asked;
    const QString text = ui::WhatIsThis::textFor(each);
    if (!text.isEmpty() && !(dock && text == dock->whatsThis())) continue;
    const QString its = QString("%1 \"%2\"")
                            .arg(each->metaObject()->className(),
                                 each->objectName().isEmpty() ? each->accessibleName() : each->objectName());
    if (silent.filter(its).isEmpty()) silent.append(its + " at " + where);
  }
  return asked;
}

}  // namespace

class TestWhatIsThis : public QObject {
  Q_OBJECT
 private slots:
  void everyFieldSaysWhatItIs();
  void everythingThatTakesKeysSaysWhatItIs();
  void everythingInDialogsSaysWhatItIs_data();
  void everythingInDialogsSaysWhatItIs();
  void waysOfReadingSayWhatTheyAre();
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

/// In each panel, and more than what its panel is about.
void TestWhatIsThis::everythingThatTakesKeysSaysWhatItIs() {
  Studio studio(QSize(1440, 900), {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("keepView");
  QStringList silent;
  int asked = 0;
  const auto look = [&](const QString& when) {
    for (QDockWidget* const dock : studio.window.findChildren<QDockWidget*>()) {
      dock->show();
      dock->raise();
      QTRY_VERIFY_WITH_TIMEOUT(ui::PanelFocus::isInSight(dock), kPatienceMs);
      asked += silentIn(*dock, when + ", " + dock->objectName(), silent);
    }
  };
  for (const char* const add : {"addSlice", "addVolume", "addProbe", "plotLine", "plotTime", "plotValues"}) {
    QVERIFY2(studio.action(add)->isEnabled(), add);
    studio.trigger(add);
    look(add);
  }
  for (QToolButton* const more :
       {studio.child<QToolButton>("memory.more"), studio.child<QToolButton>("color.edit")}) {
    QVERIFY(more);
    more->click();
  }
  look("all of it");
  studio.window.pipeline().selectData("taylor-green");
  look("data");
  asked += silentIn(studio.window, "window", silent);
  QVERIFY2(silent.isEmpty(), qPrintable(silent.join('\n')));
  QVERIFY2(asked > 300, qPrintable(QString::number(asked)));
}

void TestWhatIsThis::everythingInDialogsSaysWhatItIs_data() {
  addDialogs();
}

void TestWhatIsThis::everythingInDialogsSaysWhatItIs() {
  QFETCH(QString, action);
  QFETCH(int, least);
  Studio studio(QSize(1440, 900));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  QDialog* const dialog = openedDialog(studio, action);
  QVERIFY(dialog);
  QStringList silent;
  forEachLook(*dialog, [&](const QString& how) {
    const int asked = silentIn(*dialog, how, silent);
    QVERIFY2(asked + 1 >= least, qPrintable(QString("%1: %2").arg(how).arg(asked)));
  });
  QVERIFY2(silent.isEmpty(), qPrintable(silent.join('\n')));
  dialog->close();
}

/// What is said of plain numbers and of PLOT3D files, where files are opened and where they could not be.
void TestWhatIsThis::waysOfReadingSayWhatTheyAre() {
  ui::RawOptions raw;
  ui::Plot3dOptions plot3d(2);
  QStringList silent;
  for (QWidget* const part : {static_cast<QWidget*>(&raw), static_cast<QWidget*>(&plot3d)}) {
    part->show();
    QVERIFY(QTest::qWaitForWindowExposed(part));
    QVERIFY(silentIn(*part, part->objectName(), silent) > 6);
  }
  Studio studio(QSize(1440, 900));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  writeFile(studio.folder / "numbers.bin", std::string(1000, 'x'));
  studio.model.openData({{studio.at("numbers.bin"), {}}});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("numbers").state, app::DataState::Failed,
                            kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QWidget>("raw.dims.i"), kPatienceMs);
  QVERIFY(silentIn(*studio.child<QDockWidget>("dock.properties"), "failed data", silent) > 17);
  QVERIFY2(silent.isEmpty(), qPrintable(silent.join('\n')));
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
