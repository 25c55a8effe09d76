// The cache's known races, each forced by holding threads at sync points: eviction against pin, two demands
// for one page, demand against prefetch, a failed page read again, and cancelling in every state that a wait
// can be in: queued, being read, decoded, done but not told, and before there are frames to wait with.

#include <QTest>

#include <cstring>
#include <functional>
#include <stop_token>
#include <thread>

#include "bench/devices/scripted_source.h"
#include "core/base/error.h"
#include "core/paging/cache/page_cache.h"
#include "core/paging/sources/box_source.h"
#include "core/tasks/scheduler.h"
#include "tests/stress/paging/sync_stops.h"
#include "tests/support/formula_data.h"

using namespace farfield;
using namespace farfield::paging;
using test::SyncStops;

namespace {

constexpr Index3 kDims{16, 16, 16};
constexpr std::uint64_t kSlot = 4096;  // of a page of 4x4x4 coordinates
constexpr PageKey kA = makeKey(0, 3), kB = makeKey(0, 20), kC = makeKey(0, 41);

class CountingWaker final : public tasks::Waker {
 public:
  void wake() noexcept override { ++wakes; }
  std::atomic<int> wakes{0};
};

/// What a task does when it misses.
struct Demand {
  explicit Demand(std::initializer_list<PageKey> keys) : gate(waker) {
    for (const PageKey key : keys) wants.push_back({key});
  }
  CountingWaker waker;
  tasks::Gate gate;
  std::vector<PageWant> wants;
  Frame* frame(std::size_t n = 0) const { return wants[n].frame; }
};

/// A pool of a given number of frames over a source that answers by hand.
struct Bench {
  explicit Bench(std::uint64_t frames, bool started = true) : account(std::uint64_t{64} << 20) {
    auto inner = std::make_unique<BoxSource>(test::formulaReader(test::formulaDescription(kDims)), account,
                                             BoxSourceOptions{PageCut::Even, 4, 0, 1 << 20}, "formula");
    ScriptedOptions script;
    script.manual = true;
    script.started = started;
    source = std::make_unique<ScriptedSource>(std::move(inner), account, script);
    // A thirty-second of the bytes is for bookkeeping.
    CacheOptions options;
    options.frameBytes = frames * kSlot * 32 / 31 + 32;
    options.syncHook = &stops;
    options.decoders = 500;  // no task goes on here, so that many demands may start
    cache = std::make_unique<PageCache>(account, options);
    cache->addArray(*source, 0);
  }
  ~Bench() {
    while (source->fail(0, std::make_exception_ptr(Cancelled()))) {
    }
  }
  std::size_t pending() const { return source->pending().size(); }
  /// Brings a page in that nobody has pinned, as hostile builds would not leave it after a pin.
  bool bring(PageKey key) {
    cache->prefetch({&key, 1});
    return source->answer(0);
  }
  bool load(Demand& demand) {
    cache->request(demand.wants, demand.gate);
    while (source->answer(0)) {
    }
    return demand.gate.isOpen();
  }
  bool isTrue(const Frame* frame, PageKey key) const {
    const IndexBox box = cache->array(0).boxOf(pageOf(key));
    if (frame->key.load() != key || frame->box != box || frame->state() != FrameState::Ready) return false;
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      const Index3 in = unlinear(n, box.size);
      double value[3];
      std::memcpy(value, frame->data + n * 24, sizeof value);
      for (int c = 0; c < 3; ++c)
        if (value[c] !=
            test::formulaValue(0, 0, {box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]}, c))
          return false;
    }
    return true;
  }
  bool allIsFree() {
    if (!cache->tryReserve(cache->frameBytes())) return false;
    cache->unreserve(cache->frameBytes());
    const CacheCensus census = cache->census();
    return census.pins == 0 && census.reading == 0 && census.failed == 0 && census.unawaitedReadBytes == 0;
  }

  SyncStops stops;
  MemoryAccount account;
  std::unique_ptr<ScriptedSource> source;
  std::unique_ptr<PageCache> cache;
};

}  // namespace

