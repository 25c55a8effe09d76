// Volumes of data that are sampled on a regular grid more coarsely than their cells: the window does not call them the data in full
// detail, and offers finer samples. Needs a display with OpenGL; skips where there is none.

#include <QAbstractButton>
#include <QDockWidget>
#include <QSlider>
#include <QStandardPaths>
#include <algorithm>
#include <cmath>

#include "app/model/document/volume_looks.h"
#include "app/volume_maker.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/volume_sight.h"
#include "tests/system/plot3d_file.h"

using namespace farfield;
using namespace farfield::test;

class TestCoarseSamples : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { skipWithoutOpenGl(); }
  void bodiesBetweenSamplesAreNoFullDetail();
};

/// A wavy sheet that is thinner than samples are apart: that is said, the surface around it stays, and finer samples show it.
void TestCoarseSamples::bodiesBetweenSamplesAreNoFullDetail() {
  Studio studio({1024, 800}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  std::vector<Plot3dBlock> blocks(1);
  Plot3dBlock& block = blocks.front();
  block.dims = {65, 65, 3};
  const auto nodes = static_cast<std::size_t>(product(block.dims));
  const auto at = [&](std::size_t n, int axis) {
    return double(unlinear(static_cast<std::int64_t>(n), block.dims)[std::size_t(axis)]) /
           double(block.dims[std::size_t(axis)] - 1);
  };
  for (const int axis : {0, 1, 2})
    for (std::size_t n = 0; n < nodes; ++n)
      block.xyz.push_back(axis < 2 ? at(n, axis) : 0.2 * std::sin(6 * at(n, 0)) + 0.012 * at(n, 2));
  for (int variable = 0; variable < 5; ++variable)
    for (std::size_t n = 0; n < nodes; ++n)
      block.q.push_back(variable == 0 ? 1 + at(n, 1) : variable == 4 ? 3 : 0);
  writePlot3d(studio.at("g.xyz").toStdString(), studio.at("g.q").toStdString(), blocks);
  studio.model.open({studio.at("g.xyz"), studio.at("g.q")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  app::ObjectId surface = 0;
  studio.model.document().edit("Surface", [&](app::Draft& draft) {
    for (const app::ObjectId each : studio.model.document().objectIds()) draft.remove(each);
    session::Object whole;
    whole.shape = session::GridSurface{};
    whole.name = "skin";
    whole.data = studio.session().data.front().name;
    surface = draft.add(whole);
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(surface) == app::ObjectState::Done, kPatienceMs);
  studio.trigger("addVolume");
  const app::ObjectId id = studio.newest();
  QVERIFY(!studio.model.document().object(surface)->visible);
  studio.window.pipeline().select(id);
  studio.child<QDockWidget>("dock.volume")->raise();
  studio.model.document().edit("Opaque", [&](app::Draft& draft) {
    draft.object(id).color.by = "density";
    app::volumeIn(draft.object(id))->look.opacity = {{1, 1}};
  });
  const auto isComplete = [&] {
    return studio.stateOf(id) == app::ObjectState::Done && studio.viewRests() &&
           sightOf(studio).startsWith("complete");
  };
  QTRY_VERIFY2_WITH_TIMEOUT(isComplete(), qPrintable(sightOf(studio)), kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(
      sightOf(studio).contains("times as far apart as the finest cells are thick, most of it lies between"),
      qPrintable(sightOf(studio)), kPatienceMs);
  QVERIFY2(!sightOf(studio).contains("full detail"), qPrintable(sightOf(studio)));
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.document().object(surface)->visible, kPatienceMs);
  studio.child<QSlider>("volume.quality")->setValue(app::kQualitySteps - 1);
  QTRY_VERIFY_WITH_TIMEOUT(isComplete(), kPatienceMs);
  const QString quality = studio.child<QLabel>("volume.quality.text")->text();
  QVERIFY2(!quality.contains("data themselves") && quality.contains("“resample”"), qPrintable(quality));
  keep(studio, "volume-of-a-sheet");
  // As fine as the cells, as one step.
  auto* const finer = studio.child<QAbstractButton>("volume.finer");
  QVERIFY(finer->isVisible());
  const int steps = studio.model.document().undoStack().index();
  QStringList said;
  connect(&studio.model.stage(), &app::Stage::statusChanged, this, [&] { said.append(sightOf(studio)); });
  finer->click();
  QCOMPARE(studio.model.document().undoStack().index(), steps + 1);
  QVERIFY(studio.session().data.front().options.contains("resample"));
  QTRY_VERIFY2_WITH_TIMEOUT(isComplete() && sightOf(studio).contains("in full detail"),
                            qPrintable(sightOf(studio)), kPatienceMs);
  // Samples they are still, and there may be more.
  QVERIFY(finer->isVisible());
  const QString now = studio.child<QLabel>("volume.quality.text")->text();
  QVERIFY2(now.contains("finest samples") && now.contains("resample") && !now.contains("far apart") &&
               !now.contains("data themselves"),
           qPrintable(now));
  keep(studio, "volume-of-a-sheet-sampled-finely");
  // Nobody stopped anything meanwhile.
  QVERIFY2(said.filter("stopped").isEmpty(), qPrintable(said.join('\n')));
  QVERIFY2(!said.filter("is being drawn again").isEmpty(), qPrintable(said.join('\n')));

  // Thin as it is in its box, automatic opacities show it.
  studio.model.document().edit("Automatic", [&](app::Draft& draft) {
    draft.object(surface).visible = false;
    app::volumeIn(draft.object(id))->look.opacity.clear();
  });
  QTRY_VERIFY2_WITH_TIMEOUT(isComplete(), qPrintable(sightOf(studio)), kPatienceMs);
  keep(studio, "volume-of-a-sheet-automatic");
  const QImage seen = studio.picture();
  const int strong = colouredPixels(seen, {0, 0, 2 * seen.width() / 3, seen.height()});  // beside the legend
  QVERIFY2(strong > 1500, qPrintable(QString::number(strong)));
  const auto opacity = studio.model.stage().status(id).volumeLook.opacity;
  QVERIFY(std::all_of(opacity.begin(), opacity.end(), [](const auto& each) { return each.opacity > 0.05; }));
  QVERIFY(opacity.back().opacity > 0.5);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestCoarseSamples test;
  return QTest::qExec(&test, count, words);
}
#include "tst_coarse_samples.moc"
