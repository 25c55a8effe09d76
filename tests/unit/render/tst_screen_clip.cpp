// What is seen of lines and areas that reach behind the eye or far beside the picture.
#include <QTest>
#include <cmath>

#include "render/view/screen_clip.h"
#include "tests/unit/render/front_camera.h"

using namespace farfield;
using namespace farfield::view;
using test::front;

namespace {

double areaOf(const std::vector<ScreenPoint>& corners) {
  double sum = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const ScreenPoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
    sum += a.x * b.y - a.y * b.x;
  }
  return 0.5 * std::abs(sum);
}

}  // namespace

class TestScreenClip : public QObject {
  Q_OBJECT
 private slots:
  void whatLiesInsideIsLeftAlone() {
    for (const bool flat : {false, true}) {
      const ScreenMap map(front(flat), 400, 300);
      const Vec3 a{-0.5, 0.2, 0}, b{0.4, -0.3, 1};
      const auto line = seenLine(map, a, b, 0);
      QVERIFY(line);
      QCOMPARE(line->first.x, map.project(a)->x);
      QCOMPARE(line->second.y, map.project(b)->y);
      const std::vector<Vec3> square{{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}};
      const auto area = seenArea(map, square, 0);
      QCOMPARE(area.size(), std::size_t(4));
      QVERIFY(std::abs(areaOf(area) - std::pow(1 / map.pixelSize({}), 2)) < 1e-6);
    }
  }

  void linesToBehindTheEyeAreKept() {
    const ScreenMap map(front(false), 400, 300);
    // From the middle of the picture to behind the eye, to the right: it leaves at the right edge.
    const auto line = seenLine(map, {0, 0, 0}, {3, 0, 9}, 10);
    QVERIFY(line);
    QCOMPARE(line->first.x, 200.0);
    QVERIFY(std::abs(line->second.x - 410) < 1e-6);
    QVERIFY(std::abs(line->second.y - 150) < 1e-6);
    // The other way round the same.
    const auto back = seenLine(map, {3, 0, 9}, {0, 0, 0}, 10);
    QVERIFY(back && std::abs(back->first.x - 410) < 1e-6 && back->second.x == 200.0);
    QVERIFY(!seenLine(map, {0, 0, 6}, {3, 0, 9}, 10));
    QVERIFY(!seenLine(map, {-50, 40, 0}, {50, 40, 0}, 10));
  }

  /// Beside numbers this large nothing is left of those of the near end.
  void linesToVeryFarAwayKeepTheirNearEnd() {
    for (const bool flat : {false, true}) {
      const ScreenMap map(front(flat), 400, 300);
      const Vec3 near{0.25, 0.125, 0};
      const ScreenPoint at = *map.project(near);
      for (const double far : {1e9, 1e25, 1e150}) {
        for (const double side : {-far, far}) {
          const double edge = side < 0 ? -10 : 410;
          const auto out = seenLine(map, near, {side, near.y, near.z}, 10),
                     in = seenLine(map, {side, near.y, near.z}, near, 10);
          QVERIFY(out && in);
          QVERIFY(std::abs(out->first.x - at.x) < 1e-6 && std::abs(out->first.y - at.y) < 1e-6);
          QVERIFY(std::abs(in->second.x - at.x) < 1e-6 && std::abs(in->second.y - at.y) < 1e-6);
          QVERIFY(std::abs(out->second.x - edge) < 1e-6 && std::abs(out->second.y - at.y) < 1e-6);
          QVERIFY(std::abs(in->first.x - edge) < 1e-6 && std::abs(in->first.y - at.y) < 1e-6);
        }
        // Through the picture, and past it.
        const auto through = seenLine(map, {-far, near.y, near.z}, {far, near.y, near.z}, 10);
        QVERIFY(through && std::abs(through->first.x + 10) < 1e-6 &&
                std::abs(through->second.x - 410) < 1e-6);
        QVERIFY(std::abs(through->first.y - at.y) < 1e-6 && std::abs(through->second.y - at.y) < 1e-6);
        QVERIFY(!seenLine(map, {-far, 100, near.z}, {far, 100, near.z}, 10));
        // To behind the eye.
        if (!flat) {
          const auto behind = seenLine(map, {far, near.y, far}, near, 10);
          QVERIFY(behind && std::abs(behind->second.x - at.x) < 1e-6);
          QVERIFY(std::abs(behind->first.x - 410) < 1e-6);
        }
      }
    }
  }

  void aFloorUnderTheEyeFillsThePictureBelow() {
    const ScreenMap map(front(false), 400, 300);
    // A plane y = -0.5 from far away to behind the eye: all of the picture below the horizon, nearly.
    const std::vector<Vec3> floor{{-1e4, -0.5, -1e4}, {1e4, -0.5, -1e4}, {1e4, -0.5, 1e4}, {-1e4, -0.5, 1e4}};
    const auto seen = seenArea(map, floor, 0);
    QVERIFY2(std::abs(areaOf(seen) - 400 * 150) < 400, qPrintable(QString::number(areaOf(seen))));
    for (const ScreenPoint& at : seen)
      QVERIFY(at.x > -1e-6 && at.x < 400 + 1e-6 && at.y > 149 && at.y < 300 + 1e-6);
    QVERIFY(seenArea(map, std::vector<Vec3>{{0, 0, 6}, {1, 0, 7}, {0, 1, 8}}, 0).empty());
    QVERIFY(seenArea(map, {}, 0).empty());
  }
};

QTEST_APPLESS_MAIN(TestScreenClip)
#include "tst_screen_clip.moc"