class StressCacheRaces : public QObject {
  Q_OBJECT
 private slots:
  void aPinThatComesAfterTheEviction_data();
  void aPinThatComesAfterTheEviction();
  void anEvictionThatComesAfterThePin();
  void aPinOfTheFrameThatTheClockHasChosen();
  void theClockGoesRoundAgain();
  void twoDemandsForOnePage();
  void aDemandMeetsAPrefetch();
  void aPrefetchMeetsADemand();
  void aWithdrawnDemandLeavesThePrefetch();
  void cancelWhileQueued_data();
  void cancelWhileQueued();
  void cancelWhileBeingRead_data();
  void cancelWhileBeingRead();
  void cancelWhenDoneButNotTold_data();
  void cancelWhenDoneButNotTold();
  void cancelOfSomePagesThere();
  void aWithdrawnReadIsWantedAfterAll();
  void oneOfTwoCancels();
  void cancelWhileWaitingForFrames();
  void aFailedPageIsReadAgainWhileItIsHeld();
  void aFailedPrefetchFreesItsFrame();
  void nothingIsPrefetchedIntoReservedFrames();
};

void StressCacheRaces::aPinThatComesAfterTheEviction_data() {
  QTest::addColumn<bool>("pinned");
  QTest::newRow("the next page is pinned") << true;
  QTest::newRow("the next page is not pinned") << false;
}

