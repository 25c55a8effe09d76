// The page cache under many threads that do at random whatever tasks may do, against a model that knows who
// may hold what: every page's nodes, the frame it is held in, that it is read once at a time and never while
// somebody holds it; and, whenever all threads stand still, the counts of every state. Sources fail, delay
// and reorder; threads are held up at the cache's sync points.
//
// FARFIELD_TEST_SEED names another seed than the usual one (threads still run as they like),
// FARFIELD_TEST_OPERATIONS sets how many operations each case does.

#include <QTest>

#include <barrier>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

#include "tests/stress/paging/cache_player.h"
#include "tests/stress/paging/unruly_source.h"
#include "tests/support/test_seed.h"

using namespace farfield;
using namespace farfield::paging;
using test::CachePlayer;
using test::Manner;
using test::PageLedger;
using test::PlayCounts;
using test::PlayRules;
using test::UnrulySource;

namespace {

#ifdef FARFIELD_SANITIZED
constexpr std::uint64_t kOperations = 60'000;
#else
constexpr std::uint64_t kOperations = 200'000;
#endif
constexpr std::uint64_t kRounds = 10;
constexpr auto kPatience = std::chrono::minutes(1);
constexpr auto kStarved = std::chrono::milliseconds(200);  ///< without a reservation, until the round is over

std::uint64_t fromEnvironment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Three arrays of pages of different sizes, stored in different ways.
DatasetDescription description() {
  DatasetDescription data;
  data.format = "unruly";
  data.times = {0};
  BlockDescription block;
  block.dims = {23, 20, 18};
  data.blocks.push_back(block);
  const PageLayout layout = PageLayout::even(block.dims, 5);
  data.arrays.push_back({.name = "small", .layout = layout, .components = 3, .type = ScalarType::F32});
  data.arrays.push_back({.name = "middle", .layout = layout, .components = 6, .type = ScalarType::F64});
  data.arrays.push_back({.name = "large", .layout = layout, .components = 10, .type = ScalarType::F64});
  return data;
}

/// Holds threads up now and then, so that they meet in more ways than they would by themselves.
class Jitter final : public SyncHook {
 public:
  explicit Jitter(std::uint64_t seed) : m_seed(seed) {}
  void passed(SyncPoint point, PageKey) noexcept override {
    m_passes[static_cast<std::size_t>(point)].fetch_add(1, std::memory_order_relaxed);
    if (point == SyncPoint::NoVictim) return;
    thread_local std::uint64_t t_state = m_seed ^ m_threads.fetch_add(1) * 0x9E3779B97F4A7C15u;
    t_state = t_state * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t chance = t_state >> 33;
    if (chance % 16 == 0) std::this_thread::yield();
    if (chance % 1024 == 1) std::this_thread::sleep_for(std::chrono::microseconds(chance / 1024 % 50));
  }
  std::uint64_t passes(SyncPoint point) const { return m_passes[static_cast<std::size_t>(point)].load(); }

 private:
  const std::uint64_t m_seed;
  std::atomic<std::uint64_t> m_threads{1};
  std::atomic<std::uint64_t> m_passes[16] = {};
};

struct Shape {
  int threads = 4, playersPerThread = 3;
  std::uint64_t frameShare = 0;  ///< of all pages, in percent; 0: one page a player
  bool onePageAtATime = false;
};

class Game {
 public:
  Game(const Shape& shape, std::uint64_t seed);
  void play(std::uint64_t operations);

  PageLedger& ledger() { return *m_ledger; }
  PlayCounts counts() const;
  CacheCounters cacheCounters() const { return m_counters; }
  std::uint64_t sourceFailures() const;
  const Jitter& jitter() const { return m_jitter; }
  std::uint64_t unclaimedBytes() const { return m_account.usedBytes(); }

 private:
  void playThread(int thread, std::uint64_t operations);
  void playUntil(int thread, std::uint64_t operations, bool mayStarve);
  void settleAll(int thread);
  void compareCounts();
  /// Threads that wait for ever cannot be ended in any other way.
  [[noreturn]] void giveUp(const char* why) const {
    qFatal("%s; seed %llu; %s", why, static_cast<unsigned long long>(m_seed), m_ledger->complaint().c_str());
  }

