// Ranges and opacities of volumes: those that they have by themselves and those that are given, in panels, commands and words. Needs a
// display with OpenGL; skips where there is none.

#include <QCheckBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFocusEvent>
#include <QLabel>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTimer>

#include "app/model/batch_command.h"
#include "app/model/document/shared_colors.h"
#include "app/model/document/volume_looks.h"
#include "app/ui/editors/transfer_editor.h"
#include "app/ui/widgets/number_edit.h"
#include "app/volume_maker.h"
#include "core/session/json/session_json.h"
#include "core/session/run/shared_ranges.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/volume_sight.h"

using namespace farfield;
using namespace farfield::test;

class TestVolumeRanges : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void rangesBelongToVolumesToo();
  void onlyWhatVolumesHaveIsOffered();
  void whatIsUndoneIsNotTakenAgain();
  void commandsSayWhatVolumesHaveByThemselves();
  void commandsSayNoScaleThatIsOnItsWay();
  void commandsKeepWhatIsBelowLogarithms();
  void whatIsWrittenIsSaidBesideThem();
};

void TestVolumeRanges::initTestCase() {
  skipWithoutOpenGl();
}

/// By hand and logarithmic as where they are automatic: equal colours are equal values, also of what comes later.
void TestVolumeRanges::rangesBelongToVolumesToo() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId volume = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  const auto addSlice = [&] {
    studio.trigger("addSlice");
    const app::ObjectId id = studio.newest();
    [&] { QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs); }();
    return id;
  };
  const app::ObjectId slice = addSlice();
  const auto color = [&](app::ObjectId id) {
    return app::withPlainColors(*studio.model.document().object(id)).color;
  };
  const auto range = [&](app::ObjectId id) { return studio.model.stage().status(id).shownRange; };
  QCOMPARE(color(slice).by, std::string("density"));
  QTRY_VERIFY_WITH_TIMEOUT(range(slice) && range(slice) == range(volume), kPatienceMs);
  const auto automatic = range(slice);
  const auto type = [&](const char* text) {
    auto* const greatest = studio.child<ui::NumberEdit>("color.greatest");
    greatest->setFocus();
    greatest->selectAll();
    QTest::keyClicks(greatest, text);
    QTest::keyClick(greatest, Qt::Key_Return);
  };
  // Of the slice, and back as one step.
  studio.window.pipeline().select(slice);
  const int steps = studio.model.document().undoStack().count();
  type("0.75");
  QTRY_VERIFY_WITH_TIMEOUT(range(slice) && (*range(slice))[1] == 0.75 && range(volume) == range(slice),
                           kPatienceMs);
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(range(slice) == automatic && range(volume) == automatic, kPatienceMs);
  // Of the volume.
  studio.window.pipeline().select(volume);
  type("0.5");
  QTRY_VERIFY_WITH_TIMEOUT(range(volume) && (*range(volume))[1] == 0.5 && range(slice) == range(volume),
                           kPatienceMs);
  studio.child<QCheckBox>("color.log")->click();
  QVERIFY(color(slice).logarithmic && color(volume).logarithmic);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && range(slice) == range(volume), kPatienceMs);
  studio.trigger("undo");
  // Maps are not one, and to change one leaves ranges alone.
  const std::string map = color(volume).map.name;
  app::editColors(studio.model.document(), slice, "Map", {},
                  [](session::Coloring& its) { its.map.name = "magma"; });
  QCOMPARE(color(volume).map.name, map);
  QVERIFY(color(volume).range && color(volume).range == color(slice).range);
  // What is new has the range that is there.
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(slice); });
  const app::ObjectId later = addSlice();
  QVERIFY(color(later).range && color(later).range == color(volume).range);
  // Set apart, it is not touched.
  studio.window.pipeline().select(later);
  studio.child<QCheckBox>("color.apart")->click();
  type("0.9");
  QCOMPARE((*color(later).range)[1], 0.9);
  QCOMPARE((*color(volume).range)[1], 0.5);
}

/// Rays have the colours of the ends beyond a range, and meet no border between bands: nothing of that is offered for them.
void TestVolumeRanges::onlyWhatVolumesHaveIsOffered() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId volume = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  const auto isOffered = [&](const char* name) { return !studio.child<QWidget>(name)->isHidden(); };
  studio.window.pipeline().select(slice);
  for (const char* const name : {"color.lines", "color.nan", "color.below", "color.above"})
    QVERIFY2(isOffered(name), name);
  studio.child<QCheckBox>("color.above")->click();
  QVERIFY(isOffered("color.above.color"));
  studio.window.pipeline().select(volume);
  for (const char* const name :
       {"color.lines", "color.nan", "color.below", "color.above", "color.below.color", "color.above.color"})
    QVERIFY2(!isOffered(name), name);
  QVERIFY(isOffered("color.bands"));
  studio.window.pipeline().select(slice);
  QVERIFY(isOffered("color.above") && isOffered("color.above.color") && !isOffered("color.below.color"));
}

