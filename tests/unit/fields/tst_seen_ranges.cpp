// Some values that are looked at for the ends of sliders: no more of them are read than their limits say, in memory that was claimed.

#include <QTest>

#include <atomic>
#include <memory>
#include <new>

#include "core/fields/ranges/seen_ranges.h"
#include "tests/support/allocated.h"
#include "tests/support/counted_reader.h"

using namespace farfield;
using namespace farfield::fields;
using farfield::test::CountedReader;

namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30;

/// As data are that come in pages from elsewhere.
class InPages final : public ForwardedData {
 public:
  using ForwardedData::ForwardedData;
  const paging::BoxReader* boxReader() const override { return nullptr; }
};

std::unique_ptr<OpenData> opened(const std::shared_ptr<CountedReader>& reader, MemoryAccount& account,
                                 bool inPages) {
  std::unique_ptr<OpenData> data = test::openCounted(reader, account);
  reader->reads = std::make_shared<std::atomic<int>>(0);
  if (inPages) return std::make_unique<InPages>(std::move(data));
  return data;
}

SeenValues seen(const OpenData& data, MemoryAccount& account, const LookLimits& limits = {}) {
  return seenValues(data, availableFunctions(data.description()), account, limits);
}

/// Plenty of time, however busy the machine is.
LookLimits patient() {
  return {.time = std::chrono::minutes(10), .bytes = kPlenty};
}

}  // namespace

class TestSeenRanges : public QObject {
  Q_OBJECT
 private slots:
  void allArraysAreSeen_data() { eachWay(); }
  void allArraysAreSeen();
  void memoryIsClaimed();
  void tooLittleMemoryIsNoRange();
  void failuresAreNoRanges();
  void timeEndsLooking_data() { eachWay(); }
  void timeEndsLooking();
  void bytesEndLooking();
  void nobodyLooksWhoIsToStop_data() { eachWay(); }
  void nobodyLooksWhoIsToStop();

 private:
  static void eachWay() {
    QTest::addColumn<bool>("inPages");
    QTest::newRow("boxes") << false;
    QTest::newRow("pages") << true;
  }
};

void TestSeenRanges::allArraysAreSeen() {
  QFETCH(bool, inPages);
  const auto reader = std::make_shared<CountedReader>(std::vector<std::string>{"a", "pressure", "b"},
                                                      Index3{40, 40, 40}, Index3{10, 10, 10});
  MemoryAccount account(kPlenty);
  const auto data = opened(reader, account, inPages);
  const SeenValues values = seen(*data, account, patient());
  for (const char* const name : {"a", "pressure", "b"}) {
    const auto found = values.ranges.find(name);
    QVERIFY(found != values.ranges.end());
    QVERIFY(found->second.all[0] >= 0 && found->second.all[0] < 200);
    QVERIFY(found->second.all[1] <= 999 && found->second.all[1] > 800);
  }
  QCOMPARE(values.nodes.arrays.size(), std::size_t{3});
  QVERIFY(!values.nodes.values.empty() && values.nodes.values.size() % 3 == 0);
  // Functions that come later are told of at these nodes.
  const auto twice = seenRangeOf(values.nodes, data->description(), "2*pressure");
  QVERIFY(twice && twice->all[1] > 1600);
  QVERIFY(*reader->reads <= 3 * 24);
}

/// However large pages are: they are not copied, and what is held of them was claimed.
void TestSeenRanges::memoryIsClaimed() {
  const Index3 dims{256, 256, 64};  // pages of 8 MiB
  const auto reader =
      std::make_shared<CountedReader>(std::vector<std::string>{"a", "b"}, dims, Index3{256, 256, 32});
  MemoryAccount account(kPlenty);
  const auto data = opened(reader, account, true);
  const std::int64_t before = test::allocatedBytes();
  test::forgetMostAllocated();
  const SeenValues values = seen(*data, account, patient());
  QCOMPARE(values.ranges.size(), std::size_t{2});
  const auto most = static_cast<std::uint64_t>(test::mostAllocated() - before);
  QVERIFY2(most <= account.peakBytes() + (1 << 20),
           qPrintable(QString("%1 bytes, of which %2 were claimed").arg(most).arg(account.peakBytes())));
  QVERIFY(account.usedBytes() < account.peakBytes());
}

