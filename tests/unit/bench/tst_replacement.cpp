// Replacement policies on sequences whose hits were counted by hand, the optimum against an exhaustive search
// and against all others, and where requests come from: recorded files and slices.

#include <QTest>

#include <algorithm>
#include <random>
#include <set>

#include "bench/policies/replacement.h"
#include "bench/policies/slice_requests.h"
#include "bench/policies/trace_file.h"
#include "core/base/error.h"
#include "core/paging/cache/page_trace_writer.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::bench;

namespace {

ReplayTrace traceOf(std::vector<PageId> requests, std::uint64_t pageBytes = 1) {
  ReplayTrace trace;
  trace.pageBytes.assign(requests.empty() ? 0 : *std::max_element(requests.begin(), requests.end()) + 1,
                         pageBytes);
  trace.requests = std::move(requests);
  return trace;
}

ReplayResult run(const char* policy, const ReplayTrace& trace, std::uint64_t capacity) {
  return replay(trace, capacity, *makeReplacement(policy, trace, capacity));
}

/// The most hits that any choice of victims gives, by trying all of them.
int mostHits(const std::vector<PageId>& requests, std::size_t at, std::set<PageId> there,
             std::size_t frames) {
  if (at == requests.size()) return 0;
  const PageId page = requests[at];
  if (there.contains(page)) return 1 + mostHits(requests, at + 1, std::move(there), frames);
  if (there.size() < frames) {
    there.insert(page);
    return mostHits(requests, at + 1, std::move(there), frames);
  }
  int best = 0;
  for (const PageId victim : std::set<PageId>(there)) {
    std::set<PageId> next = there;
    next.erase(victim);
    next.insert(page);
    best = std::max(best, mostHits(requests, at + 1, std::move(next), frames));
  }
  return best;
}

}  // namespace

class TestReplacement : public QObject {
  Q_OBJECT
 private slots:
  void countedByHand_data();
  void countedByHand();
  void optimumIsTheBestThereIs();
  void noneBeatsTheOptimum();
  void allHitWhatFits_data();
  void allHitWhatFits();
  void framesOfSeveralSizesStayWithinTheCapacity();
  void pagesLargerThanTheCapacity();
  void recordedRequests();
  void slices();
  void unknownName();
};

void TestReplacement::countedByHand_data() {
  QTest::addColumn<QString>("policy");
  QTest::addColumn<QList<int>>("requests");
  QTest::addColumn<int>("frames");
  QTest::addColumn<int>("hits");
  const auto row = [](const char* policy, const char* sequence, const QList<int>& requests, int frames,
                      int hits) {
    QTest::addRow("%s, %s", policy, sequence) << QString(policy) << requests << frames << hits;
  };
  // Belady's sequence for his anomaly, three frames.
  const QList<int> belady = {1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5};
  row("lru", "belady", belady, 3, 2);
  row("optimum", "belady", belady, 3, 5);
  // [1' 2' 3'] 4: all cleared, 1 goes; 1: 2 goes; 2: 3 goes; 5: all cleared, 4 goes; hits 1, 2; 3: all
  // cleared, 1 goes; 4: 2 goes; hit 5.
  row("clock", "belady", belady, 3, 3);
  // Page 1 is used three times and counts 3. 4: the hand passes 1 (to 2), 2 and 3 (to 0), 1 again (to 1) and
  // takes 2; page 1 is hit; 5: it takes 3. A single bit loses page 1 to page 4.
  const QList<int> often = {1, 1, 1, 2, 3, 4, 1, 5, 6};
  row("counted-clock", "often used", often, 3, 3);
  row("clock", "often used", often, 3, 2);
  // 1 is marked; 4 takes 2, then the hand goes on: 2 takes 3, 5 takes 4; 1 is hit again.
  const QList<int> sieve = {1, 2, 3, 1, 4, 2, 5, 1};
  row("sieve", "hand moves on", sieve, 3, 2);
  row("lru", "hand moves on", sieve, 3, 1);
  // Ten frames, one of them the small queue's. 0 is hit twice and goes to the main queue when 10 comes in; 1
  // and 2 go, come back soon and enter the main queue; a scan of forty pages leaves all three there.
  QList<int> scan = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 10, 1, 0, 2, 1};
  for (int page = 20; page < 60; ++page) scan << page;
  scan << 0 << 1 << 2;
  row("s3-fifo", "scan", scan, 10, 7);
  row("lru", "scan", scan, 10, 4);
  // Without a first use on arrival a page that is not hit goes when the hand comes by: 0 is hit once per
  // round.
  const QList<int> once = {0, 1, 0, 2, 0, 3, 0, 4, 0};
  row("counted-clock-0", "one page again and again", once, 2, 4);
}

void TestReplacement::countedByHand() {
  QFETCH(QString, policy);
  QFETCH(QList<int>, requests);
  QFETCH(int, frames);
  QFETCH(int, hits);
  const ReplayTrace trace = traceOf({requests.begin(), requests.end()});
  const ReplayResult result = run(policy.toStdString().c_str(), trace, static_cast<std::uint64_t>(frames));
  QCOMPARE(result.requests, static_cast<std::uint64_t>(requests.size()));
  QCOMPARE(result.hits, static_cast<std::uint64_t>(hits));
}

void TestReplacement::optimumIsTheBestThereIs() {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<PageId> requests(12);
    for (PageId& page : requests) page = random() % 5;
    const std::size_t frames = 1 + random() % 4;
    QCOMPARE(run("optimum", traceOf(requests), frames).hits,
             static_cast<std::uint64_t>(mostHits(requests, 0, {}, frames)));
  }
}

