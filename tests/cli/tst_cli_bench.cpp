// farfield bench: every benchmark runs at its smallest and says what it promises to say. Times are never
// looked at, beyond being there.

#include <QDir>
#include <QTest>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/paging/cache/page_trace_writer.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using farfield::test::Outcome;
using farfield::test::runFarfield;

class TestCliBench : public QObject {
  Q_OBJECT
 private slots:
  void listsWithoutAName();
  void wrongUsage_data();
  void wrongUsage();
  void writesToAFile();
  void smallest_data();
  void smallest();
  void recordedTraces();
};

void TestCliBench::listsWithoutAName() {
  const Outcome list = runFarfield({"bench"});
  QCOMPARE(list.status, 0);
  for (const char* name : {"hits", "resident", "misses", "tasks", "budgets", "pages", "disk", "nas",
                           "convert", "streamlines", "paths", "isosurface", "planes", "policies"})
    QVERIFY2(list.out.contains(name), name);
}

void TestCliBench::wrongUsage_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<int>("status");
  QTest::addColumn<QString>("part");
  QTest::newRow("no such benchmark") << QStringList{"frob"} << 1
                                     << "'frob' is not a benchmark; choose from all, hits";
  QTest::newRow("one of two is none") << QStringList{"hits", "frob"} << 1 << "'frob' is not a benchmark";
  QTest::newRow("no such extent") << QStringList{"hits", "--extent", "huge"} << 2 << "--extent";
  QTest::newRow("two extents") << QStringList{"hits", "--quick", "--full"} << 2 << "exclude each other";
  QTest::newRow("no memory") << QStringList{"hits", "--extent", "tiny", "--memory", "10K"} << 1 << "--memory";
}

void TestCliBench::wrongUsage() {
  QFETCH(QStringList, arguments);
  QFETCH(int, status);
  QFETCH(QString, part);
  const Outcome outcome = runFarfield(QStringList{"bench"} + arguments);
  QCOMPARE(outcome.status, status);
  QVERIFY2(outcome.errors.contains(part.toUtf8()), outcome.errors.constData());
  QVERIFY(outcome.out.isEmpty());
}

void TestCliBench::writesToAFile() {
  const farfield::test::TemporaryFolder folder;
  const QString path = QString::fromStdString((folder / "out.json").string());
  const Outcome outcome = runFarfield({"bench", "hits", "--extent", "tiny", "-o", path, "--quiet"});
  QCOMPARE(outcome.status, 0);
  QVERIFY(outcome.out.isEmpty());
  QVERIFY(outcome.errors.isEmpty());
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(QJsonDocument::fromJson(file.readAll()).object()["benchmarks"].toObject().contains("hits"));
}

void TestCliBench::smallest_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QStringList>("keys");    // of every row
  QTest::addColumn<QStringList>("truths");  // of these the value must be true
  QTest::newRow("hits") << "hits"
                        << QStringList{"pattern",        "threads",         "components",     "pageEdge",
                                       "cursorNs",       "plainArrayNs",    "brickedArrayNs", "ratioToPlain",
                                       "ratioToBricked", "ordinaryArrayNs", "ratioToOrdinary"}
                        << QStringList{"equalSums"};
  QTest::newRow("pages") << "pages"
                         << QStringList{"data",   "job",         "pageEdge",    "codec",     "storedBytes",
                                        "device", "budgetBytes", "wallSeconds", "bytesRead", "reads"}
                         << QStringList{"bitIdentical"};
  QTest::newRow("resident") << "resident" << QStringList{"case",     "processors",      "lines",
                                                         "vertices", "pagesCpuSeconds", "arraysCpuSeconds",
                                                         "cpuRatio", "wallRatio"}
                            << QStringList{"bitIdentical"};
  QTest::newRow("budgets") << "budgets" << QStringList{"latencyMs", "budgetBytes", "reads",
                                                       "bytesRead", "wallSeconds", "cpuSeconds"}
                           << QStringList{};
  QTest::newRow("misses") << "misses"
                          << QStringList{"scheduler",  "workers",   "readers",          "pageEdge",
                                         "codec",      "latencyMs", "prefetch",         "wallSeconds",
                                         "cpuSeconds", "reads",     "longestMissChain", "boundSeconds",
                                         "boundBy",    "ratio",     "ratioLessStolen",  "turns"}
                          << QStringList{"bitIdentical"};
#ifdef FARFIELD_VOLUME
  QTest::newRow("volume") << "volume"
                          << QStringList{"look",
                                         "secondsToFirstPicture",
                                         "secondsToFinalPicture",
                                         "framesPerSecond",
                                         "samplesPerSecond",
                                         "bytesOfBandwidth",
                                         "brickHits",
                                         "budgetPeakBytes"}
                          << QStringList{};
  QTest::newRow("slabs") << "slabs" << QStringList{"loadSeconds",       "renderSeconds", "serialSeconds",
                                                   "overlappedSeconds", "modelSeconds",  "overlappedOfModel",
                                                   "budgetPeakBytes"}
                         << QStringList{"equalSums"};
  QTest::newRow("slab-ranks") << "slab-ranks"
                              << QStringList{"ranks",         "bytesPerSecond",    "loadSeconds",
                                             "renderSeconds", "serialSeconds",     "overlappedSeconds",
                                             "modelSeconds",  "overlappedOfModel", "budgetPeakBytes"}
                              << QStringList{"equalSums"};
  QTest::newRow("slab-bytes") << "slab-bytes" << QStringList{"nodes", "bytes", "bytesPerPixel", "dataBytes"}
                              << QStringList{};
  QTest::newRow("slab-viewer")
      << "slab-viewer" << QStringList{"link",          "bytesOfStep",         "cpuSecondsOfStep",
                                      "stepSeconds",   "framesPerSecondIdle", "framesPerSecondArriving",
                                      "arrivingOfIdle"}
      << QStringList{};
