// The page cache under many threads against what must be true: every gather has the formula's values, the
// pinned bytes never pass the reservations, errors stay with those who asked, groups that are cancelled leave
// nothing behind, and groups that share a cache do not stop each other. FARFIELD_TEST_SEED names another seed.

#include <QTest>

#include <atomic>
#include <random>
#include <stop_token>
#include <thread>

#include "bench/devices/scripted_source.h"
#include "core/base/error.h"
#include "core/paging/cache/cursor.h"
#include "core/paging/sources/box_source.h"
#include "core/tasks/scheduler.h"
#include "tests/support/formula_data.h"
#include "tests/support/test_seed.h"

using namespace farfield;
using namespace farfield::paging;

namespace {

constexpr Index3 kDims{41, 33, 26};

struct Outcome {
  std::atomic<std::uint64_t> gathers{0}, wrong{0}, failed{0};
};

/// Gathers at random places, near and far, and counts wrong values.
void gatherAtRandom(PageCache& cache, tasks::TaskContext& context, GatherMode mode, std::uint64_t seed,
                    int count, Outcome& outcome) {
  Cursor cursor(cache, context, mode);
  const int xyz = cursor.bind(0), q = cursor.bind(1), iblank = cursor.bind(2);
  std::mt19937_64 random(seed);
  std::array<double, 24> points;
  std::array<double, 40> values;
  Index3 at{};
  for (int n = 0; n < count; ++n) {
    for (int a = 0; a < 3; ++a) {
      const std::int64_t last = kDims[static_cast<std::size_t>(a)] - 2;
      at[static_cast<std::size_t>(a)] =
          random() % 4
              ? std::clamp<std::int64_t>(
                    at[static_cast<std::size_t>(a)] + static_cast<std::int64_t>(random() % 5) - 2, 0, last)
              : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(last + 1));
    }
    const GatherTarget targets[] = {{xyz, points.data()}, {q, values.data()}};
    const int alongside[] = {iblank};
    cursor.gather({at, {2, 2, 2}}, targets, alongside);
    for (int corner = 0; corner < 8; ++corner) {
      const Index3 node{at[0] + (corner & 1), at[1] + (corner >> 1 & 1), at[2] + (corner >> 2)};
      for (int c = 0; c < 3; ++c)
        outcome.wrong +=
            points[static_cast<std::size_t>(corner * 3 + c)] != test::formulaValue(0, 0, node, c);
      for (int c = 0; c < 5; ++c)
        outcome.wrong += values[static_cast<std::size_t>(corner * 5 + c)] !=
                         static_cast<float>(test::formulaValue(1, 0, node, c));
    }
    ++outcome.gathers;
  }
}

struct Bench {
  Bench(const ScriptedOptions& script, int pageSets) : account(std::uint64_t{256} << 20) {
    auto inner = std::make_unique<BoxSource>(test::formulaReader(test::formulaDescription(kDims)), account,
                                             BoxSourceOptions{PageCut::Even, 8, 0, 1 << 20}, "formula");
    source = std::make_unique<ScriptedSource>(std::move(inner), account, script);
    PageCache sizes(account, {1 << 20, 1});
    for (std::uint32_t n = 0; n < 3; ++n) {
      sizes.addArray(*source, n);
      setBytes += sizes.slotBytes(n);
    }
    cache = std::make_unique<PageCache>(
        account, CacheOptions{setBytes * static_cast<std::uint64_t>(pageSets) * 33 / 32 + 4096, 2});
    for (std::uint32_t n = 0; n < 3; ++n) cache->addArray(*source, n);
  }
  std::uint64_t reservation() const { return setBytes * Cursor::kPagesPerArray; }

  MemoryAccount account;
  std::unique_ptr<ScriptedSource> source;
  std::uint64_t setBytes = 0;
  std::unique_ptr<PageCache> cache;
};