void TestReplacement::noneBeatsTheOptimum() {
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    // Walks, scans and jumps, so that policies differ.
    std::vector<PageId> requests;
    PageId at = 0;
    for (int n = 0; n < 3'000; ++n) {
      const auto kind = random() % 100;
      at = kind < 60 ? (at + random() % 3) % 200 : kind < 95 ? (at + 1) % 200 : random() % 200;
      requests.push_back(kind % 7 == 0 ? random() % 10 : at);
    }
    const ReplayTrace trace = traceOf(std::move(requests), 4096);
    for (const std::uint64_t frames : {1, 2, 10, 40, 120}) {
      const std::uint64_t most = run("optimum", trace, frames * 4096).hits;
      for (const char* name : replacementNames()) {
        const ReplayResult result = run(name, trace, frames * 4096);
        QVERIFY2(result.hits <= most, name);
        QCOMPARE(result.bytesRead, (result.requests - result.hits) * 4096);
      }
    }
  }
}

void TestReplacement::allHitWhatFits_data() {
  QTest::addColumn<QString>("policy");
  for (const char* name : replacementNames()) QTest::newRow(name) << QString(name);
}

void TestReplacement::allHitWhatFits() {
  QFETCH(QString, policy);
  std::mt19937 random(3);
  std::vector<PageId> requests;
  for (PageId page = 0; page < 100; ++page) requests.push_back(page);
  for (int n = 0; n < 1'000; ++n) requests.push_back(random() % 100);
  const ReplayTrace trace = traceOf(std::move(requests));
  const ReplayResult result = run(policy.toStdString().c_str(), trace, 100);
  QCOMPARE(result.hits, std::uint64_t{1'000});
  QCOMPARE(result.evictions, std::uint64_t{0});
}

void TestReplacement::framesOfSeveralSizesStayWithinTheCapacity() {
  std::mt19937 random(4);
  ReplayTrace trace;
  for (int page = 0; page < 300; ++page) trace.pageBytes.push_back(1 + random() % 5);
  for (int n = 0; n < 5'000; ++n) trace.requests.push_back(random() % 300);
  for (const char* name : replacementNames()) {
    // A page that is evicted twice without having come in between, or stays, would break these sums.
    const ReplayResult result = run(name, trace, 200);
    QVERIFY2(result.hits > 0 && result.evictions > 0, name);
    const std::uint64_t fills = result.requests - result.hits;
    QVERIFY2(fills - result.evictions >= 200 / 5 - 1 && fills - result.evictions <= 200, name);
  }
}

void TestReplacement::pagesLargerThanTheCapacity() {
  ReplayTrace trace = traceOf({0, 1, 0, 1});
  trace.pageBytes = {1, 50};
  for (const char* name : replacementNames()) {
    const ReplayResult result = run(name, trace, 10);
    QCOMPARE(result.hits, std::uint64_t{1});
    QCOMPARE(result.bytesRead, std::uint64_t{101});
  }
}

void TestReplacement::recordedRequests() {
  const test::TemporaryFolder folder;
  {
    paging::PageTraceWriter writer(folder / "trace");
    writer.addArray({0, 0, 100, 4096, "xyz"});
    writer.addArray({0, 0, 100, 8192, "q"});
    for (const auto& [array, page] :
         std::vector<std::pair<std::uint32_t, std::uint64_t>>{{0, 7}, {1, 7}, {0, 7}, {0, 8}, {1, 7}})
      writer.request(array, page);
    writer.commit();
  }
  const ReplayTrace trace = loadTrace(folder / "trace");
  QCOMPARE(trace.name, std::string("trace"));
  QCOMPARE(trace.requests, (std::vector<PageId>{0, 1, 0, 2, 1}));
  QCOMPARE(trace.pageBytes, (std::vector<std::uint64_t>{4096, 8192, 4096}));
  QCOMPARE(trace.distinctBytes(), std::uint64_t{16384});
}

void TestReplacement::slices() {
  const SliceBlock block{{32, 32, 32}, 16, {12, 20}};
  // k = 3 cuts the four lower pages; k = 15.5 lies in the cells that the lower pages serve; a corner is cut
  // off one page.
  QCOMPARE(sliceTrace("", block, {{{0, 0, 1}, 3}}).requests, (std::vector<PageId>{0, 1, 2, 3, 4, 5, 6, 7}));
  QCOMPARE(sliceTrace("", block, {{{0, 0, 1}, 15.5}}).pageBytes.size(), std::size_t{8});
  QCOMPARE(sliceTrace("", block, {{{1, 1, 1}, 2}}).requests, (std::vector<PageId>{0, 1}));
  QCOMPARE(sliceTrace("", block, {{{1, 1, 1}, 2}, {{1, 1, 1}, 3}}).requests,
           (std::vector<PageId>{0, 1, 0, 1}));
  const auto planes = scrub(block, {0, 0, 1}, 31, 2);
  QCOMPARE(planes.size(), std::size_t{62});
  QCOMPARE(planes.front().offset, 0.5);
  QCOMPARE(planes[30].offset, 30.5);
  QCOMPARE(planes.back().offset, 0.5);
  const ReplayTrace trace = sliceTrace("", block, planes);
  QCOMPARE(trace.requests.size(), std::size_t{62 * 8});
  QCOMPARE(trace.pageBytes.size(), std::size_t{16});
}

void TestReplacement::unknownName() {
  const ReplayTrace trace = traceOf({0});
  QVERIFY_THROWS_EXCEPTION(Invalid, makeReplacement("fifo", trace, 1));
}

QTEST_GUILESS_MAIN(TestReplacement)
#include "tst_replacement.moc"
