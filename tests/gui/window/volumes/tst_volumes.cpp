// Volumes in the window: shown, hidden behind what is opaque, edited by their transfer function, refined and
// stopped. Needs a display with OpenGL; skips where there is none.

#include <QAbstractButton>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QStandardPaths>
#include <QToolButton>

#include "app/model/document/volume_looks.h"
#include "app/ui/editors/transfer_editor.h"
#include "app/ui/panels/volume_panel.h"
#include "app/ui/view/object_handles.h"
#include "app/ui/widgets/number_edit.h"
#include "app/volume_maker.h"
#include "render/color/color_map.h"
#include "render/view/screen_map.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/volume_sight.h"
#include "tests/system/plot3d_file.h"

using namespace farfield;
using namespace farfield::test;

class TestVolumes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void shownAndHidden();
  void hiddenOnesStayHidden();
  void transferIsEdited();
  void typedPointsStayBetweenNeighbours();
  void cutAndStopped();
  void budgetChangesUnderIt();
  void fourTogether();
  void constantsHideNothing();
  void labelsAreBesideTheHistogram();
  void linesBeforeItAreWhole_data();
  void linesBeforeItAreWhole();

 private:
  static session::Volume shapeOf(Studio& studio, app::ObjectId id) {
    return std::get<session::Volume>(studio.model.document().object(id)->shape);
  }
};

void TestVolumes::initTestCase() {
  skipWithoutOpenGl();
}

void TestVolumes::shownAndHidden() {
  Studio studio({1280, 800}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=65");
  const QSize view = studio.window.viewport().size();
  const QRect central(view.width() / 3, view.height() / 3, view.width() / 3, view.height() / 3);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) > 3000, kPatienceMs);
  // What is painted is what is captured.
  const auto shown = [&] {
    return studio.window.viewport().grab().toImage().convertToFormat(QImage::Format_RGB32) ==
           studio.picture().convertToFormat(QImage::Format_RGB32);
  };
  QTRY_VERIFY_WITH_TIMEOUT(shown(), kPatienceMs);
  studio.child<QDockWidget>("dock.volume")->raise();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QDockWidget>("dock.volume")->widget()->isVisible(), kPatienceMs);
  keep(studio, "volume");
  const int alone = colouredPixels(studio.picture(), central);

  // A grey sheet before it hides it, one behind it does not, and one in the middle leaves what is before it.
  studio.trigger("addSurface");
  const app::ObjectId sheet = studio.newest();
  const auto place = [&](std::int64_t k) {
    studio.model.document().edit("Sheet", [&](app::Draft& draft) {
      session::GridSurface surface;
      surface.range[2] = {k, k};
      draft.object(sheet).shape = surface;
      draft.object(sheet).color.by.clear();
      draft.object(sheet).color.solid = {0.5f, 0.5f, 0.5f, 1};
    });
    [&] { QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(sheet), app::ObjectState::Done, kPatienceMs); }();
  };
  place(40);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) < alone / 20, kPatienceMs);
  place(0);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) > alone / 2, kPatienceMs);
  const QImage behind = studio.picture();
  // The volume is opaque at its low end: a sheet near there hides some of it.
  place(8);
  const auto between = [&] {
    const QImage now = studio.picture();
    const int count = colouredPixels(now, central);
    return now != behind && count > alone / 20 && now.copy(central) != behind.copy(central);
  };
  QTRY_VERIFY_WITH_TIMEOUT(between(), kPatienceMs);

  // A sheet that is half transparent greys what lies behind it, and nothing else: all of the volume before it, hardly any at its back.
  const auto colourfulness = [&] {
    double sum = 0;
    const QImage now = studio.picture();
    for (int y = central.top(); y <= central.bottom(); ++y)
      for (int x = central.left(); x <= central.right(); ++x) {
        const QColor color = now.pixelColor(x, y);
        sum += std::max({color.red(), color.green(), color.blue()}) -
               std::min({color.red(), color.green(), color.blue()});
      }
    return sum;
  };
  place(0);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && sightOf(studio).startsWith("complete"), kPatienceMs);
  studio.model.document().edit("Half", [&](app::Draft& draft) { draft.object(sheet).opacity = 0.5; });
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && sightOf(studio).startsWith("complete"), kPatienceMs);
  const double bare = colourfulness();
  place(64);
  const auto greyed = [&] {
    const double now = colourfulness();
    return now > 0.4 * bare && now < 0.65 * bare;
  };
  QTRY_VERIFY2_WITH_TIMEOUT(greyed(), qPrintable(QString("%1 of %2").arg(colourfulness()).arg(bare)),
                            kPatienceMs);
  keep(studio, "volume-veil");

  // Hidden, it is gone.
  studio.model.document().edit("Hide", [&](app::Draft& draft) { draft.object(id).visible = false; });
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) < alone / 20, kPatienceMs);
}

