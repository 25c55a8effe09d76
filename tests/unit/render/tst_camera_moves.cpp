// Moving the camera, and the way between data and screen.
#include <QTest>
#include <bit>
#include <cmath>
#include <numbers>

#include "render/view/camera_moves.h"
#include "render/view/view_transform.h"

using namespace farfield;
using namespace farfield::view;
using scene::Camera;

namespace {

constexpr double kWidth = 800, kHeight = 500;

Camera sample(bool orthographic = false) {
  Camera camera;
  camera.position = {3, -4, 2};
  camera.target = {0.5, 0.25, -0.5};
  camera.up = {0.1, 0.2, 1};
  camera.orthographic = orthographic;
  camera.orthographicHeight = 2.5;
  return camera;
}

bool near(Vec3 a, Vec3 b, double tolerance = 1e-9) {
  return length(a - b) <= tolerance;
}
bool near(ScreenPoint a, ScreenPoint b, double tolerance = 1e-6) {
  return std::hypot(a.x - b.x, a.y - b.y) <= tolerance;
}

ScreenPoint seen(const Camera& camera, Vec3 place) {
  return ScreenMap(camera, kWidth, kHeight).project(place).value_or(ScreenPoint{-1e9, -1e9});
}

}  // namespace

class TestCameraMoves : public QObject {
  Q_OBJECT
 private slots:
  void targetIsInTheMiddle() {
    for (const bool flat : {false, true})
      QVERIFY(near(seen(sample(flat), sample().target), {kWidth / 2, kHeight / 2}));
  }

  // Round an axis that stays upright, as on a turntable, and never over the top.
  void turntablesStayUpright() {
    const Vec3 up{0, 0, 1};
    Camera camera = sample();
    const double distance = length(camera.position - camera.target);
    for (int step = 0; step < 40; ++step) {
      camera = turned(camera, up, 0.3, step < 20 ? 0.25 : -0.4);
      QVERIFY(near(camera.target, sample().target));
      QVERIFY(std::abs(length(camera.position - camera.target) - distance) < 1e-9);
      // The horizon is level, and up is up.
      QVERIFY(std::abs(axesOf(camera).right.z) < 1e-9 && axesOf(camera).up.z > 0);
    }
    // By yaw alone the height stays; a positive one turns the scene to the right, as a ball turns.
    const Camera before = turned(sample(), up, 0, 0), after = turned(before, up, 0.2, 0);
    QVERIFY(std::abs(after.position.z - before.position.z) < 1e-9);
    const Vec3 front = before.target + 0.2 * (before.position - before.target);
    QVERIFY(seen(after, front).x > seen(before, front).x + 1);
    QVERIFY(seen(rotated(before, 0.2, 0), front).x > seen(before, front).x + 1);
    // And pitch the same way as that of a ball.
    QVERIFY((seen(turned(before, up, 0, 0.2), front).y > seen(before, front).y) ==
            (seen(rotated(before, 0, 0.2), front).y > seen(before, front).y));
    QVERIFY(near(axisOf({0.1, -0.9, 0.3}), {0, -1, 0}));
  }

  void rightIsRightAndUpIsUp() {
    for (const bool flat : {false, true}) {
      const Camera camera = sample(flat);
      const scene::CameraAxes axes = axesOf(camera);
      const double half =
          flat ? 1.25 : length(camera.position - camera.target) * std::tan(std::numbers::pi / 12);
      QVERIFY(near(seen(camera, camera.target + half * axes.up), {kWidth / 2, 0}, 1e-6));
      QVERIFY(near(seen(camera, camera.target + half * axes.right), {kWidth / 2 + kHeight / 2, kHeight / 2},
                   1e-6));
      QVERIFY(std::abs(dot(axes.up, axes.right)) < 1e-12 && std::abs(dot(axes.up, axes.back)) < 1e-12);
      QVERIFY(dot(axes.up, camera.up) > 0);
    }
  }

  void agreesWithWhatIsDrawn() {
    for (const bool flat : {false, true}) {
      scene::Scene scene;
      scene.camera = sample(flat);
      scene.bounds.add(Vec3{-1, -1, -1});
      scene.bounds.add(Vec3{1, 1.5, 1});
      const ViewTransform transform(scene, int(kWidth), int(kHeight));
      const Matrix4 projection = transform.projection(0, int(kHeight)), eye = transform.modelView();
      const auto times = [](const Matrix4& m, std::array<double, 4> v) {
        std::array<double, 4> result{};
        for (std::size_t row = 0; row < 4; ++row)
          for (std::size_t column = 0; column < 4; ++column) result[row] += m[4 * column + row] * v[column];
        return result;
      };
      for (const Vec3 place : {Vec3{0, 0, 0}, Vec3{1, 1, 1}, Vec3{-0.7, 0.3, 0.9}}) {
        const auto local = transform.frame().local(place.x, place.y, place.z);
        const auto clip = times(projection, times(eye, {local[0], local[1], local[2], 1}));
        const ScreenPoint drawn{kWidth / 2 * (1 + clip[0] / clip[3]), kHeight / 2 * (1 - clip[1] / clip[3])};
        QVERIFY(near(seen(scene.camera, place), drawn, 0.01));
      }
    }
  }

