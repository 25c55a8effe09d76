// Counting different values: near enough at every size, and repeats change nothing.

#include <QTest>

#include <cmath>

#include "core/paging/cache/distinct_count.h"

using namespace farfield::paging;

class TestDistinctCount : public QObject {
  Q_OBJECT
 private slots:
  void nearEnoughAtEverySize() {
    DistinctCount count;
    QCOMPARE(count.estimate(), std::uint64_t{0});
    std::uint64_t added = 0;
    for (const std::uint64_t size : {1u, 10u, 1000u, 9000u, 20'000u, 300'000u, 2'000'000u}) {
      for (; added < size; ++added) count.add(added << 3 | (added % 5) << 40);
      const double error = static_cast<double>(count.estimate()) / static_cast<double>(size) - 1;
      QVERIFY2(std::abs(error) < 0.06, qPrintable(QString("%1 at %2").arg(error).arg(size)));
    }
  }
  void repeatsChangeNothing() {
    DistinctCount once, often;
    for (std::uint64_t n = 0; n < 5000; ++n) once.add(n);
    for (int round = 0; round < 20; ++round)
      for (std::uint64_t n = 0; n < 5000; ++n) often.add(n);
    QCOMPARE(often.estimate(), once.estimate());
  }
};

QTEST_APPLESS_MAIN(TestDistinctCount)
#include "tst_distinct_count.moc"
