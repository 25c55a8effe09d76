// The queue of a source and the staging memory: order, merging, limits; that nothing starves.

#include <QTest>
#include <algorithm>
#include <deque>
#include <random>

#include "core/base/error.h"
#include "core/paging/bytes/range_queue.h"

namespace farfield::paging {
namespace {

RangeRequest range(std::uint64_t offset, std::uint64_t bytes, void* token = nullptr, bool prefetch = false) {
  return {.offset = offset,
          .bytes = bytes,
          .priority = prefetch ? ReadPriority::Prefetch : ReadPriority::Demand,
          .token = token};
}

bool push(RangeQueue& queue, std::vector<RangeRequest> ranges) {
  RangeList list(ranges.begin(), ranges.end());
  return queue.push(list);
}

}  // namespace

class TestRangeQueue : public QObject {
  Q_OBJECT

 private slots:
  void hurriedPrefetchesGoWithTheDemandReads() {
    MemoryAccount account(1 << 20);
    RangeQueue queue(account, 100'000, {.depth = 4}, "test");
    int sink = 0;
    QVERIFY(push(queue, {range(0, 10, &sink, true), range(100, 10, &sink, true), range(200, 10, &sink)}));
    queue.hurry([](const RangeRequest& each) { return each.offset == 7; });  // not there
    std::vector<std::uint64_t> order;
    queue.hurry([](const RangeRequest& each) { return each.offset == 100; });
    while (RangeRun* const run = queue.tryTake()) {
      order.push_back(run->begin);
      queue.finish(run);
    }
    QCOMPARE(order, (std::vector<std::uint64_t>{200, 100, 0}));
  }

  void landedRunsMakeRoomBeforeTheyAreOver() {
    MemoryAccount account(1 << 20);
    RangeQueue queue(account, 4 * kStagingUnit, {.depth = 1}, "test");
    int sink = 0;
    std::vector<RangeRequest> pages;
    for (std::uint64_t n = 0; n < 5; ++n) pages.push_back(range(n * 100'000, kStagingUnit, &sink));
    QVERIFY(push(queue, pages));
    std::vector<RangeRun*> landed;
    for (int n = 0; n < 4; ++n) {
      RangeRun* const run = queue.tryTake();
      QVERIFY(run);
      QVERIFY(!queue.tryTake());  // one at a time
      queue.landed(run);
      landed.push_back(run);
    }
    QVERIFY(!queue.tryTake());  // the staging memory is full of pages that nobody has taken
    queue.finish(landed[0]);
    RangeRun* const last = queue.tryTake();
    QVERIFY(last);
    // Runs that are over after they landed leave the count alone: still one at a time.
    for (int n = 1; n < 4; ++n) queue.finish(landed[static_cast<std::size_t>(n)]);
    QVERIFY(push(queue, {range(900'000, 10, &sink), range(950'000, 10, &sink)}));
    QVERIFY(!queue.tryTake());
    queue.finish(last);
    QVERIFY(queue.tryTake());
    QVERIFY(!queue.tryTake());
  }

  void arenaIsWholeAgain() {
    MemoryAccount account(1 << 20);
    {
      StagingArena arena(account, 100'000, "test");
      QCOMPARE(arena.bytes(), std::uint64_t{102'400});
      QCOMPARE(account.usedBytes(Purpose::Staging), arena.bytes());
      std::mt19937 random(3);
      std::vector<std::span<std::byte>> out;
      for (int n = 0; n < 20'000; ++n) {
        if (random() % 2 == 0) {
          const std::uint64_t bytes = 1 + random() % 30'000;
          const auto piece = arena.tryTake(bytes);
          if (piece.empty()) continue;
          QCOMPARE(piece.size(), bytes);
          for (const auto& other : out)
            QVERIFY(piece.data() + piece.size() <= other.data() ||
                    other.data() + other.size() <= piece.data());
          piece.front() = piece.back() = std::byte{1};
          out.push_back(piece);
        } else if (!out.empty()) {
          std::swap(out[random() % out.size()], out.back());
          arena.giveBack(out.back());
          out.pop_back();
        }
      }
      for (const auto& piece : out) arena.giveBack(piece);
      QCOMPARE(arena.tryTake(102'400).size(), std::size_t{102'400});
      QVERIFY(arena.tryTake(1).empty());
    }
    QCOMPARE(account.usedBytes(), std::uint64_t{0});
  }

  void arenaRefusesWhatIsNotThere() {
    MemoryAccount account(1 << 20);
    QVERIFY_EXCEPTION_THROWN(StagingArena(account, 2 << 20, "test"), OverBudget);
    QVERIFY_EXCEPTION_THROWN(StagingArena(account, ~0ull, "test"), OverBudget);
    StagingArena arena(account, 8192, "test");
    QVERIFY(arena.tryTake(0).empty());
    QVERIFY(arena.tryTake(8193).empty());
    QVERIFY(arena.tryTake(~0ull).empty());
  }

  void mergesNeighbours() {
    MemoryAccount account(1 << 20);
    RangeQueue queue(account, 400'000, {.depth = 8, .maxMergedBytes = 50'000, .mergeGapBytes = 1000}, "test");
    // Three neighbours with gaps of 0 and 1,000; too far; one behind it overlapping; a duplicate; too large
    // together.
    const std::vector<RangeRequest> pages = {range(1000, 5000),    range(6000, 5000),   range(12'000, 5000),
                                             range(18'001, 5000),  range(20'000, 5000), range(20'000, 5000),
                                             range(25'000, 60'000)};
    QVERIFY(push(queue, pages));
    const std::vector<std::size_t> counts = {3, 3, 1};
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges = {
        {1000, 17'000}, {18'001, 25'000}, {25'000, 85'000}};
    for (std::size_t n = 0; n < counts.size(); ++n) {
      RangeRun* const run = queue.tryTake();
      QVERIFY(run);
      QCOMPARE(run->ranges.size(), counts[n]);
      QCOMPARE(run->begin, ranges[n].first);
      QCOMPARE(run->end, ranges[n].second);
      QCOMPARE(run->staging.size(), run->end - run->begin);
    }
    QVERIFY(!queue.tryTake());
  }

  void mergesLessWhereRoomIsShort() {
    MemoryAccount account(1 << 20);
    RangeQueue queue(account, 8192, {.depth = 8, .maxMergedBytes = 50'000}, "test");
    const std::vector<RangeRequest> pages = {range(0, 8192), range(8192, 8192)};
    QVERIFY(push(queue, pages));
    RangeRun* const run = queue.tryTake();
    QVERIFY(run);
    QCOMPARE(run->ranges.size(), std::size_t{1});
    QVERIFY(!queue.tryTake());  // no room
    queue.finish(run);
    QVERIFY(queue.tryTake());
  }

  void alignsRuns() {
    MemoryAccount account(1 << 20);
    RangeQueue queue(account, 100'000, {.depth = 8, .alignment = 4096}, "test");
    const std::vector<RangeRequest> pages = {range(5000, 100), range(8191, 2)};
    QVERIFY(push(queue, pages));
    QCOMPARE(queue.tryTake()->staging.size(), std::size_t{4096});
    RangeRun* const run = queue.tryTake();
    QCOMPARE(run->staging.size(), std::size_t{8192});
    QCOMPARE(reinterpret_cast<std::uintptr_t>(run->staging.data()) % 4096, std::uintptr_t{0});
  }

  // A read into one huge page is one piece for the disk. Rounding up to begin at one must not cost memory.
  void stagingBeginsAtAHugePage() {
    constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20, kBytes = 3 * kHugePage + kStagingUnit;
    MemoryAccount account(kBytes);
    RangeQueue queue(account, kBytes, {.depth = 8}, "test");
    QCOMPARE(queue.stagingBytes(), kBytes);
    QVERIFY(push(queue, {range(0, kBytes)}));
    RangeRun* const run = queue.tryTake();
    QVERIFY(run);
    QCOMPARE(reinterpret_cast<std::uintptr_t>(run->staging.data()) % kHugePage, std::uintptr_t{0});
    std::fill(run->staging.begin(), run->staging.end(), std::byte{1});  // all of it is there
    queue.finish(run);
  }

  void prefetchComesLast() {
    MemoryAccount account(1 << 20);
    RangeQueue queue(account, 100'000, {.depth = 4}, "test");
    const std::vector<RangeRequest> first = {range(1, 1, nullptr, true), range(2, 1, nullptr, true),
                                             range(3, 1, nullptr, true)};
    QVERIFY(push(queue, first));
    const std::vector<RangeRequest> second = {range(11, 1), range(12, 1)};
    QVERIFY(push(queue, second));
    QCOMPARE(queue.tryTake()->begin, std::uint64_t{11});
    RangeRun* const run = queue.tryTake();
    QCOMPARE(run->begin, std::uint64_t{12});
    QVERIFY(!queue.tryTake());  // half of the depth is kept for demand reads …
    const std::vector<RangeRequest> third = {range(13, 1)};
    QVERIFY(push(queue, third));
    QCOMPARE(queue.tryTake()->begin, std::uint64_t{13});  // … which may use it
    queue.finish(run);
    QVERIFY(!queue.tryTake());
  }

  void prioritiesComeInOrder() {
    MemoryAccount account(1 << 20);
    RangeQueue queue(account, 100'000, {.depth = 8}, "test");
    std::vector<RangeRequest> ranges;
    for (std::uint64_t n = 0; n < 9; ++n) {
      ranges.push_back(range(n, 1));
      ranges.back().priority = static_cast<ReadPriority>(2 - n % 3);
    }
    QVERIFY(push(queue, ranges));
    // 6 was a prefetch, and goes behind 1, 4, 7.
    queue.hurry([](const RangeRequest& each) { return each.offset == 6; }, ReadPriority::Soon);
    const auto fourth = [](const RangeRequest& each) { return each.offset == 4; };
    QCOMPARE(queue.remove(fourth).size(), std::size_t{1});
    QCOMPARE(queue.remove(fourth).size(), std::size_t{0});
    std::vector<std::uint64_t> order;
    while (RangeRun* const run = queue.tryTake()) {
      order.push_back(run->begin);
      queue.finish(run);
    }
    QCOMPARE(order, (std::vector<std::uint64_t>{2, 5, 8, 1, 7, 6, 0, 3}));
  }

  void prefetchGoesAtDepthOne() {
    MemoryAccount account(1 << 20);
    RangeQueue queue(account, 100'000, {.depth = 1}, "test");
    const std::vector<RangeRequest> pages = {range(1, 1, nullptr, true), range(2, 1, nullptr, true)};
    QVERIFY(push(queue, pages));
    RangeRun* const run = queue.tryTake();
    QVERIFY(run);
    QVERIFY(!queue.tryTake());
    queue.finish(run);
    QVERIFY(queue.tryTake());
  }

  void theLargestPageGetsItsTurn() {
    MemoryAccount account(1 << 20);
    RangeQueue queue(account, 65'536, {.depth = 100}, "test");
    std::vector<RangeRequest> pages;
    for (std::uint64_t n = 0; n < 16; ++n) pages.push_back(range(n * 100'000, 4096));
    pages.push_back(range(5'000'000, 65'536));
    for (std::uint64_t n = 0; n < 16; ++n) pages.push_back(range(6'000'000 + n * 100'000, 4096));
    QVERIFY(push(queue, pages));
    std::deque<RangeRun*> runs;
    std::size_t taken = 0;
    while (taken < pages.size()) {
      while (RangeRun* const run = queue.tryTake()) {
        runs.push_back(run);
        ++taken;
      }
      QVERIFY(!runs.empty());
      queue.finish(runs.front());
      runs.pop_front();
    }
  }

  void removesAndCloses() {
    MemoryAccount account(1 << 20);
    RangeQueue queue(account, 65'536, {.depth = 100}, "test");
    int a = 0, b = 0;
    const std::vector<RangeRequest> pages = {range(1, 1, &a), range(2, 1, &b), range(3, 1, &a, true),
                                             range(4, 1, &b, true)};
    QVERIFY(push(queue, pages));
    QCOMPARE(queue.remove([&](const RangeRequest& each) { return each.token == &a; }).size(), std::size_t{2});
    QCOMPARE(queue.remove([&](const RangeRequest& each) { return each.token == &a; }).size(), std::size_t{0});
    QCOMPARE(queue.close().size(), std::size_t{2});
    QVERIFY(!push(queue, pages));
    RangeList failed(pages.begin(), pages.end());
    QVERIFY(!queue.putBack(failed, failed.begin()));
    QVERIFY(!queue.tryTake());
  }
};

}  // namespace farfield::paging

QTEST_APPLESS_MAIN(farfield::paging::TestRangeQueue)
#include "tst_range_queue.moc"