  const Shape m_shape;
  const std::uint64_t m_seed;
  MemoryAccount m_account{std::uint64_t{256} << 20};
  Jitter m_jitter;
  std::unique_ptr<PageLedger> m_ledger;
  std::vector<std::unique_ptr<UnrulySource>> m_sources;
  std::unique_ptr<PageCache> m_cache;
  std::uint32_t m_arrays = 0;
  std::vector<std::vector<std::unique_ptr<CachePlayer>>> m_players;  ///< by thread
  std::barrier<> m_together;
  CacheCounters m_counters;
};

Game::Game(const Shape& shape, std::uint64_t seed)
    : m_shape(shape), m_seed(seed), m_jitter(seed), m_together(shape.threads) {
  const DatasetDescription data = description();
  std::vector<ArrayDescription> arrays;
  std::uint64_t largestSlot = 0, allSlots = 0;
  for (int source = 0; source < 3; ++source)
    for (const ArrayDescription& array : data.arrays) {
      arrays.push_back(array);
      const auto bytes = static_cast<std::uint64_t>(array.maxPageBytes());
      largestSlot = std::max(largestSlot, FrameMemory::slotBytes(bytes));
      allSlots += FrameMemory::slotBytes(bytes) * static_cast<std::uint64_t>(array.pageCount());
    }
  m_arrays = static_cast<std::uint32_t>(arrays.size());
  const auto players = static_cast<std::uint64_t>(shape.threads * shape.playersPerThread);
  const std::uint64_t wanted = std::max(players * largestSlot, allSlots * shape.frameShare / 100);
  m_ledger = std::make_unique<PageLedger>(arrays, wanted / 4096 + 1);
  std::uint32_t handle = 0;
  for (const Manner manner : {Manner::Threads, Manner::Reap, Manner::Inside}) {
    m_sources.push_back(std::make_unique<UnrulySource>(data, handle, *m_ledger, manner, seed + handle));
    handle += static_cast<std::uint32_t>(data.arrays.size());
  }
  CacheOptions options;
  options.frameBytes = wanted * 32 / 31 + 32;  // a thirty-second is for bookkeeping
  options.decoders = 2;
  options.syncHook = &m_jitter;
  m_cache = std::make_unique<PageCache>(m_account, options);
  for (const auto& source : m_sources)
    for (std::uint32_t array = 0; array < data.arrays.size(); ++array) m_cache->addArray(*source, array);
  PlayRules rules;
  rules.onePageAtATime = shape.onePageAtATime;
  rules.reservationBytes = std::max(largestSlot, std::min(8 * largestSlot, wanted / 2));
  m_players.resize(static_cast<std::size_t>(shape.threads));
  for (auto& ofThread : m_players)
    for (int n = 0; n < shape.playersPerThread; ++n)
      ofThread.push_back(std::make_unique<CachePlayer>(*m_cache, *m_ledger, rules, m_arrays, ++seed * 7919));
}

void Game::play(std::uint64_t operations) {
  std::vector<std::thread> threads;
  for (int n = 0; n < m_shape.threads; ++n) threads.emplace_back([&, n] { playThread(n, operations); });
  for (std::thread& thread : threads) thread.join();
  // What is left behind: prefetches and withdrawn reads, for the destructor to end.
  std::vector<PageKey> keys;
  for (std::uint64_t page = 0; page < 40; ++page)
    for (std::uint32_t array = 0; array < m_arrays; ++array) keys.push_back(makeKey(array, page));
  m_cache->prefetch(keys);
  m_counters = m_cache->counters();
  m_cache.reset();
  if (m_ledger->pagesBeingRead() > 0) m_ledger->complain("the cache is gone, but not all reads are over");
}

void Game::playThread(int thread, std::uint64_t operations) {
  const std::uint64_t shares = kRounds * static_cast<std::uint64_t>(m_shape.threads);
  const std::uint64_t quota = (operations + shares - 1) / shares;
  for (std::uint64_t round = 1; round <= kRounds; ++round) {
    playUntil(thread, quota * round, true);
    settleAll(thread);
    m_together.arrive_and_wait();
    if (thread == 0) compareCounts();
    m_together.arrive_and_wait();
  }
  // Who had nothing in the last round plays the rest when the others have given back what they had.
  auto& players = m_players[static_cast<std::size_t>(thread)];
  for (const auto& player : players) player->leave();
  playUntil(thread, quota * kRounds, false);
  settleAll(thread);
  for (const auto& player : players) player->leave();
}

/// Until the thread's players have done so many operations. `mayStarve`: or, since the threads that are done
/// keep what they have reserved until the round is over, have had nothing for a while.
void Game::playUntil(int thread, std::uint64_t operations, bool mayStarve) {
  auto& players = m_players[static_cast<std::size_t>(thread)];
  std::mt19937_64 random(m_seed ^ static_cast<std::uint64_t>(thread) ^ operations << 8);
  const auto done = [&] {
    std::uint64_t count = 0;
    for (const auto& player : players) count += player->counts().operations;
    return count;
  };
  auto since = std::chrono::steady_clock::now();
  for (std::uint64_t now = done(), last = 0; now < operations && !m_ledger->hasComplaint();) {
    for (int n = 0; n < 16; ++n) players[random() % players.size()]->step();
    const int reaped = m_sources[1 + random() % 2]->reap();
    last = std::exchange(now, done());
    // All of them wait for what other threads have to do.
    if (now == last && reaped == 0) std::this_thread::sleep_for(std::chrono::microseconds(20));
    if (now != last) since = std::chrono::steady_clock::now();
    const auto still = std::chrono::steady_clock::now() - since;
    const bool hasNothing =
        std::all_of(players.begin(), players.end(), [](const auto& player) { return player->isOutside(); });
    if (mayStarve && hasNothing && still > kStarved) return;
    if (still > kPatience) giveUp("nothing goes on");
  }
}

/// Until none of the thread's players waits. Whoever can go on does, whatever the others wait for, as a
/// scheduler sees to. What does not come in minutes never comes.
void Game::settleAll(int thread) {
  const auto since = std::chrono::steady_clock::now();
  const auto& players = m_players[static_cast<std::size_t>(thread)];
  for (const auto& player : players) player->withdraw();
  while (std::count_if(players.begin(), players.end(), [](const auto& player) { return !player->settle(); }) >
         0) {
    m_sources[1]->reap();
    m_sources[2]->reap();
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    if (std::chrono::steady_clock::now() - since > kPatience) giveUp("a page never comes");
  }
}

/// While all threads stand still and nobody waits: nothing is being read once the sources are done, and what
/// the cache says of its frames is what the players have.
void Game::compareCounts() {
  const auto since = std::chrono::steady_clock::now();
  while (m_ledger->readsUnderWay() > 0) {
    m_sources[1]->reap();
    m_sources[2]->reap();
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    if (std::chrono::steady_clock::now() - since > kPatience) giveUp("a read never ends");
  }
  const auto mustBe = [&](const char* what, std::uint64_t found, std::uint64_t expected) {
    if (found != expected)
      m_ledger->complain(std::string(what) + ": " + std::to_string(found) + ", not " +
                         std::to_string(expected));
  };
  std::uint64_t reserved = 0, wakes = 0, opened = 0;
  for (const auto& ofThread : m_players)
    for (const auto& player : ofThread) {
      reserved += player->reservedBytes();
      wakes += player->wakes();
      opened += player->counts().gatesOpened;
    }
  const CacheCensus census = m_cache->census();
  mustBe("frames being read", census.reading, 0);
  mustBe("failed frames", census.failed, 0);
  mustBe("bytes being read for nobody", census.unawaitedReadBytes, 0);
  mustBe("pins", census.pins, m_ledger->holders());
  mustBe("pinned frames", census.pinnedFrames, m_ledger->heldPages());
  mustBe("reserved bytes", census.reservedBytes, reserved);
  mustBe("gates that woke their task", wakes, opened);
  // Exactly what is not reserved can be reserved.
  const std::uint64_t rest = m_cache->frameBytes() - reserved;
  if (m_cache->tryReserve(rest + 1)) m_ledger->complain("more than all bytes can be reserved");
  if (!m_cache->tryReserve(rest)) m_ledger->complain("bytes that nobody has reserved cannot be reserved");
  m_cache->unreserve(rest);
  std::uint64_t resident = 0, residentBytes = 0;
  for (std::uint32_t array = 0; array < m_arrays; ++array)
    for (std::int64_t page = 0; page < m_cache->array(array).pageCount(); ++page) {
      const PageKey key = makeKey(array, static_cast<std::uint64_t>(page));
      const std::uint64_t holders = m_ledger->holdersOf(key);
      Frame* const frame = m_cache->tryPin(key);
      if (!frame) {
        if (holders > 0) m_ledger->complain(key, "is held, but not to be found");
        continue;
      }
      ++resident;
      residentBytes += m_cache->slotBytes(array);
      m_ledger->held(key, frame);
      m_ledger->compare(key, frame, true, 0);
      mustBe("pins of a page", Frame::pinsOf(frame->stateAndPins.load()), holders + 1);
      m_ledger->letGo(key, frame);
      m_cache->unpin(frame);
    }
  mustBe("resident pages", resident, census.ready);
  mustBe("bytes of resident pages", residentBytes, census.usedBytes);
}

PlayCounts Game::counts() const {
  PlayCounts all;
  for (const auto& ofThread : m_players)
    for (const auto& player : ofThread) all.add(player->counts());
  return all;
}

std::uint64_t Game::sourceFailures() const {
  std::uint64_t failures = 0;
  for (const auto& source : m_sources) failures += source->failures();
  return failures;
}

}  // namespace

