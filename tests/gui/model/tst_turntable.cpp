// Where the camera goes for an animation that turns.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/scene/turntable.h"
#include "render/view/screen_map.h"

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
    const auto cameras = turnOf({.pictures = 4, .degrees = 360, .axis = {0, 0, 7}}, from, {}, 1).cameras;
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
    const auto cameras = turnOf({.pictures = 3, .degrees = -90, .axis = {1, 0, 0}}, from, {}, 1).cameras;
    QCOMPARE(cameras.size(), 3u);
    QVERIFY(length(cameras.front().position - from.position) < 1e-12);
    QVERIFY(length(cameras.back().position - Vec3{0, 3, 0}) < 1e-12);
    QVERIFY(length(cameras.back().up - Vec3{0, 0, -1}) < 1e-12);
    const double half = 3 * std::sqrt(0.5);
    QVERIFY(length(cameras[1].position - Vec3{0, half, half}) < 1e-12);
  }
  /// Long data that are seen from their end at first, with and without perspective and stretched axes.
  void allStaysInThePicture() {
    Bounds bounds;
    bounds.add(Vec3{10, 0, 0});
    bounds.add(Vec3{18, 1, 2});
    constexpr double kAspect = 1.5;
    for (const bool orthographic : {false, true})
      for (const Vec3 stretch : {kUnstretched, Vec3{1, 3, 0.5}})
        for (const Vec3 axis : {Vec3{0, 0, 1}, Vec3{0.4, 0.4, 0.8}}) {
          const auto fit = orthographic ? orthographicCameraFor : cameraFor;
          const scene::Camera from = fit(bounds, {1, 0.2, 0.3}, {0, 0, 1}, kAspect, stretch);
          QVERIFY(seesAll(from, bounds, kAspect));
          const Turn turn = turnOf({.pictures = 36, .axis = axis}, from, bounds, kAspect);
          QVERIFY(turn.farther > 1.2);
          QCOMPARE(turn.cameras.size(), 36u);
          const PictureRoom room;
          double widest = -1;
          std::optional<view::ScreenPoint> middle;
          for (const scene::Camera& camera : turn.cameras) {
            const view::ScreenMap map(camera, 150, 100);
            for (int corner = 0; corner < 8; ++corner) {
              const auto seen =
                  map.project({corner & 1 ? 10.0 : 18.0, corner & 2 ? 0.0 : 1.0, corner & 4 ? 0.0 : 2.0});
              QVERIFY(seen);
              const double x = seen->x / 75 - 1, y = 1 - seen->y / 50;
              QVERIFY(x > room.left - 1e-6 && x < room.right + 1e-6 && y > room.bottom - 1e-6 &&
                      y < room.top + 1e-6);
              widest = std::max({widest, x / room.right, x / room.left, y / room.top, y / room.bottom});
            }
            const auto now = map.project(bounds.center());
            if (!middle) middle = now;
            QVERIFY(std::abs(now->x - middle->x) < 1e-6 && std::abs(now->y - middle->y) < 1e-6);
          }
          QVERIFY(widest > 1 - 1e-6);  // and no farther than it takes
        }
  }
  void whatTakesNoMoreRoomIsNotFarther() {
    Bounds bounds;
    bounds.add(Vec3{-1, -1, -1});
    bounds.add(Vec3{1, 1, 1});
    const scene::Camera from = cameraFor(bounds, {1, 1, 0}, {0, 0, 1}, 1.5);
    const Turn turn = turnOf({.pictures = 8}, from, bounds, 1.5);
    QCOMPARE(turn.farther, 1.0);
    QVERIFY(length(turn.cameras[0].position - from.position) < 1e-12);
    // A part of them, from near: about what is looked at.
    scene::Camera near = from;
    near.target = {1, 1, 0.9};
    near.position = {2, 2, 0.9};
    QVERIFY(!seesAll(near, bounds, 1.5));
    const Turn detail = turnOf({.pictures = 8}, near, bounds, 1.5);
    QCOMPARE(detail.farther, 1.0);
    for (const scene::Camera& camera : detail.cameras) QVERIFY(length(camera.target - near.target) < 1e-12);
  }
};

QTEST_GUILESS_MAIN(TestTurntable)
#include "tst_turntable.moc"