tasks::SchedulerOptions schedulerFor(PageCache& cache, tasks::SchedulerKind kind, int workers) {
  tasks::SchedulerOptions options;
  options.kind = kind;
  options.processors = 2;
  options.workersPerProcessor = workers;
  options.reapers = cache.reapers();
  return options;
}

}  // namespace

class StressPagePool : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { m_seed = test::testSeed(); }
  void manyTasksFewFrames_data();
  void manyTasksFewFrames();
  void failuresStayWithThoseWhoAsked();
  void groupsShareAPool();
  void cancelledAtRandomMoments();
  void prefetchBesideDemand();

 private:
  std::uint64_t m_seed = 0;
};

void StressPagePool::manyTasksFewFrames_data() {
  QTest::addColumn<int>("kind");
  QTest::addColumn<int>("pageSets");
  for (const int kind : {1, 2})
    for (const int sets : {8, 17, 64})
      QTest::addRow("%s, %d sets", tasks::nameOf(static_cast<tasks::SchedulerKind>(kind)), sets)
          << kind << sets;
}

void StressPagePool::manyTasksFewFrames() {
  QFETCH(int, kind);
  QFETCH(int, pageSets);
  ScriptedOptions script;
  script.latency = std::chrono::microseconds(20);
  script.shuffle = true;
  script.seed = m_seed;
  Bench bench(script, pageSets);
  Reservation reservation(*bench.cache, bench.reservation(), 1 << 20);
  Outcome outcome;
  tasks::TaskGroup group;
  group.name = "crowd";
  group.count = 300;
  group.admission = &reservation;
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    gatherAtRandom(*bench.cache, context, GatherMode::Pinned, m_seed + n, 40, outcome);
  };
  const auto result =
      tasks::makeScheduler(schedulerFor(*bench.cache, static_cast<tasks::SchedulerKind>(kind), 16))
          ->run(group, {});
  QCOMPARE(result.finished, std::size_t{300});
  QCOMPARE(outcome.gathers.load(), std::uint64_t{12000});
  QCOMPARE(outcome.wrong.load(), std::uint64_t{0});
  QVERIFY(bench.cache->counters().residentBytes <= bench.cache->frameBytes());
}

void StressPagePool::failuresStayWithThoseWhoAsked() {
  ScriptedOptions script;
  script.latency = std::chrono::microseconds(20);
  script.shuffle = true;
  script.failureProbability = 0.01;
  script.corruptProbability = 0.01;
  script.seed = m_seed;
  Bench bench(script, 40);
  Reservation reservation(*bench.cache, bench.reservation(), 1 << 20);
  Outcome outcome;
  tasks::TaskGroup group;
  group.name = "unlucky";
  group.count = 400;
  group.admission = &reservation;
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    try {
      gatherAtRandom(*bench.cache, context, GatherMode::Pinned, m_seed + n, 20, outcome);
    } catch (const Cancelled&) {
      throw;
    } catch (const Error& error) {
      // A failed read, or a checksum that does not agree: never a wrong value.
      const std::string line = error.what();
      if (line.find("page") == std::string::npos) ++outcome.wrong;
      ++outcome.failed;
    }
  };
  tasks::makeScheduler(schedulerFor(*bench.cache, tasks::SchedulerKind::Threads, 8))->run(group, {});
  QCOMPARE(outcome.wrong.load(), std::uint64_t{0});
  QVERIFY(outcome.failed.load() > 0);
  bench.cache->evictAll();
  QVERIFY(bench.cache->tryReserve(bench.cache->frameBytes()));
  bench.cache->unreserve(bench.cache->frameBytes());
}

