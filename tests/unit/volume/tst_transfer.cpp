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
  void eachDecadeOfALogarithmHasItsColors();
  void narrowCurvesAreNotLost_data();
  void narrowCurvesAreNotLost();
  void wrongFunctionsAreRefused();
  void automaticOpacityLeavesOutTheBackground();
  void aFewFarValuesDoNotHideTheOthers();
  void aLongTailDoesNotHideTheBody();
  void theWholeIsSeenThroughHoweverFineItIs();
  void whatLiesAroundIsTheBackground();
  void bothSidesOfABackgroundInTheMiddleAreSeen();
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

/// Also the lowest, however many there are.
void TestTransfer::eachDecadeOfALogarithmHasItsColors() {
  TransferFunction transfer;
  transfer.color.min = 1e-4;
  transfer.color.max = 1e8;
  transfer.color.logarithmic = true;
  transfer.opacity = {{0, 0}, {1e8, 1}};
  const TransferTable table(transfer, 0);
  for (double value = 1e-4; value < 1e8; value *= 1.7) {
    const auto entry = static_cast<std::size_t>(table.entryOf(value));
    const std::uint32_t is = table.color()[entry], exact = volume::packedColor(transfer.color, value);
    for (const unsigned part : {0U, 10U, 20U})
      QVERIFY2(std::abs(int(is >> part & 1023) - int(exact >> part & 1023)) <= 2,
               qPrintable(QString::number(value)));
    const double opacity = volume::opacityAt(transfer, value);
    QVERIFY(std::abs(static_cast<double>(table.alpha()[entry]) - opacity) < 1e-3 * opacity);
  }
  // What has no logarithm is at the low end, and as transparent as it is.
  for (const double value : {0.0, -5.0}) QCOMPARE(table.alpha()[std::size_t(table.entryOf(value))], 0.0F);
  QVERIFY(!table.isSeen(-1, 0) && table.isSeen(0, 1e-3) && table.isRising());
  // Opacities that change far below the colours.
  transfer.opacity = {{1e-6, 0}, {1e-5, 1}};
  const TransferTable low(transfer, 0);
  QVERIFY(!low.isSeen(0, 0.9e-6) && low.isSeen(2e-6, 2e-6));
  // Numbers that floats do not have.
  transfer.color.min = 1e-300;
  transfer.color.max = 1e-290;
  transfer.opacity = {{1e-298, 0}, {1e-295, 1}};
  const TransferTable tiny(transfer, 0);
  QVERIFY(!tiny.isSeen(0, 0.9e-298) && tiny.isSeen(1e-296, 1e-296) &&
          tiny.entryOf(1e-297) < tiny.entryOf(2e-297));
}

void TestTransfer::narrowCurvesAreNotLost_data() {
  QTest::addColumn<double>("least");
  QTest::addColumn<double>("greatest");
  QTest::addColumn<bool>("logarithmic");
  QTest::addColumn<QList<double>>("points");  // values and opacities
  QTest::newRow("low end") << 0.0 << 1e6 << false << QList<double>{0, 1, 1, 0};
  QTest::newRow("low decades") << 1.0 << 1e8 << false << QList<double>{1, 1, 1000, 0};
  QTest::newRow("high end") << 0.0 << 1e6 << false << QList<double>{999990, 0, 1e6, 1};
  QTest::newRow("peak") << -1e5 << 1e6 << false << QList<double>{-1e5, 0.1, 5e5, 0.1, 500010, 1, 500020, 0.1};
  QTest::newRow("steps") << -1e5 << 1e6 << false << QList<double>{3e5, 0.1, 3e5, 1, 300001, 1, 300001, 0.1};
  QTest::newRow("peaks") << 0.0 << 1e6 << false
                         << QList<double>{1, 0, 2, 1, 3, 0, 9e5, 0, 900010, 0.7, 900020, 0, 1e6, 0};
  QTest::newRow("logarithm") << 1.0 << 1e8 << true
                             << QList<double>{1, 0, 1e4, 0, 10000.5, 1, 10001, 0, 1e8, 0.3};
  QTest::newRow("below 0") << 1.0 << 1e8 << true << QList<double>{-2, 1, -1, 0};
}