void TestSeenRanges::tooLittleMemoryIsNoRange() {
  const auto reader = std::make_shared<CountedReader>(std::vector<std::string>{"a"}, Index3{256, 256, 64},
                                                      Index3{256, 256, 32});
  MemoryAccount account(std::uint64_t{30} << 20);  // for pages and reads on their way, and nothing beside
  const auto data = opened(reader, account, true);
  QVERIFY(seen(*data, account, patient()).ranges.empty());
  QCOMPARE(reader->reads->load(), 0);
}

void TestSeenRanges::failuresAreNoRanges() {
  const auto reader = std::make_shared<CountedReader>(std::vector<std::string>{"a", "b"}, Index3{40, 40, 40},
                                                      Index3{10, 10, 10});
  MemoryAccount account(kPlenty);
  for (const bool inPages : {false, true}) {
    reader->before = nullptr;
    const auto data = opened(reader, account, inPages);
    reader->before = [] { throw std::bad_alloc(); };
    const SeenValues values = seen(*data, account, patient());
    QVERIFY(values.ranges.empty() && values.nodes.values.empty());
  }
}

void TestSeenRanges::timeEndsLooking() {
  QFETCH(bool, inPages);
  const auto reader = std::make_shared<CountedReader>(std::vector<std::string>{"a", "b", "pressure"},
                                                      Index3{40, 40, 40}, Index3{10, 10, 10});
  MemoryAccount account(kPlenty);
  const auto data = opened(reader, account, inPages);
  const SeenValues values = seen(*data, account, {.time = std::chrono::milliseconds(0)});
  QCOMPARE(reader->reads->load(), 1);
  // Of what is shown first something is known all the same.
  QCOMPARE(values.ranges.size(), std::size_t{1});
  QVERIFY(values.ranges.contains("pressure"));
  QCOMPARE(values.nodes.arrays.size(), std::size_t{1});
}

void TestSeenRanges::bytesEndLooking() {
  const auto reader = std::make_shared<CountedReader>(std::vector<std::string>{"a", "b", "pressure", "c"},
                                                      Index3{40, 40, 40}, Index3{10, 10, 10});
  MemoryAccount account(kPlenty);
  const auto data = opened(reader, account, true);
  LookLimits limits = patient();
  limits.bytes = 16 * 4000;  // two arrays, of eight pages each
  const SeenValues values = seen(*data, account, limits);
  QVERIFY(*reader->reads <= 16);
  QCOMPARE(values.ranges.size(), std::size_t{2});
  QVERIFY(values.ranges.contains("pressure") && values.ranges.contains("a"));
  QVERIFY(seenRangeOf(values.nodes, data->description(), "a+pressure"));
  QVERIFY(!seenRangeOf(values.nodes, data->description(), "a+b"));
}

void TestSeenRanges::nobodyLooksWhoIsToStop() {
  QFETCH(bool, inPages);
  const auto reader = std::make_shared<CountedReader>(std::vector<std::string>{"a", "b"}, Index3{40, 40, 40},
                                                      Index3{10, 10, 10});
  MemoryAccount account(kPlenty);
  const auto data = opened(reader, account, inPages);
  std::stop_source stop;
  reader->before = [&] { stop.request_stop(); };
  LookLimits limits = patient();
  limits.stop = stop.get_token();
  QVERIFY(seen(*data, account, limits).ranges.empty());
  QCOMPARE(reader->reads->load(), 1);
}

QTEST_GUILESS_MAIN(TestSeenRanges)
#include "tst_seen_ranges.moc"
