// Batches of pages: the callback comes once with the right nodes, in the order of priorities; withdrawing in every
// state; and what batches leave for tasks.

#include <QTest>

#include <atomic>
#include <cstring>
#include <thread>

#include "bench/devices/scripted_source.h"
#include "core/base/error.h"
#include "core/paging/cache/memory_plan.h"
#include "core/paging/cache/page_batch.h"
#include "core/paging/sources/box_source.h"
#include "core/tasks/scheduler.h"
#include "tests/support/formula_data.h"
#include "tests/support/pages_stay.h"

using namespace farfield;
using namespace farfield::paging;

namespace {

constexpr Index3 kDims{37, 30, 21};

/// A cache of so many frames for pages of array 1, whose pages are all as large, read by hand.
struct Bench {
  explicit Bench(std::uint64_t frames, bool manual = true) : account(64 << 20) {
    auto inner = std::make_unique<BoxSource>(test::formulaReader(test::formulaDescription(kDims, 1)), account,
                                             BoxSourceOptions{PageCut::Even, 8, 0, 1 << 20}, "formula");
    ScriptedOptions script;
    script.manual = manual;
    source = std::make_unique<ScriptedSource>(std::move(inner), account, script);
    const std::uint64_t slot =
        FrameMemory::slotBytes(static_cast<std::uint64_t>(source->description().arrays[1].maxPageBytes()));
    cache = std::make_unique<PageCache>(account, CacheOptions{withBookkeeping(frames * slot), 2});
    for (std::uint32_t n = 0; n < 3; ++n) cache->addArray(*source, n);
  }
  std::uint64_t pins() const { return cache->census().pins; }
  /// Of the requests that wait, by page.
  std::vector<std::pair<std::uint64_t, Priority>> pending() const {
    std::vector<std::pair<std::uint64_t, Priority>> pages;
    for (const PageRequest& request : source->pending()) pages.emplace_back(request.page, request.priority);
    return pages;
  }

  MemoryAccount account;
  std::unique_ptr<ScriptedSource> source;
  std::unique_ptr<PageCache> cache;
};

std::vector<PageKey> keys(std::initializer_list<std::uint64_t> pages) {
  std::vector<PageKey> all;
  for (const std::uint64_t page : pages) all.push_back(makeKey(1, page));
  return all;
}

/// The first node's first value of the page is the formula's.
bool isTrue(const PageBatch& batch, std::size_t page) {
  float found = 0;
  std::memcpy(&found, batch.nodes(page).data(), sizeof found);
  return found == static_cast<float>(test::formulaValue(1, 0, batch.box(page).first, 0));
}

class NoWaker final : public tasks::Waker {
 public:
  void wake() noexcept override { ++wakes; }
  std::atomic<int> wakes{0};
};

}  // namespace

class TestPageBatch : public QObject {
  Q_OBJECT

 private slots:
  void pagesStayUntilTheyAreGivenBack() {
    if (!test::kPagesStay) QSKIP("this build reads pages again each time");
    Bench bench(8);
    int calls = 0;
    PageBatch batch(*bench.cache, keys({3, 4, 3}), [&](PageBatch& its) {
      ++calls;
      its.throwIfFailed();
    });
    QVERIFY(!batch.isDone());
    batch.ask(Priority::Demand);
    QCOMPARE(bench.source->pending().size(), std::size_t{2});
    QVERIFY(bench.source->answer(0));
    QCOMPARE(calls, 0);
    QVERIFY(bench.source->answer(0));
    QCOMPARE(calls, 1);
    QVERIFY(batch.isDone());
    for (std::size_t n = 0; n < batch.size(); ++n) QVERIFY(isTrue(batch, n));
    QCOMPARE(bench.pins(), std::uint64_t{3});
    bench.cache->evictAll();
    QVERIFY(isTrue(batch, 2));
    batch.withdraw();
    QCOMPARE(bench.pins(), std::uint64_t{0});
    batch.ask(Priority::Soon);  // they are there: the callback comes at once
    QCOMPARE(calls, 2);
    QVERIFY(isTrue(batch, 1));
  }

  void withdrawnBatchesAreNotCalled() {
    if (!test::kPagesStay) QSKIP("this build reads pages again each time");
    Bench bench(8);
    int calls = 0;
    PageBatch batch(*bench.cache, keys({1, 2}), [&](PageBatch&) { ++calls; });
    batch.ask(Priority::Demand);
    QVERIFY(bench.source->answer(0));
    batch.withdraw();
    QVERIFY(bench.source->pending().empty());  // nor is page 2 read any more
    QCOMPARE(calls, 0);
    const CacheCensus census = bench.cache->census();
    QCOMPARE(census.pins + census.reading + census.unawaitedReadBytes, std::uint64_t{0});
    batch.withdraw();
    batch.ask(Priority::Demand);
    QCOMPARE(bench.pending().size(), std::size_t{1});
    QCOMPARE(bench.source->answerAll(), std::size_t{1});
    QCOMPARE(calls, 1);
  }

  void aReadThatATaskNeedsGoesOn() {
    Bench bench(8);
    PageBatch batch(*bench.cache, keys({1}), {});
    batch.ask(Priority::Soon);
    NoWaker waker;
    tasks::Gate gate(waker);
    PageWant want(makeKey(1, 1));
    bench.cache->request({&want, 1}, gate);
    QCOMPARE(bench.pending(), (std::vector<std::pair<std::uint64_t, Priority>>{{1, Priority::Demand}}));
    batch.withdraw();
    QCOMPARE(bench.source->answerAll(), std::size_t{1});
    QVERIFY(gate.isOpen());
    bench.cache->resumed();
    bench.cache->unpin(want.frame);
  }

