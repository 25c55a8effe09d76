#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "render/volume/transfer.h"

using namespace farfield;
using volume::TransferFunction;
using volume::TransferTable;

class TestTransfer : public QObject {
  Q_OBJECT
 private slots:
  void opacityIsLinearBetweenPoints();
  void opacityGrowsWithLength();
  void whatIsSeenFollowsFromTheRange();
  void wrongFunctionsAreRefused();
  void automaticOpacityLeavesOutTheBackground();
  void whatIsTheSameEverywhereIsSeenThrough();
};

namespace {
TransferFunction ramp() {
  TransferFunction transfer;
  transfer.color.min = 0;
  transfer.color.max = 10;
  transfer.opacity = {{2, 0}, {4, 0.5}, {4, 0.2}, {8, 0}};
  return transfer;
}
}  // namespace

void TestTransfer::opacityIsLinearBetweenPoints() {
  const TransferFunction transfer = ramp();
  QCOMPARE(volume::opacityAt(transfer, 1), 0.0);
  QCOMPARE(volume::opacityAt(transfer, 3), 0.25);
  QCOMPARE(volume::opacityAt(transfer, 4), 0.2);
  QCOMPARE(volume::opacityAt(transfer, 6), 0.1);
  QCOMPARE(volume::opacityAt(transfer, 9), 0.0);
}

void TestTransfer::opacityGrowsWithLength() {
  TransferFunction transfer = ramp();
  transfer.unit = 2;
  const TransferTable table(transfer, 3);
  for (const double value : {2.5, 3.0, 3.9, 6.0}) {
    const double exact = 1 - std::pow(1 - volume::opacityAt(transfer, value), 1.5);
    QVERIFY(std::abs(static_cast<double>(table.alpha()[static_cast<std::size_t>(table.entryOf(value))]) -
                     exact) < 3e-4);
  }
}

void TestTransfer::whatIsSeenFollowsFromTheRange() {
  const TransferTable table(ramp(), 1);
  QVERIFY(!table.isSeen(-5, 1.9));
  QVERIFY(table.isSeen(-5, 3));
  QVERIFY(table.isSeen(5, 6));
  QVERIFY(!table.isSeen(8.1, 9));
  QVERIFY(!table.isSeen(6, 5));  // nothing there
  QVERIFY(!table.isRising());
}

void TestTransfer::wrongFunctionsAreRefused() {
  TransferFunction transfer = ramp();
  transfer.opacity[1].value = 1;
  QVERIFY_THROWS_EXCEPTION(Invalid, volume::checkTransfer(transfer));
  transfer = ramp();
  transfer.opacity[1].opacity = 1.5;
  QVERIFY_THROWS_EXCEPTION(Invalid, volume::checkTransfer(transfer));
  transfer = ramp();
  transfer.opacity.clear();
  QVERIFY_THROWS_EXCEPTION(Invalid, volume::checkTransfer(transfer));
  transfer = ramp();
  transfer.unit = 0;
  QVERIFY_THROWS_EXCEPTION(Invalid, volume::checkTransfer(transfer));
}

void TestTransfer::automaticOpacityLeavesOutTheBackground() {
  std::vector<std::uint64_t> histogram(100, 1);
  histogram[3] = 10'000;
  TransferFunction transfer = ramp();
  transfer.opacity = volume::automaticOpacity(0, 100, histogram, 200);
  volume::checkTransfer(transfer);
  QCOMPARE(volume::opacityAt(transfer, 3.5), 0.0);
  QVERIFY(volume::opacityAt(transfer, 90) > 0);
}

/// Exactly so, or up to the rounding of what was interpolated.
void TestTransfer::whatIsTheSameEverywhereIsSeenThrough() {
  TransferFunction transfer = ramp();
  for (const double greatest : {1.0, 1.0000001}) {
    transfer.opacity = volume::automaticOpacity(1, greatest, {}, 100);
    volume::checkTransfer(transfer);
    const double opacity = volume::opacityAt(transfer, 1);
    QVERIFY(opacity > 0);
    QVERIFY(std::abs(std::pow(1 - opacity, 100) - 0.6) < 1e-9);
  }
}

QTEST_GUILESS_MAIN(TestTransfer)
#include "tst_transfer.moc"
