// Where lines will be, from where they were.

#include <QtTest/QTest>

#include "core/paging/pool/line_trail.h"

using farfield::Index3;
using farfield::paging::LineTrail;

class TestLineTrail : public QObject {
  Q_OBJECT
 private slots:
  void straightLinesGoOn();
  void linesGoOnTheWayTheyCameIntoTheirLastCell();
  void whatComesMayLieOutside();
  void linesBegunAnewHaveNoTrail();
};

void TestLineTrail::straightLinesGoOn() {
  LineTrail trail;
  trail.goOn({100.5, 50.5, 7.25});
  QVERIFY((trail.goOn({101.5, 50.25, 7.25}) == Index3{101 + 8, 48, 7}));
  QVERIFY((trail.goOn({102.5, 50, 7.25}) == Index3{102 + 8, 48, 7}));
}

void TestLineTrail::linesGoOnTheWayTheyCameIntoTheirLastCell() {
  LineTrail trail;
  for (int n = 0; n < 50; ++n) trail.goOn({100.0 + n, 20, 20});
  QVERIFY((trail.goOn({149, 21, 20}) == Index3{149, 21 + 8, 20}));
}

void TestLineTrail::whatComesMayLieOutside() {
  LineTrail trail;
  trail.goOn({3.5, 0.5, 0.5});
  QVERIFY((trail.goOn({2.5, 0.5, 0.5}) == Index3{-5, 0, 0}));
}

void TestLineTrail::linesBegunAnewHaveNoTrail() {
  LineTrail trail;
  QVERIFY((trail.goOn({100.5, 50.5, 7.5}) == Index3{100, 50, 7}));
  QVERIFY((trail.goOn({100.5, 50.5, 12.5}) == Index3{100, 50, 12}));
  QVERIFY((trail.goOn({101.5, 50.5, 12.5}) == Index3{109, 50, 12}));
}

QTEST_APPLESS_MAIN(TestLineTrail)
#include "tst_line_trail.moc"
