// Seeds scattered over all blocks.
#include <QTest>
#include <set>

#include "core/base/error.h"
#include "core/paging/pages/changing_cells.h"
#include "core/session/run/lines/spread_seeds.h"

using namespace farfield;
using namespace farfield::session;

namespace {

paging::DatasetDescription blocksOf(const std::vector<Index3>& dims) {
  paging::DatasetDescription description;
  for (const Index3& each : dims) {
    paging::BlockDescription block;
    block.dims = each;
    description.blocks.push_back(block);
  }
  return description;
}

/// By block, the nodes of all seeds, in their order.
std::vector<std::vector<Index3>> nodesOf(const std::vector<Index3>& dims, std::int64_t count) {
  std::vector<std::vector<Index3>> nodes(dims.size());
  int last = 0;
  const auto seeds = spreadSeeds(blocksOf(dims), count);
  const auto nodeAt = [&](int block, const Index3& node) {
    if (block < last) throw Invalid("blocks come in their order");
    last = block;
    nodes.at(static_cast<std::size_t>(block)).push_back(node);
    return Vec3{};
  };
  for (std::size_t n = 0; n < seeds->count(); ++n) seeds->at(n, nodeAt);
  return nodes;
}

}  // namespace

class TestSpreadSeeds : public QObject {
  Q_OBJECT
 private slots:
  void everyBlockHasSome();
  void sharesFollowTheNodes();
  void fewSeedsOfManyBlocks();
  void nodesAreInsideAndApart();
  void flatBlocks();
  void gridsThatChange();
  void theSameAgain();
  void badCounts();
};

void TestSpreadSeeds::everyBlockHasSome() {
  const auto nodes = nodesOf({{200, 200, 200}, {3, 3, 3}, {1, 1, 1}, {40, 40, 2}}, 60);
  std::size_t all = 0;
  for (const auto& block : nodes) {
    QVERIFY(!block.empty());
    all += block.size();
  }
  QCOMPARE(all, 60u);
}

void TestSpreadSeeds::sharesFollowTheNodes() {
  const auto nodes = nodesOf({{12, 12, 12}, {12, 12, 32}}, 402);
  QCOMPARE(nodes[0].size(), 101u);
  QCOMPARE(nodes[1].size(), 301u);
}

void TestSpreadSeeds::fewSeedsOfManyBlocks() {
  const auto nodes = nodesOf(std::vector<Index3>(1000, {9, 9, 9}), 50);
  std::size_t all = 0, used = 0;
  for (const auto& block : nodes) {
    all += block.size();
    used += !block.empty();
  }
  QCOMPARE(all, 50u);
  QCOMPARE(used, 50u);
}

void TestSpreadSeeds::nodesAreInsideAndApart() {
  constexpr std::int64_t kNodes = 65;
  const auto nodes = nodesOf({{kNodes, kNodes, kNodes}}, 64)[0];
  std::set<std::array<std::int64_t, 3>> different, eighths;
  for (const Index3& node : nodes) {
    different.insert({node[0], node[1], node[2]});
    eighths.insert({2 * node[0] / kNodes, 2 * node[1] / kNodes, 2 * node[2] / kNodes});
    for (const std::int64_t at : node) QVERIFY(at >= 1 && at <= kNodes - 2);
  }
  QCOMPARE(different.size(), 64u);
  QCOMPARE(eighths.size(), 8u);
  // Along each axis all quarters have about as many.
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::array<int, 4> quarters{};
    for (const Index3& node : nodes) ++quarters[static_cast<std::size_t>(4 * node[axis] / kNodes)];
    for (const int its : quarters) QVERIFY2(its >= 12 && its <= 20, qPrintable(QString::number(its)));
  }
}

void TestSpreadSeeds::flatBlocks() {
  const auto sheet = nodesOf({{33, 17, 1}}, 20)[0], small = nodesOf({{2, 3, 4}}, 20)[0];
  for (const Index3& node : sheet) {
    QCOMPARE(node[2], 0);
    QVERIFY(node[0] >= 1 && node[0] <= 31 && node[1] >= 1 && node[1] <= 15);
  }
  for (const Index3& node : small) {
    QCOMPARE(node[0], 0);
    QCOMPARE(node[1], 1);
    QVERIFY(node[2] == 1 || node[2] == 2);
  }
}

/// Of grids that change only what is there has seeds, as many as ever.
void TestSpreadSeeds::gridsThatChange() {
  auto changing = blocksOf({{9, 9, 9}, {30, 1, 1}, {12, 12, 12}});
  changing.times = {0, 1, 2};
  for (paging::BlockDescription& block : changing.blocks) block.kind = paging::GridKind::Unstructured;
  paging::sayCellsChange(changing);
  for (std::int64_t step = 0; step < 3; ++step) {
    const auto seeds = spreadSeeds(changing, 20, step);
    QCOMPARE(seeds->count(), std::size_t{20});
    const auto alone = spreadSeeds(blocksOf({changing.blocks[static_cast<std::size_t>(step)].dims}), 20);
    for (std::size_t n = 0; n < 20; ++n) {
      Index3 its, own;
      seeds->at(n, [&](int block, const Index3& node) {
        if (block != step) throw Invalid("of another step");
        its = node;
        return Vec3{};
      });
      alone->at(n, [&](int, const Index3& node) {
        own = node;
        return Vec3{};
      });
      QCOMPARE(its, own);
    }
  }
  QCOMPARE(spreadSeeds(changing, 20)->count(), std::size_t{20});
}

void TestSpreadSeeds::theSameAgain() {
  const std::vector<Index3> dims{{33, 17, 9}, {8, 8, 8}};
  QVERIFY(nodesOf(dims, 50) == nodesOf(dims, 50));
}

void TestSpreadSeeds::badCounts() {
  QVERIFY_EXCEPTION_THROWN(spreadSeeds(blocksOf({{3, 3, 3}}), 0), Invalid);
  QVERIFY_EXCEPTION_THROWN(spreadSeeds(blocksOf({}), 5), Invalid);
}

QTEST_APPLESS_MAIN(TestSpreadSeeds)
#include "tst_spread_seeds.moc"