/// Whatever is added, which the memory is shared out anew for; and nothing goes on being said of them.
void TestVolumes::hiddenOnesStayHidden() {
  Studio studio({1280, 800}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=65");
  const auto show = [&](bool shown) {
    studio.model.document().edit("Show", [&](app::Draft& draft) { draft.object(id).visible = shown; });
  };
  const auto* const said = studio.child<QLabel>("volumes");
  QVERIFY(said && said->text().contains("complete"));
  int pictures = 0;
  connect(&studio.model.stage(), &app::Stage::itemReady, this,
          [&](app::ObjectId each, const scene::SceneItem&, bool) { pictures += each == id; });
  show(false);
  for (const char* const what : {"addIsosurface", "addSlice", "addIsolines", "addArrows"}) {
    studio.trigger(what);
    QTRY_VERIFY2_WITH_TIMEOUT(studio.viewRests(), what, kPatienceMs);
  }
  // So that all is certainly planned anew.
  studio.model.setMemoryBytes(std::uint64_t{32} << 20);
  studio.trigger("addSurface");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QTest::qWait(300);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QCOMPARE(pictures, 0);
  QCOMPARE(studio.stateOf(id), app::ObjectState::Hidden);
  QVERIFY2(said->text().isEmpty(), qPrintable(said->text()));
  // Ticked it is there again; and hidden while it refines, nothing is said of that once it rests.
  show(true);
  QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(id) == app::ObjectState::Done && pictures > 0, kPatienceMs);
  for (const int ms : {0, 20, 60, 150, 300}) {
    show(false);
    show(true);
    QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(id) == app::ObjectState::Done, kPatienceMs);
    QTest::qWait(ms);
    show(false);
    QTest::qWait(500);
    QVERIFY2(said->text().isEmpty(), qPrintable(QString("%1: %2").arg(ms).arg(said->text())));
    QCOMPARE(studio.stateOf(id), app::ObjectState::Hidden);
    show(true);
  }
}

