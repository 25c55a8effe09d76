// Seeds that are as dense everywhere in space, whatever the grid.
#include <QTest>

#include <cmath>
#include <numbers>
#include <set>

#include "core/base/error.h"
#include "core/session/run/lines/space_seeds.h"

using namespace farfield;
using namespace farfield::session;

namespace {

using Place = std::function<Vec3(int block, const Index3& node)>;

/// Data whose nodes lie where a formula says.
struct Made {
  paging::DatasetDescription data;
  Place place;
  std::function<bool(int block, const Index3& node)> isBlank = [](int, const Index3&) { return false; };
  mutable std::set<std::array<std::int64_t, 4>> read;

  Made(const std::vector<Index3>& dims, Place its, bool blanks = false) : place(std::move(its)) {
    for (const Index3& each : dims) {
      paging::BlockDescription block;
      block.dims = each;
      block.hasIblank = blanks;
      for (std::int64_t n = 0; n < product(each); ++n)
        block.bounds.add(place(static_cast<int>(data.blocks.size()), unlinear(n, each)));
      data.blocks.push_back(block);
    }
  }
  std::vector<Vec3> seeds(std::int64_t count) const {
    const auto set = seedsOverSpace(data, count, -1, [&](std::span<const BlockNode> nodes, bool blanks) {
      std::vector<NodePlace> places;
      for (const BlockNode& its : nodes) {
        read.insert({its.block, its.node[0], its.node[1], its.node[2]});
        places.push_back({place(its.block, its.node), blanks && isBlank(its.block, its.node)});
      }
      return places;
    });
    std::vector<Vec3> all;
    for (std::size_t n = 0; n < set->count(); ++n)
      all.push_back(set->at(n, [&](int block, const Index3& node) {
        const Index3& dims = data.blocks.at(static_cast<std::size_t>(block)).dims;
        if (!IndexBox{{0, 0, 0}, dims}.contains(node)) throw Invalid("no node of the block");
        return place(block, node);
      }));
    return all;
  }
};

/// A ring from radius 1 to `outer`, whose cells are ever longer outwards; i closes around it.
Place ring(std::int64_t around, std::int64_t along, double outer) {
  return [=](int, const Index3& node) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(node[0] % (around - 1)) / static_cast<double>(around - 1);
    const double radius = std::pow(outer, static_cast<double>(node[1]) / static_cast<double>(along - 1));
    return Vec3{radius * std::cos(angle), radius * std::sin(angle), 0.5 * static_cast<double>(node[2])};
  };
}

double radiusOf(Vec3 at) {
  return std::hypot(at.x, at.y);
}

std::size_t different(const std::vector<Vec3>& seeds) {
  std::set<std::array<double, 3>> places;
  for (const Vec3& at : seeds) places.insert({at.x, at.y, at.z});
  return places.size();
}

}  // namespace

class TestSpaceSeeds : public QObject {
  Q_OBJECT
 private slots:
  void asDenseFarFromWalls_data();
  void asDenseFarFromWalls();
  void littleIsRead();
  void blocksByTheirVolume();
  void veryManyBlocks();
  void manySeedsOfAFewCells();
  void blankCellsHaveNone();
  void allBlankIsAsNoneBlank();
  void nodesOfMeshes();
  void sheetsBesideBlocks();
  void noVolumeAtAll();
  void theSameAgain();
  void badCounts();
};

void TestSpaceSeeds::asDenseFarFromWalls_data() {
  QTest::addColumn<int>("layers");
  QTest::addColumn<int>("blocks");
  QTest::addColumn<int>("most");  // in a quarter of the volume; by nodes there were 300
  QTest::addRow("flat") << 1 << 1 << 145;
  QTest::addRow("a layer of cells") << 2 << 1 << 145;
  QTest::addRow("thick") << 9 << 1 << 145;
  QTest::addRow("many rings") << 5 << 40 << 170;  // of a dozen boxes each
}

