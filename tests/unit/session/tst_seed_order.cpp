// The order in which lines start: every seed once, in layers of pages, and as they are numbered where nothing is known of the flow or
// there is no memory.

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

/// The flow along x, and a little along y; pages of a unit cube.
const FlowSketch kAlongX{{1, 0.1, 0}, {1, 1, 1}};

Index3 boxOf(Vec3 point) {
  return {static_cast<std::int64_t>(point.x), static_cast<std::int64_t>(point.y),
          static_cast<std::int64_t>(point.z)};
}

}  // namespace

class TestSeedOrder : public QObject {
  Q_OBJECT
 private slots:
  void layersOfPages() {
    constexpr std::size_t kCount = 20'000;
    const std::vector<Vec3> points = scattered(kCount);
    MemoryAccount account(16 << 20);
    {
      const SeedOrder order(*flow::pointSeeds(points), kAlongX, cube(), account);
      QCOMPARE(account.usedBytes(), kCount * 4);
      std::vector<bool> seen(kCount);
      for (std::size_t n = 0; n < kCount; ++n) {
        QVERIFY(order(n) < kCount && !seen[order(n)]);
        seen[order(n)] = true;
        if (n == 0) continue;
        // One layer of pages across z after another, and in each of them along y, there and back again.
        const Vec3 at = points[order(n)], before = points[order(n - 1)];
        const std::int64_t layer = boxOf(at)[2];
        QVERIFY(layer == boxOf(before)[2] || layer == boxOf(before)[2] + 1);
        const double forward = (layer % 2 == 0 ? 1 : -1) * (at.y - before.y);
        QVERIFY2(layer != boxOf(before)[2] ? std::abs(at.y - before.y) < 0.2 : forward > -1.0 / 60,
                 qPrintable(QString::number(forward)));
      }
    }
    QCOMPARE(account.usedBytes(), std::uint64_t{0});
  }

  void layersAreAsThickAsPages() {
    std::vector<Vec3> points;
    for (int n = 0; n < 600; ++n) points.push_back({0.5, n % 2 * 9.0, n / 2 * 0.01});
    MemoryAccount account(16 << 20);
    // Pages are half as thick across z as they are wide: 3 units are six layers, each of which is gone through once.
    const SeedOrder order(*flow::pointSeeds(points), FlowSketch{{1, 0.1, 0}, {1, 1, 0.5}}, cube(), account);
    int crossings = 0;
    for (std::size_t n = 1; n < points.size(); ++n)
      if (points[order(n)].y != points[order(n - 1)].y) ++crossings;
    QCOMPARE(crossings, 6);
  }

  void asTheyAreNumbered() {
    MemoryAccount account(16 << 20), small(100'000);
    const auto seeds = flow::pointSeeds(scattered(1000));
    const SeedOrder noSketch(*seeds, {}, cube(), account), noMemory(*seeds, kAlongX, cube(), small),
        noBounds(*seeds, kAlongX, paging::DatasetDescription{}, account);
    for (std::size_t n = 0; n < 1000; ++n) {
      QCOMPARE(noSketch(n), n);
      QCOMPARE(noMemory(n), n);
      QCOMPARE(noBounds(n), n);
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
    const SeedOrder order(*flow::pointSeeds(points), kAlongX, description, account);
    std::vector<bool> seen(points.size());
    for (std::size_t n = 0; n < points.size(); ++n) seen[order(n)] = true;
    QVERIFY(std::find(seen.begin(), seen.end(), false) == seen.end());
    // A single point has no layers; pages of a size that is no number are as thick as numbers go.
    description.blocks[0].bounds = {};
    description.blocks[0].bounds.add(Vec3{1, 1, 1});
    const SeedOrder ofAPoint(*flow::pointSeeds(points), kAlongX, description, account);
    QCOMPARE(ofAPoint(7), std::size_t{7});
    const FlowSketch noSize{{1, 0.1, 0}, {NAN, NAN, NAN}};
    const SeedOrder unknown(*flow::pointSeeds(points), noSize, cube(), account);
    seen.assign(points.size(), false);
    for (std::size_t n = 0; n < points.size(); ++n) seen[unknown(n)] = true;
    QVERIFY(std::find(seen.begin(), seen.end(), false) == seen.end());
  }
};

QTEST_APPLESS_MAIN(TestSeedOrder)
#include "tst_seed_order.moc"
