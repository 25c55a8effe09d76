// Rectilinear blocks: every point in the cell that a search of the axes says, a field that is linear in space exact,
// and all of it as on the same nodes given as a curvilinear block. Blocks of one plane hold the points of their plane.

#include <QTest>

#include <cmath>
#include <random>

#include "core/fields/data/box_data.h"
#include "core/fields/functions/node_coordinates.h"
#include "core/fields/paged/paged_data.h"
#include "core/paging/pages/coarse_levels.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::test;

namespace {

paging::GridAxes axesOf(const Index3& dims) {
  paging::GridAxes axes;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::int64_t n = 0; n < dims[a]; ++n)
      axes[a].push_back(-3 + static_cast<double>(a) + 0.7 * static_cast<double>(n) +
                        0.11 * static_cast<double>(n * n) + (n % 3 == 1 ? 0.2 : 0));
  return axes;
}

bool blanked(const Index3& node) {
  return node == Index3{5, 4, 0};
}

Vec3 at(const paging::GridAxes& axes, const Index3& node) {
  Vec3 point;
  for (std::size_t a = 0; a < 3; ++a) point[static_cast<int>(a)] = axes[a][static_cast<std::size_t>(node[a])];
  return point;
}

/// "place" is where the node is; "bent" is not linear.
std::shared_ptr<paging::ComputedReader> readerOf(const Index3& dims, bool curvilinear) {
  paging::DatasetDescription description;
  description.format = "test";
  description.times = {0};
  paging::BlockDescription block;
  block.dims = dims;
  block.hasIblank = true;
  const auto axes = std::make_shared<const paging::GridAxes>(axesOf(dims));
  block.bounds.add(at(*axes, {0, 0, 0}));
  block.bounds.add(at(*axes, {dims[0] - 1, dims[1] - 1, dims[2] - 1}));
  block.kind = curvilinear ? paging::GridKind::Curvilinear : paging::GridKind::Rectilinear;
  if (!curvilinear) block.axes = axes;
  description.blocks.push_back(block);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(dims, dims);
  description.arrays.push_back({"place", 0, whole, 1, 3, ScalarType::F64, {}});
  description.arrays.push_back({"bent", 0, whole, 1, 1, ScalarType::F64, {}});
  description.arrays.push_back({"iblank", 0, whole, 1, 1, ScalarType::I16, {}});
  if (curvilinear) description.arrays.push_back({"xyz", 0, whole, 1, 3, ScalarType::F64, {}});
  description.arrays[2].role = paging::ArrayRole::Blanking;
  if (curvilinear) description.arrays[3].role = paging::ArrayRole::Coordinates;
  return nodewiseReader(description,
                        [axes](std::uint32_t array, std::int64_t, const Index3& node, NodeValues& values) {
                          if (array == 0 || array == 3) values.put(at(*axes, node));
                          if (array == 1)
                            values.put(std::sin(static_cast<double>(node[0] + 3 * node[1] + 7 * node[2])));
                          if (array == 2) values.put(static_cast<std::int16_t>(blanked(node) ? 0 : 1));
                        });
}

void withSampler(const Index3& dims, bool curvilinear, const std::function<void(Sampler&)>& work) {
  MemoryAccount account(8 << 20);
  const auto data = openBoxes(readerOf(dims, curvilinear), {4, false, "test"}, {}, account);
  PagedDataOptions options;
  options.arrays = {"place", "bent"};
  PagedData paged(*data, account, options);
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(
        context,
        std::make_shared<FunctionPlan>(paged.description(), std::vector<std::string>{"place", "bent"}));
    work(*sampler);
  });
}

constexpr Index3 kDims{9, 8, 7};

struct Found {
  bool inside = false;
  Location location;
  std::array<double, 4> values{};
};

std::vector<Found> findAll(const Index3& dims, bool curvilinear, const std::vector<Vec3>& points) {
  std::vector<Found> all;
  withSampler(dims, curvilinear, [&](Sampler& sampler) {
    for (const Vec3& point : points) {
      Found found;
      found.inside = sampler.locate(point, {}, found.location);
      if (found.inside) sampler.evaluate(found.location, {}, found.values);
      all.push_back(found);
    }
  });
  return all;
}