/// Keys that follow each other are one step, which ends when the keyboard goes elsewhere: not where it was undone before that.
void TestVolumeRanges::whatIsUndoneIsNotTakenAgain() {
  Studio studio({1280, 900}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  studio.child<QDockWidget>("dock.volume")->raise();
  auto* const editor = studio.child<ui::TransferEditor>("volume.opacity");
  QTRY_VERIFY_WITH_TIMEOUT(editor->isVisible() && editor->shown().automatic, kPatienceMs);
  editor->setFocus();
  QTest::keyClick(editor, Qt::Key_PageDown);
  QVERIFY(editor->selected() >= 0);
  QTest::keyClick(editor, Qt::Key_Down);
  QVERIFY(!app::volumeIn(*studio.model.document().object(id))->look.opacity.empty());
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(editor->shown().automatic, kPatienceMs);
  QFocusEvent gone(QEvent::FocusOut, Qt::MouseFocusReason);
  QApplication::sendEvent(editor, &gone);
  QVERIFY(app::volumeIn(*studio.model.document().object(id))->look.opacity.empty());
  QVERIFY(studio.action("redo")->isEnabled());
}

/// A batch run looks through more of the data, and may find another range: the picture is to be the one that is seen.
void TestVolumeRanges::commandsSayWhatVolumesHaveByThemselves() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.stateOf(id) == app::ObjectState::Done, kPatienceMs);
  app::Document& document = studio.model.document();
  const auto changes = [&] { return app::automaticOfVolumes(document, studio.model.stage()); };
  // As a batch run takes them: the session then says what is seen, and nothing is found anew.
  const auto seen = studio.model.stage().status(id);
  const std::vector<std::string> said = changes();
  QVERIFY(!said.empty());
  const session::Session told = session::parseSession(session::toJson(document.session()), said);
  for (std::size_t n = 0; n < told.objects.size(); ++n) {
    const session::Object& object = told.objects[n];
    if (object.color.by.empty()) continue;
    const auto status = studio.model.stage().status(document.objectIds()[n]);
    QCOMPARE(object.color.range, (std::optional(std::array{status.scale.min, status.scale.max})));
    if (const session::Volume* const volume = app::volumeIn(object))
      QCOMPARE(volume->look.opacity, seen.volumeLook.opacity);
  }
  // Of a volume that says itself what it is of, as sessions that are written by hand do.
  document.edit("By itself", [&](app::Draft& draft) {
    session::Object& object = draft.object(id);
    app::volumeIn(object)->by = std::exchange(object.color.by, {});
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.stateOf(id) == app::ObjectState::Done, kPatienceMs);
  const session::Session byItself = session::parseSession(session::toJson(document.session()), changes());
  const std::vector<app::ObjectId> ids = document.objectIds();
  const auto number = static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
  const auto now = studio.model.stage().status(id).scale;
  QCOMPARE(app::volumeIn(byItself.objects[number])->range, (std::optional(std::array{now.min, now.max})));
  // What somebody has chosen is in the session already.
  document.edit("By hand", [&](app::Draft& draft) {
    for (const app::ObjectId each : document.objectIds())
      if (!draft.object(each).color.by.empty()) draft.object(each).color.range = {0.2, 0.8};
    app::volumeIn(draft.object(id))->range = {0.2, 0.8};
    app::volumeIn(draft.object(id))->look.opacity = {{0.2, 0}, {0.8, 1}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QVERIFY(changes().empty());
}

/// As of another step, while one of those that share it still shows that.
void TestVolumeRanges::commandsSayNoScaleThatIsOnItsWay() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId volume = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.stateOf(slice) == app::ObjectState::Done, kPatienceMs);
  app::Document& document = studio.model.document();
  const auto saysRange = [&] {
    const auto said = app::automaticOfVolumes(document, studio.model.stage());
    return std::any_of(said.begin(), said.end(),
                       [](const std::string& each) { return each.find(".range=") != std::string::npos; });
  };
  QVERIFY(saysRange());
  app::ObjectId other = 0;
  studio.model.stage().hold([&] {
    document.edit("Duplicate", [&](app::Draft& draft) { other = draft.add(*document.object(slice)); });
  });
  QCOMPARE(studio.stateOf(other), app::ObjectState::Waiting);
  QCOMPARE(studio.stateOf(volume), app::ObjectState::Done);
  QVERIFY(!saysRange());
  studio.model.stage().release(other);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && saysRange(), kPatienceMs);
}

/// In a narrow window nothing would be left of the line for it.
void TestVolumeRanges::whatIsWrittenIsSaidBesideThem() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  auto* const sight = studio.child<QLabel>("volumes");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && sight->text().contains("complete"), kPatienceMs);
  std::optional<QString> beside;
  connect(studio.window.statusBar(), &QStatusBar::messageChanged, sight, [&](const QString& said) {
    if (said.startsWith("Drawing and writing")) QTimer::singleShot(0, sight, [&] { beside = sight->text(); });
  });
  const QString path = studio.at("written.png");
  studio.trigger("exportImage");
  studio.child<QDialog>("exportImage.dialog")->accept();
  auto* const files = studio.window.findChild<QFileDialog*>();
  QVERIFY(files);
  emit files->fileSelected(path);
  files->close();
  QTRY_VERIFY_WITH_TIMEOUT(beside, kPatienceMs);
  QCOMPARE(*beside, QString());
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.statusBar()->currentMessage().startsWith("Wrote"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(sight->text().contains("complete"), kPatienceMs);
}

/// A scale that begins four decades below its end is told as one that begins at 0: its legend says that there is more below.
void TestVolumeRanges::commandsKeepWhatIsBelowLogarithms() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  app::Document& document = studio.model.document();
  document.edit("Logarithmic", [&](app::Draft& draft) {
    session::Object& object = draft.object(id);
    object = app::withPlainColors(object);
    object.color.by = "density-0.5";
    object.color.range.reset();
    object.color.logarithmic = true;
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().status(id).scale.reachesDown, kPatienceMs);
  const scene::ColorScale seen = studio.model.stage().status(id).scale;
  const std::vector<std::string> said = app::automaticOfVolumes(document, studio.model.stage());
  const session::Session told = session::parseSession(session::toJson(document.session()), said);
  scene::ColorScale again = seen;
  again.reachesDown = false;
  session::setRange(again, told.objects.back().color.range.value());
  QVERIFY(again.reachesDown && again.min == seen.min && again.max == seen.max);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestVolumeRanges test;
  return QTest::qExec(&test, count, words);
}
#include "tst_volume_ranges.moc"