void TestSpaceSeeds::asDenseFarFromWalls() {
  QFETCH(int, layers);
  QFETCH(int, blocks);
  QFETCH(int, most);
  constexpr double kOuter = 20;
  constexpr std::int64_t kAround = 97, kAlong = 65;
  const Place one = ring(kAround, kAlong, kOuter);
  const Made made(std::vector<Index3>(static_cast<std::size_t>(blocks), {kAround, kAlong, layers}),
                  [&](int block, const Index3& node) {
                    return one(block, node) + Vec3{0, 0, 50.0 * block};
                  });
  const std::vector<Vec3> seeds = made.seeds(400);
  QCOMPARE(seeds.size(), std::size_t{400});
  QCOMPARE(different(seeds), std::size_t{400});
  // rings of equal area, and quarters of the circle
  std::array<int, 4> rings{}, quarters{};
  for (const Vec3& at : seeds) {
    const double radius = radiusOf(at), part = (radius * radius - 1) / (kOuter * kOuter - 1);
    // cells are cut straight
    QVERIFY2(radius > 0.998 && radius < kOuter, qPrintable(QString::number(radius)));
    ++rings[static_cast<std::size_t>(std::clamp(4 * part, 0.0, 3.0))];
    ++quarters[static_cast<std::size_t>((at.x > 0 ? 1 : 0) + (at.y > 0 ? 2 : 0))];
  }
  for (const int its : rings) QVERIFY2(its >= 60 && its <= most, qPrintable(QString::number(its)));
  for (const int its : quarters) QVERIFY2(its >= 70 && its <= 130, qPrintable(QString::number(its)));
}

/// However large the grid is.
void TestSpaceSeeds::littleIsRead() {
  paging::DatasetDescription data;
  paging::BlockDescription block;
  block.dims = {2000, 1000, 500};
  block.bounds.add(Vec3{0, 0, 0});
  block.bounds.add(Vec3{1, 1, 1});
  data.blocks.push_back(block);
  std::set<std::array<std::int64_t, 3>> read;
  const auto seeds = seedsOverSpace(data, 80, -1, [&](std::span<const BlockNode> nodes, bool) {
    std::vector<NodePlace> places;
    for (const BlockNode& its : nodes) {
      read.insert({its.node[0], its.node[1], its.node[2]});
      NodePlace place;
      for (std::size_t a = 0; a < 3; ++a)
        place.at[static_cast<int>(a)] =
            std::pow(static_cast<double>(its.node[a]) / static_cast<double>(block.dims[a] - 1), 8);
      places.push_back(place);
    }
    return places;
  });
  QCOMPARE(seeds->count(), std::size_t{80});
  QVERIFY2(read.size() < 1500, qPrintable(QString::number(read.size())));
}

void TestSpaceSeeds::blocksByTheirVolume() {
  // as many nodes, sixteen times the volume
  const Made made({{9, 9, 9}, {9, 9, 9}}, [](int block, const Index3& node) {
    return block == 0 ? toVec3(node) : Vec3{100, 0, 0} + std::cbrt(16) * toVec3(node);
  });
  int first = 0;
  for (const Vec3& at : made.seeds(170)) first += at.x < 50;
  QVERIFY2(first >= 9 && first <= 11, qPrintable(QString::number(first)));
}

void TestSpaceSeeds::veryManyBlocks() {
  const Made made(std::vector<Index3>(3000, {3, 3, 3}), [](int block, const Index3& node) {
    return Vec3{3.0 * (block % 50), 3.0 * (block / 50), 0} + toVec3(node);
  });
  const std::vector<Vec3> seeds = made.seeds(60);
  QCOMPARE(seeds.size(), std::size_t{60});
  int left = 0, low = 0;
  for (const Vec3& at : seeds) left += at.x < 75, low += at.y < 90;
  QVERIFY2(left >= 24 && left <= 36 && low >= 24 && low <= 36,
           qPrintable(QString("%1 %2").arg(left).arg(low)));
}

void TestSpaceSeeds::manySeedsOfAFewCells() {
  const Made made({{3, 2, 2}}, [](int, const Index3& node) { return toVec3(node); });
  const std::vector<Vec3> seeds = made.seeds(5000);
  QCOMPARE(different(seeds), std::size_t{5000});
  int first = 0;
  for (const Vec3& at : seeds) {
    QVERIFY(at.x >= 0 && at.x <= 2 && at.y >= 0 && at.y <= 1 && at.z >= 0 && at.z <= 1);
    first += at.x < 1;
  }
  QCOMPARE(first, 2500);
}

