// Page traces: what is written is read, whatever threads wrote it; a pool records what its cursors ask for
// and nothing else; a reader of damaged bytes throws and never believes a number in them.

#include <QTest>

#include <random>
#include <thread>

#include "bench/policies/page_trace_reader.h"
#include "core/base/error.h"
#include "core/paging/cache/cursor.h"
#include "core/paging/cache/page_trace_writer.h"
#include "core/paging/sources/box_source.h"
#include "core/tasks/scheduler.h"
#include "tests/support/file_contents.h"
#include "tests/support/formula_data.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::paging;

namespace {

std::vector<TracedRequest> readAll(const std::filesystem::path& path,
                                   std::vector<PageTraceArray>* arrays = nullptr) {
  PageTraceReader reader(path);
  std::vector<TracedRequest> requests;
  while (const auto request = reader.next()) requests.push_back(*request);
  if (arrays) *arrays = reader.arrays();
  return requests;
}

const std::string kHeader = std::string("FFPTRACE") + std::string("\1\0\0\0\0\0\0\0", 8);
/// An array of 10 pages of 64 bytes, named "q".
const std::string kArray = std::string("\1\0\0\12\100\1q", 7);

}  // namespace

class TestPageTrace : public QObject {
  Q_OBJECT
 private slots:
  void whatIsWrittenIsRead();
  void threadsDoNotMixTheirRequests();
  void aCacheRecordsWhatCursorsAskFor();
  void nothingStaysWithoutCommit();
  void theFormatIsAsDescribed();
  void damageIsNamed_data();
  void damageIsNamed();
  void anyDamageIsSurvived();

 private:
  test::TemporaryFolder m_folder;
};

void TestPageTrace::whatIsWrittenIsRead() {
  const std::vector<PageTraceArray> arrays = {
      {0, 0, 1000, 4096, "xyz"}, {0, 7, std::uint64_t{1} << 40, 8192, "q"}, {1, 0, 1, 65536, ""}};
  std::mt19937_64 random(1);
  std::vector<TracedRequest> written;
  const auto path = m_folder.path() / "round";
  {
    PageTraceWriter writer(path);
    for (const PageTraceArray& array : arrays) writer.addArray(array);
    for (int n = 0; n < 20'000; ++n) {
      const auto array = static_cast<std::uint32_t>(random() % arrays.size());
      written.push_back({array, random() % arrays[array].pages});
      writer.request(written.back().array, written.back().page);
    }
    writer.commit();
  }
  std::vector<PageTraceArray> readArrays;
  QCOMPARE(readAll(path, &readArrays), written);
  QCOMPARE(readArrays, arrays);
}

void TestPageTrace::threadsDoNotMixTheirRequests() {
  const auto path = m_folder.path() / "threads";
  constexpr std::uint64_t kEach = 5'000;
  {
    PageTraceWriter writer(path);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        const std::uint32_t array = writer.addArray({0, 0, kEach, 1, "own"});
        for (std::uint64_t n = 0; n < kEach; ++n) writer.request(array, n);
      });
    threads.clear();
    writer.commit();
  }
  std::vector<std::uint64_t> next(4, 0);
  const auto requests = readAll(path);
  QCOMPARE(requests.size(), std::size_t{4 * kEach});
  for (const TracedRequest& request : requests) QCOMPARE(request.page, next[request.array]++);
}

void TestPageTrace::aCacheRecordsWhatCursorsAskFor() {
  constexpr Index3 kDims{37, 30, 21};
  const auto path = m_folder.path() / "cache";
  CacheCounters counters;
  std::uint64_t slotBytes = 0;
  {
    PageTraceWriter writer(path);
    MemoryAccount account(64 << 20);
    BoxSource source(test::formulaReader(test::formulaDescription(kDims, 1)), account,
                     BoxSourceOptions{PageCut::Even, 8, 0, 1 << 20}, "formula");
    PageCache cache(account, CacheOptions{.frameBytes = 2 << 20, .decoders = 1, .pageTrace = &writer});
    for (std::uint32_t n = 0; n < 3; ++n) cache.addArray(source, n);
    slotBytes = cache.slotBytes(1);
    tasks::SchedulerOptions options;
    options.kind = tasks::SchedulerKind::Serial;
    options.reapers = cache.reapers();
    tasks::TaskGroup group;
    group.name = "look";
    group.count = 1;
    group.run = [&](std::size_t, tasks::TaskContext& context) {
      // Prefetched, so that the first gather finds it: a hit is a request all the same, a prefetch is not.
      const PageKey first = makeKey(1, 0);
      cache.prefetch({&first, 1});
      Cursor cursor(cache, context, GatherMode::Pinned);
      const int q = cursor.bind(1);
      std::array<double, 40> values;
      const GatherTarget target[] = {{q, values.data()}};
      for (const std::int64_t i : {0, 1, 2, 6, 12}) cursor.gather({{i, 0, 0}, {2, 2, 2}}, target);
    };
    tasks::makeScheduler(options)->run(group, {});
    counters = cache.counters();
    writer.commit();
  }
  std::vector<PageTraceArray> arrays;
  // 37 nodes in pages of 8: node 6 and 7 still lie in page 0; nodes 12 and 13 lie in page 1.
  const std::vector<TracedRequest> expected = {{1, 0}, {1, 1}};
  QCOMPARE(readAll(path, &arrays), expected);
  QCOMPARE(counters.requests, std::uint64_t{expected.size()});
  QCOMPARE(arrays.size(), std::size_t{3});
  QCOMPARE(arrays[1].name, std::string("q"));
  QCOMPARE(arrays[1].frameBytes, slotBytes);
}

