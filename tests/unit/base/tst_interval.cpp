// Ranges of numbers: whatever is computed from numbers in the ranges lies in the range that is computed.

#include <QTest>

#include <random>

#include "core/base/interval.h"

using namespace farfield;

namespace {

class Draw {
 public:
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(m_engine);
  }
  Interval interval() {
    const double a = number(-3, 3), b = number(-3, 3);
    return {std::min(a, b), std::max(a, b)};
  }
  /// The ends themselves now and then.
  double in(const Interval& range) {
    const int way = std::uniform_int_distribution<int>(0, 9)(m_engine);
    return way == 0 ? range.low : way == 1 ? range.high : number(range.low, range.high);
  }

 private:
  std::mt19937_64 m_engine{1};
};

bool allows(const Interval& range, double value) {
  return std::isnan(value) ? range.mayBeNaN : range.holds(value);
}

}  // namespace

class TestInterval : public QObject {
  Q_OBJECT
 private slots:
  void everyOperation();
  void squaresAreNotNegative();
  void whatHasNoValueIsNotForgotten();
};

void TestInterval::everyOperation() {
  using std::sqrt, std::exp, std::log, std::log10, std::sin, std::cos, std::tan, std::asin, std::acos,
      std::atan, std::atan2, std::pow, std::abs;
  Draw draw;
  for (int round = 0; round < 20'000; ++round) {
    const Interval a = draw.interval(), b = draw.interval();
    const auto compute = [](const auto& x, const auto& y) {
      return std::array{x + y,   x - y,   x * y,       x / y,     -x,        sqrt(x), abs(x),
                        exp(x),  log(x),  log10(x),    sin(x),    cos(x),    tan(x),  asin(x),
                        acos(x), atan(x), atan2(x, y), pow(x, y), squared(x)};
    };
    const auto ranges = compute(a, b);
    for (int n = 0; n < 5; ++n) {
      const auto values = compute(draw.in(a), draw.in(b));
      for (std::size_t operation = 0; operation < values.size(); ++operation)
        QVERIFY2(allows(ranges[operation], values[operation]), qPrintable(QString::number(operation)));
    }
    QVERIFY(allows(min(a, b), std::min(draw.in(a), draw.in(b))));
    QVERIFY(allows(max(a, b), std::max(draw.in(a), draw.in(b))));
  }
}

void TestInterval::squaresAreNotNegative() {
  QCOMPARE(squared(Interval{-2, 3}), (Interval{0, 9}));
  QCOMPARE(squared(Interval{-3, -2}), (Interval{4, 9}));
  QCOMPARE(abs(Interval{-2, 1}), (Interval{0, 2}));
}

void TestInterval::whatHasNoValueIsNotForgotten() {
  const Interval root = sqrt(Interval{-1, 4});
  QVERIFY(root.mayBeNaN);
  QCOMPARE(root.high, 2);
  // The lesser of NaN and 5 may be 5.
  QVERIFY(min(root, Interval(5)).holds(5));
  QVERIFY(sqrt(Interval{-2, -1}).empty());
  QVERIFY((Interval(1) / Interval{-1, 1}).holds(1e300));
  QVERIFY(Interval::any().holds(0) && Interval::any().mayBeNaN);
}

QTEST_GUILESS_MAIN(TestInterval)
#include "tst_interval.moc"
