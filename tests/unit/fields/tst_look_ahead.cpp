// Looking ahead of lines: the guess at the next pages, and how deep it is worth going.

#include <QTest>

#include <cmath>
#include <numbers>

#include "core/fields/look_ahead.h"
#include "core/fields/page_graph.h"
#include "core/fields/page_path.h"

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
  void guessesAreJudgedApart();
  void graphRemembersWhereLinesWent();
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
  QCOMPARE(ahead.depth(Guess::Arc, 1ms, 1), 0);  // nothing is known
  for (int n = 0; n < 500; ++n) ahead.pageCrossed(100us), ahead.guessed(Guess::Arc, true);
  QVERIFY(ahead.accuracy(Guess::Arc) > 0.99);
  QCOMPARE(ahead.depth(Guess::Arc, 50us, 1), 1);
  QCOMPARE(ahead.depth(Guess::Arc, 250us, 1), 3);
  QCOMPARE(ahead.depth(Guess::Arc, 1s, 1), kMostPagesAhead);
  // Other tasks hide the latency, all or a part.
  QCOMPARE(ahead.depth(Guess::Arc, 250us, 2), 2);
  QCOMPARE(ahead.depth(Guess::Arc, 250us, 4), 0);
}

void TestLookAhead::wrongGuessesStopIt() {
  LookAhead ahead;
  for (int n = 0; n < 500; ++n)
    ahead.pageCrossed(100us), ahead.guessed(Guess::Arc, n % 4 != 0);  // three of four are right
  QCOMPARE(ahead.depth(Guess::Arc, 1s, 1), 2);
  for (int n = 0; n < 500; ++n) ahead.pageCrossed(100us), ahead.guessed(Guess::Arc, n % 4 == 0);
  QCOMPARE(ahead.depth(Guess::Arc, 1s, 1), 0);
  for (int n = 0; n < 500; ++n) ahead.pageCrossed(100us), ahead.guessed(Guess::Arc, true);
  QCOMPARE(ahead.depth(Guess::Arc, 1s, 1), kMostPagesAhead);
}

void TestLookAhead::guessesAreJudgedApart() {
  LookAhead ahead;
  for (int n = 0; n < 500; ++n) {
    ahead.pageCrossed(100us);
    ahead.guessed(Guess::Arc, false);
    ahead.guessed(Guess::Graph, true);
  }
  QCOMPARE(ahead.depth(Guess::Arc, 1s, 1), 0);
  QCOMPARE(ahead.depth(Guess::Graph, 1s, 1), kMostPagesAhead);
}

void TestLookAhead::graphRemembersWhereLinesWent() {
  PageGraph graph(1024);
  QVERIFY(!graph.next(1, 2));
  graph.passed(1, 2, 3);
  graph.passed(3, 2, 1);  // the other way
  QCOMPARE(graph.next(1, 2), std::uint64_t{3});
  QCOMPARE(graph.next(3, 2), std::uint64_t{1});
  QVERIFY(!graph.next(2, 1));
  graph.passed(1, 2, 4);
  QCOMPARE(graph.next(1, 2), std::uint64_t{4});
  // More pairs than entries: what is there is right, whatever was displaced.
  for (std::uint64_t n = 0; n < 10'000; ++n) graph.passed(n, n + 1, n + 2);
  int kept = 0;
  for (std::uint64_t n = 0; n < 10'000; ++n)
    if (const auto next = graph.next(n, n + 1)) {
      QCOMPARE(*next, n + 2);
      ++kept;
    }
  QVERIFY2(kept > 500 && kept <= 1024, qPrintable(QString::number(kept)));
  PageGraph none;
  none.passed(1, 2, 3);
  QVERIFY(!none.next(1, 2));
}

QTEST_APPLESS_MAIN(TestLookAhead)
#include "tst_look_ahead.moc"
