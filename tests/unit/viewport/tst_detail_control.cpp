// How much detail moving pictures have, with made-up drivers.
#include <QTest>
#include <cmath>

#include "render/qt3d/detail_control.h"

using farfield::qt3d::Detail;
using farfield::qt3d::DetailControl;

namespace {

// Pictures of a view that goes on moving; `cost` is what a driver takes for a level.
template <class Cost>
void move(DetailControl& control, int pictures, Cost cost) {
  for (int i = 0; i < pictures; ++i) {
    const int level = control.choose();
    control.record(level, cost(level));
  }
}

constexpr double kShares[DetailControl::kLevels] = {2.5, 1, 0.55, 0.28, 0.14, 0.07, 0.035, 0.018};

}  // namespace

class TestDetailControl : public QObject {
  Q_OBJECT
 private slots:
  void quickDriversAlwaysDrawEverything() {
    DetailControl control;
    control.setWork(10'000'000);
    move(control, 100, [](int) { return 8.0; });
    QCOMPARE(control.movingLevel(), 0);
    QCOMPARE(control.stillLevel(), 0);
    QVERIFY(!control.restingLevel());
  }

  void slowDriversMoveCoarselyAndRestFinely() {
    DetailControl control(45);
    control.setSoftware(true);
    control.setWork(300'000);
    const auto cost = [](int level) { return 400 * kShares[level]; };
    move(control, 30, cost);
    QVERIFY(cost(control.movingLevel()) <= 45 * 1.4);
    QVERIFY(cost(control.movingLevel() - 1) > 45 * 0.7);
    QVERIFY(control.restingLevel() && cost(*control.restingLevel()) <= 300);
    QCOMPARE(control.stillLevel(), 0);
  }

  void whatChangesTakesNoLinesAway() {
    // Of a view that stands still: as fine as is quick, and all lines however long they take.
    for (const double all : {40.0, 400.0, 40'000.0}) {
      DetailControl control(45);
      control.setSoftware(true);
      control.setWork(300'000);
      const auto cost = [&](int level) { return all * kShares[level]; };
      move(control, 30, cost);
      const int level = control.changedLevel();
      QCOMPARE(DetailControl::detailOf(level).part, 1.0);
      QVERIFY(level <= std::max(0, control.movingLevel()));
      QVERIFY(cost(level) <= 300 || level == 2);
      QVERIFY(level == 0 || cost(level - 1) > 250);
    }
  }

  void manyLinesAreNotDrawnInFullToFindOut() {
    DetailControl control(45);
    control.setSoftware(true);
    control.setWork(1000);
    move(control, 5, [](int) { return 10.0; });
    QCOMPARE(control.movingLevel(), 0);
    control.setWork(2'000'000);
    QVERIFY(control.choose() > 2);
  }

  void oneSlowPictureIsNotTheEnd() {
    DetailControl control(45);
    control.setWork(50'000);
    int pictures = 0;
    move(control, 200, [&](int) { return pictures++ == 50 ? 2000.0 : 10.0; });
    QCOMPARE(control.movingLevel(), 0);
  }

  void whoWaitsGetsAllOfIt() {
    // Measured while the processors had other work: in full it would seem to take 4 s.
    DetailControl control(45);
    control.setSoftware(true);
    control.setWork(300'000);
    move(control, 30, [](int level) { return 1600 * kShares[level]; });
    QVERIFY(control.stillLevel() > 0);
    QCOMPARE(control.stillLevel(2), 0);
  }

  void whatIsRefinedLaterIsNotTheFinest() {
    // Half of the pixels, until one has waited: better ones come.
    DetailControl control(45);
    control.setSoftware(true);
    control.setWork(300'000);
    move(control, 30, [](int level) { return 6000 * kShares[level]; });
    QCOMPARE(control.stillLevel(), 2);
    QVERIFY(!control.isFinest(2, 1));
    QVERIFY(control.isFinest(0, 1));
    // What would take longer than anybody waits stays as it is.
    DetailControl slow(45);
    slow.setSoftware(true);
    slow.setWork(300'000);
    move(slow, 30, [](int level) { return 60'000 * kShares[level]; });
    const int still = slow.stillLevel(DetailControl::kMostPatience);
    QVERIFY(still > 0 && !slow.isFinest(still, 4));
    QVERIFY(slow.isFinest(still, DetailControl::kMostPatience));
  }

  void whatIsCheapForItsNumbersBecomesFine() {
    // Lines, of which a picture takes long; then a texture of as many triangles as there are pixels, which take next to nothing.
    DetailControl control(45);
    control.setSoftware(true);
    control.setWork(60'000);
    const auto lines = [](int level) { return 700 * kShares[level]; };
    move(control, 30, lines);
    QCOMPARE(control.stillLevel(), 0);
    control.record(0, lines(0));
    control.setWork(2'000'000);
    const auto both = [](int level) { return 1000 * kShares[level]; };
    move(control, 30, both);
    // By the number of indices it would be a minute, and nobody would find out that it is not.
    QVERIFY2(control.expectedMs(0) < 2 * both(0), qPrintable(QString::number(control.expectedMs(0))));
    QCOMPARE(control.stillLevel(), 0);
    QVERIFY(!control.isFinest(2, DetailControl::kMostPatience));
    // And taken away again the lines cost what they did.
    control.setWork(60'000);
    move(control, 30, lines);
    QVERIFY(std::abs(control.expectedMs(0) - lines(0)) <= 0.5 * lines(0));
  }

  void whatIsQuickerNowIsTriedAgain() {
    // As long as the processors had other work, all of it took 40 s.
    DetailControl control(45);
    control.setSoftware(true);
    control.setWork(300'000);
    const auto busy = [](int level) { return 16'000 * kShares[level]; };
    move(control, 30, busy);
    control.record(0, busy(0));
    control.record(1, busy(1));
    QCOMPARE(control.stillLevel(DetailControl::kMostPatience), 1);
    // A little quicker is not enough, and slower changes nothing.
    control.recordAgain(1, 0.9 * busy(1));
    control.recordAgain(1, 2 * busy(1));
    QVERIFY(std::abs(control.expectedMs(0) - 0.9 * busy(0)) < 1);
    QVERIFY(control.isFinest(1, DetailControl::kMostPatience));
    control.recordAgain(1, 0.4 * busy(1));
    QVERIFY(std::abs(control.expectedMs(0) - 0.4 * busy(0)) < 1);
    QCOMPARE(control.stillLevel(DetailControl::kMostPatience), 0);
  }

  void patienceIsAsGreatAsItIsWorth() {
    DetailControl control(45);
    control.setSoftware(true);
    control.setWork(300'000);
    move(control, 30, [](int level) { return 6000 * kShares[level]; });
    const int drawn = control.stillLevel();
    const double patience = control.patienceForMore(drawn);
    QVERIFY(patience > 1 && patience < DetailControl::kMostPatience);
    // With that, and no less, something finer comes.
    QVERIFY(control.stillLevel(1.001 * patience) < drawn);
    QCOMPARE(control.stillLevel(0.99 * patience), drawn);
    // For what nobody waits so long for, as long as one waits.
    DetailControl slow(45);
    slow.setSoftware(true);
    slow.setWork(300'000);
    move(slow, 30, [](int level) { return 600'000 * kShares[level]; });
    QCOMPARE(slow.patienceForMore(2), DetailControl::kMostPatience);
  }

  void levelsDoNotFlicker() {
    // A driver between two levels: at most a few changes in a long movement.
    DetailControl control(45);
    control.setSoftware(true);
    control.setWork(100'000);
    int changes = 0, last = -1;
    move(control, 300, [&](int level) {
      changes += level != last;
      last = level;
      return 170 * kShares[level];
    });
    QVERIFY2(changes < 12, qPrintable(QString::number(changes)));
  }

  void thinLinesStayWhole() {
    for (int level = 0; level < DetailControl::kLevels; ++level) {
      const Detail detail = DetailControl::detailOf(level);
      QCOMPARE(detail.lineWidth(8), 8 * detail.scale);
      QVERIFY(detail.lineWidth(1) >= (detail.smooth ? 0.5 : 1.0));
    }
  }

  void coarserLevelsDrawLess() {
    QCOMPARE(DetailControl::detailOf(0), Detail{});
    for (int level = 1; level < DetailControl::kLevels; ++level) {
      const Detail fine = DetailControl::detailOf(level - 1), coarse = DetailControl::detailOf(level);
      QVERIFY(!coarse.smooth && coarse.scale <= fine.scale && coarse.part <= fine.part && coarse != fine);
    }
    QCOMPARE(DetailControl::detailOf(2).part, 1.0);  // what a still view may be left with has all lines
  }
};

QTEST_APPLESS_MAIN(TestDetailControl)
#include "tst_detail_control.moc"
