// Bricks as ranks pass them on to others: as they are, or as a byte a value, over any range.

#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "remote/slabd/input_messages.h"

namespace farfield::test {
namespace {

using namespace remote;

volume::Brick brickOf(volume::BrickType type) {
  volume::Brick brick({type, 1, 0}, {32, 5, 1});
  std::vector<double> row(35);
  for (std::int64_t k = 0; k < 4; ++k)
    for (std::int64_t j = 0; j < 8; ++j) {
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = static_cast<double>((3 * i + 11 * static_cast<std::size_t>(j + k)) % 200);
      brick.setRow(0, j, k, row);
    }
  brick.finish({{0, 0, 0}, {35, 8, 4}});
  return brick;
}

bool isEqual(const volume::Brick& a, const volume::Brick& b) {
  const std::size_t size = sizeOf(a.format().type);
  for (std::int64_t k = 0; k < a.cells()[2] + 3; ++k)
    for (std::int64_t j = 0; j < a.cells()[1] + 3; ++j) {
      const std::size_t at =
          size * static_cast<std::size_t>(volume::kBrickSide * (j + volume::kBrickSide * k));
      if (std::memcmp(a.data() + at, b.data() + at, size * static_cast<std::size_t>(a.cells()[0] + 3)) != 0)
        return false;
    }
  return a.groupLow() == b.groupLow() && a.groupHigh() == b.groupHigh();
}

}  // namespace

class TestBrickBytes : public QObject {
  Q_OBJECT
 private slots:
  void bricksArriveAsTheyAre();
  void bytesAreNearTheValues();
  void bytesOfManyDecadesAreNearEach();
  void bytesOfTheWidestRangesAreNumbers_data();
  void bytesOfTheWidestRangesAreNumbers();
  void wrongBricksAreRefused();
};

void TestBrickBytes::bricksArriveAsTheyAre() {
  for (const auto type : {volume::BrickType::U8, volume::BrickType::U16, volume::BrickType::F32}) {
    const volume::Brick brick = brickOf(type);
    volume::Brick other(brick.format(), brick.cells());
    decodeBrick(encodeBrick(brick, {"a", false, {0, 1}}), other);
    QVERIFY(isEqual(brick, other));
    // what is no floating point has few bytes already
    if (type == volume::BrickType::F32) continue;
    decodeBrick(encodeBrick(brick, {"a", true, {0, 10}}), other);
    QVERIFY(isEqual(brick, other));
  }
}

void TestBrickBytes::bytesAreNearTheValues() {
  volume::Brick brick({}, {1, 1, 1});
  const double none = std::numeric_limits<double>::quiet_NaN();
  brick.setRow(0, 0, 0, std::vector<double>{-7, 2.03, none, 99});
  for (int row = 1; row < 16; ++row) brick.setRow(0, row % 4, row / 4, std::vector<double>{1, 2, 3, 4});
  brick.finish({{0, 0, 0}, {4, 4, 4}});
  const BrickSubject subject{"a", true, {1, 5}};
  const Bytes bytes = encodeBrick(brick, subject);
  QVERIFY(bytes.size() < 100);
  volume::Brick other(brick.format(), brick.cells());
  decodeBrick(bytes, other);
  const auto* const values = reinterpret_cast<const float*>(other.data());
  QCOMPARE(values[0], 1.0f);
  QVERIFY(std::abs(values[1] - 2.03f) <= 2.0f / 254);
  QVERIFY(std::isnan(values[2]));
  QCOMPARE(values[3], 5.0f);
}

/// Of a logarithmic scale each decade has as many bytes.
void TestBrickBytes::bytesOfManyDecadesAreNearEach() {
  volume::Brick brick({}, {1, 1, 1});
  const double none = std::numeric_limits<double>::quiet_NaN();
  brick.setRow(0, 0, 0, std::vector<double>{-1, 0, none, 1e12});
  for (int row = 1; row < 16; ++row)
    brick.setRow(0, row % 4, row / 4, std::vector<double>{1, 37, 2.5e3, 7e7});
  brick.finish({{0, 0, 0}, {4, 4, 4}});
  volume::Brick other(brick.format(), brick.cells());
  decodeBrick(encodeBrick(brick, {"a", true, {1, 1e8}, true}), other);
  const auto* const values = reinterpret_cast<const float*>(other.data());
  QCOMPARE(values[0], 1.0f);
  QCOMPARE(values[1], 1.0f);
  QVERIFY(std::isnan(values[2]));
  QVERIFY(std::abs(values[3] / 1e8f - 1) < 1e-5f);
  const auto* const row = values + volume::kBrickSide;
  for (const auto& [at, wanted] : {std::pair{0, 1.0f}, {1, 37.0f}, {2, 2.5e3f}, {3, 7e7f}})
    QVERIFY2(std::abs(std::log(row[at] / wanted)) < 0.5 * std::log(1e8) / 254 + 1e-6,
             qPrintable(QString::number(row[at])));
}

void TestBrickBytes::bytesOfTheWidestRangesAreNumbers_data() {
  QTest::addColumn<double>("low");
  QTest::addColumn<double>("high");
  QTest::addColumn<bool>("logarithmic");
  QTest::addColumn<double>("near");  // of a value, or of its logarithm
  const double most = std::numeric_limits<double>::max();
  QTest::newRow("even") << -most << most << false << most / 254;
  QTest::newRow("beyond what bricks hold") << -1e38 << 1e300 << false << 1e300;
  QTest::newRow("logarithmic") << 1e-300 << 1e300 << true << 1400.0 / 254;
  QTest::newRow("from the smallest to the largest number") << 5e-324 << most << true << 1500.0 / 254;
  QTest::newRow("of no width") << 2.0 << 2.0 << false << 2e38;
}

/// Colours and opacities may be given over any range.
void TestBrickBytes::bytesOfTheWidestRangesAreNumbers() {
  QFETCH(double, low);
  QFETCH(double, high);
  QFETCH(bool, logarithmic);
  QFETCH(double, near);
  volume::Brick brick({}, {1, 1, 1});
  const double infinite = std::numeric_limits<double>::infinity();
  for (int row = 0; row < 16; ++row)
    brick.setRow(0, row % 4, row / 4, std::vector<double>{1e-30, 1, 1e38, row == 0 ? infinite : 3});
  brick.finish({{0, 0, 0}, {4, 4, 4}});
  volume::Brick other(brick.format(), brick.cells());
  decodeBrick(encodeBrick(brick, {"a", true, {low, high}, logarithmic}), other);
  const auto* const values = reinterpret_cast<const float*>(other.data());
  for (const auto& [at, value] : {std::pair{0, 1e-30}, {1, 1.0}, {2, 1e38}}) {
    QVERIFY(std::isfinite(values[at]));
    const double its = values[at];
    // what is spread wider than the values of a brick reach has the largest of them for what lies beyond
    if (logarithmic && std::abs(std::log(value)) < 80)
      QVERIFY2(std::abs(std::log(its / value)) < near, qPrintable(QString::number(its)));
    if (!logarithmic) QVERIFY2(std::abs(its - value) <= near, qPrintable(QString::number(its)));
  }
  QVERIFY(!std::isinf(values[3]));
}

void TestBrickBytes::wrongBricksAreRefused() {
  const volume::Brick brick = brickOf(volume::BrickType::F32);
  volume::Brick other(brick.format(), brick.cells());
  Bytes bytes = encodeBrick(brick, {"a", false, {0, 1}});
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, bytes.size() / 2, bytes.size() - 1})
    QVERIFY_EXCEPTION_THROWN(decodeBrick(std::span(bytes).first(size), other), Protocol);
  bytes.push_back({});
  QVERIFY_EXCEPTION_THROWN(decodeBrick(bytes, other), Protocol);
  bytes[0] = std::byte{9};
  QVERIFY_EXCEPTION_THROWN(decodeBrick(bytes, other), Protocol);
  volume::Brick whole({volume::BrickType::U8, 1, 0}, brick.cells());
  QVERIFY_EXCEPTION_THROWN(decodeBrick(encodeBrick(brick, {"a", true, {0, 1}}), whole), Protocol);
  Bytes request = bytesOf(BrickRequest{3, {"by", false, {0, 1}}, 1, 0, 7});
  QCOMPARE(parseBrickRequest(request).brick, std::int64_t{7});
  request.back() = std::byte{0xff};
  QVERIFY_EXCEPTION_THROWN(parseBrickRequest(request), Protocol);
  QVERIFY_EXCEPTION_THROWN(parseStepMeasured(bytesOf(StepMeasured{1, -1, 0, 0, 0, 0})), Protocol);
}

}  // namespace farfield::test

QTEST_APPLESS_MAIN(farfield::test::TestBrickBytes)
#include "tst_brick_bytes.moc"
