// What is seen of a volume: presets of opacities show something in each mode, and the window says where nothing is seen and where
// stripes may be. Needs a display with OpenGL; skips where there is none.

#include <QSlider>
#include <QStandardPaths>

#include "app/model/volume_fields.h"
#include "app/ui/transfer_editor.h"
#include "app/volume_maker.h"
#include "core/scene/opacity_presets.h"
#include "tests/gui/window/studio.h"
#include "tests/gui/window/volume_sight.h"

using namespace farfield;
using namespace farfield::test;

class TestSeenVolumes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void presetsShowSomethingInEachMode();
  void whatIsNotSeenAndWhatIsStripedIsSaid();
};

void TestSeenVolumes::initTestCase() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
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

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestSeenVolumes test;
  return QTest::qExec(&test, count, words);
}
#include "tst_seen_volumes.moc"
