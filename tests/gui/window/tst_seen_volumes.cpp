// What is seen of a volume: presets of opacities show something in each mode, and the window says where nothing is seen and where
// stripes may be. Needs a display with OpenGL; skips where there is none.

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFocusEvent>
#include <QLabel>
#include <QSlider>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTimer>

#include "app/model/batch_command.h"
#include "app/model/shared_colors.h"
#include "app/model/volume_fields.h"
#include "app/ui/number_edit.h"
#include "app/ui/transfer_editor.h"
#include "app/ui/volume_sight_text.h"
#include "app/volume_maker.h"
#include "core/scene/opacity_presets.h"
#include "core/session/run/shared_ranges.h"
#include "core/session/session_json.h"
#include "tests/gui/window/studio.h"
#include "tests/gui/window/volume_sight.h"
#include "tests/system/plot3d_file.h"

using namespace farfield;
using namespace farfield::test;

class TestSeenVolumes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void presetsShowSomethingInEachMode();
  void whatIsNotSeenAndWhatIsStripedIsSaid();
  void valuesOfFlatGridsAreShown();
  void bothSidesOfZeroAreSeen();
  void presetsGoWithTheirMode();
  void whatIsLostFromAfarIsSaid();
  void reasonsAreOfValuesAndDetail();
  void surfacesOfOneValueHaveNoOpacities();
  void whatCannotBeShownSaysWhy();
  void loneBarsAreSeen();
  void rangesBelongToVolumesToo();
  void whatIsUndoneIsNotTakenAgain();
  void commandsSayWhatVolumesHaveByThemselves();
  void commandsKeepWhatIsBelowLogarithms();
  void whatIsWrittenIsSaidBesideThem();
};

void TestSeenVolumes::initTestCase() {
  skipWithoutOpenGl();
}

