// How many demands may start: few on a fast device, as many as it serves at a time on a slow one.

#include <QtTest>

#include "core/paging/cache/start_limit.h"

using farfield::paging::StartLimit;

class TstStartLimit : public QObject {
  Q_OBJECT

 private slots:
  void startsWithTwoForEachProcessor() { QCOMPARE(StartLimit(2).most(), 4u); }

  /// The pages of all demands that have started come together, `latency` after they were asked for; each task then
  /// computes for `work` and comes back.
  void bursts_data() {
    QTest::addColumn<qint64>("latency");
    QTest::addColumn<bool>("grows");
    QTest::newRow("a disk of 5 ms") << qint64{5'000'000} << true;
    QTest::newRow("a link of 50 ms") << qint64{50'000'000} << true;
    QTest::newRow("a fast disk") << qint64{100'000} << false;
  }
  void bursts() {
    QFETCH(qint64, latency);
    QFETCH(bool, grows);
    constexpr qint64 work = 50'000;
    StartLimit limit(2);
    qint64 now = 0;
    for (int burst = 0; burst < 100; ++burst) {
      now += latency;
      const std::uint64_t ready = limit.most();
      limit.becameReadyAlone(now, latency);
      for (std::uint64_t left = ready; left-- > 0;) {
        limit.resumed(now, left);
        limit.taskSeen(now += work / 2);
      }
    }
    if (grows)
      QVERIFY2(limit.most() >= 16, qPrintable(QString::number(limit.most())));
    else
      QVERIFY2(limit.most() <= 8, qPrintable(QString::number(limit.most())));
  }

  void fallsWhereTasksAreAlwaysReady() {
    StartLimit limit(2);
    for (int i = 0; i < 100; ++i) limit.becameReadyAlone(1000 * i, 100'000);
    QCOMPARE(limit.most(), 104u);
    for (int i = 0; i < 1000; ++i) limit.resumed(100'000 + 1000 * i, 8);
    QCOMPARE(limit.most(), 4u);
  }

  /// However often nobody is ready: beyond what is read at a time anyway more demands only cost order.
  void staysLowOnSlowDevices() {
    StartLimit disk(2), link(2);
    for (int i = 0; i < 1000; ++i) disk.becameReadyAlone(1000 * i, 5'000'000);
    QCOMPARE(disk.most(), 24u);
    for (int i = 0; i < 1000; ++i) link.becameReadyAlone(1000 * i, 50'000'000);
    QCOMPARE(link.most(), 240u);
  }

  /// Where a device that was slow answers from memory, the order matters again.
  void fallsWhenADeviceBecomesFast() {
    StartLimit limit(2);
    qint64 now = 0;
    for (int i = 0; i < 20; ++i) limit.becameReadyAlone(now += 5'000'000, 5'000'000);
    QCOMPARE(limit.most(), 24u);
    for (int i = 0; i < 200; ++i) limit.resumed(now += 50'000, 8);
    QCOMPARE(limit.most(), 4u);
  }
};

QTEST_APPLESS_MAIN(TstStartLimit)
#include "tst_start_limit.moc"