  // Beside what is much larger: the near plane lies before it, and depths tell its front from its back.
  void smallThingsAreNotCut_data() {
    QTest::addColumn<double>("rest");
    for (const double rest : {1.0, 30.0, 1e3, 3e4, 1e6}) QTest::addRow("%g times", rest) << rest;
  }
  void smallThingsAreNotCut() {
    QFETCH(double, rest);
    scene::Scene scene;
    scene.bounds.add(Vec3{-rest, -rest, -rest});
    scene.bounds.add(Vec3{rest, rest, rest});
    Bounds its;
    its.add(Vec3{-1, -1, -1});
    its.add(Vec3{1, 1, 1});
    scene.camera = fitted(sample(), its, {1, 0.4, 0.3}, {0, 0, 1}, kWidth / kHeight);
    const ViewTransform transform(scene, int(kWidth), int(kHeight));
    const Matrix4 projection = transform.projection(0, int(kHeight)), eye = transform.modelView();
    const auto depthOf = [&](Vec3 place) {
      const auto local = transform.frame().local(place.x, place.y, place.z);
      double z = eye[14];
      for (std::size_t n = 0; n < 3; ++n) z += eye[4 * n + 2] * local[n];
      return (projection[10] * z + projection[14]) / (projection[11] * z);
    };
    const double front = depthOf({1, 0, 0}), back = depthOf({-1, 0, 0});
    constexpr double kDepths = 1 << 23;  // that are told apart, from -1 to 1
    QVERIFY2(front > -1 && front < back && back < 1 && (back - front) * kDepths > 1e4,
             qPrintable(QString("%1 and %2").arg(front, 0, 'g', 12).arg(back, 0, 'g', 12)));
    // And what closes around all of it is before the background.
    const double wall = depthOf({-rest, -rest, -rest});
    QVERIFY2((1 - wall) * kDepths > 1, qPrintable(QString::number(wall, 'g', 12)));
  }

  // As the shaders write them (resources/shaders/peel.glsl), where far more lies between near and far than depths by the projection
  // tell apart.
  void depthsAreDistancesInDeepViews() {
    scene::Scene scene;
    scene.bounds.add(Vec3{-1e6, -1e6, -1e6});
    scene.bounds.add(Vec3{1e6, 1e6, 1e6});
    scene.camera = sample();
    scene.camera.position = {0, 0, 5};
    scene.camera.target = {0, 0, 0};
    const ViewTransform transform(scene, 101, 101);
    QVERIFY(transform.isDeep());
    const auto [factor, step] = transform.deepDepths();
    const double unit = 0.5 * scene.bounds.diagonal();
    float before = -1;
    for (double distance = 1; distance < 2e6; distance *= 1.0007) {
      const float z = std::max(static_cast<float>(distance / unit) * factor, 1.0F);
      const float depth = static_cast<float>(std::bit_cast<std::int32_t>(z) - 0x3F800000) * step;
      QVERIFY2(depth > before && depth < 1, qPrintable(QString::number(distance)));
      before = depth;
      const double found = transform.distanceTo(50, 50, depth);
      QVERIFY2(std::abs(found - distance) < 1e-5 * distance,
               qPrintable(QString("%1 for %2").arg(found, 0, 'g', 12).arg(distance, 0, 'g', 12)));
    }
    scene.bounds = {};
    scene.bounds.add(Vec3{-1, -1, -1});
    scene.bounds.add(Vec3{1, 1, 1});
    QVERIFY(!ViewTransform(scene, 101, 101).isDeep());
  }

  void rayGoesThroughWhatIsSeen() {
    for (const bool flat : {false, true}) {
      const ScreenMap map(sample(flat), kWidth, kHeight);
      for (const Vec3 place : {Vec3{0, 0, 0}, Vec3{1, -1, 0.5}}) {
        const ScreenPoint at = *map.project(place);
        const Ray ray = map.ray(at);
        QVERIFY(std::abs(length(ray.direction) - 1) < 1e-12);
        QVERIFY(length(cross(place - ray.origin, ray.direction)) < 1e-9);
        QVERIFY(near(map.place(at, place), place));
      }
      QVERIFY(!flat || map.project({100, -150, 90}));
      QVERIFY(flat || !map.project({100, -150, 90}));  // behind the eye
    }
  }