void TestVolumes::transferIsEdited() {
  Studio studio({1280, 900}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=49");
  studio.child<QDockWidget>("dock.volume")->raise();
  auto* const editor = studio.child<ui::TransferEditor>("volume.opacity");
  QVERIFY(editor);
  QTRY_VERIFY_WITH_TIMEOUT(editor->isVisible() && editor->shown().automatic, kPatienceMs);
  QVERIFY(shapeOf(studio, id).look.opacity.empty());
  QVERIFY(editor->shown().points.size() >= 2);
  std::uint64_t counted = 0;
  for (const std::uint64_t count : editor->shown().counts) counted += count;
  QVERIFY(counted > 1000);

  const QImage before = studio.picture();
  // What is counted is told twice a second.
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.engine().counters().totals.pagesRead > 0, kPatienceMs);
  const auto isCounted = [&] {
    QSignalSpy counts(&studio.model.engine(), &app::Engine::counted);
    return QTest::qWaitFor([&] { return counts.size() >= 3; }, kPatienceMs);
  };
  QVERIFY(isCounted());
  const std::uint64_t read = studio.model.engine().counters().totals.pagesRead;
  const int steps = studio.model.document().undoStack().count();
  // A drag of the last point is one step, and what was automatic is the user's now.
  const auto points = editor->shown().points;
  const QPoint from = editor->placeOf(points.back()).toPoint();
  const QPoint to(from.x() - 30, editor->placeOf({0, 0.9}).toPoint().y());
  QTest::mousePress(editor, Qt::LeftButton, {}, from);
  QTest::mouseMove(editor, (from + to) / 2);
  QTest::mouseMove(editor, to);
  QTest::mouseRelease(editor, Qt::LeftButton, {}, to);
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  QCOMPARE(shapeOf(studio, id).look.opacity.size(), points.size());
  QVERIFY(shapeOf(studio, id).look.opacity.back().opacity > 0.7);
  QTRY_VERIFY_WITH_TIMEOUT(studio.picture() != before, kPatienceMs);
  // Nothing was read for it.
  QVERIFY(isCounted());
  QCOMPARE(studio.model.engine().counters().totals.pagesRead, read);

  // A press beside the points makes one, Delete takes it away, keys move the chosen one.
  const std::size_t count = shapeOf(studio, id).look.opacity.size();
  QTest::mouseClick(editor, Qt::LeftButton, {}, QPoint(editor->width() / 6, editor->height() / 4));
  QCOMPARE(shapeOf(studio, id).look.opacity.size(), count + 1);
  editor->setFocus();
  const int chosen = editor->selected();
  QVERIFY(chosen >= 0);
  const auto was = shapeOf(studio, id).look.opacity[std::size_t(chosen)];
  QTest::keyClick(editor, Qt::Key_Up);
  const auto raised = shapeOf(studio, id).look.opacity[std::size_t(chosen)];
  QVERIFY(raised.opacity > was.opacity && raised.value == was.value);
  QTest::keyClick(editor, Qt::Key_Right);
  QVERIFY(shapeOf(studio, id).look.opacity[std::size_t(chosen)].value > was.value);
  QTest::keyClick(editor, Qt::Key_Delete);
  QCOMPARE(shapeOf(studio, id).look.opacity.size(), count);

  // Presets, and back to automatic. To look at a point changes nothing.
  studio.child<QAction>("volume.preset.ramp")->trigger();
  QVERIFY(shapeOf(studio, id).preset == std::size_t{0} && shapeOf(studio, id).look.opacity.empty());
  const auto isMarked = [&](const char* preset) { return studio.child<QAction>(preset)->isChecked(); };
  const auto* const automatic = studio.child<QAbstractButton>("volume.automatic");
  QVERIFY(isMarked("volume.preset.ramp") && !isMarked("volume.preset.solid") && !automatic->isChecked());
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && editor->shown().points.size() == 2, kPatienceMs);
  // As opaque as the automatic choice, whatever was there before.
  const double high = editor->shown().points.back().opacity;
  for (const char* const other : {"volume.preset.solid", "volume.preset.ramp"}) {
    studio.child<QAction>(other)->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && editor->shown().points.size() != 3, kPatienceMs);
  }
  QTRY_COMPARE_WITH_TIMEOUT(editor->shown().points.back().opacity, high, kPatienceMs);
  studio.trigger("undo");
  studio.trigger("undo");
  const int presets = studio.model.document().undoStack().index();
  studio.model.document().edit("Preset", [&](app::Draft& draft) {
    session::Volume& its = *app::volumeIn(draft.object(id));
    its.look.opacity.clear();
    its.preset = std::size_t{1};
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && editor->shown().points.size() > 1, kPatienceMs);
  editor->setFocus();
  QTest::keyClick(editor, Qt::Key_PageUp);
  QTest::mouseClick(editor, Qt::LeftButton, {}, editor->placeOf(editor->shown().points[0]).toPoint());
  studio.window.viewport().setFocus();
  QCOMPARE(studio.model.document().undoStack().index(), presets + 1);
  QVERIFY(shapeOf(studio, id).preset);
  // A point that is dragged goes back by Esc, and nothing is left to undo.
  const QPoint point = editor->placeOf(editor->shown().points[0]).toPoint();
  const auto hold = [&](QPoint to) {
    QMouseEvent event(QEvent::MouseMove, to, editor->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(editor, &event);
  };
  editor->setFocus();
  QTest::mousePress(editor, Qt::LeftButton, {}, point);
  hold(point + QPoint(0, -20));
  QVERIFY(!shapeOf(studio, id).preset && !shapeOf(studio, id).look.opacity.empty());
  QTest::keyClick(editor, Qt::Key_Escape);
  QVERIFY(shapeOf(studio, id).preset && shapeOf(studio, id).look.opacity.empty());
  hold(point + QPoint(0, -30));
  QTest::mouseRelease(editor, Qt::LeftButton, {}, point + QPoint(0, -30));
  QVERIFY(shapeOf(studio, id).preset);
  QCOMPARE(studio.model.document().undoStack().index(), presets + 1);
  studio.trigger("undo");
  studio.trigger("undo");
  QCOMPARE(shapeOf(studio, id).look.opacity.size(), count);
  for (int clicks = 0; clicks < 2; ++clicks) {
    QTest::mouseClick(studio.child<QWidget>("volume.automatic"), Qt::LeftButton);
    QVERIFY(shapeOf(studio, id).look.opacity.empty());
    QVERIFY(automatic->isChecked() && !isMarked("volume.preset.ramp"));
  }
  QTRY_VERIFY_WITH_TIMEOUT(studio.picture() == before, kPatienceMs);

  // Colours and opacities of a file.
  QFile file(studio.at("ct.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(R"([{"Name": "ct", "ColorSpace": "RGB", "RGBPoints": [0.2, 0, 0, 0, 0.8, 1, 0.5, 0],
                 "Points": [0.2, 0, 0.5, 0, 0.8, 0.5, 0.5, 0]}])");
  file.close();
  studio.window.findChild<ui::VolumePanel*>()->importFile(file.fileName());
  QCOMPARE(studio.model.document().object(id)->color.map.name, std::string("ct"));
  QCOMPARE(shapeOf(studio, id).look.opacity, (std::vector<scene::OpacityPoint>{{0.2, 0}, {0.8, 0.5}}));
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().status(id).scale.min, 0.2, kPatienceMs);
  // Of colours alone: the opacities stay, and nothing else is said.
  QFile colors(studio.at("colours.json"));
  QVERIFY(colors.open(QIODevice::WriteOnly));
  colors.write(R"([{"Name": "alone", "ColorSpace": "RGB", "RGBPoints": [0.1, 0, 0, 1, 0.9, 1, 1, 0]}])");
  colors.close();
  auto* const panel = studio.window.findChild<ui::VolumePanel*>();
  QSignalSpy said(panel, &ui::VolumePanel::message);
  panel->importFile(colors.fileName());
  QCOMPARE(studio.model.document().object(id)->color.map.name, std::string("alone"));
  QCOMPARE(shapeOf(studio, id).look.opacity, (std::vector<scene::OpacityPoint>{{0.2, 0}, {0.8, 0.5}}));
  QVERIFY2(said.size() == 1 && said[0][0].toString().startsWith("Colours imported"),
           qPrintable(said.isEmpty() ? QString() : said[0][0].toString()));
  studio.trigger("undo");
  QCOMPARE(studio.model.document().object(id)->color.map.name, std::string("ct"));
}

/// What is beyond a neighbour is said, and is not taken for the neighbour's.
void TestVolumes::typedPointsStayBetweenNeighbours() {
  Studio studio({1280, 900}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25");
  const std::vector<scene::OpacityPoint> points{{0, 0}, {0.25, 0.1}, {0.75, 0.2}, {1, 1}};
  studio.model.document().edit(
      "Points", [&](app::Draft& draft) { app::volumeIn(draft.object(id))->look.opacity = points; });
  studio.child<QDockWidget>("dock.volume")->raise();
  auto* const editor = studio.child<ui::TransferEditor>("volume.opacity");
  auto* const value = studio.child<ui::NumberEdit>("volume.value");
  QTRY_VERIFY_WITH_TIMEOUT(editor->isVisible() && editor->shown().points.size() == 4, kPatienceMs);
  editor->select(1);
  value->setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(value->hasFocus(), kPatienceMs);
  const auto said = [&] {
    const auto* const label = studio.child<QLabel>("volume.value.error");
    return label && label->isVisible() ? label->text() : QString();
  };
  value->selectAll();
  QTest::keyClicks(value, "0.9");
  QTRY_VERIFY2_WITH_TIMEOUT(said().contains("from 0 to 0.75"), qPrintable(said()), kPatienceMs);
  QVERIFY(value->palette().color(QPalette::Text) !=
          studio.child<ui::NumberEdit>("volume.opacityOfPoint")->palette().color(QPalette::Text));
  QTest::keyClick(value, Qt::Key_Return);
  QCOMPARE(value->text(), QString("0.25"));
  QVERIFY(shapeOf(studio, id).look.opacity == points);
  value->selectAll();
  QTest::keyClicks(value, "0.5");
  QTest::keyClick(value, Qt::Key_Return);
  QVERIFY(said().isEmpty());
  QCOMPARE(shapeOf(studio, id).look.opacity[1].value, 0.5);
  // The first one and the last one are free to one side.
  editor->select(0);
  value->selectAll();
  QTest::keyClicks(value, "-3");
  QTest::keyClick(value, Qt::Key_Return);
  QCOMPARE(shapeOf(studio, id).look.opacity[0].value, -3.0);
}

void TestVolumes::cutAndStopped() {
  Studio studio({1280, 800}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=97");
  const QSize view = studio.window.viewport().size();
  const QRect all(0, 0, view.width(), view.height());
  const int whole = colouredPixels(studio.picture(), all);
  studio.model.document().edit("Cut", [&](app::Draft& draft) {
    auto& look = std::get<session::Volume>(draft.object(id).shape).look;
    const Bounds box = studio.model.stage().bounds();
    look.clipBox = {box.min, box.max};
    (*look.clipBox)[1].x = 0.5 * (box.min.x + box.max.x);
  });
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), all) < 0.7 * whole, kPatienceMs);
  // Its faces are dragged.
  QVERIFY(ui::handleOf(*studio.model.document().object(id)));

  // Each step of the quality is reached from the one beside it by keys.
  auto* const quality = studio.child<QSlider>("volume.quality");
  for (int step = quality->value() - 1; step >= 0; --step) {
    QTest::keyClick(quality, Qt::Key_Left);
    QCOMPARE(quality->value(), step);
  }
  for (int step = 1; step < app::kQualitySteps; ++step) {
    QTest::keyClick(quality, Qt::Key_Right);
    QCOMPARE(quality->value(), step);
    QCOMPARE(app::qualityOf(shapeOf(studio, id)), step);
  }

  // Esc leaves what is there; a turn of the view goes on. The slowest that there is.
  studio.child<QSlider>("volume.quality")->setValue(app::kQualitySteps - 1);
  QVERIFY(shapeOf(studio, id).look.samplesPerVoxel == 4);
  QTRY_VERIFY_WITH_TIMEOUT(sightOf(studio).startsWith("refining"), kPatienceMs);
  studio.window.viewport().stopRefining();
  QTRY_VERIFY_WITH_TIMEOUT(sightOf(studio).startsWith("stopped"), kPatienceMs);
  studio.drag({view.width() / 2, 20}, {view.width() / 2 + 60, 30});
  QTRY_VERIFY_WITH_TIMEOUT(sightOf(studio).startsWith("complete"), kPatienceMs);
}

void TestVolumes::budgetChangesUnderIt() {
  Studio studio({1280, 800}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=65");
  const QSize view = studio.window.viewport().size();
  const QRect all(0, 0, view.width(), view.height());
  for (const std::uint64_t mebibytes : {40, 200}) {
    studio.model.setMemoryBytes(mebibytes << 20);
    studio.drag({view.width() / 2, 20}, {view.width() / 2 + 40, 30});
    QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && sightOf(studio).startsWith("complete"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), all) > 3000, kPatienceMs);
  }
  // The data go while rays are on their way.
  studio.drag({view.width() / 2, 20}, {view.width() / 2 + 40, 30});
  studio.model.document().removeData(studio.session().data.front().name);
  QVERIFY(studio.session().objects.empty());
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
}

