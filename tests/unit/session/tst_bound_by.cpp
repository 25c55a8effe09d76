// What a run was bound by: measures made up so that the answer is plain.

#include <QTest>

#include "core/session/results/bound_by.h"

using namespace farfield::session;

Q_DECLARE_METATYPE(RunMeasures)

class TestBoundBy : public QObject {
  Q_OBJECT
 private slots:
  void judged_data();
  void judged();
};

void TestBoundBy::judged_data() {
  QTest::addColumn<RunMeasures>("run");
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("says");
  RunMeasures run{.wallSeconds = 10,
                  .cpuSeconds = 19,
                  .decodeSeconds = 2,
                  .readSeconds = 1,
                  .pagesRead = 1000,
                  .distinctPages = 990,
                  .evictions = 900,
                  .bytesRead = 1 << 30,
                  .longestMissChain = 20,
                  .budgetBytes = 100 << 20,
                  .processors = 2,
                  .readers = 16};
  QTest::newRow("busy") << run << "compute"
                        << "95 %";
  run.decodeSeconds = 15;
  QTest::newRow("busy decoding") << run << "decode"
                                 << "79 %";
  run.distinctPages = 200;
  QTest::newRow("busy decoding the same again") << run << "budget"
                                                << "80 % of the pages";
  run.decodeSeconds = 2;
  QTest::newRow("busy, reading again without harm") << run << "compute"
                                                    << "95 %";
  run.cpuSeconds = 5;
  QTest::newRow("waiting for the same again") << run << "budget"
                                              << "100.0 MiB";
  run.evictions = 0;
  QTest::newRow("the same again, with room for all") << run << "compute"
                                                     << "25 % of the time";
  run.evictions = 900;
  run.distinctPages = 990;
  run.readSeconds = 140;
  run.longestMissChain = 10;
  QTest::newRow("many on their way") << run << "disk"
                                     << "14 of 16 reads";
  run.remoteBytes = 1 << 28;
  QTest::newRow("many on their way, a quarter of them far") << run << "disk"
                                                            << "14 of 16 reads";
  run.remoteBytes = (1 << 30) - (1 << 28);
  QTest::newRow("many on their way from far") << run << "link"
                                              << "14 pages were on their way from other machines";
  run.remoteBytes = 0;
  run.longestMissChain = 60;
  QTest::newRow("one after the other") << run << "latency"
                                       << "60 times in a row";
  run.longestMissChain = 10;
  run.readSeconds = 20;
  QTest::newRow("few on their way") << run << "latency"
                                    << "only 2 reads";
  run.tasksAsked = 128;
  run.tasksAllowed = 6;
  QTest::newRow("few on their way, for want of memory") << run << "latency"
                                                        << "allows 6 tasks at a time";
  run.readSeconds = 2;
  QTest::newRow("nothing on its way, not busy") << run << "compute"
                                                << "25 % of the time";
  run.pagesRead = run.distinctPages = 0;
  QTest::newRow("all in memory, not busy") << run << "nothing"
                                           << "nothing was read";
  QTest::newRow("no time at all") << RunMeasures{} << "nothing"
                                  << "too short";
}

void TestBoundBy::judged() {
  QFETCH(RunMeasures, run);
  QFETCH(QString, what);
  QFETCH(QString, says);
  const BoundBy bound = judge(run);
  QCOMPARE(QString::fromStdString(bound.what), what);
  const QString sentence = QString::fromStdString(bound.sentence);
  QVERIFY2(sentence.contains(says), bound.sentence.c_str());
  QVERIFY(sentence.endsWith('.') && !sentence.contains('\n'));
}

QTEST_APPLESS_MAIN(TestBoundBy)
#include "tst_bound_by.moc"
