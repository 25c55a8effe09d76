// The statistics document: every key that its readers rely on.

#include <QTest>

#include <ctime>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/session/results/stats.h"

using namespace farfield::session;

class TestStats : public QObject {
  Q_OBJECT
 private slots:
  void document();
  void process();
};

void TestStats::document() {
  RunStats stats;
  stats.wallSeconds = 1.5;
  stats.boundBy = {"disk", "Bound by the disk."};
  stats.paging.evictions = 7;
  stats.paging.bytesRead = std::uint64_t{1} << 40;
  stats.objects = {{"lines", "streamlines", 4, 90, 0.25, {{"max-length", 3}, {"out-of-domain", 1}}},
                   {"wall", "grid-surface", 8, 9, 0.5, {}}};
  const auto json = nlohmann::json::parse(toJson(stats));
  for (const char* key :
       {"wallSeconds", "cpuSeconds", "peakRssBytes", "boundBy", "boundByText", "paging", "objects"})
    QVERIFY2(json.contains(key), key);
  for (const char* key : {"budgetBytes", "peakBytes", "requests", "hits", "misses", "reads", "bytesRead",
                          "prefetches", "prefetchesUsed", "evictions", "longestMissChain"})
    QVERIFY2(json["paging"][key].is_number_unsigned(), key);
  QCOMPARE(json["paging"]["bytesRead"].get<std::uint64_t>(), std::uint64_t{1} << 40);
  QCOMPARE(json["objects"].size(), 2u);
  QCOMPARE(json["objects"][0]["terminations"]["max-length"].get<int>(), 3);
  QCOMPARE(json["objects"][0]["points"].get<int>(), 90);
  QVERIFY(json["objects"][1]["terminations"].is_object());
  QVERIFY(json["objects"][0]["cpuSeconds"].is_number());
  QVERIFY(json["objects"][0]["mostTasksInFlight"].is_number_unsigned());
}

void TestStats::process() {
  // More memory than this process has touched before, and some work.
  RunStats before;
  measureProcess(before);
  const std::size_t size = before.peakRssBytes + (std::size_t{16} << 20);
  std::vector<char> memory(size);
  for (std::size_t n = 0; n < size; n += 1024) memory[n] = static_cast<char>(n);
  const std::clock_t start = std::clock();
  while (std::clock() - start < CLOCKS_PER_SEC / 50) memory[0] ^= memory[size / 2];
  RunStats after;
  measureProcess(after);
  QVERIFY(after.peakRssBytes > size);
  QVERIFY(after.cpuSeconds - before.cpuSeconds >= 0.019);
  QVERIFY(after.cpuSeconds <= static_cast<double>(std::clock()) / CLOCKS_PER_SEC + 0.001);
}

QTEST_APPLESS_MAIN(TestStats)
#include "tst_stats.moc"