// A volume cut into four quarters, each an object of its own, looks like the whole one.
void TestVolumes::fourTogether() {
  Studio studio({1280, 800}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  std::vector<app::ObjectId> ids{addVolume(studio, "sample://marschner-lobb?size=65")};
  studio.model.setMemoryBytes(std::uint64_t{64} << 20);
  const QSize view = studio.window.viewport().size();
  const QRect all(0, 0, view.width(), view.height());
  const auto coloured = [&] { return colouredPixels(studio.picture(), all); };
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && coloured() > 3000, kPatienceMs);
  const int whole = coloured();
  while (ids.size() < 4) {
    studio.trigger("addVolume");
    ids.push_back(studio.newest());
  }
  studio.model.document().edit("Quarters", [&](app::Draft& draft) {
    const session::Object first = draft.object(ids[0]);
    const Bounds box = studio.model.stage().bounds();
    const Vec3 middle = 0.5 * (box.min + box.max);
    for (std::size_t n = 0; n < ids.size(); ++n) {
      session::Object& object = draft.object(ids[n]);
      object.color = first.color;
      auto& look = std::get<session::Volume>(object.shape).look;
      look = std::get<session::Volume>(first.shape).look;
      look.clipBox = {box.min, box.max};
      (*look.clipBox)[n % 2 == 0 ? 1 : 0].x = middle.x;
      (*look.clipBox)[n < 2 ? 1 : 0].y = middle.y;
    }
  });
  for (const app::ObjectId id : ids)
    [&] { QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs); }();
  const auto near = [&](double part) { return std::abs(coloured() - part * whole) < 0.06 * whole; };
  QTRY_VERIFY2_WITH_TIMEOUT(studio.viewRests() && near(1), qPrintable(QString::number(coloured())),
                            kPatienceMs);
  // turned and back
  studio.drag({view.width() / 2, 20}, {view.width() / 2 + 60, 30});
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && near(1), kPatienceMs);
  for (std::size_t n = 0; n < ids.size(); ++n) {
    studio.model.document().edit("Hide", [&](app::Draft& draft) { draft.object(ids[n]).visible = false; });
    const double left = 1 - 0.25 * static_cast<double>(n + 1);
    QTRY_VERIFY2_WITH_TIMEOUT(studio.viewRests() && near(left), qPrintable(QString::number(coloured())),
                              kPatienceMs);
  }
}

