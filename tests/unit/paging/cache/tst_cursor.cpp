// The cursor alone: single cells, boxes of other shapes, whole tiles and steps in turns, over pages of any
// size, in a pool that has no frame to spare.

#include <QTest>

#include <random>

#include "core/paging/cache/cursor.h"
#include "core/paging/cache/memory_plan.h"
#include "core/paging/sources/box_source.h"
#include "core/tasks/scheduler.h"
#include "tests/support/formula_data.h"

using namespace farfield;
using namespace farfield::paging;

namespace {

constexpr Index3 kDims{19, 14, 11};
constexpr std::int64_t kSteps = 2;
constexpr int kArrays = 3;  // xyz, q, iblank

/// What the formula gives, as the array's number type holds it.
double expected(int array, std::int64_t step, const Index3& node, int component) {
  const double value = test::formulaValue(array, step, node, component);
  if (array == 1) return static_cast<float>(value);
  if (array == 2) return static_cast<double>(static_cast<std::int64_t>(value) % 100);
  return value;
}

/// Gathers at random with one cursor; counts the values that are wrong.
class Gatherer {
 public:
  Gatherer(PageCache& cache, tasks::TaskContext& context, std::uint64_t seed)
      : m_cache(cache), m_cursor(cache, context, GatherMode::Pinned), m_random(seed) {
    for (std::uint32_t n = 0; n < kArrays; ++n) m_slots[n] = m_cursor.bind(n);
  }

  void gatherOnce() {
    switch (below(11)) {
      case 0:
        return tiles();
      case 1:
        m_step = below(kSteps);
        return m_cursor.setStep(m_step);
      case 2:
      case 3:
        return box();
      default:
        return cell();
    }
  }
  int wrong() const { return m_wrong; }

 private:
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(n));
  }
  /// Mostly beside the last one, as lines go; of one, two or all arrays.
  void cell() {
    for (int a = 0; a < 3; ++a) {
      const std::int64_t cells = kDims[a] - 1;
      m_at[a] = below(8) == 0 ? below(cells) : std::clamp<std::int64_t>(m_at[a] + below(3) - 1, 0, cells - 1);
    }
    compare({m_at, {2, 2, 2}},
            [&](std::span<const GatherTarget> targets) { m_cursor.gatherCell(m_at, targets); });
  }
  /// As long along one axis as eight pages allow.
  void box() {
    const int axis = static_cast<int>(below(3));
    const std::int64_t longest = 7 * m_cache.array(0).layout.extent()[axis] + 1;
    IndexBox box{{}, {1, 1, 1}};
    for (int a = 0; a < 3; ++a) box.first[a] = below(kDims[a]);
    box.size[axis] = 1 + below(std::min(longest, kDims[axis] - box.first[axis]));
    compare(box, [&](std::span<const GatherTarget> targets) { m_cursor.gather(box, targets); });
  }
  void tiles() {
    IndexBox box;
    for (int a = 0; a < 3; ++a) {
      box.first[a] = below(kDims[a]);
      box.size[a] = 1 + below(kDims[a] - box.first[a]);
    }
    compare(box, [&](std::span<const GatherTarget> targets) { m_cursor.gatherTiled(box, targets); });
  }

  template <class Gather>
  void compare(const IndexBox& box, Gather&& gather) {
    const auto first = static_cast<int>(below(kArrays)), count = 1 + static_cast<int>(below(kArrays - first));
    const auto nodes = static_cast<std::size_t>(product(box.size));
    std::array<std::vector<double>, kArrays> values;
    std::vector<GatherTarget> targets;
    for (int n = first; n < first + count; ++n) {
      values[n].assign(nodes * static_cast<std::size_t>(m_cursor.components(m_slots[n])), -1);
      targets.push_back({m_slots[n], values[n].data()});
    }
    gather(targets);
    for (int n = first; n < first + count; ++n) {
      const auto components = static_cast<std::size_t>(m_cursor.components(m_slots[n]));
      for (std::size_t v = 0; v < values[n].size(); ++v) {
        Index3 node = unlinear(static_cast<std::int64_t>(v / components), box.size);
        for (int a = 0; a < 3; ++a) node[a] += box.first[a];
        m_wrong += values[n][v] != expected(n, stepOf(n), node, static_cast<int>(v % components));
      }
    }
  }
  std::int64_t stepOf(int array) const {
    return m_cache.array(static_cast<std::uint32_t>(array)).steps > 1 ? m_step : 0;
  }

  PageCache& m_cache;
  Cursor m_cursor;
  std::mt19937_64 m_random;
  std::array<int, kArrays> m_slots{};
  Index3 m_at{0, 0, 0};
  std::int64_t m_step = 0;
  int m_wrong = 0;
};

}  // namespace

class TestCursor : public QObject {
  Q_OBJECT
 private slots:
  void allKindsOfGathersInTurns_data();
  void allKindsOfGathersInTurns();
};

void TestCursor::allKindsOfGathersInTurns_data() {
  QTest::addColumn<int>("edge");
  for (const int edge : {1, 2, 3, 4, 7, 32}) QTest::addRow("pages of %d", edge) << edge;
}

void TestCursor::allKindsOfGathersInTurns() {
  QFETCH(int, edge);
  MemoryAccount account(64 << 20);
  BoxSource source(test::formulaReader(test::formulaDescription(kDims, kSteps)), account,
                   BoxSourceOptions{PageCut::Even, edge, 0, 1 << 20}, "formula");
  const auto cacheOf = [&](std::uint64_t frameBytes) {
    auto cache = std::make_unique<PageCache>(account, CacheOptions{frameBytes, 2});
    for (std::uint32_t n = 0; n < kArrays; ++n) cache->addArray(source, n);
    return cache;
  };
  std::uint64_t need = 0;
  {
    const auto cache = cacheOf(1 << 20);
    for (std::uint32_t n = 0; n < kArrays; ++n) need += Cursor::kPagesPerArray * cache->slotBytes(n);
  }
  // A cursor that held more than its eight pages of an array would find no frame in the small cache.
  for (const std::uint64_t bytes : {need + need / 16, std::uint64_t{32} << 20}) {
    const auto cache = cacheOf(bytes);
    Reservation reservation(*cache, need, 1);
    tasks::TaskGroup group;
    group.name = "gathers";
    group.count = 4;
    group.admission = &reservation;
    int wrong = 0;
    group.run = [&](std::size_t n, tasks::TaskContext& context) {
      Gatherer gatherer(*cache, context, 10 * static_cast<std::uint64_t>(edge) + n);
      for (int gather = 0; gather < 2'000; ++gather) gatherer.gatherOnce();
      wrong += gatherer.wrong();
    };
    tasks::makeSerialScheduler(cache->reapers())->run(group, {});
    QCOMPARE(wrong, 0);
    const CacheCounters counters = cache->counters();
    QCOMPARE(counters.hits + counters.misses, counters.requests);
    // No pin is left: all frames can be reserved.
    cache->evictAll();
    QVERIFY(cache->tryReserve(cache->frameBytes()));
    cache->unreserve(cache->frameBytes());
  }
}

QTEST_APPLESS_MAIN(TestCursor)
#include "tst_cursor.moc"