/// Also of values most of which are small: no mean of a ray comes near the middle of their range.
void TestSeenVolumes::presetsShowSomethingInEachMode() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  const auto rests = [&] { return studio.viewRests() && sightOf(studio).startsWith("complete"); };
  studio.model.document().edit("Of", [&](app::Draft& draft) { draft.object(id).color.by = "density^40"; });
  QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(id) == app::ObjectState::Done && rests(), kPatienceMs);
  auto* const editor = studio.child<ui::TransferEditor>("volume.opacity");
  QTRY_VERIFY_WITH_TIMEOUT(!editor->shown().counts.empty(), kPatienceMs);
  studio.model.document().edit("Clear", [&](app::Draft& draft) {
    app::volumeIn(draft.object(id))->look.opacity = {{0, 0}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
  const QImage empty = studio.picture();
  const auto seen = [&] {
    const QImage now = studio.picture();
    int count = 0;
    for (int y = 0; y < now.height(); ++y)
      for (int x = 0; x < now.width(); ++x)
        count += std::abs(qGray(now.pixel(x, y)) - qGray(empty.pixel(x, y))) > 16;
    return count;
  };
  for (const scene::VolumeMode mode :
       {scene::VolumeMode::Composite, scene::VolumeMode::Maximum, scene::VolumeMode::Average})
    for (const char* const preset : scene::kOpacityPresets) {
      studio.model.document().edit("Mode", [&](app::Draft& draft) {
        session::Volume& its = *app::volumeIn(draft.object(id));
        its.look.mode = mode;
        its.look.opacity.clear();
        its.preset.reset();
      });
      QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && editor->shown().automatic, kPatienceMs);
      studio.child<QAction>(QString("volume.preset.") + preset)->trigger();
      QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
      QTRY_VERIFY2_WITH_TIMEOUT(
          !sightOf(studio).contains("nothing of it is seen") && seen() > 300,
          qPrintable(
              QString("%1 in mode %2: %3, “%4”").arg(preset).arg(int(mode)).arg(seen()).arg(sightOf(studio))),
          kPatienceMs);
    }
}

void TestSeenVolumes::whatIsNotSeenAndWhatIsStripedIsSaid() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  const auto setOpacity = [&](const std::vector<scene::OpacityPoint>& points) {
    studio.model.document().edit(
        "Opacity", [&](app::Draft& draft) { app::volumeIn(draft.object(id))->look.opacity = points; });
  };
  const auto says = [&](const char* part) {
    return sightOf(studio).contains(part) ||
           studio.child<QLabel>("volume.quality.text")->text().contains(part);
  };
  QVERIFY2(!says("nothing") && !says("stripes"), qPrintable(sightOf(studio)));
  // However far the points go, presets are over the range of the colours.
  setOpacity({{1e3, 0}, {2e3, 1}});
  QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).startsWith("complete") && says("nothing of it is seen"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  // Not where it is out of sight.
  studio.model.document().edit("Away", [&](app::Draft& draft) {
    draft.frame().camera = session::FixedCamera{{100, 0, 0}, {200, 0, 0}, {0, 0, 1}};
  });
  QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).startsWith("complete") && !says("nothing"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  studio.trigger("undo");
  // Of a surface of one value opacities are no reason.
  studio.model.document().edit("Mode", [&](app::Draft& draft) {
    scene::VolumeLook& look = app::volumeIn(draft.object(id))->look;
    look.mode = scene::VolumeMode::Isosurface;
    look.value = 1e3;
  });
  QTRY_VERIFY2_WITH_TIMEOUT(says("there is no value 1000, values go from") && !says("opacities"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  studio.model.document().edit("Box", [&](app::Draft& draft) {
    const Vec3 center = studio.model.stage().bounds().center();
    app::volumeIn(draft.object(id))->look.clipBox = {{{-10, -10, -10}, center}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && sightOf(studio).startsWith("complete"), kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(says("there is no value 1000"), qPrintable(sightOf(studio)), kPatienceMs);
  for (int n = 0; n < 2; ++n) studio.trigger("undo");
  // Thin sheets are met by some samples only.
  studio.child<QAction>("volume.preset.shells")->trigger();
  QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).startsWith("complete") && says("stripes"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  studio.child<QAction>("volume.preset.ramp")->trigger();
  QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).startsWith("complete") && !says("stripes"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  studio.child<QAction>("volume.preset.solid")->trigger();
  QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).startsWith("complete") && says("stripes"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  studio.child<QSlider>("volume.quality")->setValue(app::kQualitySteps - 1);
  QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).startsWith("complete") && !says("stripes"),
                            qPrintable(sightOf(studio)), kPatienceMs);
}

/// A grid that is sampled within the box around it: few layers, and nothing of it in the lowest one.
void TestSeenVolumes::valuesOfFlatGridsAreShown() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  std::vector<Plot3dBlock> blocks(1);
  Plot3dBlock& block = blocks.front();
  block.dims = {65, 65, 5};
  const auto nodes = static_cast<std::size_t>(product(block.dims));
  const auto at = [&](std::size_t n, int axis) {
    return double(unlinear(static_cast<std::int64_t>(n), block.dims)[std::size_t(axis)]) /
           double(block.dims[std::size_t(axis)] - 1);
  };
  for (const int axis : {0, 1, 2})
    for (std::size_t n = 0; n < nodes; ++n) {
      const double bottom = 0.2 * (at(n, 0) + at(n, 1));
      block.xyz.push_back(axis < 2 ? at(n, axis) : 0.01 * (bottom + (1 - bottom) * at(n, 2)));
    }
  for (int variable = 0; variable < 5; ++variable)
    for (std::size_t n = 0; n < nodes; ++n)
      block.q.push_back(variable == 0 ? 1 + at(n, 0) : variable == 4 ? 3 : 0);
  writePlot3d(studio.at("g.xyz").toStdString(), studio.at("g.q").toStdString(), blocks);
  studio.model.open({studio.at("g.xyz"), studio.at("g.q")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addVolume");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit("Set", [&](app::Draft& draft) {
    draft.object(id).color.by = "density";
    app::setQuality(*app::volumeIn(draft.object(id)), app::kQualitySteps - 1);
  });
  const auto* const editor = studio.child<ui::TransferEditor>("volume.opacity");
  const auto counted = [&] {
    double all = 0;
    for (const std::uint64_t count : editor->shown().counts) all += double(count);
    return all;
  };
  QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(id) == app::ObjectState::Done && counted() > 0, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(sightOf(studio).startsWith("complete") && studio.viewRests(), kPatienceMs);
  QVERIFY2(counted() > 20'000, qPrintable(QString::number(counted())));
}

/// Of a component of a velocity, which has both signs: opacities that nobody chose.
void TestSeenVolumes::bothSidesOfZeroAreSeen() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://taylor-green?size=33"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.model.document().edit("Remove", [&](app::Draft& draft) {
    for (const app::ObjectId each : studio.model.document().objectIds()) draft.remove(each);
  });
  studio.trigger("addVolume");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit("Of", [&](app::Draft& draft) {
    draft.object(id).color.by = "velocity-x";
    draft.object(id).color.map.name = "cool-warm";
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(id) == app::ObjectState::Done && studio.viewRests() &&
                               sightOf(studio).startsWith("complete"),
                           kPatienceMs);
  const auto* const editor = studio.child<ui::TransferEditor>("volume.opacity");
  QTRY_VERIFY_WITH_TIMEOUT(editor->shown().automatic && editor->shown().points.size() > 2, kPatienceMs);
  const auto& points = editor->shown().points;
  QVERIFY(points.front().value < 0 && points.front().opacity > 0);
  QVERIFY(points.back().value > 0 && points.back().opacity > 0);
  // Both ends of the map are seen.
  const QImage picture = studio.picture();
  int red = 0, blue = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const QColor color = picture.pixelColor(x, y);
      red += color.red() > color.blue() + 40;
      blue += color.blue() > color.red() + 40;
    }
  QVERIFY2(red > 1000 && blue > 1000, qPrintable(QString("%1, %2").arg(red).arg(blue)));
}