std::vector<Vec3> randomPoints(const Index3& dims, int count) {
  const paging::GridAxes axes = axesOf(dims);
  std::mt19937 random(3);
  std::vector<Vec3> points;
  for (int n = 0; n < count; ++n) {
    Vec3 point;
    for (std::size_t a = 0; a < 3; ++a) {
      const double size = axes[a].back() - axes[a].front();
      point[static_cast<int>(a)] =
          axes[a].front() + size * std::uniform_real_distribution<double>(-0.1, 1.1)(random);
      if (dims[a] == 1) point[static_cast<int>(a)] = axes[a].front();
    }
    points.push_back(point);
  }
  return points;
}

}  // namespace

class TestRectilinear : public QObject {
  Q_OBJECT
 private slots:
  void pointsAreWhereTheAxesSay();
  void asOnTheSameNodesCurvilinear();
  void nodesAndFacesBelongToTheLowestCell();
  void beyondTheEnds();
  void onePlaneHoldsItsPoints();
  void flowsKnowTheirCells();
  void levelsKeepNodesOfTheAxes();
};

void TestRectilinear::pointsAreWhereTheAxesSay() {
  const paging::GridAxes axes = axesOf(kDims);
  const std::vector<Vec3> points = randomPoints(kDims, 3000);
  const std::vector<Found> found = findAll(kDims, false, points);
  int inside = 0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    Index3 cell{-1, -1, -1};
    bool within = true;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::int64_t i = 0; i + 1 < kDims[a]; ++i)
        if (points[n][static_cast<int>(a)] >= axes[a][static_cast<std::size_t>(i)] &&
            points[n][static_cast<int>(a)] <= axes[a][static_cast<std::size_t>(i) + 1])
          cell[a] = i;
      within = within && cell[a] >= 0;
    }
    for (int corner = 0; within && corner < 8; ++corner)
      if (blanked({cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2)}))
        within = false;
    QCOMPARE(found[n].inside, within);
    if (!within) continue;
    ++inside;
    QCOMPARE(found[n].location.cell, linear(cell, {kDims[0] - 1, kDims[1] - 1, kDims[2] - 1}));
    for (int a = 0; a < 3; ++a)
      QVERIFY(std::abs(found[n].values[static_cast<std::size_t>(a)] - points[n][a]) < 1e-12);
  }
  QVERIFY(inside > 1000);
}

void TestRectilinear::asOnTheSameNodesCurvilinear() {
  const std::vector<Vec3> points = randomPoints(kDims, 1000);
  const std::vector<Found> straight = findAll(kDims, false, points), bent = findAll(kDims, true, points);
  for (std::size_t n = 0; n < points.size(); ++n) {
    QCOMPARE(straight[n].inside, bent[n].inside);
    if (!straight[n].inside) continue;
    QCOMPARE(straight[n].location.cell, bent[n].location.cell);
    QVERIFY(length(straight[n].location.xi - bent[n].location.xi) < 1e-9);
    QVERIFY(std::abs(straight[n].values[3] - bent[n].values[3]) < 1e-9);
  }
}

void TestRectilinear::nodesAndFacesBelongToTheLowestCell() {
  const paging::GridAxes axes = axesOf(kDims);
  std::vector<Vec3> points;
  std::vector<Index3> nodes;
  for (const Index3& node : {Index3{0, 0, 0}, Index3{3, 2, 1}, Index3{8, 7, 6}, Index3{8, 0, 3}}) {
    nodes.push_back(node);
    points.push_back(at(axes, node));
  }
  const std::vector<Found> found = findAll(kDims, false, points);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    QVERIFY(found[n].inside);
    Index3 cell = nodes[n];
    for (std::int64_t& index : cell) index = std::max<std::int64_t>(0, index - 1);
    QCOMPARE(found[n].location.cell, linear(cell, {8, 7, 6}));
    // The node's own value, exactly.
    QCOMPARE(found[n].values[3],
             std::sin(static_cast<double>(nodes[n][0] + 3 * nodes[n][1] + 7 * nodes[n][2])));
  }
}

