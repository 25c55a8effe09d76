// Where lines will be, from where they were.

#include <QtTest/QTest>

#include "core/paging/pool/cell_trail.h"

using farfield::Index3;
using farfield::paging::CellTrail;

class TestCellTrail : public QObject {
  Q_OBJECT
 private slots:
  void straightLinesGoOn();
  void bentLinesGoOnAsInTheLastCells();
  void linesBegunAnewHaveNoTrail();
};

void TestCellTrail::straightLinesGoOn() {
  CellTrail trail;
  Index3 ahead;
  for (int n = 0; n <= CellTrail::kAhead; ++n) ahead = trail.goOn({100 + n, 50 - n, 7});
  const std::int64_t last = 2 * CellTrail::kAhead;
  QVERIFY((ahead == Index3{100 + last, 50 - last, 7}));
  // Beyond the first node, too: the block's dims are not known here.
  CellTrail down;
  for (int n = 0; n <= CellTrail::kAhead; ++n) ahead = down.goOn({CellTrail::kAhead - n, 0, 0});
  QVERIFY((ahead == Index3{-CellTrail::kAhead, 0, 0}));
}

void TestCellTrail::bentLinesGoOnAsInTheLastCells() {
  CellTrail trail;
  for (int n = 0; n < 50; ++n) trail.goOn({100 + n, 20, 20});
  Index3 ahead;
  for (int n = 0; n < CellTrail::kAhead; ++n) ahead = trail.goOn({149, 21 + n, 20});
  QVERIFY((ahead == Index3{149, 20 + 2 * CellTrail::kAhead, 20}));
}

void TestCellTrail::linesBegunAnewHaveNoTrail() {
  CellTrail trail;
  for (int n = 0; n < 50; ++n) trail.goOn({n, 20, 20});
  // Further away than a line goes in as many cells.
  for (int n = 0; n < CellTrail::kAhead; ++n) {
    const Index3 cell{200, 20 + n, 20};
    QVERIFY(trail.goOn(cell) == cell);
  }
  QVERIFY((trail.goOn({200, 20 + CellTrail::kAhead, 20}) == Index3{200, 20 + 2 * CellTrail::kAhead, 20}));
}

QTEST_APPLESS_MAIN(TestCellTrail)
#include "tst_cell_trail.moc"