void TestSpaceSeeds::blankCellsHaveNone() {
  Made made(
      {{33, 33, 33}}, [](int, const Index3& node) { return toVec3(node); }, true);
  made.isBlank = [](int, const Index3& node) { return node[0] <= 16; };
  for (const Vec3& at : made.seeds(200)) QVERIFY2(at.x > 16, qPrintable(QString::number(at.x)));
}

void TestSpaceSeeds::allBlankIsAsNoneBlank() {
  Made made(
      {{9, 9, 9}}, [](int, const Index3& node) { return toVec3(node); }, true);
  const std::vector<Vec3> before = made.seeds(20);
  made.isBlank = [](int, const Index3&) { return true; };
  QCOMPARE(made.seeds(20).size(), std::size_t{20});
  QVERIFY(made.seeds(20) == before);
}

/// Half of the nodes of a mesh lie at a wall.
void TestSpaceSeeds::nodesOfMeshes() {
  constexpr std::int64_t kNodes = 40'000;
  Made made({{kNodes, 1, 1}}, [](int, const Index3& node) {
    const auto n = static_cast<double>(node[0] / 2);
    const double height = node[0] % 2 == 0 ? 0.001 : 1;
    const auto part = [&](double step) { return n * step - std::floor(n * step); };
    return Vec3{part(0.8191725133961645), part(0.6710436067037893), height * part(0.5497004779019703)};
  });
  made.data.blocks[0].kind = paging::GridKind::Unstructured;
  const std::vector<Vec3> seeds = made.seeds(200);
  QCOMPARE(different(seeds), std::size_t{200});
  int low = 0, left = 0;
  for (const Vec3& at : seeds) low += at.z < 0.25, left += at.x < 0.5;
  QVERIFY2(low >= 35 && low <= 80, qPrintable(QString::number(low)));  // 127 of nodes by number
  QVERIFY2(left >= 80 && left <= 120, qPrintable(QString::number(left)));
  QVERIFY(made.read.size() <= 1024);
}

/// What has no volume has no seeds beside what has.
void TestSpaceSeeds::sheetsBesideBlocks() {
  const Made made({{9, 9, 1}, {9, 9, 9}}, [](int block, const Index3& node) {
    return toVec3(node) + Vec3{block == 0 ? -100.0 : 0.0, 0, 0};
  });
  for (const Vec3& at : made.seeds(50)) QVERIFY(at.x > 0);
  const Made row({{33, 1, 1}}, [](int, const Index3& node) {
    return Vec3{static_cast<double>(node[0] * node[0]), 0, 0};
  });
  int first = 0;
  for (const Vec3& at : row.seeds(64)) first += at.x < 512;
  QVERIFY2(first >= 26 && first <= 38, qPrintable(QString::number(first)));
}

void TestSpaceSeeds::noVolumeAtAll() {
  const Made made({{5, 5, 5}, {9, 5, 5}}, [](int, const Index3&) { return Vec3{1, 2, 3}; });
  QCOMPARE(made.seeds(30).size(), std::size_t{30});
  const Made nowhere({{5, 5, 5}}, [](int, const Index3&) { return Vec3{std::nan(""), 0, 0}; });
  QCOMPARE(nowhere.seeds(30).size(), std::size_t{30});
}

void TestSpaceSeeds::theSameAgain() {
  const Made made({{33, 17, 5}, {9, 9, 9}}, ring(33, 17, 10));
  QVERIFY(made.seeds(77) == made.seeds(77));
}

void TestSpaceSeeds::badCounts() {
  const auto none = [](std::span<const BlockNode>, bool) { return std::vector<NodePlace>(); };
  QVERIFY_EXCEPTION_THROWN(seedsOverSpace({}, 5, -1, none), Invalid);
  QVERIFY_EXCEPTION_THROWN(seedsOverSpace({}, 0, -1, none), Invalid);
}

QTEST_APPLESS_MAIN(TestSpaceSeeds)
#include "tst_space_seeds.moc"