void TestPageTrace::nothingStaysWithoutCommit() {
  const test::TemporaryFolder folder;
  {
    PageTraceWriter writer(folder.path() / "left");
    writer.request(writer.addArray({0, 0, 9, 1, "q"}), 3);
  }
  QVERIFY(std::filesystem::is_empty(folder.path()));
}

void TestPageTrace::theFormatIsAsDescribed() {
  const auto path = m_folder.path() / "bytes";
  {
    PageTraceWriter writer(path);
    writer.addArray({0, 0, 10, 64, "q"});
    writer.addArray({0, 0, 500, 64, "q"});
    writer.request(0, 3);    // zigzag(3) = 6, same array: 2 + 12
    writer.request(0, 1);    // zigzag(-2) = 3: 2 + 6
    writer.request(1, 100);  // zigzag(100) = 200, changed: 2 + 401 = 403 = 0x193
    writer.commit();
  }
  const std::string second("\1\0\0\364\3\100\1q", 8);  // 500 = 0xf4 0x03
  QCOMPARE(test::fileContents(path), kHeader + kArray + second + std::string("\16\10\223\3\1\0\3", 7));
}

void TestPageTrace::damageIsNamed_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("words");
  const auto row = [](const char* name, const std::string& bytes, const char* words) {
    QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString(words);
  };
  row("empty", "", "is not a page trace");
  row("something else", std::string(64, 'x'), "is not a page trace");
  row("later version", std::string("FFPTRACE\2\0\0\0\0\0\0\0", 16), "version 2");
  row("cut", kHeader + kArray + "\2", "ends in the middle, after 1 requests");
  row("no array", kHeader + "\2", "names array 0 of 0");
  row("page beyond the array", kHeader + kArray + std::string("\52\0\1", 3), "does not have");
  row("negative page", kHeader + kArray + std::string("\4\0\1", 3), "does not have");
  row("array beyond the arrays", kHeader + kArray + std::string("\3\5\0\1", 4), "names array 5 of 1");
  row("number of requests", kHeader + kArray + std::string("\2\0\2", 3), "as many requests");
  row("something behind", kHeader + kArray + std::string("\2\0\1\0", 4), "follow the end");
  row("long name", kHeader + std::string("\1\0\0\12\100\377\377\3", 8), "too long");
  row("large number", kHeader + std::string(9, '\xff') + "\1", "too large");
  row("endless number", kHeader + std::string(40, '\x80'), "too large");
  row("too many pages", kHeader + std::string("\1\0\0\377\377\377\377\377\377\1\100\1q", 13),
      "too many pages");
}

void TestPageTrace::damageIsNamed() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, words);
  const auto path = m_folder.path() / "damaged";
  test::writeFile(path, bytes.toStdString());
  try {
    readAll(path);
    QFAIL("was read");
  } catch (const Error& error) {
    QVERIFY2(QString(error.what()).contains(words), error.what());
    QVERIFY2(QString(error.what()).contains("damaged"), error.what());
  }
}

void TestPageTrace::anyDamageIsSurvived() {
  const auto path = m_folder.path() / "whole";
  {
    PageTraceWriter writer(path);
    std::mt19937_64 random(2);
    for (int n = 0; n < 3; ++n) writer.addArray({0, 0, 300, 4096, "name"});
    for (int n = 0; n < 60; ++n) writer.request(static_cast<std::uint32_t>(random() % 3), random() % 300);
    writer.commit();
  }
  const std::string whole = test::fileContents(path);
  QCOMPARE(readAll(path).size(), std::size_t{60});
  const auto damaged = m_folder.path() / "part";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    test::writeFile(damaged, whole.substr(0, length));
    QVERIFY_THROWS_EXCEPTION(Error, readAll(damaged));
  }
  std::mt19937_64 random(3);
  int refused = 0;
  for (int n = 0; n < 2'000; ++n) {
    std::string bytes = whole;
    for (int flips = static_cast<int>(1 + random() % 3); flips > 0; --flips)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    test::writeFile(damaged, bytes);
    std::vector<PageTraceArray> arrays;
    try {
      for (const TracedRequest& request : readAll(damaged, &arrays))
        QVERIFY(request.array <= bytes.size() && request.page < std::uint64_t{1} << kPageBits);
    } catch (const Error&) {
      ++refused;
    }
  }
  QVERIFY(refused > 0);
}

QTEST_GUILESS_MAIN(TestPageTrace)
#include "tst_page_trace.moc"
