// Data sets that share one cache: pages flow to the one that is used, whatever the others had before; and the
// budget moves while data are open, without a page read again that need not go.

#include <QTest>

#include "core/fields/data/box_data.h"
#include "core/fields/paged/paged_data.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"
#include "tests/support/pages_stay.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

constexpr Index3 kDims{96, 96, 96};  // 6.75 MiB in pages of 4 KiB
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

double valueAt(int data, const Index3& node) {
  return static_cast<double>(data * 1'000'000 + node[0] + 100 * node[1] + 10'000 * node[2]);
}

/// Data of one variable on a regular grid, in a cache that others share.
class Shared {
 public:
  Shared(int number, MemoryAccount& account, std::shared_ptr<paging::PageCache> cache) : m_number(number) {
    paging::DatasetDescription description;
    description.times = {0};
    paging::BlockDescription block;
    block.dims = kDims;
    block.kind = paging::GridKind::Regular;
    block.bounds.add(Vec3{0, 0, 0});
    block.bounds.add(Vec3{95, 95, 95});
    description.blocks.push_back(block);
    description.arrays.push_back(
        {"value", 0, paging::PageLayout::ofExtent(kDims, kDims), 1, 1, ScalarType::F64, {}});
    auto reader = test::nodewiseReader(
        description, [number](std::uint32_t, std::int64_t, const Index3& node, test::NodeValues& values) {
          values.put(valueAt(number, node));
        });
    m_data = openBoxes(std::move(reader), {8, false, "shared"}, {}, account);
    PagedDataOptions options;
    options.arrays = {"value"};
    options.scheduler = tasks::SchedulerKind::Serial;
    options.cache = std::move(cache);
    options.shareOfFree = 0.25;
    m_paged = std::make_unique<PagedData>(*m_data, account, options);
  }

  /// Looks at every page once, and at their borders. Returns the number of pages that were read for it.
  std::uint64_t walk() {
    const std::uint64_t before = m_paged->sourceCounters().reads;
    test::runOneTask(*m_paged, [&](tasks::TaskContext& context) {
      paging::Cursor cursor(m_paged->cache(), context, m_paged->plan().mode);
      const int slot = cursor.bind(static_cast<std::uint32_t>(m_paged->handle(0, "value")));
      for (std::int64_t n = 0; n < 12 * 12 * 12; ++n) {
        const Index3 page = unlinear(n, {12, 12, 12});
        const Index3 first{page[0] * 8, page[1] * 8, page[2] * 8};
        std::array<double, 8> found{};
        const paging::GatherTarget target{slot, found.data()};
        cursor.gather({first, {2, 2, 2}}, {&target, 1});
        for (std::int64_t c = 0; c < 8; ++c)
          m_wrong += found[static_cast<std::size_t>(c)] !=
                     valueAt(m_number, {first[0] + (c & 1), first[1] + (c >> 1 & 1), first[2] + (c >> 2)});
      }
    });
    return m_paged->sourceCounters().reads - before;
  }
  /// Walks until nothing has to be read; false where that does not happen.
  bool settles() {
    for (int n = 0; n < 8; ++n)
      if (walk() == 0) return true;
    return false;
  }
  int wrong() const { return m_wrong; }

 private:
  const int m_number;
  int m_wrong = 0;
  std::unique_ptr<OpenData> m_data;
  std::unique_ptr<PagedData> m_paged;
};

}  // namespace

class TestSharedCache : public QObject {
  Q_OBJECT
 private slots:
  void pagesFlowToWhoUsesThem() {
    if (!test::kPagesStay) QSKIP("this build reads pages again each time");
    // Room for one and a half of the four.
    MemoryAccount account(11 * kMiB);
    const auto cache = sharedCache(account, 1);
    std::vector<std::unique_ptr<Shared>> all;
    for (int n = 0; n < 4; ++n) all.push_back(std::make_unique<Shared>(n, account, cache));
    for (const auto& data : all) {
      QVERIFY(data->walk() > 0);
      QVERIFY(data->settles());
    }
    QVERIFY(all[0]->walk() > 0);  // its pages went to the others
    for (const auto& data : all) QCOMPARE(data->wrong(), 0);
    QVERIFY(account.peakBytes() <= 11 * kMiB);
  }

  void theBudgetMoves() {
    if (!test::kPagesStay) QSKIP("this build reads pages again each time");
    MemoryAccount account(11 * kMiB);
    const auto cache = sharedCache(account, 1);
    Shared data(1, account, cache);
    QVERIFY(data.walk() > 0);
    QVERIFY(data.settles());
    account.setBudgetBytes(5 * kMiB);
    QVERIFY(account.usedBytes() <= 5 * kMiB);
    const std::uint64_t left = cache->counters().residentBytes;
    QVERIFY(left > kMiB && left < 5 * kMiB);  // only what had to go went
    QVERIFY(data.walk() > 0);
    QVERIFY(account.usedBytes() <= 5 * kMiB);
    account.setBudgetBytes(11 * kMiB);
    QVERIFY(cache->counters().residentBytes > kMiB);
    QVERIFY(data.settles());
    QCOMPARE(data.wrong(), 0);
    // What others claim comes from the cache, and goes back to it.
    {
      const MemoryClaim claim = account.claim(Purpose::Device, 6 * kMiB, "a device's copy of pages");
      QCOMPARE(account.usedBytes(Purpose::Device), 6 * kMiB);
      QVERIFY(account.usedBytes() <= 11 * kMiB);
      QVERIFY(data.walk() > 0);
    }
    QVERIFY(data.settles());
  }
};

QTEST_APPLESS_MAIN(TestSharedCache)
#include "tst_shared_cache.moc"