  void prioritiesComeInOrder() {
    Bench bench(8);
    std::vector<int> order;
    const auto made = [&](int number) {
      return std::make_unique<PageBatch>(*bench.cache, keys({static_cast<std::uint64_t>(number)}),
                                         [&order, number](PageBatch& batch) {
                                           order.push_back(number);
                                           batch.withdraw();
                                         });
    };
    // All of the cache's frames are reserved, so that batches wait.
    const std::uint64_t all = bench.cache->frameBytes();
    QVERIFY(bench.cache->tryReserve(all));
    std::vector<std::unique_ptr<PageBatch>> batches;
    for (int n = 0; n < 6; ++n) {
      batches.push_back(made(n));
      batches.back()->ask(static_cast<Priority>(2 - n / 2));
    }
    QVERIFY(bench.pending().empty());
    bench.cache->unreserve(all);
    for (int n = 0; n < 8 && order.size() < 6; ++n) bench.source->answerAll();
    QCOMPARE(order, (std::vector<int>{4, 5, 2, 3, 0, 1}));
  }

  void batchesLeaveWhatIsKeptForTasks() {
    Bench bench(6);
    MemoryAccount account(bench.account.budgetBytes());
    PageCache cache(
        account,
        {.frameBytes = 0, .decoders = 1, .mostFrameBytes = withBookkeeping(6 * bench.cache->slotBytes(1))});
    for (std::uint32_t n = 0; n < 3; ++n) cache.addArray(*bench.source, n);
    cache.raiseFloor(withBookkeeping(2 * cache.slotBytes(1)));
    int failed = 0, there = 0;
    const auto done = [&](PageBatch& batch) {
      try {
        batch.throwIfFailed();
        ++there;
      } catch (const OverBudget&) {
        ++failed;
      }
    };
    PageBatch large(cache, keys({0, 1, 2, 3, 4}), done);
    large.ask(Priority::Demand);
    QCOMPARE(failed, 1);
    PageBatch first(cache, keys({0, 1, 2}), done), second(cache, keys({3, 4}), done);
    first.ask(Priority::Demand);
    second.ask(Priority::Demand);
    bench.source->answerAll();
    QCOMPARE(there, 1);  // the second waits for the first
    NoWaker waker;
    tasks::Gate gate(waker);
    PageWant wants[] = {makeKey(1, 7), makeKey(1, 8)};
    cache.request(wants, gate);
    bench.source->answerAll();
    QVERIFY(gate.isOpen() && wants[0].frame && wants[1].frame);
    cache.giveBack(~std::uint64_t{0} >> 1);  // others want memory: batches and tasks keep theirs
    QVERIFY(isTrue(first, 0));
    cache.resumed();
    for (const PageWant& want : wants) cache.unpin(want.frame);
    first.withdraw();
    bench.source->answerAll();
    QCOMPARE(there, 2);
    second.withdraw();
    large.withdraw();
    cache.lowerFloor(withBookkeeping(2 * cache.slotBytes(1)));
    cache.remove(*bench.source);
  }

  void callbacksMayAskAndWithdraw() {
    Bench bench(8, false);
    PageBatch first(*bench.cache, keys({1}), {});
    first.ask(Priority::Demand);
    while (!first.isDone()) bench.source->reap();
    // Callbacks do not nest: a chain of pages that are there needs no stack.
    int left = 100'000;
    PageBatch *ping = nullptr, *pong = nullptr;
    const auto next = [&](PageBatch& batch) {
      PageBatch& other = &batch == ping ? *pong : *ping;
      other.withdraw();
      if (--left > 0) other.ask(Priority::Demand);
    };
    PageBatch one(*bench.cache, keys({1}), next), two(*bench.cache, keys({1}), next);
    ping = &one;
    pong = &two;
    one.ask(Priority::Demand);
    QCOMPARE(left, 0);
    one.withdraw();
    two.withdraw();
    first.withdraw();
    QCOMPARE(bench.pins(), std::uint64_t{0});
  }

  void withdrawWaitsForACallbackThatRuns() {
    Bench bench(8);
    std::atomic<bool> inside{false}, over{false};
    auto batch = std::make_unique<PageBatch>(*bench.cache, keys({1}), [&](PageBatch&) {
      inside = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      over = true;
    });
    batch->ask(Priority::Demand);
    std::jthread answering([&] { bench.source->answerAll(); });
    while (!inside) std::this_thread::yield();
    batch.reset();
    QVERIFY(over);
    QCOMPARE(bench.pins(), std::uint64_t{0});
  }

  void failedPagesAreErrors() {
    Bench bench(8);
    std::string what;
    PageBatch batch(*bench.cache, keys({1, 2}), [&](PageBatch& its) {
      try {
        its.throwIfFailed();
      } catch (const Io& error) {
        what = error.what();
      }
    });
    batch.ask(Priority::Demand);
    QVERIFY(bench.source->fail(1, std::make_exception_ptr(Io("scripted"))));
    bench.source->answerAll();
    QCOMPARE(what, std::string("scripted"));
    batch.withdraw();
    const CacheCensus census = bench.cache->census();
    QCOMPARE(census.pins + census.failed, std::uint64_t{0});
  }
};

QTEST_APPLESS_MAIN(TestPageBatch)
#include "tst_page_batch.moc"