#endif
#ifdef FARFIELD_OPENCL
  QTest::newRow("particles") << "particles" << QStringList{"case", "lines", "vertices", "engine"}
                             << QStringList{};
#endif
  QTest::newRow("tasks") << "tasks"
                         << QStringList{"tasksWanted", "mostTasksInFlight", "wallSeconds",    "limitSeconds",
                                        "ratio",       "budgetBytes",       "budgetPeakBytes"}
                         << QStringList{"withinBudget", "bitIdentical"};
  QTest::newRow("disk") << "disk"
                        << QStringList{"pageBytes",
                                       "depth",
                                       "direct",
                                       "reads",
                                       "pagesPerSecond",
                                       "rawUringPerSecond",
                                       "rawThreadsPerSecond",
                                       "rawOrdinaryMemoryPerSecond",
                                       "rawKeptPerSecond",
                                       "stolenShare",
                                       "limitPerSecond",
                                       "shareOfLimit"}
                        << QStringList{"rightValues"};
  QTest::newRow("nas")
      << "nas" << QStringList{"case",         "device",      "scheduler",         "processors", "workers",
                              "readers",      "wallSeconds", "cpuSeconds",        "reads",      "bytesRead",
                              "boundSeconds", "ratio",       "savedAgainstSerial"}
      << QStringList{"bitIdentical"};
  QTest::newRow("convert") << "convert"
                           << QStringList{"sample",      "diskReadMBps", "diskWriteMBps", "codecMBps",
                                          "convertMBps", "limitMBps",    "shareOfLimit",  "budgetPeakBytes"}
                           << QStringList{};
  QTest::newRow("streamlines")
      << "streamlines"
      << QStringList{"case",     "method",           "setting",     "vertices", "cpuSeconds",
                     "cpuRatio", "arraysCpuSeconds", "medianError", "p90Error", "gridMedianError"}
      << QStringList{};
  QTest::newRow("remote") << "remote" << QStringList{"link",
                                                     "way",
                                                     "operations",
                                                     "pageBytes",
                                                     "operationsPerSecond",
                                                     "mbPerSecond",
                                                     "streamMbPerSecond",
                                                     "shareOfStream"}
                          << QStringList{"rightPages"};
  QTest::newRow("planes") << "planes" << QStringList{"pages",
                                                     "decodedBytes",
                                                     "readingCpuSeconds",
                                                     "readingWallSeconds",
                                                     "openingCpuSeconds",
                                                     "copySeconds",
                                                     "cpuOverCopy"}
                          << QStringList{"equalSums"};
  QTest::newRow("policies") << "policies"
                            << QStringList{"trace",         "requests",      "pages",    "bytes",
                                           "capacityShare", "capacityBytes", "hitRatio", "readOverOptimum"}
                            << QStringList{};
}

void TestCliBench::smallest() {
  QFETCH(QString, name);
  QFETCH(QStringList, keys);
  QFETCH(QStringList, truths);
  const farfield::test::TemporaryFolder folder;
  const QString work = QString::fromStdString(folder.path().string());
  const Outcome outcome =
      runFarfield({"bench", name, "--extent", "tiny", "--memory", "256M", "--folder", work});
  QVERIFY2(outcome.status == 0, outcome.errors.constData());
  QVERIFY(!outcome.errors.isEmpty());
  const QJsonObject all = QJsonDocument::fromJson(outcome.out).object();
  QVERIFY(all["machine"].toObject()["processors"].toInt() > 0);
  QCOMPARE(all["extent"].toString(), "tiny");
  const QJsonObject result = all["benchmarks"].toObject()[name].toObject();
  const QJsonArray rows = result["results"].toArray();
  QVERIFY(!rows.isEmpty());
  for (const QJsonValue& row : rows) {
    for (const QString& key : keys) QVERIFY2(row.toObject().contains(key), qPrintable(key));
    for (const QString& key : truths) QVERIFY2(row.toObject()[key].toBool(), qPrintable(key));
  }
  QVERIFY2(QDir(work).isEmpty(), "files are left behind");
}

void TestCliBench::recordedTraces() {
  const farfield::test::TemporaryFolder folder;
  const QString trace = QString::fromStdString((folder / "pages").string());
  {
    farfield::paging::PageTraceWriter writer(trace.toStdString());
    writer.addArray({0, 0, 100, 4096, "q"});
    for (int round = 0; round < 4; ++round)
      for (std::uint64_t page = 0; page < 100; ++page) writer.request(0, page);
    writer.commit();
  }
  const Outcome outcome = runFarfield({"bench", "policies", trace});
  QVERIFY2(outcome.status == 0, outcome.errors.constData());
  const QJsonObject result =
      QJsonDocument::fromJson(outcome.out).object()["benchmarks"].toObject()["policies"].toObject();
  QVERIFY(result["meanReadOverOptimum"].toObject()["lru"].toDouble() > 1);
  for (const QJsonValue& row : result["results"].toArray()) {
    QCOMPARE(row["trace"].toString(), "pages");
    QCOMPARE(row["requests"].toInt(), 400);
    // A loop over more pages than there are frames never hits with the least recently used going first.
    QCOMPARE(row["hitRatio"]["lru"].toDouble(), 0.0);
    QVERIFY(row["hitRatio"]["optimum"].toDouble() > 0);
  }
  const Outcome missing = runFarfield({"bench", "policies", trace + ".not"});
  QCOMPARE(missing.status, 1);
  QVERIFY2(missing.errors.contains("pages.not"), missing.errors.constData());
}

QTEST_GUILESS_MAIN(TestCliBench)
#include "tst_cli_bench.moc"
