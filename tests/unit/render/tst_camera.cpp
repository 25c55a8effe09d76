// The camera that shows all of a box.
#include <QTest>
#include <cmath>
#include <limits>
#include <random>

#include "core/scene/scene.h"

using namespace farfield;
using namespace farfield::scene;

namespace {

struct Seen {
  double left = 1e9, right = -1e9, bottom = 1e9, top = -1e9, nearest = 1e300;
};

// Where the corners of `bounds` appear; the picture goes from -1 to 1.
Seen project(const Camera& camera, const Bounds& bounds, double aspect) {
  const Vec3 back = (1 / length(camera.position - camera.target)) * (camera.position - camera.target);
  Vec3 right = cross(camera.up, back);
  right = (1 / length(right)) * right;
  const Vec3 up = cross(back, right);
  const double slope = std::tan(camera.fieldOfViewDegrees * M_PI / 360);
  Seen seen;
  for (int k = 0; k < 8; ++k) {
    const Vec3 p = Vec3{k & 1 ? bounds.max.x : bounds.min.x, k & 2 ? bounds.max.y : bounds.min.y,
                        k & 4 ? bounds.max.z : bounds.min.z} -
                   camera.position;
    const double depth = -dot(p, back);
    const double x = dot(p, right) / (depth * slope * aspect), y = dot(p, up) / (depth * slope);
    seen.left = std::min(seen.left, x), seen.right = std::max(seen.right, x);
    seen.bottom = std::min(seen.bottom, y), seen.top = std::max(seen.top, y);
    seen.nearest = std::min(seen.nearest, depth);
  }
  return seen;
}

Bounds box(Vec3 min, Vec3 max) {
  Bounds bounds;
  bounds.add(min);
  bounds.add(max);
  return bounds;
}

}  // namespace

class TestCamera : public QObject {
  Q_OBJECT
 private slots:
  void allCornersAreSeenAndFillThePicture() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int trial = 0; trial < 500; ++trial) {
      const double scale = std::pow(10, 12 * any(random));
      const Vec3 a{scale * any(random), scale * any(random), scale * any(random)};
      const Vec3 size{scale * std::abs(any(random)), scale * std::abs(any(random)),
                      trial % 5 ? scale * std::abs(any(random)) : 0};
      const Bounds bounds = box(a, a + size);
      const Vec3 direction{any(random), any(random), any(random)};
      const double aspect = trial % 2 ? 1.6 : 0.6;
      const Seen seen = project(cameraFor(bounds, direction, {0, 0, 1}, aspect), bounds, aspect);
      QVERIFY(seen.nearest > 0);
      // Room for the legend on the right, small margins elsewhere.
      QVERIFY(seen.left > -0.93 && seen.right < 0.69 && seen.bottom > -0.91 && seen.top < 0.87);
      // And it could not be nearer: one direction is filled.
      QVERIFY(seen.right - seen.left > 1.59 || seen.top - seen.bottom > 1.75);
    }
  }

  // A map of an ocean from above: degrees to both sides, metres of depth.
  void depthDoesNotCountWithoutPerspective() {
    const Bounds bounds = box({0, -90, -5000}, {360, 90, 0});
    const Camera camera = orthographicCameraFor(bounds, {0, 0, 1}, {0, 1, 0}, 1.6);
    const double height = camera.orthographicHeight, width = 1.6 * height;
    QVERIFY2(360 > 0.79 * width || 180 > 0.87 * height, qPrintable(QString::number(height)));
  }

  void degenerateBoxesAreSeen() {
    const double aspect = 1.6;
    for (const Bounds& bounds :
         {box({3, 4, 5}, {3, 4, 5}), box({1e6, 0, 0}, {1e6, 0, 0}), box({0, 0, 0}, {0, 0, 0}),
          box({0, 0, -1}, {0, 0, 1}), box({-1, -1, 0}, {1, 1, 0})})
      for (const Vec3 direction : {Vec3{0, 0, 1}, Vec3{0, 0, -3}, Vec3{1, 0, 0}, Vec3{0, 0, 0}}) {
        const Camera camera = cameraFor(bounds, direction, {0, 0, 1}, aspect);
        QVERIFY(isFinite(camera.position) && isFinite(camera.target) && isFinite(camera.up));
        QVERIFY(!(camera.position == camera.target));
        const Seen seen = project(camera, bounds, aspect);
        QVERIFY(seen.nearest > 0);
        QVERIFY(seen.left >= -1 && seen.right <= 1 && seen.bottom >= -1 && seen.top <= 1);
      }
  }

  void senselessInputGivesSomeCamera() {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (const Camera& camera :
         {cameraFor({}, {0, 0, 1}, {0, 1, 0}, 1),
          cameraFor(box({0, 0, 0}, {1, 1, 1}), {kNan, 0, 0}, {0, kNan, 0}, kNan),
          cameraFor(box({0, 0, 0}, {1, 1, 1}), {0, 1e300, 1e300}, {0, 1e-300, 0}, 0)}) {
      QVERIFY(isFinite(camera.position) && isFinite(camera.target) && isFinite(camera.up));
      QVERIFY(!(camera.position == camera.target));
    }
  }

  void looksFromTheDirection() {
    const Camera camera = cameraFor(box({0, 0, 0}, {2, 1, 1}), {5, 0, 0}, {0, 0, 1}, 1.6);
    QVERIFY(camera.position.x > 2);
    QCOMPARE(camera.position.y, camera.target.y);
    QCOMPARE(camera.position.z, camera.target.z);
    QVERIFY(std::abs(camera.up.z - 1) < 1e-12);
  }
};

QTEST_APPLESS_MAIN(TestCamera)
#include "tst_camera.moc"