/// What was chosen for what rays showed goes where they show something else; what was drawn by hand stays, and it is said where that is a
/// box.
void TestSeenVolumes::presetsGoWithTheirMode() {
  Studio studio({1280, 800}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  studio.window.pipeline().select(id);
  const auto shape = [&]() -> const session::Volume& {
    return *app::volumeIn(*studio.model.document().object(id));
  };
  const auto choose = [&](const char* mode) {
    auto* const list = studio.child<QComboBox>("mode");
    list->setCurrentIndex(list->findData(mode));
    emit list->activated(list->currentIndex());
  };
  const auto isMarked = [&](const char* name) { return studio.child<QAction>(name)->isChecked(); };
  const auto rests = [&] { return studio.viewRests() && sightOf(studio).startsWith("complete"); };
  const auto isAutomatic = [&] { return shape().look.opacity.empty() && !shape().preset; };
  studio.child<QAction>("volume.preset.falling")->trigger();
  QVERIFY(shape().preset == std::size_t{1});
  // A surface has none, and it is there again afterwards.
  choose("isosurface");
  choose("composite");
  QVERIFY(shape().preset == std::size_t{1});
  const int steps = studio.model.document().undoStack().index();
  choose("maximum");
  QVERIFY(shape().look.mode == scene::VolumeMode::Maximum && isAutomatic());
  QCOMPARE(studio.model.document().undoStack().index(), steps + 1);
  studio.trigger("undo");
  QVERIFY(shape().look.mode == scene::VolumeMode::Composite && shape().preset == std::size_t{1});
  studio.trigger("redo");
  QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
  // Presets of what rays show now are points, which know what they are.
  studio.child<QAction>("volume.preset.solid")->trigger();
  QVERIFY(!shape().look.opacity.empty() && isMarked("volume.preset.solid"));
  QVERIFY(session::parseSession(session::toJson(studio.session())).objects == studio.session().objects);
  choose("average");
  QVERIFY(isAutomatic() && !isMarked("volume.preset.solid"));
  QTRY_VERIFY_WITH_TIMEOUT(rests(), kPatienceMs);
  // By hand.
  auto* const editor = studio.child<ui::TransferEditor>("volume.opacity");
  const std::vector<scene::OpacityPoint> points{{editor->shown().histogramRange[0], 0.95}};
  emit editor->edited(points, true);
  QVERIFY(shape().look.opacity == points);
  choose("maximum");
  QVERIFY(shape().look.opacity == points);
  QTRY_VERIFY2_WITH_TIMEOUT(rests() && sightOf(studio).contains("Nearly all values are opaque"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  studio.child<QAbstractButton>("volume.automatic")->click();
  QTRY_VERIFY2_WITH_TIMEOUT(rests() && !sightOf(studio).contains("opaque"), qPrintable(sightOf(studio)),
                            kPatienceMs);
}

/// The opacities are no reason where few values are lost in coarse voxels.
void TestSeenVolumes::whatIsLostFromAfarIsSaid() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  // One node of many has another value.
  std::vector<Plot3dBlock> blocks(1);
  Plot3dBlock& block = blocks.front();
  block.dims = {33, 33, 33};
  const std::int64_t nodes = product(block.dims), peak = linear({13, 17, 15}, block.dims);
  for (const std::size_t axis : {0U, 1U, 2U})
    for (std::int64_t n = 0; n < nodes; ++n) block.xyz.push_back(double(unlinear(n, block.dims)[axis]) / 32);
  for (int variable = 0; variable < 5; ++variable)
    for (std::int64_t n = 0; n < nodes; ++n)
      block.q.push_back(variable == 0 ? (n == peak ? 9 : 1) : variable == 4 ? 3 : 0);
  writePlot3d(studio.at("g.xyz").toStdString(), studio.at("g.q").toStdString(), blocks);
  studio.model.open({studio.at("g.xyz"), studio.at("g.q")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addVolume");
  const app::ObjectId id = studio.newest();
  const auto look = [&](double distance) {
    studio.model.document().edit("Look", [&](app::Draft& draft) {
      draft.object(id).color.by = "density";
      app::volumeIn(draft.object(id))->look.opacity = {{3, 0}, {9, 1}};
      const Vec3 center{0.5, 0.5, 0.5};
      draft.frame().camera = session::FixedCamera{center + Vec3{0.1, 0.2, 1} * distance, center, {0, 1, 0}};
    });
  };
  look(2);
  QTRY_VERIFY2_WITH_TIMEOUT(studio.stateOf(id) == app::ObjectState::Done &&
                                sightOf(studio).startsWith("complete, in full detail") &&
                                !sightOf(studio).contains("nothing"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  look(200);
  QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).contains("nothing of it is seen"), qPrintable(sightOf(studio)),
                            kPatienceMs);
  QVERIFY2(sightOf(studio).contains("so little detail. Come nearer (Shift+F)"), qPrintable(sightOf(studio)));
  // And the remedy is one.
  studio.window.pipeline().select(id);
  studio.trigger("fitSelection");
  QTRY_VERIFY2_WITH_TIMEOUT(studio.viewRests() && sightOf(studio).startsWith("complete, in full detail") &&
                                !sightOf(studio).contains("nothing"),
                            qPrintable(sightOf(studio)), kPatienceMs);
}

/// What is known of the values tells whether the opacities or the detail is the reason.
void TestSeenVolumes::reasonsAreOfValuesAndDetail() {
  struct Known : scene::VolumeGeometry {
    Bounds bounds() const override { return {}; }
    bool cast(const scene::VolumeCast&, std::span<float>) const override { return true; }
    std::shared_ptr<const scene::VolumeHistogram> histogram() const override {
      return std::make_shared<scene::VolumeHistogram>(scene::VolumeHistogram{{0, 4}, {900, 0, 0, 3}});
    }
  };
  app::ObjectStatus status;
  status.volume = std::make_shared<Known>();
  qt3d::VolumeSight sight;
  sight.state = qt3d::VolumeSight::State::Complete;
  sight.isClear = true;
  const auto says = [&](int level, const std::vector<scene::OpacityPoint>& points, const char* part) {
    sight.shown.level = level;
    status.volumeLook.opacity = points;
    return ui::textOfSight(sight, status).contains(part);
  };
  const std::vector<scene::OpacityPoint> rare{{3, 0}, {4, 1}}, none{{10, 0}, {20, 1}};
  QVERIFY(says(2, rare, "the values that are not transparent are lost in so little detail"));
  QVERIFY(says(2, rare, "or choose a better quality"));
  QVERIFY(says(2, none, "its opacities are 0 wherever its rays have values in so little detail"));
  QVERIFY(says(0, none, "its opacities are 0 wherever its rays have values. Choose others, or a preset"));
  // There are such values between others, too.
  QVERIFY(says(1, {{3.4, 0}, {3.5, 1}, {3.6, 0}}, "are lost in so little detail"));
  QVERIFY(says(1, {{1.4, 0}, {1.5, 1}, {1.6, 0}}, "its opacities are 0"));
  // What would be seen without what lies in front of it says nothing of opacities.
  sight.isCovered = true;
  QVERIFY(says(0, rare, "something hides it. Hide what lies in front of it"));
  QVERIFY(!says(0, rare, "opacities"));
}

/// Nothing is offered that would do nothing, and what is beside it stays where it is.
void TestSeenVolumes::surfacesOfOneValueHaveNoOpacities() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  studio.window.pipeline().select(id);
  auto* const editor = studio.child<ui::TransferEditor>("volume.opacity");
  studio.child<QWidget>("dock.volume")->raise();
  QTRY_VERIFY_WITH_TIMEOUT(editor->isVisible(), kPatienceMs);
  editor->select(0);
  const auto parts = [&] {
    QList<QWidget*> all{editor};
    for (const char* const name :
         {"volume.automatic", "volume.presets", "volume.value", "volume.opacityOfPoint"})
      all.append(studio.child<QWidget>(name));
    return all;
  };
  const auto unit = [&] { return studio.child<QWidget>("field.transfer.unit") != nullptr; };
  for (const QWidget* const part : parts()) QVERIFY(part->isEnabled());
  QVERIFY(unit() && editor->shown().why.isEmpty());
  const QRect place = editor->geometry();
  const QString help = editor->accessibleDescription();
  const auto show = [&](scene::VolumeMode mode) {
    studio.model.document().edit("Mode", [&](app::Draft& draft) {
      app::volumeIn(draft.object(id))->look.mode = mode;
      app::volumeIn(draft.object(id))->look.value = mode == scene::VolumeMode::Isosurface ? 0.5 : 0;
    });
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && sightOf(studio).startsWith("complete"), kPatienceMs);
  };
  show(scene::VolumeMode::Isosurface);
  QTRY_COMPARE_WITH_TIMEOUT(editor->shown().marked.value_or(-1), 0.5, kPatienceMs);
  for (const QWidget* const part : parts()) QVERIFY2(!part->isEnabled(), qPrintable(part->objectName()));
  QVERIFY(editor->shown().why.contains("no opacities") &&
          editor->accessibleDescription() == editor->shown().why);
  QVERIFY(!unit());
  QCOMPARE(editor->geometry(), place);
  keep(studio, "volume-of-one-value");
  show(scene::VolumeMode::Composite);
  for (const QWidget* const part : parts()) QVERIFY2(part->isEnabled(), qPrintable(part->objectName()));
  QVERIFY(unit() && editor->shown().why.isEmpty() && !editor->shown().marked);
  QCOMPARE(editor->accessibleDescription(), help);
  // Rays of one value have no length.
  show(scene::VolumeMode::Maximum);
  QVERIFY(editor->isEnabled() && !unit());
}

void TestSeenVolumes::whatCannotBeShownSaysWhy() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  studio.window.pipeline().select(id);
  studio.model.document().edit("By", [&](app::Draft& draft) { draft.object(id).color.by = "v2"; });
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Failed, kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).contains("there is no function 'v2'"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  QVERIFY2(!sightOf(studio).contains("Of:"), qPrintable(sightOf(studio)));
  QVERIFY2(!studio.child<QLabel>("volumes")->text().contains("complete"),
           qPrintable(studio.child<QLabel>("volumes")->text()));
  studio.trigger("undo");
  QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).startsWith("complete"), qPrintable(sightOf(studio)), kPatienceMs);
}

