// What the window says of a volume that nothing is seen of because something stands before it. Needs a display with OpenGL; skips where
// there is none.

#include <QStandardPaths>

#include "app/model/document/volume_looks.h"
#include "app/volume_maker.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/volume_sight.h"
#include "tests/system/plot3d_file.h"

using namespace farfield;
using namespace farfield::test;

class TestCoveredVolumes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { skipWithoutOpenGl(); }
  void whatStandsBeforeAVolumeIsSaid();
};

namespace {

/// Of so many nodes along each axis, with a density of 2 - x.
Plot3dBlock boxOf(Vec3 min, Vec3 max, std::int64_t along = 2) {
  Plot3dBlock block;
  block.dims = {along, along, along};
  const std::int64_t nodes = product(block.dims);
  const auto at = [&](std::int64_t node, int axis) {
    const double part =
        double(unlinear(node, block.dims)[static_cast<std::size_t>(axis)]) / double(along - 1);
    return min[axis] + part * (max[axis] - min[axis]);
  };
  for (const int axis : {0, 1, 2})
    for (std::int64_t n = 0; n < nodes; ++n) block.xyz.push_back(at(n, axis));
  for (int variable = 0; variable < 5; ++variable)
    for (std::int64_t n = 0; n < nodes; ++n)
      block.q.push_back(variable == 0 ? 2 - at(n, 0) : variable == 4 ? 3 : 0);
  return block;
}

}  // namespace

/// A wall with a hole before the middle, where the volume is transparent: its opacities are not 0 wherever it has values.
void TestCoveredVolumes::whatStandsBeforeAVolumeIsSaid() {
  Studio studio({1024, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const auto open = [&](const QString& name, const std::vector<Plot3dBlock>& blocks) {
    const QString grid = studio.at(qPrintable(name + ".xyz")), values = studio.at(qPrintable(name + ".q"));
    writePlot3d(grid.toStdString(), values.toStdString(), blocks);
    const std::size_t before = studio.session().data.size();
    studio.model.open({grid, values});
    return QTest::qWaitFor(
        [&] {
          return studio.rests() && studio.session().data.size() == before + 1 &&
                 !studio.session().objects.empty();
        },
        kPatienceMs);
  };
  QVERIFY(open("cube", {boxOf({-1, -1, -1}, {1, 1, 1}, 17)}));
  studio.trigger("addVolume");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit("Look", [&](app::Draft& draft) {
    draft.object(id).color.by = "density";
    app::volumeIn(draft.object(id))->look.opacity = {{2.8, 0}, {3, 1}};
    draft.frame().camera = session::FixedCamera{
        .position = {0, 0, 8}, .target = {0, 0, 0}, .up = {0, 1, 0}, .orthographicHeight = {}};
  });
  const auto isSeen = [&] {
    return studio.viewRests() && sightOf(studio).startsWith("complete") &&
           !sightOf(studio).contains("nothing of it is seen");
  };
  studio.window.pipeline().select(id);
  QTRY_VERIFY2_WITH_TIMEOUT(studio.stateOf(id) == app::ObjectState::Done && isSeen(),
                            qPrintable(sightOf(studio)), kPatienceMs);

  // Alone beside the volume, before which it stands.
  const auto showBefore = [&] {
    app::ObjectId wall = 0;
    studio.model.document().edit("Wall", [&](app::Draft& draft) {
      for (const app::ObjectId each : studio.model.document().objectIds())
        if (each != id) draft.remove(each);
      session::Object surface;
      surface.shape = session::GridSurface{};
      surface.name = "wall";
      surface.data = studio.session().data.back().name;
      wall = draft.add(surface);
    });
    return wall;
  };
  const auto isHidden = [&](app::ObjectId wall) {
    return studio.stateOf(wall) == app::ObjectState::Done && studio.viewRests() &&
           sightOf(studio).startsWith("complete") &&
           sightOf(studio).contains("nothing of it is seen: something hides it");
  };
  QVERIFY(open("wall", {boxOf({-4, -4, 1.5}, {-0.3, 4, 1.6}), boxOf({0.3, -4, 1.5}, {4, 4, 1.6}),
                        boxOf({-0.3, 0.3, 1.5}, {0.3, 4, 1.6}), boxOf({-0.3, -4, 1.5}, {0.3, -0.3, 1.6})}));
  app::ObjectId wall = showBefore();
  studio.window.pipeline().select(id);
  QTRY_VERIFY2_WITH_TIMEOUT(isHidden(wall), qPrintable(sightOf(studio)), kPatienceMs);
  studio.model.document().edit("Hide", [&](app::Draft& draft) { draft.object(wall).visible = false; });
  QTRY_VERIFY2_WITH_TIMEOUT(isSeen(), qPrintable(sightOf(studio)), kPatienceMs);

  // Also where there is something at one end of it alone, and no more stands before it than that.
  QVERIFY(open("strip", {boxOf({-1.02, -1.2, 1.5}, {-0.83, 1.2, 1.6})}));
  wall = showBefore();
  studio.model.document().edit("Look", [&](app::Draft& draft) {
    app::volumeIn(draft.object(id))->look.opacity = {{2.9, 0}, {3, 1}};
    draft.frame().camera = session::FixedCamera{.position = {0, 0, 40},
                                                .target = {0, 0, 0},
                                                .up = {0, 1, 0},
                                                .fieldOfViewDegrees = 5,
                                                .orthographicHeight = {}};
  });
  studio.window.pipeline().select(id);
  QTRY_VERIFY2_WITH_TIMEOUT(isHidden(wall), qPrintable(sightOf(studio)), kPatienceMs);
  studio.model.document().edit("Hide", [&](app::Draft& draft) { draft.object(wall).visible = false; });
  QTRY_VERIFY2_WITH_TIMEOUT(isSeen(), qPrintable(sightOf(studio)), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestCoveredVolumes test;
  return QTest::qExec(&test, count, words);
}
#include "tst_covered_volumes.moc"
