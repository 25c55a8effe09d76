// Looking ahead of lines: the guess at the next pages, and how deep it is worth going.

#include <QTest>

#include <cmath>
#include <numbers>

#include "core/fields/paged/look_ahead.h"
#include "core/fields/paged/page_path.h"

using namespace farfield;
using namespace farfield::fields;
using namespace std::chrono_literals;

class TestLookAhead : public QObject {
  Q_OBJECT
 private slots:
  void straightLinesAreFollowed();
  void pathsEndAtTheBlock();
  void arcsAreFollowed();
  void uselessStartsGiveNothing();
  void depthFollowsWhatIsMeasured();
  void wrongGuessesStopIt();
};

void TestLookAhead::straightLinesAreFollowed() {
  const Vec3 at{3.5, 4.5, 5.5};
  const PagePath path = followPages(arcThrough(at, at, {2, 0, 0}), {8, 8, 8}, {64, 64, 64}, 3);
  QCOMPARE(path.count, 3);
  for (int n = 0; n < 3; ++n) {
    QCOMPARE(path.cells[static_cast<std::size_t>(n)][0] / 8, std::int64_t{n + 1});
    QCOMPARE(path.cells[static_cast<std::size_t>(n)][1], std::int64_t{4});
  }
  const PagePath back = followPages(arcThrough(at, {12.5, 4.5, 5.5}, {-1, 0, 0}), {8, 8, 8}, {64, 64, 64}, 8);
  QCOMPARE(back.count, 1);
  QCOMPARE(back.cells[0][0] / 8, std::int64_t{0});
}

void TestLookAhead::pathsEndAtTheBlock() {
  const Vec3 at{60.5, 4.5, 5.5};
  QCOMPARE(followPages(arcThrough(at, at, {1, 0, 0}), {8, 8, 8}, {64, 64, 64}, 8).count, 0);
  QCOMPARE(followPages(arcThrough(at, at, {-1, 0, 0}), {8, 8, 8}, {64, 64, 64}, 100).count, 7);
}

/// A line on a circle: the guess is right for as long as the circle is what it was.
void TestLookAhead::arcsAreFollowed() {
  const double radius = 20;
  const auto onCircle = [&](double angle) {
    return Vec3{32 + radius * std::cos(angle), 32 + radius * std::sin(angle), 4};
  };
  const double step = 1 / radius;
  int right = 0, all = 0;
  for (double angle = 0; angle < 2 * std::numbers::pi; angle += 0.1) {
    const Vec3 direction{-std::sin(angle), std::cos(angle), 0};
    const PagePath path = followPages(arcThrough(onCircle(angle - step), onCircle(angle), direction),
                                      {8, 8, 8}, {64, 64, 64}, 3);
    QCOMPARE(path.count, 3);
    Index3 page{-1, -1, -1};
    int passed = -1;
    for (double ahead = angle; passed < 3; ahead += 0.01 * step) {
      const Vec3 point = onCircle(ahead);
      const Index3 now{static_cast<std::int64_t>(point.x) / 8, static_cast<std::int64_t>(point.y) / 8, 0};
      if (now == page) continue;
      page = now;
      if (passed >= 0) {
        const Index3& cell = path.cells[static_cast<std::size_t>(passed)];
        right += cell[0] / 8 == now[0] && cell[1] / 8 == now[1];
        ++all;
      }
      if (++passed == 3) break;
    }
  }
  // Corners that are cut by less than a cell may be missed.
  QVERIFY2(right > 0.8 * all, qPrintable(QString("%1 of %2").arg(right).arg(all)));
}

void TestLookAhead::uselessStartsGiveNothing() {
  const Vec3 at{3.5, 4.5, 5.5};
  const double nan = std::nan("");
  QCOMPARE(followPages(arcThrough(at, at, {0, 0, 0}), {8, 8, 8}, {64, 64, 64}, 8).count, 0);
  QCOMPARE(followPages(arcThrough(at, at, {nan, 0, 1}), {8, 8, 8}, {64, 64, 64}, 8).count, 0);
  QCOMPARE(followPages(arcThrough(at, {nan, 0, 1}, {1, 0, 0}), {8, 8, 8}, {64, 64, 64}, 8).count, 0);
  QCOMPARE(followPages(arcThrough(at, {-1, 0, 1}, {1, 0, 0}), {8, 8, 8}, {64, 64, 64}, 8).count, 0);
  // A vortex inside the page ends, too.
  QCOMPARE(followPages({{12, 12, 12}, {1, 0, 0}, {0, 0.5, 0}}, {24, 24, 24}, {64, 64, 64}, 8).count, 0);
}

void TestLookAhead::depthFollowsWhatIsMeasured() {
  LookAhead ahead;
  QCOMPARE(ahead.depth(1ms, 1), 0);  // nothing is known
  for (int n = 0; n < 500; ++n) ahead.pageCrossed(100us), ahead.guessed(true);
  QVERIFY(ahead.accuracy() > 0.99);
  QCOMPARE(ahead.depth(50us, 1), 1);
  QCOMPARE(ahead.depth(250us, 1), 3);
  QCOMPARE(ahead.depth(1s, 1), kMostPagesAhead);
  // Other tasks hide the latency, all or a part.
  QCOMPARE(ahead.depth(250us, 2), 2);
  QCOMPARE(ahead.depth(250us, 4), 0);
}

void TestLookAhead::wrongGuessesStopIt() {
  LookAhead ahead;
  for (int n = 0; n < 500; ++n)
    ahead.pageCrossed(100us), ahead.guessed(n % 4 != 0);  // three of four are right
  QCOMPARE(ahead.depth(1s, 1), 2);
  for (int n = 0; n < 500; ++n) ahead.pageCrossed(100us), ahead.guessed(n % 4 == 0);
  QCOMPARE(ahead.depth(1s, 1), 0);
  for (int n = 0; n < 500; ++n) ahead.pageCrossed(100us), ahead.guessed(true);
  QCOMPARE(ahead.depth(1s, 1), kMostPagesAhead);
}

QTEST_APPLESS_MAIN(TestLookAhead)
#include "tst_look_ahead.moc"