/// A density that is the same everywhere is not what a volume shows first; asked for, it is seen through.
void TestVolumes::constantsHideNothing() {
  Studio studio({1280, 800}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  Plot3dBlock block;
  block.dims = {13, 13, 13};
  const auto nodes = static_cast<std::size_t>(product(block.dims));
  block.xyz.resize(3 * nodes);
  block.q.assign(5 * nodes, 0);
  for (std::size_t n = 0; n < nodes; ++n) {
    const Index3 at = unlinear(static_cast<std::int64_t>(n), block.dims);
    for (std::size_t a = 0; a < 3; ++a) block.xyz[a * nodes + n] = static_cast<double>(at[a]);
    block.q[n] = 1;
    block.q[nodes + n] = 0.1 * static_cast<double>(at[2]);
    block.q[4 * nodes + n] = 2.5;
  }
  const std::string grid = studio.at("flat.xyz").toStdString(), solution = studio.at("flat.q").toStdString();
  writePlot3d(grid, solution, {block});
  studio.model.open({QString::fromStdString(grid), QString::fromStdString(solution)});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addVolume");
  const app::ObjectId id = studio.newest();
  QCOMPARE(studio.model.document().object(id)->color.by, std::string("velocity-magnitude"));
  studio.model.document().edit("Colour", [&](app::Draft& draft) { draft.object(id).color.by = "density"; });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const auto status = studio.model.stage().status(id);
  QCOMPARE(status.state, app::ObjectState::Done);
  QVERIFY(!status.volumeLook.opacity.empty());
  for (const scene::OpacityPoint& point : status.volumeLook.opacity) QVERIFY(point.opacity < 0.1);
  // The strip below the curve has the colour that is seen: that in the middle of the map.
  studio.window.pipeline().select(id);
  studio.child<QDockWidget>("dock.volume")->raise();
  auto* const editor = studio.window.findChild<ui::TransferEditor*>();
  QTRY_VERIFY_WITH_TIMEOUT(editor && editor->isVisible() && editor->shown().scale.hasValues, kPatienceMs);
  const scene::ColorScale& scale = editor->shown().scale;
  const std::array<float, 3> middle = color::ColorMap::of(scale.map).at(0.5);
  const QPointF below = editor->placeOf({editor->shown().range[0], 0});
  for (const double part : {0.1, 0.5, 0.9}) {
    const double right = editor->placeOf({editor->shown().range[1], 0}).x();
    const QColor seen = editor->grab().toImage().pixelColor(qRound(below.x() + part * (right - below.x())),
                                                            qRound(below.y()) + 10);
    QVERIFY2(std::abs(seen.redF() - middle[0]) + std::abs(seen.greenF() - middle[1]) +
                     std::abs(seen.blueF() - middle[2]) <
                 0.05F,
             qPrintable(seen.name()));
  }
  // In dark colours, too, one sees that the button is pressed.
  ui::applyTheme(app::Theme::Dark);
  auto* const automatic = studio.child<QToolButton>("volume.automatic");
  QVERIFY(automatic->isChecked() && automatic->isEnabled());
  QTRY_VERIFY_WITH_TIMEOUT(automatic->palette().color(QPalette::Window).lightness() < 128, kPatienceMs);
  const auto edge = [&] { return automatic->grab().toImage().pixelColor(1, automatic->height() / 2); };
  const QColor pressed = edge();
  automatic->setChecked(false);
  const QColor plain = edge();
  QVERIFY2(std::abs(pressed.red() - plain.red()) + std::abs(pressed.green() - plain.green()) +
                   std::abs(pressed.blue() - plain.blue()) >
               100,
           qPrintable(pressed.name() + ' ' + plain.name()));
  ui::applyTheme(app::Theme::Light);
}

void TestVolumes::labelsAreBesideTheHistogram() {
  ui::TransferEditor editor;
  editor.resize(320, 180);
  editor.show(ui::TransferView{});
  const QImage picture = editor.grab().toImage();
  const QPoint upper = editor.placeOf({0, 1}).toPoint(), lower = editor.placeOf({1, 0}).toPoint();
  const auto isLine = [&](int y) {
    bool line = false;
    for (const double opacity : {0.001, 0.01, 0.1, 1.0})
      line |= std::abs(y - editor.placeOf({0, opacity}).y()) < 2.5;
    return line;
  };
  const QRgb base = picture.pixel((upper.x() + lower.x()) / 2, lower.y() - 5);
  for (int y = upper.y() + 3; y < lower.y() - 3; ++y)
    for (int x = upper.x() + 3; !isLine(y) && x < lower.x() - 3; ++x) QCOMPARE(picture.pixel(x, y), base);
  // They are beside it.
  int ink = 0;
  for (int y = 0; y < lower.y(); ++y)
    for (int x = 0; x < upper.x() - 3; ++x) ink += picture.pixel(x, y) != picture.pixel(0, 0);
  QVERIFY2(ink > 50, qPrintable(QString::number(ink)));
}

void TestVolumes::linesBeforeItAreWhole_data() {
  QTest::addColumn<QSize>("window");
  QTest::newRow("usual") << QSize(1280, 800);
  QTest::newRow("more than four million pixels") << QSize(3200, 2000);
}

/// Before a volume the outline was pale, or a row of dots.
void TestVolumes::linesBeforeItAreWhole() {
  QFETCH(QSize, window);
  Studio studio(window, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId volume = addVolume(studio, "sample://marschner-lobb?size=65");
  const app::ObjectId outline = studio.model.document().objectIds().front();
  studio.model.document().edit("Look", [&](app::Draft& draft) {
    draft.frame().camera = session::AutoCamera{{1, -0.8, 0.9}, {0, 0, 1}};
    draft.object(outline).color.solid = {0, 0, 0, 1};
    std::get<session::Outline>(draft.object(outline).shape).widthPixels = 1.5;
    std::get<session::Volume>(draft.object(volume).shape).look.opacity = {{0, 0.5}, {1, 0.5}};
  });
  const auto pictureAtRest = [&] {
    QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(volume), app::ObjectState::Done, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(sightOf(studio).startsWith("complete"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  };
  pictureAtRest();
  const QImage with = studio.picture();
  const QSize view = studio.window.viewport().size();
  const view::ScreenMap map(studio.window.viewport().camera(), view.width(), view.height());
  studio.model.document().edit("Hide", [&](app::Draft& draft) { draft.object(outline).visible = false; });
  pictureAtRest();
  const QImage bare = studio.picture();
  QVERIFY(!with.isNull() && with.size() == bare.size() && with != bare);
  const auto brightness = [](QRgb color) { return qRed(color) + qGreen(color) + qBlue(color); };
  // Down the nearest edge, how many pixels of each row are the line's.
  const auto upper = map.project({1, -1, 0.9}), lower = map.project({1, -1, -0.9});
  QVERIFY(upper && lower && lower->y > upper->y + 50);
  for (int y = int(upper->y); y <= int(lower->y); ++y) {
    const double at = upper->x + (lower->x - upper->x) * (y + 0.5 - upper->y) / (lower->y - upper->y);
    double share = 0;
    for (int x = int(at) - 4; x <= int(at) + 4; ++x) {
      const double before = brightness(bare.pixel(x, y));
      QVERIFY(before > 50);
      share += (before - brightness(with.pixel(x, y))) / before;
    }
    QVERIFY2(share > 1.2, qPrintable(QString("row %1 has %2").arg(y).arg(share)));
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestVolumes test;
  return QTest::qExec(&test, count, words);
}
#include "tst_volumes.moc"