/// However narrow they are beside the range of colours, as long as floats tell their values apart.
void TestTransfer::narrowCurvesAreNotLost() {
  QFETCH(double, least);
  QFETCH(double, greatest);
  QFETCH(bool, logarithmic);
  QFETCH(QList<double>, points);
  TransferFunction transfer;
  transfer.color.min = least;
  transfer.color.max = greatest;
  transfer.color.logarithmic = logarithmic;
  transfer.opacity.clear();
  for (qsizetype n = 0; n < points.size(); n += 2) transfer.opacity.push_back({points[n], points[n + 1]});
  const TransferTable table(transfer, 0);
  QVERIFY(table.entries() < 1'000'000);
  for (qsizetype n = 0; n + 2 < points.size(); n += 2)
    for (const double part : {0.1, 0.3, 0.5, 0.8, 0.9}) {
      const double value = points[n] + part * (points[n + 2] - points[n]);
      const auto entry = static_cast<std::size_t>(table.entryOf(value));
      const double is = static_cast<double>(table.alpha()[entry]), exact = volume::opacityAt(transfer, value);
      QVERIFY2(std::abs(is - exact) < 0.05,
               qPrintable(QString("%1: %2, not %3").arg(value).arg(is).arg(exact)));
    }
  // Entries ascend with values.
  int before = 0;
  for (int n = 0; n <= 5000; ++n) {
    const int entry = table.entryOf(least + n / 5000.0 * (greatest - least));
    QVERIFY(entry >= before && entry < table.entries());
    before = entry;
  }
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

/// As the salt of the oceans, which is nearly the same everywhere and next to none where rivers end.
void TestTransfer::aFewFarValuesDoNotHideTheOthers() {
  std::vector<std::uint64_t> salt(256);
  for (std::size_t n = 10; n < 160; ++n) salt[n] = 1;
  for (std::size_t n = 190; n < 220; ++n) salt[n] = 5'000;
  salt[212] = 20'000;
  TransferFunction transfer = ramp();
  transfer.opacity = volume::automaticOpacity(0, 256, salt, 200);
  volume::checkTransfer(transfer);
  double greatest = 0;
  for (int value = 190; value < 220; ++value)
    greatest = std::max(greatest, volume::opacityAt(transfer, value + 0.5));
  QVERIFY2(greatest > 0.5 * volume::opacityAt(transfer, 30), qPrintable(QString::number(greatest)));
  QCOMPARE(volume::opacityAt(transfer, 212.5), 0.0);
  // A tail that is long is no few values: nothing changes.
  std::vector<std::uint64_t> tail(256);
  for (std::size_t n = 0; n < 256; ++n) tail[n] = 100'000 / (1 + n * n);
  transfer.opacity = volume::automaticOpacity(0, 256, tail, 200);
  QVERIFY(volume::opacityAt(transfer, 255) > volume::opacityAt(transfer, 128));
}

/// As accelerations where something breaks: nearly all values are in the lowest interval, and differ there.
void TestTransfer::aLongTailDoesNotHideTheBody() {
  TransferFunction transfer = ramp();
  std::vector<std::uint64_t> tail(256);
  tail[0] = 100'000;
  tail[80] = tail[255] = 4;
  scene::VolumeHistogram within{{1, 1e6}, std::vector<std::uint64_t>(256, 400)};
  const auto opacity = [&](double value) { return volume::opacityAt(transfer, value); };
  transfer.opacity = volume::automaticOpacity(0, 256e6, tail, 200, {}, &within);
  volume::checkTransfer(transfer);
  QVERIFY(opacity(0.9e6) > 0 && opacity(0.9e6) > opacity(0.7e6));
  QVERIFY(opacity(255e6) >= opacity(0.9e6));
  // Where the others are enough to be seen nothing changes, nor where what nearly all have is one value, a background.
  const auto isLeftAlone = [&](const std::vector<std::uint64_t>& histogram) {
    return volume::automaticOpacity(0, 256e6, histogram, 200, {}, &within) ==
           volume::automaticOpacity(0, 256e6, histogram, 200);
  };
  std::vector<std::uint64_t> plume = tail;
  plume[200] = 1'000;
  QVERIFY(isLeftAlone(plume));
  QVERIFY(!isLeftAlone(tail));
  within.counts[3] = 200'000;
  QVERIFY(isLeftAlone(tail));
  within.counts.assign(256, 0);
  within.counts[0] = within.counts[255] = 50'000;
  QVERIFY(isLeftAlone(tail));
}

/// `crossing` is in finest edges: of levels some metres apart, hundreds of kilometres wide, it is 100,000 and more.
void TestTransfer::theWholeIsSeenThroughHoweverFineItIs() {
  TransferFunction transfer = ramp();
  const std::vector<std::uint64_t> even(256, 10);
  for (const double crossing : {1e2, 1e4, 1e6}) {
    transfer.opacity = volume::automaticOpacity(0, 1, even, crossing);
    volume::checkTransfer(transfer);
    const double behind = std::pow(1 - volume::opacityAt(transfer, 1), crossing / 3);
    QVERIFY2(std::abs(behind - 0.02) < 1e-3, qPrintable(QString::number(behind)));
  }
}

/// Also where there is less of it than of what it surrounds.
void TestTransfer::whatLiesAroundIsTheBackground() {
  TransferFunction transfer = ramp();
  const auto opacity = [&](std::vector<std::uint64_t> histogram, std::optional<double> border, double value) {
    transfer.opacity = volume::automaticOpacity(0, 256, histogram, 200, border);
    volume::checkTransfer(transfer);
    return volume::opacityAt(transfer, value);
  };
  // A ball of one value, which takes most of its box.
  std::vector<std::uint64_t> ball(256);
  ball[0] = 10'000, ball[255] = 17'000;
  QVERIFY(opacity(ball, {}, 0) > 0 && opacity(ball, {}, 256) == 0);
  QCOMPARE(opacity(ball, 0.5, 0.5), 0.0);
  QVERIFY(opacity(ball, 0.5, 256) > 0);
  // A hollow: what is around is above.
  std::swap(ball[0], ball[255]);
  QCOMPARE(opacity(ball, 255.5, 255.5), 0.0);
  QVERIFY(opacity(ball, 255.5, 0.5) > 0);
  // Few values, near one another: each is a thing of its own.
  std::vector<std::uint64_t> labels(256);
  labels[0] = 1'000, labels[50] = 5'000, labels[255] = 10;
  QVERIFY(opacity(labels, {}, 50) == 0 && opacity(labels, 0.5, 50) > 0);
  // Of many values what is near the most frequent one goes with it, as air does with what lies around a scan.
  std::vector<std::uint64_t> scan(256, 10);
  scan[0] = 1'000, scan[20] = 50'000;
  QCOMPARE(opacity(scan, 0.5, 20.5), 0.0);
  for (const double value : {0.5, 20.5, 100.0, 256.0})
    QCOMPARE(opacity(scan, 0.5, value), opacity(scan, {}, value));
  // Where the background is the most frequent value nothing changes, nor by what is outside of the range.
  for (const double border : {20.5, -1.0, 300.0})
    QCOMPARE(opacity(scan, border, 100), opacity(scan, {}, 100));
}

/// Where something lies on both, as of a vorticity, or of pressures around that of what flows in.
void TestTransfer::bothSidesOfABackgroundInTheMiddleAreSeen() {
  TransferFunction transfer = ramp();
  const auto opacity = [&](const std::vector<std::uint64_t>& histogram, double min, double max, double value,
                           std::optional<double> border = {}) {
    transfer.opacity = volume::automaticOpacity(min, max, histogram, 200, border);
    volume::checkTransfer(transfer);
    return volume::opacityAt(transfer, value);
  };
  std::vector<std::uint64_t> both(256);
  for (int n = 0; n < 256; ++n)
    both[std::size_t(n)] = static_cast<std::uint64_t>(20'000 * std::exp(-std::abs(n - 127.5) / 16));
  QVERIFY(opacity(both, -1, 1, -0.9) > 0);
  QCOMPARE(opacity(both, -1, 1, -0.9), opacity(both, -1, 1, 0.9));
  QCOMPARE(opacity(both, -1, 1, 0), 0.0);
  // Without signs where it is what half of the volume has.
  QVERIFY(opacity(both, 1, 3, 1.1) == 0 && opacity(both, 1, 3, 2.9) > 0);
  both[128] = 1'000'000;
  QVERIFY(opacity(both, 1, 3, 1.1) > 0 && opacity(both, 1, 3, 2.9) > 0);
  QCOMPARE(opacity(both, 1, 3, 2.005), 0.0);
  // A few far values change nothing of that.
  std::vector<std::uint64_t> far(1024);
  std::copy(both.begin(), both.end(), far.begin());
  far.back() = 1;
  QVERIFY(opacity(far, -1, 7, -0.9) > 0 && opacity(far, -1, 7, 0.9) > 0);
  // With next to nothing on one side it is the other that is seen.
  std::vector<std::uint64_t> upper = both;
  std::fill_n(upper.begin(), 120, 0);
  upper[2] = 1;
  QVERIFY(opacity(upper, -1, 1, -0.95) == 0 && opacity(upper, -1, 1, 0.9) > 0);
  // Nor is it of labels, or where another value lies all around.
  std::vector<std::uint64_t> labels(256);
  labels[0] = 1'000, labels[128] = 5'000, labels[255] = 1'000;
  QVERIFY(opacity(labels, 0, 2, 0) == 0 && opacity(labels, 0, 2, 2) > 0);
  QVERIFY(opacity(both, 1, 3, 1, 1.001) == 0 && opacity(both, 1, 3, 2.9, 1.001) > 0);
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