/// Of data with few values bars would be hairs, or lie under the frame.
void TestSeenVolumes::loneBarsAreSeen() {
  ui::TransferEditor editor;
  editor.resize(320, 180);
  ui::TransferView view;
  view.range = view.histogramRange = {0, 257};
  view.counts.assign(256, 0);
  editor.show(view);
  const QImage without = editor.grab().toImage();
  view.counts.front() = 1000;
  view.counts.back() = view.counts[100] = 500;
  editor.show(view);
  const QImage with = editor.grab().toImage();
  const QPointF lower = editor.placeOf({0, 0}), upper = editor.placeOf({257, 0});
  const int y = qRound(lower.y()) - 20;
  const auto differing = [&](double from, double to) {
    int count = 0;
    for (int x = qRound(from); x <= qRound(to); ++x) count += with.pixel(x, y) != without.pixel(x, y);
    return count;
  };
  QVERIFY(differing(lower.x() + 1, lower.x() + 20) >= 3);
  QVERIFY(differing(upper.x() - 20, upper.x() - 1) >= 3);
  const double middle = editor.placeOf({100.5, 0}).x();
  QVERIFY(differing(middle - 10, middle + 10) >= 3);
  QCOMPARE(differing(lower.x() + 20, middle - 10), 0);
}

/// By hand and logarithmic as where they are automatic: equal colours are equal values, also of what comes later.
void TestSeenVolumes::rangesBelongToVolumesToo() {
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

/// Keys that follow each other are one step, which ends when the keyboard goes elsewhere: not where it was undone before that.
void TestSeenVolumes::whatIsUndoneIsNotTakenAgain() {
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
void TestSeenVolumes::commandsSayWhatVolumesHaveByThemselves() {
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

/// A scale that begins four decades below its end is told as one that begins at 0: its legend says that there is more below.
void TestSeenVolumes::commandsKeepWhatIsBelowLogarithms() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://abc?size=17", "viridis");
  app::Document& document = studio.model.document();
  document.edit("Logarithmic", [&](app::Draft& draft) {
    session::Object& object = draft.object(id);
    object = app::withPlainColors(object);
    object.color.by = "velocity-x";
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

/// In a narrow window nothing would be left of the line for it.
void TestSeenVolumes::whatIsWrittenIsSaidBesideThem() {
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

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestSeenVolumes test;
  return QTest::qExec(&test, count, words);
}
#include "tst_seen_volumes.moc"