void StressCacheRaces::aPinThatComesAfterTheEviction() {
  QFETCH(bool, pinned);
  Bench bench(1);
  QVERIFY(bench.bring(kA));
  Demand next{kB};
  Frame* found = nullptr;
  {
    std::jthread late;
    SyncStops::Stop stop(bench.stops, SyncPoint::PinFound, kA);
    late = std::jthread([&] { found = bench.cache->tryPin(kA); });
    QVERIFY(stop.reached());
    QVERIFY(pinned ? bench.load(next) : bench.bring(kB));
    QCOMPARE(bench.cache->counters().evictions, std::uint64_t{1});
    stop.letGo();
  }
  QVERIFY(!found);
  QCOMPARE(bench.cache->census().pins, std::uint64_t{pinned});
  if (pinned) {
    QVERIFY(bench.isTrue(next.frame(), kB));
    bench.cache->unpin(next.frame());
  }
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::anEvictionThatComesAfterThePin() {
  Bench bench(1);
  QVERIFY(bench.bring(kA));
  Frame* found = nullptr;
  {
    std::jthread pinning;
    SyncStops::Stop stop(bench.stops, SyncPoint::PinTaken, kA);
    pinning = std::jthread([&] { found = bench.cache->tryPin(kA); });
    QVERIFY(stop.reached());
    bench.cache->evictAll();
    bench.cache->prefetch({&kB, 1});
    QCOMPARE(bench.pending(), std::size_t{0});
    stop.letGo();
  }
  QVERIFY(found);
  QVERIFY(bench.isTrue(found, kA));
  QCOMPARE(bench.cache->counters().evictions, std::uint64_t{0});
  bench.cache->unpin(found);
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::aPinOfTheFrameThatTheClockHasChosen() {
  Bench bench(2);
  QVERIFY(bench.bring(kA));
  QVERIFY(bench.bring(kB));
  Demand demand{kC};
  Frame* found = nullptr;
  {
    std::jthread needing;
    SyncStops::Stop stop(bench.stops, SyncPoint::VictimChosen, kA);
    needing = std::jthread([&] { bench.cache->request(demand.wants, demand.gate); });
    QVERIFY(stop.reached());
    found = bench.cache->tryPin(kA);
    stop.letGo();
  }
  QVERIFY(found);
  QVERIFY(bench.source->answer(0));
  QVERIFY(demand.gate.isOpen());
  QVERIFY(bench.isTrue(found, kA));
  QVERIFY(bench.isTrue(demand.frame(), kC));
  QVERIFY(!bench.cache->tryPin(kB));
  bench.cache->unpin(found);
  bench.cache->unpin(demand.frame());
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::theClockGoesRoundAgain() {
  // The only frame is pinned for a moment by a look-up that comes too late for the page that was in it.
  Bench bench(1);
  QVERIFY(bench.bring(kA));
  Demand demand{kC};
  Frame* found = nullptr;
  {
    std::jthread late, needing;
    SyncStops::Stop before(bench.stops, SyncPoint::PinFound, kA), after(bench.stops, SyncPoint::PinTaken, kA);
    late = std::jthread([&] { found = bench.cache->tryPin(kA); });
    QVERIFY(before.reached());
    QVERIFY(bench.bring(kB));
    before.letGo();
    QVERIFY(after.reached());
    needing = std::jthread([&] { bench.cache->request(demand.wants, demand.gate); });
    QVERIFY(bench.stops.waitForRoundInVain());
    after.letGo();
  }
  bench.cache->cursorEnded(0);  // what looked the page up in vain is done
  QVERIFY(!found);
  QVERIFY(bench.source->answer(0));
  QVERIFY(demand.gate.isOpen());
  QVERIFY(bench.isTrue(demand.frame(), kC));
  bench.cache->unpin(demand.frame());
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::twoDemandsForOnePage() {
  Bench bench(4);
  Demand first{kA}, second{kA};
  {
    std::jthread asking;
    SyncStops::Stop stop(bench.stops, SyncPoint::RequestAsks, kA);
    asking = std::jthread([&] { bench.cache->request(first.wants, first.gate); });
    QVERIFY(stop.reached());
    bench.cache->request(second.wants, second.gate);
    QCOMPARE(bench.pending(), std::size_t{0});
    QVERIFY(!second.gate.isOpen());
    stop.letGo();
  }
  QCOMPARE(bench.pending(), std::size_t{1});
  QVERIFY(bench.source->answer(0));
  QVERIFY(first.gate.isOpen() && second.gate.isOpen());
  QCOMPARE(first.waker.wakes.load() + second.waker.wakes.load(), 2);
  QVERIFY(first.frame() == second.frame() && bench.isTrue(first.frame(), kA));
  QCOMPARE(bench.cache->counters().pagesRead, std::uint64_t{1});
  QCOMPARE(bench.cache->counters().misses, std::uint64_t{2});
  bench.cache->unpin(first.frame());
  QVERIFY(bench.isTrue(second.frame(), kA));
  bench.cache->unpin(second.frame());
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::aDemandMeetsAPrefetch() {
  Bench bench(4);
  Demand demand{kA};
  {
    std::jthread prefetching;
    SyncStops::Stop stop(bench.stops, SyncPoint::PrefetchAsks, kA);
    prefetching = std::jthread([&] { bench.cache->prefetch({&kA, 1}); });
    QVERIFY(stop.reached());
    QCOMPARE(bench.cache->census().unawaitedReadBytes, kSlot);
    bench.cache->request(demand.wants, demand.gate);
    QCOMPARE(bench.cache->census().unawaitedReadBytes, std::uint64_t{0});
    stop.letGo();
  }
  QCOMPARE(bench.pending(), std::size_t{1});
  QVERIFY(bench.source->answer(0));
  QVERIFY(demand.gate.isOpen());
  QVERIFY(bench.isTrue(demand.frame(), kA));
  bench.cache->unpin(demand.frame());
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::aPrefetchMeetsADemand() {
  Bench bench(4);
  Demand demand{kA};
  {
    std::jthread asking;
    SyncStops::Stop stop(bench.stops, SyncPoint::RequestAsks, kA);
    asking = std::jthread([&] { bench.cache->request(demand.wants, demand.gate); });
    QVERIFY(stop.reached());
    bench.cache->prefetch({&kA, 1});
    stop.letGo();
  }
  QCOMPARE(bench.pending(), std::size_t{1});
  QCOMPARE(bench.cache->census().unawaitedReadBytes, std::uint64_t{0});
  QVERIFY(bench.source->answer(0));
  QVERIFY(demand.gate.isOpen());
  bench.cache->unpin(demand.frame());
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::aWithdrawnDemandLeavesThePrefetch() {
  Bench bench(4);
  Demand demand{kA};
  {
    std::jthread prefetching;
    SyncStops::Stop stop(bench.stops, SyncPoint::PrefetchAsks, kA);
    prefetching = std::jthread([&] { bench.cache->prefetch({&kA, 1}); });
    QVERIFY(stop.reached());
    bench.cache->request(demand.wants, demand.gate);
    bench.cache->abandon(demand.wants, demand.gate);
    QCOMPARE(bench.cache->census().unawaitedReadBytes, kSlot);
    stop.letGo();
  }
  QVERIFY(!demand.gate.isOpen() && !demand.frame());
  QVERIFY(bench.source->answer(0));
  QCOMPARE(bench.cache->census().ready, std::uint64_t{1});
  QVERIFY(bench.allIsFree());
}

namespace {
void endings() {
  QTest::addColumn<bool>("fails");
  QTest::newRow("the page comes") << false;
  QTest::newRow("the read fails") << true;
}
void end(Bench& bench, bool fails) {
  if (fails)
    bench.source->fail(0, std::make_exception_ptr(Io("scripted")));
  else
    bench.source->answer(0);
}
}  // namespace

void StressCacheRaces::cancelWhileQueued_data() {
  endings();
}

void StressCacheRaces::cancelWhileQueued() {
  QFETCH(bool, fails);
  Bench bench(4);
  Demand demand{kA, kB};
  bench.cache->request(demand.wants, demand.gate);
  QCOMPARE(bench.pending(), std::size_t{2});
  bench.cache->abandon(demand.wants, demand.gate);
  QVERIFY(!demand.frame(0) && !demand.frame(1));
  CacheCensus census = bench.cache->census();
  QCOMPARE(census.reading, std::uint64_t{2});
  QCOMPARE(census.pins, std::uint64_t{0});
  QCOMPARE(census.unawaitedReadBytes, 2 * kSlot);
  QVERIFY(!bench.cache->tryReserve(bench.cache->frameBytes()));
  end(bench, fails);
  end(bench, fails);
  QCOMPARE(bench.cache->census().ready, std::uint64_t{fails ? 0u : 2u});
  QCOMPARE(demand.waker.wakes.load(), 0);
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::cancelWhileBeingRead_data() {
  QTest::addColumn<int>("point");
  QTest::newRow("arrived") << static_cast<int>(SyncPoint::Arrived);
  QTest::newRow("decoded") << static_cast<int>(SyncPoint::Decoded);
}

void StressCacheRaces::cancelWhileBeingRead() {
  QFETCH(int, point);
  Bench bench(4);
  auto demand = std::make_unique<Demand>(std::initializer_list<PageKey>{kA});
  bench.cache->request(demand->wants, demand->gate);
  {
    std::jthread answering;
    SyncStops::Stop stop(bench.stops, static_cast<SyncPoint>(point), kA);
    answering = std::jthread([&] { bench.source->answer(0); });
    QVERIFY(stop.reached());
    bench.cache->abandon(demand->wants, demand->gate);
    QCOMPARE(demand->waker.wakes.load(), 0);
    demand.reset();  // whoever touches it now is caught by the address sanitizer
    QCOMPARE(bench.cache->census().unawaitedReadBytes, kSlot);
    stop.letGo();
  }
  QCOMPARE(bench.cache->census().ready, std::uint64_t{1});
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::cancelWhenDoneButNotTold_data() {
  endings();
}

void StressCacheRaces::cancelWhenDoneButNotTold() {
  QFETCH(bool, fails);
  Bench bench(4);
  CountingWaker waker;
  auto gate = std::make_unique<tasks::Gate>(waker);
  auto wants = std::make_unique<std::vector<PageWant>>(1, PageWant{kA});
  std::atomic<bool> abandoned{false};
  bench.cache->request(*wants, *gate);
  {
    std::jthread answering, abandoning;
    SyncStops::Stop finished(bench.stops, SyncPoint::Finished, kA),
        withdrawn(bench.stops, SyncPoint::AbandonWithdrawn, kA);
    answering = std::jthread([&] { end(bench, fails); });
    QVERIFY(finished.reached());
    abandoning = std::jthread([&] {
      bench.cache->abandon(*wants, *gate);
      gate.reset();
      wants.reset();
      abandoned = true;
    });
    QVERIFY(withdrawn.reached());
    withdrawn.letGo();
    // It waits for the thread that is about to count, which still needs the gate.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    QVERIFY(!abandoned);
    finished.letGo();
    abandoning.join();
    QVERIFY(abandoned);
  }
  QCOMPARE(waker.wakes.load(), 1);
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::cancelOfSomePagesThere() {
  Bench bench(4);
  Demand demand{kA, kB, kC};
  bench.cache->request(demand.wants, demand.gate);
  QVERIFY(bench.source->answer(1));                                         // kB is Ready
  QVERIFY(bench.source->fail(1, std::make_exception_ptr(Io("scripted"))));  // kC has failed
  QVERIFY(!demand.gate.isOpen());
  bench.cache->abandon(demand.wants, demand.gate);
  const CacheCensus census = bench.cache->census();
  QCOMPARE(census.pins, std::uint64_t{0});
  QCOMPARE(census.failed, std::uint64_t{0});
  QCOMPARE(census.reading, std::uint64_t{1});
  QVERIFY(bench.source->answer(0));
  QCOMPARE(demand.waker.wakes.load(), 0);
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::aWithdrawnReadIsWantedAfterAll() {
  Bench bench(2, false);
  Demand gone{kA}, other{kA};
  bench.cache->request(gone.wants, gone.gate);
  std::jthread abandoning;
  {
    SyncStops::Stop withdrawn(bench.stops, SyncPoint::AbandonWithdrawn, kA);
    abandoning = std::jthread([&] { bench.cache->abandon(gone.wants, gone.gate); });
    QVERIFY(withdrawn.reached());
    bench.cache->request(other.wants, other.gate);  // the source has not been told yet
    QCOMPARE(bench.pending(), std::size_t{1});
    withdrawn.letGo();
  }
  abandoning.join();
  QCOMPARE(bench.pending(), std::size_t{1});  // it was asked again
  QVERIFY(bench.source->answer(0));
  QVERIFY(other.gate.isOpen() && !gone.gate.isOpen());
  QVERIFY(bench.isTrue(other.frame(), kA));
  bench.cache->unpin(other.frame());
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::oneOfTwoCancels() {
  for (const bool first : {true, false}) {
    Bench bench(4);
    Demand one{kA}, other{kA};
    bench.cache->request(one.wants, one.gate);
    bench.cache->request(other.wants, other.gate);
    Demand& goes = first ? one : other;
    Demand& stays = first ? other : one;
    bench.cache->abandon(goes.wants, goes.gate);
    QCOMPARE(bench.cache->census().unawaitedReadBytes, std::uint64_t{0});
    QVERIFY(bench.source->answer(0));
    QVERIFY(stays.gate.isOpen() && !goes.gate.isOpen());
    QVERIFY(bench.isTrue(stays.frame(), kA));
    bench.cache->unpin(stays.frame());
    QVERIFY(bench.allIsFree());
  }
}

void StressCacheRaces::cancelWhileWaitingForFrames() {
  // One task has all frames and waits for a page; the others wait for it to give them back.
  Bench bench(2);
  Reservation reservation(*bench.cache, 2 * kSlot, 100);
  std::stop_source stop;
  std::atomic<int> begun{0};
  tasks::TaskGroup group;
  group.name = "crowd";
  group.count = 50;
  group.admission = &reservation;
  group.run = [&](std::size_t, tasks::TaskContext& context) {
    ++begun;
    std::vector<PageWant> wants{{kA}};
    tasks::Gate gate(context.waker());
    context.wait(gate, [&] { bench.cache->request(wants, gate); });
    if (!gate.isOpen()) {
      bench.cache->abandon(wants, gate);
      throw Cancelled();
    }
    bench.cache->unpin(wants.front().frame);
  };
  bool cancelled = false;
  std::jthread running([&] {
    tasks::SchedulerOptions options;
    options.kind = tasks::SchedulerKind::Threads;
    options.processors = 2;
    options.workersPerProcessor = 8;
    options.reapers = bench.cache->reapers();
    try {
      tasks::makeScheduler(options)->run(group, stop.get_token());
    } catch (const Cancelled&) {
      cancelled = true;
    }
  });
  QVERIFY(bench.source->waitForPending(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  QCOMPARE(begun.load(), 1);
  stop.request_stop();
  running.join();
  QVERIFY(cancelled);
  QCOMPARE(begun.load(), 1);
  QCOMPARE(bench.cache->census().reservedBytes, std::uint64_t{0});
  QVERIFY(bench.source->answer(0));
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::aFailedPageIsReadAgainWhileItIsHeld() {
  Bench bench(2);
  Demand failed{kA}, again{kA};
  bench.cache->request(failed.wants, failed.gate);
  QVERIFY(bench.source->fail(0, std::make_exception_ptr(Io("scripted"))));
  QVERIFY(failed.gate.isOpen());
  QCOMPARE(failed.frame()->state(), FrameState::Failed);
  QVERIFY(bench.load(again));
  QVERIFY(again.frame() != failed.frame());
  {
    std::jthread leaving;
    SyncStops::Stop stop(bench.stops, SyncPoint::UnpinLast, kA);
    leaving = std::jthread([&] { bench.cache->unpin(failed.frame()); });
    QVERIFY(stop.reached());
    QCOMPARE(bench.cache->census().failed, std::uint64_t{1});
    QVERIFY(bench.isTrue(again.frame(), kA));
    stop.letGo();
  }
  QCOMPARE(bench.cache->census().failed, std::uint64_t{0});
  Frame* const found = bench.cache->tryPin(kA);
  QVERIFY(found && found == again.frame() && bench.isTrue(found, kA));
  bench.cache->unpin(found);
  bench.cache->unpin(again.frame());
  QVERIFY(bench.allIsFree());
}

void StressCacheRaces::aFailedPrefetchFreesItsFrame() {
  Bench bench(1);
  bench.cache->prefetch({&kA, 1});
  QCOMPARE(bench.pending(), std::size_t{1});
  QVERIFY(bench.source->fail(0, std::make_exception_ptr(Io("scripted"))));
  QVERIFY(!bench.cache->tryPin(kA));
  QVERIFY(bench.allIsFree());
  QVERIFY(bench.bring(kB));
}

void StressCacheRaces::nothingIsPrefetchedIntoReservedFrames() {
  Bench bench(2);
  QVERIFY(bench.cache->tryReserve(kSlot));
  const PageKey keys[] = {kA, kB, kC};
  bench.cache->prefetch(keys);
  QCOMPARE(bench.pending(), std::size_t{1});
  QVERIFY(!bench.cache->tryReserve(kSlot));
  QVERIFY(bench.source->answer(0));
  QVERIFY(bench.cache->tryReserve(kSlot));
  bench.cache->unreserve(2 * kSlot);
  QVERIFY(bench.allIsFree());
}

QTEST_APPLESS_MAIN(StressCacheRaces)
#include "stress_cache_races.moc"
