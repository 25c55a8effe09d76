// Where the camera goes for an animation that turns.
#include <QTest>
#include <cmath>

#include "core/scene/turntable.h"

using namespace farfield;
using namespace farfield::scene;

class TestTurntable : public QObject {
  Q_OBJECT
 private slots:
  void aFullTurnEndsBeforeItsBeginning() {
    scene::Camera from;
    from.position = {5, 1, 4};
    from.target = {1, 1, 1};
    from.up = {0, 0, 1};
    const auto cameras = camerasOf({.pictures = 4, .degrees = 360, .axis = {0, 0, 7}}, from);
    QCOMPARE(cameras.size(), 4u);
    const Vec3 wanted[] = {{5, 1, 4}, {1, 5, 4}, {-3, 1, 4}, {1, -3, 4}};
    for (std::size_t n = 0; n < 4; ++n) {
      QVERIFY(length(cameras[n].position - wanted[n]) < 1e-12);
      QVERIFY(length(cameras[n].target - from.target) < 1e-12);
      QVERIFY(length(cameras[n].up - from.up) < 1e-12);
      QCOMPARE(cameras[n].fieldOfViewDegrees, from.fieldOfViewDegrees);
    }
  }
  void aPartOfATurnEndsWhereItIsTold() {
    scene::Camera from;
    from.position = {0, 0, 3};
    from.up = {0, 1, 0};
    const auto cameras = camerasOf({.pictures = 3, .degrees = -90, .axis = {1, 0, 0}}, from);
    QCOMPARE(cameras.size(), 3u);
    QVERIFY(length(cameras.front().position - from.position) < 1e-12);
    QVERIFY(length(cameras.back().position - Vec3{0, 3, 0}) < 1e-12);
    QVERIFY(length(cameras.back().up - Vec3{0, 0, -1}) < 1e-12);
    const double half = 3 * std::sqrt(0.5);
    QVERIFY(length(cameras[1].position - Vec3{0, half, half}) < 1e-12);
  }
};

QTEST_GUILESS_MAIN(TestTurntable)
#include "tst_turntable.moc"