  void turningKeepsTheTargetAndTheDistance() {
    for (const bool flat : {false, true}) {
      const Camera before = sample(flat);
      const Camera after = rotated(before, 0.4, -0.3, 0.2);
      QCOMPARE(after.target, before.target);
      QVERIFY(std::abs(length(after.position - after.target) - length(before.position - before.target)) <
              1e-9);
      QVERIFY(!near(after.position, before.position, 0.1));
    }
    // A quarter about the upward direction of the screen shows what was on the left from the front.
    const Camera before = sample();
    const scene::CameraAxes old = axesOf(before), now = axesOf(rotated(before, std::numbers::pi / 2, 0));
    QVERIFY(near(now.back, -old.right) && near(now.up, old.up));
    // The front turns down: what was above is now at the front.
    QVERIFY(near(axesOf(rotated(before, 0, std::numbers::pi / 2)).back, old.up));
    QVERIFY(near(axesOf(rotated(before, 0, 0, 0.5)).back, old.back));
  }

  void manyTurnsDoNotDrift() {
    Camera camera = sample();
    for (int i = 0; i < 10'000; ++i) camera = rotated(camera, 0.01, 0.013);
    QVERIFY(std::abs(length(camera.position - camera.target) - length(sample().position - sample().target)) <
            1e-6);
    QVERIFY(std::abs(dot(axesOf(camera).up, axesOf(camera).back)) < 1e-12);
  }

  void panningFollowsTheCursor() {
    for (const bool flat : {false, true}) {
      const Camera before = sample(flat);
      const ScreenPoint from{300, 100}, to{420, 260};
      const Vec3 held = ScreenMap(before, kWidth, kHeight).place(from, before.target);
      const Camera after = panned(before, from, to, kWidth, kHeight);
      QVERIFY(near(seen(after, held), to));
      QVERIFY(near(after.position - after.target, before.position - before.target));
    }
  }

  void zoomingHoldsWhatIsUnderTheCursor() {
    for (const bool flat : {false, true})
      for (const double factor : {1.3, 0.5, 20.0}) {
        const Camera before = sample(flat);
        const ScreenPoint at{650, 90};
        const ScreenMap map(before, kWidth, kHeight);
        const Vec3 held = map.place(at, before.target), other = map.place({660, 90}, before.target);
        const Camera after = zoomed(before, factor, at, kWidth, kHeight);
        QVERIFY(near(seen(after, held), at, 1e-6));
        QVERIFY(std::abs(seen(after, other).x - at.x - 10 * factor) < 1e-6 * factor);
      }
  }

  void zoomingEndsBeforeNumbersDo() {
    Camera camera = sample();
    for (int i = 0; i < 3000; ++i) camera = zoomed(camera, 2, {400, 250}, kWidth, kHeight);
    QVERIFY(isUsable(camera));
    for (int i = 0; i < 3000; ++i) camera = zoomed(camera, 0.5, {400, 250}, kWidth, kHeight);
    QVERIFY(isUsable(camera));
    for (const double senseless : {0.0, -1.0, double(INFINITY), double(NAN)})
      QVERIFY(zoomed(camera, senseless, {400, 250}, kWidth, kHeight).position == camera.position);
  }

  void projectionsShowTheTargetInTheSameSize() {
    const Camera perspective = sample(), flat = withProjection(perspective, true);
    const Vec3 beside = perspective.target + 0.3 * axesOf(perspective).right;
    QVERIFY(near(seen(flat, beside), seen(perspective, beside)));
    const Camera back = withProjection(zoomed(flat, 2, {400, 250}, kWidth, kHeight), false);
    QVERIFY(std::abs(length(back.position - back.target) -
                     length(perspective.position - perspective.target) / 2) < 1e-9);
    QVERIFY(near(withProjection(flat, false).position, perspective.position));
  }

  void fittedShowsEverything() {
    Bounds bounds;
    bounds.add(Vec3{-3, 0, 10});
    bounds.add(Vec3{5, 0.5, 11});
    for (const bool flat : {false, true}) {
      const Camera camera = fitted(sample(flat), bounds, {1, 1, 1}, {0, 0, 1}, kWidth / kHeight);
      QCOMPARE(camera.orthographic, flat);
      for (int corner = 0; corner < 8; ++corner) {
        const ScreenPoint at =
            seen(camera, {corner & 1 ? -3.0 : 5.0, corner & 2 ? 0.0 : 0.5, corner & 4 ? 10.0 : 11.0});
        QVERIFY(at.x > 0 && at.x < kWidth && at.y > 0 && at.y < kHeight);
      }
    }
    QVERIFY(fitted(sample(), {}, {1, 1, 1}, {0, 0, 1}, 1).position == sample().position);
  }

  void whatIsAtTheLeftIsAllThere() {
    // What is deep and seen from above: of that a shift by what is far would take the near part out of the picture.
    Bounds deep, flat;
    deep.add(Vec3{0, -90, -5000});
    deep.add(Vec3{360, 90, 0});
    flat.add(Vec3{0, -90, -1});
    flat.add(Vec3{360, 90, 0});
    constexpr double kPart = 0.8;
    for (const Bounds& bounds : {deep, flat})
      for (const Vec3 from : {Vec3{0, 0, 1}, Vec3{1, 1, 1}, Vec3{0, -1, 0}})
        for (const bool orthographic : {false, true}) {
          const Vec3 up = from.x == 0 && from.y == 0 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
          const Camera there = fitted(sample(orthographic), bounds, from, up, kPart * kWidth / kHeight);
          const Camera camera = atTheLeft(there, bounds, kPart, kWidth, kHeight);
          double left = kWidth, right = 0;
          for (int corner = 0; corner < 8; ++corner) {
            Vec3 place;
            for (int axis = 0; axis < 3; ++axis)
              place[axis] = (corner >> axis & 1 ? bounds.max : bounds.min)[axis];
            const ScreenPoint at = seen(camera, place);
            left = std::min(left, at.x), right = std::max(right, at.x);
          }
          QVERIFY2(left > 0 && right < kPart * kWidth,
                   qPrintable(QString("%1 to %2 of %3").arg(left).arg(right).arg(kWidth)));
          QVERIFY(near(camera.position - camera.target, there.position - there.target));
        }
    QVERIFY(atTheLeft(sample(), deep, 1, kWidth, kHeight).position == sample().position);
  }

  void centeringKeepsTheDirection() {
    const Camera after = centeredOn(sample(), {7, 8, 9});
    QCOMPARE(after.target, (Vec3{7, 8, 9}));
    QVERIFY(near(after.position - after.target, sample().position - sample().target));
  }

  void flightsBeginAndEndWhereTheyShould() {
    const Camera from = sample();
    Camera to;
    to.position = {-30, 1, 0};
    to.target = {1, 1, 1};
    to.up = {0, 0, -1};
    QVERIFY(near(between(from, to, 0).position, from.position));
    QVERIFY(near(axesOf(between(from, to, 0)).up, axesOf(from).up));
    QCOMPARE(between(from, to, 1).position, to.position);
    double last = length(from.position - from.target);
    for (double t = 0; t <= 1; t += 0.01) {
      const Camera at = between(from, to, t);
      QVERIFY(isUsable(at));
      const double distance = length(at.position - at.target);
      QVERIFY(distance >= last * (1 - 1e-9) && distance < 1.1 * last);  // evenly, in ratio
      last = distance;
    }
    // Seen from the opposite side and upside down there is a way, too.
    Camera opposite = from;
    opposite.position = 2 * from.target - from.position;
    opposite.up = -from.up;
    for (double t = 0; t <= 1; t += 0.05) QVERIFY(isUsable(between(from, opposite, t)));
    // To another projection: in that one all the way, and nothing jumps at the start.
    const Camera flat = withProjection(to, true);
    QVERIFY(between(from, flat, 0.5).orthographic);
    const Vec3 beside = from.target + 0.3 * axesOf(from).right;
    QVERIFY(near(seen(between(from, flat, 0), beside), seen(from, beside), 1e-6));
  }

  void senselessCamerasAreNotUsable() {
    Camera camera = sample();
    QVERIFY(isUsable(camera));
    camera.target = camera.position;
    QVERIFY(!isUsable(camera));
    camera = sample();
    camera.position.x = NAN;
    QVERIFY(!isUsable(camera));
    camera = sample(true);
    camera.orthographicHeight = 0;
    QVERIFY(!isUsable(camera));
    camera = sample();
    camera.fieldOfViewDegrees = 180;
    QVERIFY(!isUsable(camera));
    camera = sample();
    camera.up = camera.position - camera.target;  // along the line of sight: something else is taken
    QVERIFY(isUsable(camera) && std::abs(length(axesOf(camera).right) - 1) < 1e-12);
  }
};

QTEST_APPLESS_MAIN(TestCameraMoves)
#include "tst_camera_moves.moc"
