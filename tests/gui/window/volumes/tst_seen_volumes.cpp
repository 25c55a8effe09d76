// What is seen of a volume: presets of opacities show something in each mode, and the window says where nothing is seen and where
// stripes may be. Needs a display with OpenGL; skips where there is none.

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QStandardPaths>

#include "app/model/document/volume_looks.h"
#include "app/ui/editors/transfer_editor.h"
#include "app/ui/panels/volume_sight_text.h"
#include "app/volume_maker.h"
#include "core/scene/opacity_presets.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/volume_sight.h"
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
  // Also with a slice through its middle, beside which rays go on.
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(studio.newest()) == app::ObjectState::Done && studio.viewRests(),
                           kPatienceMs);
  studio.window.pipeline().select(id);
  QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).startsWith("complete") && says("nothing of it is seen"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  studio.trigger("undo");
  // Not where it is out of sight.
  studio.model.document().edit("Away", [&](app::Draft& draft) {
    draft.frame().camera = session::FixedCamera{
        .position = {100, 0, 0}, .target = {200, 0, 0}, .up = {0, 0, 1}, .orthographicHeight = {}};
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
      draft.frame().camera = session::FixedCamera{.position = center + Vec3{0.1, 0.2, 1} * distance,
                                                  .target = center,
                                                  .up = {0, 1, 0},
                                                  .orthographicHeight = {}};
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

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestSeenVolumes test;
  return QTest::qExec(&test, count, words);
}
#include "tst_seen_volumes.moc"