void StressPagePool::groupsShareAPool() {
  ScriptedOptions script;
  script.latency = std::chrono::microseconds(30);
  script.shuffle = true;
  script.seed = m_seed;
  Bench bench(script, 24);
  Outcome outcome;
  std::vector<std::jthread> threads;
  for (int g = 0; g < 3; ++g)
    threads.emplace_back([&, g] {
      Reservation reservation(*bench.cache, bench.reservation(), 1 << 20);
      tasks::TaskGroup group;
      group.name = "group";
      group.count = 60;
      group.admission = &reservation;
      group.run = [&](std::size_t n, tasks::TaskContext& context) {
        gatherAtRandom(*bench.cache, context, GatherMode::Pinned,
                       m_seed + n * 7 + static_cast<std::uint64_t>(g), 30, outcome);
      };
      const auto kind = g == 0 ? tasks::SchedulerKind::Fibers : tasks::SchedulerKind::Threads;
      tasks::makeScheduler(schedulerFor(*bench.cache, kind, 8))->run(group, {});
    });
  threads.clear();
  QCOMPARE(outcome.gathers.load(), std::uint64_t{3 * 60 * 30});
  QCOMPARE(outcome.wrong.load(), std::uint64_t{0});
}

void StressPagePool::cancelledAtRandomMoments() {
  std::mt19937_64 random(m_seed);
  for (int round = 0; round < 40; ++round) {
    ScriptedOptions script;
    script.latency = std::chrono::microseconds(100);
    script.shuffle = true;
    script.seed = m_seed + static_cast<std::uint64_t>(round);
    Bench bench(script, 30);
    Reservation reservation(*bench.cache, bench.reservation(), 1 << 20);
    Outcome outcome;
    std::stop_source stop;
    tasks::TaskGroup group;
    group.name = "cancelled";
    group.count = 10000;
    group.admission = &reservation;
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      gatherAtRandom(*bench.cache, context, GatherMode::Pinned, m_seed + n, 20, outcome);
    };
    std::jthread cancelling([&, wait = random() % 4000] {
      std::this_thread::sleep_for(std::chrono::microseconds(wait));
      stop.request_stop();
    });
    const auto kind = round % 2 ? tasks::SchedulerKind::Fibers : tasks::SchedulerKind::Threads;
    QVERIFY_EXCEPTION_THROWN(
        tasks::makeScheduler(schedulerFor(*bench.cache, kind, 16))->run(group, stop.get_token()), Cancelled);
    cancelling.join();
    QCOMPARE(outcome.wrong.load(), std::uint64_t{0});
    // Reads that nobody waits for any more end by themselves; then every byte can be reserved again.
    bool free = false;
    for (int n = 0; n < 20000 && !free; ++n) {
      bench.cache->evictAll();
      free = bench.cache->tryReserve(bench.cache->frameBytes());
      if (!free) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    QVERIFY(free);
    bench.cache->unreserve(bench.cache->frameBytes());
  }
}

void StressPagePool::prefetchBesideDemand() {
  ScriptedOptions script;
  script.latency = std::chrono::microseconds(20);
  script.shuffle = true;
  script.seed = m_seed;
  Bench bench(script, 40);
  Reservation reservation(*bench.cache, bench.reservation(), 1 << 20);
  Outcome outcome;
  std::jthread prefetching([&](std::stop_token stop) {
    std::mt19937_64 random(m_seed);
    const auto pages = static_cast<std::uint64_t>(bench.cache->array(1).pageCount());
    while (!stop.stop_requested()) {
      const PageKey keys[] = {makeKey(1, random() % pages), makeKey(0, random() % pages)};
      bench.cache->prefetch(keys);
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  tasks::TaskGroup group;
  group.name = "demand";
  group.count = 200;
  group.admission = &reservation;
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    gatherAtRandom(*bench.cache, context, GatherMode::Pinned, m_seed + n, 40, outcome);
  };
  const auto result =
      tasks::makeScheduler(schedulerFor(*bench.cache, tasks::SchedulerKind::Threads, 16))->run(group, {});
  QCOMPARE(result.finished, std::size_t{200});
  QCOMPARE(outcome.wrong.load(), std::uint64_t{0});
}

QTEST_APPLESS_MAIN(StressPagePool)
#include "stress_page_cache.moc"
