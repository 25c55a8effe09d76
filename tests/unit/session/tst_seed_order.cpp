// The order in which lines start: every seed once, near ones one after another, and as they are numbered where
// there is nothing to gain or no memory.

#include <QTest>
#include <random>

#include "core/session/kinds/streamlines/seed_order.h"

using namespace farfield;
using namespace farfield::session;

namespace {

/// A cube of 10 × 10 × 10 pages.
paging::DatasetDescription cube() {
  paging::DatasetDescription description;
  paging::BlockDescription block;
  block.dims = {80, 80, 80};
  block.bounds.add(Vec3{0, 0, 0});
  block.bounds.add(Vec3{10, 10, 10});
  description.blocks.push_back(block);
  description.arrays.push_back({.name = "xyz", .layout = paging::PageLayout::even(block.dims, 8)});
  return description;
}

std::vector<Vec3> scattered(std::size_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(0, 10);
  std::vector<Vec3> points(count);
  for (Vec3& point : points) point = {place(random), place(random), place(random)};
  return points;
}

Index3 boxOf(Vec3 point) {
  return {static_cast<std::int64_t>(point.x), static_cast<std::int64_t>(point.y),
          static_cast<std::int64_t>(point.z)};
}

}  // namespace

class TestSeedOrder : public QObject {
  Q_OBJECT
 private slots:
  void seedsOfABoxComeTogether() {
    constexpr std::size_t kCount = 20'000;
    const std::vector<Vec3> points = scattered(kCount);
    MemoryAccount account(16 << 20);
    {
      const SeedOrder order(*flow::pointSeeds(points), false, cube(), account);
      QCOMPARE(account.usedBytes(), kCount * 4);
      std::vector<bool> seen(kCount);
      std::size_t moves = 0;
      for (std::size_t n = 0; n < kCount; ++n) {
        QVERIFY(order(n) < kCount && !seen[order(n)]);
        seen[order(n)] = true;
        if (n > 0 && boxOf(points[order(n)]) != boxOf(points[order(n - 1)])) ++moves;
      }
      QVERIFY2(moves < 1000, qPrintable(QString::number(moves)));  // each of the 1,000 boxes once
    }
    QCOMPARE(account.usedBytes(), std::uint64_t{0});
  }

  void asTheyAreNumbered() {
    MemoryAccount account(16 << 20), small(100'000);
    const auto seeds = flow::pointSeeds(scattered(1000));
    const SeedOrder nodes(*seeds, true, cube(), account), noMemory(*seeds, false, cube(), small),
        few(*flow::pointSeeds(scattered(10)), false, cube(), account),
        noBounds(*seeds, false, paging::DatasetDescription{}, account);
    for (std::size_t n = 0; n < 1000; ++n) {
      QCOMPARE(nodes(n), n);
      QCOMPARE(noMemory(n), n);
      QCOMPARE(noBounds(n), n);
      if (n < 10) QCOMPARE(few(n), n);
    }
    QCOMPARE(account.usedBytes() + small.usedBytes(), std::uint64_t{0});
  }

  void seedsOutsideAndFlatData() {
    paging::DatasetDescription description = cube();
    description.blocks[0].bounds = {};
    description.blocks[0].bounds.add(Vec3{0, 0, 1});
    description.blocks[0].bounds.add(Vec3{10, 10, 1});
    std::vector<Vec3> points = scattered(200);
    points.push_back({-1e300, 1e300, 0});
    MemoryAccount account(16 << 20);
    const SeedOrder order(*flow::pointSeeds(points), false, description, account);
    std::vector<bool> seen(points.size());
    for (std::size_t n = 0; n < points.size(); ++n) seen[order(n)] = true;
    QVERIFY(std::find(seen.begin(), seen.end(), false) == seen.end());
  }
};

QTEST_APPLESS_MAIN(TestSeedOrder)
#include "tst_seed_order.moc"