class StressCacheModel : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_seed = test::testSeed();
    m_operations = fromEnvironment("FARFIELD_TEST_OPERATIONS", kOperations);
    qInfo("FARFIELD_TEST_OPERATIONS=%llu", static_cast<unsigned long long>(m_operations));
  }
  void agreesWithTheModel_data();
  void agreesWithTheModel();

 private:
  std::uint64_t m_seed = 0, m_operations = 0;
};

void StressCacheModel::agreesWithTheModel_data() {
  QTest::addColumn<int>("threads");
  QTest::addColumn<int>("players");
  QTest::addColumn<int>("frameShare");
  QTest::addColumn<bool>("onePage");
  QTest::newRow("one page a task, and no frame more") << 4 << 2 << 0 << true;
  QTest::newRow("one task a thread, one page a task") << 3 << 1 << 0 << true;
  QTest::newRow("few frames") << 4 << 3 << 4 << false;
  QTest::newRow("many threads, some frames") << 12 << 2 << 15 << false;
  QTest::newRow("nearly everything fits") << 4 << 4 << 90 << false;
}

void StressCacheModel::agreesWithTheModel() {
  QFETCH(int, threads);
  QFETCH(int, players);
  QFETCH(int, frameShare);
  QFETCH(bool, onePage);
  Game game({threads, players, static_cast<std::uint64_t>(frameShare), onePage}, m_seed);
  game.play(m_operations);
  QCOMPARE(QString::fromStdString(game.ledger().complaint()), QString());
  QCOMPARE(game.unclaimedBytes(), std::uint64_t{0});
  const PlayCounts counts = game.counts();
  const CacheCounters cache = game.cacheCounters();
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  qInfo(
      "%llu operations: %llu look-ups (%llu hits), %llu waits, %llu pages read, %llu failed, %llu evicted; "
      "%llu waits cancelled (%llu with pages being read, %llu with all there); %llu batches (%llu done, %llu withdrawn); "
      "%llu reservations refused; %llu last pins "
      "of a frame to be dropped, %llu rounds of the clock in vain",
      number(counts.operations), number(counts.lookups), number(counts.hits), number(counts.demands),
      number(cache.pagesRead), number(game.sourceFailures()), number(cache.evictions),
      number(counts.abandoned), number(counts.abandonedReading), number(counts.abandonedThere),
      number(counts.batches), number(counts.batchesDone), number(counts.batchesWithdrawn),
      number(counts.refused), number(game.jitter().passes(SyncPoint::UnpinLast)),
      number(game.jitter().passes(SyncPoint::NoVictim)));
  QVERIFY(counts.operations >= m_operations);
  if (m_operations < 20'000) return;
  // A game in which these do not happen tests nothing.
  QVERIFY(counts.hits > 0 && counts.failures > 0 && cache.evictions > 0);
  QVERIFY(counts.abandonedReading > 0 && counts.abandonedThere > 0);
  QVERIFY(counts.batchesDone > 0 && counts.batchesWithdrawn > 0);
}

int main(int argc, char** argv) {
  // Qt would end a case after five minutes; whether it still goes on is looked at here.
  qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");
  StressCacheModel test;
  return QTest::qExec(&test, argc, argv);
}

#include "stress_cache_model.moc"