void TestRectilinear::beyondTheEnds() {
  const paging::GridAxes axes = axesOf(kDims);
  withSampler(kDims, false, [&](Sampler& sampler) {
    Location location;
    Vec3 point = at(axes, {8, 4, 3});
    point.x -= 0.01;
    QVERIFY(sampler.locate(point, {}, location));
    point.x += 0.02;
    Location near = location;
    QVERIFY(sampler.locateNear(point, {}, near) == Nearness::Beyond);
    QVERIFY(near.xi.x > 1 && near.xi.x < 1.1);
    std::array<double, 4> values{};
    sampler.evaluate(near, {}, values);
    QVERIFY(std::abs(values[0] - point.x) < 1e-12);
    point.x += 100;
    QVERIFY(sampler.locateNear(point, {}, near) == Nearness::Far);
  });
}

void TestRectilinear::onePlaneHoldsItsPoints() {
  const Index3 dims{9, 8, 1};
  std::vector<Vec3> points = randomPoints(dims, 500);
  const std::vector<Found> found = findAll(dims, false, points), bent = findAll(dims, true, points);
  int inside = 0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    QCOMPARE(found[n].inside, bent[n].inside);
    if (!found[n].inside) continue;
    ++inside;
    QCOMPARE(found[n].location.cell, bent[n].location.cell);
    QVERIFY(std::abs(found[n].values[0] - points[n].x) < 1e-12);
    QVERIFY(std::abs(found[n].values[3] - bent[n].values[3]) < 1e-9);
  }
  QVERIFY(inside > 200);
  for (Vec3& point : points) point.z += 0.01;
  for (const Found& other : findAll(dims, false, points)) QVERIFY(!other.inside);
}

void TestRectilinear::flowsKnowTheirCells() {
  const paging::GridAxes axes = axesOf(kDims);
  withSampler(kDims, false, [&](Sampler& sampler) {
    Location location;
    const Vec3 point{0.5 * (axes[0][3] + axes[0][4]), 0.5 * (axes[1][2] + axes[1][3]),
                     0.5 * (axes[2][4] + axes[2][5])};
    QVERIFY(sampler.locate(point, {}, location));
    const auto flow = sampler.flowIn(location, {});
    QVERIFY(flow.has_value());
    std::visit([&](const auto& shape) { QVERIFY(length(shape.position(location.xi, 0) - point) < 1e-13); },
               *flow);
    QVERIFY(std::abs(sampler.cellsPerTime(location, {}, {1, 0, 0}) - 1 / (axes[0][4] - axes[0][3])) < 1e-12);
    // Across a face, as the axes go on.
    QVERIFY(sampler.crossFace(location, {}, 1));
    QCOMPARE(unlinear(location.cell, {8, 7, 6}), (Index3{4, 2, 4}));
  });
}

void TestRectilinear::levelsKeepNodesOfTheAxes() {
  paging::BlockDescription block;
  block.dims = {9, 8, 1};
  block.kind = paging::GridKind::Rectilinear;
  block.axes = std::make_shared<const paging::GridAxes>(axesOf(block.dims));
  const paging::BlockDescription coarse = paging::coarseBlock(block, 1);
  QCOMPARE(coarse.dims, (Index3{5, 5, 1}));
  const paging::GridAxes &fine = *block.axes, &kept = *coarse.axes;
  QCOMPARE(kept[0], (std::vector<double>{fine[0][0], fine[0][2], fine[0][4], fine[0][6], fine[0][8]}));
  QCOMPARE(kept[1], (std::vector<double>{fine[1][0], fine[1][2], fine[1][4], fine[1][6], fine[1][7]}));
  QCOMPARE(kept[2], fine[2]);
}

QTEST_GUILESS_MAIN(TestRectilinear)
#include "tst_rectilinear.moc"
