// Location and interpolation on warped blocks whose mapping is known: the cell is the right one, the answer
// is the same whether walked or searched to and however the data are paged, blanked cells hold nothing, and
// the lowest-numbered block wins.

#include <QTest>

#include <cmath>
#include <random>

#include "core/base/error.h"
#include "core/fields/cells/trilinear.h"
#include "core/fields/data/box_data.h"
#include "core/fields/paged/paged_data.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::test;

namespace {

/// A smooth, invertible warp of index space; block 1 starts at i = 14 of the same space and so overlaps block
/// 0.
Vec3 warp(double i, double j, double k) {
  return {i + 0.2 * std::sin(0.7 * j) + 0.1 * std::sin(k), 0.8 * j + 0.15 * std::sin(0.9 * i),
          1.1 * k + 0.1 * std::cos(0.5 * i * 0.7)};
}
constexpr Index3 kDims[2] = {{18, 13, 11}, {12, 13, 11}};
constexpr std::int64_t kFirstI[2] = {0, 14};

bool blanked(int block, const Index3& node) {
  return block == 0 && node[0] == 16 && node[1] < 4;
}

std::shared_ptr<paging::ComputedReader> warpedReader() {
  paging::DatasetDescription description;
  description.format = "warped";
  description.times = {0};
  for (int block = 0; block < 2; ++block) {
    paging::BlockDescription grid;
    grid.dims = kDims[block];
    grid.hasIblank = true;
    for (std::int64_t n = 0; n < product(grid.dims); ++n) {
      const Index3 at = unlinear(n, grid.dims);
      grid.bounds.add(warp(static_cast<double>(at[0] + kFirstI[block]), static_cast<double>(at[1]),
                           static_cast<double>(at[2])));
    }
    description.blocks.push_back(grid);
    const paging::PageLayout whole = paging::PageLayout::ofExtent(grid.dims, grid.dims);
    description.arrays.push_back(
        {"xyz", block, whole, 1, 3, ScalarType::F64, {}, paging::ArrayRole::Coordinates});
    description.arrays.push_back(
        {"iblank", block, whole, 1, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
    description.arrays.push_back({"index", block, whole, 1, 3, ScalarType::F64, {}});
  }
  return nodewiseReader(
      description, [](std::uint32_t array, std::int64_t, const Index3& node, NodeValues& values) {
        const int block = static_cast<int>(array / 3);
        const Vec3 index{static_cast<double>(node[0] + kFirstI[block]), static_cast<double>(node[1]),
                         static_cast<double>(node[2])};
        if (array % 3 == 0) values.put(warp(index.x, index.y, index.z));
        if (array % 3 == 1)
          values.put(static_cast<std::int16_t>(blanked(block, node) ? 0 : (node[0] == 0 ? -2 : 1)));
        if (array % 3 == 2) values.put(index);
      });
}

/// Runs `work` as the single task over the warped data cut into pages of `edge` under `budgetBytes`.
void withSampler(int edge, std::uint64_t budgetBytes, const std::function<void(Sampler&, PagedData&)>& work) {
  MemoryAccount account(budgetBytes);
  const auto data = openBoxes(warpedReader(), {edge, false, "warped"}, {}, account);
  PagedDataOptions options;
  options.arrays = {"index"};
  PagedData paged(*data, account, options);
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(
        context, std::make_shared<FunctionPlan>(paged.description(), std::vector<std::string>{"index"}));
    work(*sampler, paged);
  });
}

}  // namespace

class TestLocation : public QObject {
  Q_OBJECT
 private slots:
  void newtonInvertsTheMap();
  void newtonRefusesDegenerateCells();
  void everyCellIsFound();
  void walkedAndSearchedAgree();
  void pagesDoNotMatter();
  void blankedCellsHoldNothing();
  void lowestBlockThenStay();
  void outsideIsOutside();
  void closeBeyondTheEnd();
  void valuesOfAnyNumberOfArrays_data();
  void valuesOfAnyNumberOfArrays();
};

void TestLocation::newtonInvertsTheMap() {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0, 1), jitter(-0.2, 0.2);
  for (int n = 0; n < 2000; ++n) {
    CellCorners corners;
    for (int c = 0; c < 8; ++c)
      corners[static_cast<std::size_t>(c)] = {(c & 1) + jitter(random), (c >> 1 & 1) + jitter(random),
                                              (c >> 2) + jitter(random)};
    const Vec3 xi{unit(random), unit(random), unit(random)};
    const auto weights = cornerWeights(xi);
    Vec3 byWeights;
    for (std::size_t c = 0; c < 8; ++c) byWeights = byWeights + weights[c] * corners[c];
    const Vec3 point = TrilinearMap(corners).at(xi).position;
    QVERIFY(length(byWeights - point) < 1e-14);
    Vec3 found{0.5, 0.5, 0.5};
    QVERIFY(TrilinearMap(corners).invert(point, found));
    QVERIFY(length(found - xi) < 1e-10);
  }
}

void TestLocation::newtonRefusesDegenerateCells() {
  CellCorners flat;
  for (std::size_t c = 0; c < 8; ++c)
    flat[c] = {static_cast<double>(c & 1), static_cast<double>(c >> 1 & 1), 0};
  Vec3 xi{0.5, 0.5, 0.5};
  QVERIFY(!TrilinearMap(flat).invert({0.2, 0.3, 0.5}, xi));
  CellCorners nan = flat;
  nan[3].x = std::nan("");
  xi = {0.5, 0.5, 0.5};
  QVERIFY(!TrilinearMap(nan).invert({0.2, 0.3, 0.5}, xi));
}

void TestLocation::everyCellIsFound() {
  withSampler(8, 8 << 20, [](Sampler& sampler, PagedData&) {
    for (std::int64_t k = 0; k < kDims[0][2] - 1; ++k)
      for (std::int64_t j = 4; j < kDims[0][1] - 1; ++j)
        for (std::int64_t i = 0; i < kDims[0][0] - 1; ++i) {
          // A point inside the cell by the cell's own map: the mean of its corners.
          Vec3 point;
          for (int c = 0; c < 8; ++c)
            point =
                point + 0.125 * warp(static_cast<double>(i + (c & 1)), static_cast<double>(j + (c >> 1 & 1)),
                                     static_cast<double>(k + (c >> 2)));
          Location location;
          QVERIFY(sampler.locate(point, {}, location));
          QCOMPARE(location.block, 0);
          QCOMPARE(location.cell, linear({i, j, k}, {kDims[0][0] - 1, kDims[0][1] - 1, kDims[0][2] - 1}));
          QVERIFY(length(location.xi - Vec3{0.5, 0.5, 0.5}) < 1e-9);
          double index[3];
          sampler.evaluate(location, {}, index);
          QVERIFY(std::abs(index[0] - static_cast<double>(i) - 0.5) < 1e-9 &&
                  std::abs(index[2] - static_cast<double>(k) - 0.5) < 1e-9);
        }
  });
}

void TestLocation::walkedAndSearchedAgree() {
  withSampler(8, 8 << 20, [](Sampler& sampler, PagedData&) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> unit(0, 1);
    Location walked;
    int both = 0;
    for (int n = 0; n < 3000; ++n) {
      const Vec3 point = warp(17 * unit(random), 4 + 8 * unit(random), 10 * unit(random));
      const bool bySteps = sampler.locate(point, {}, walked);
      Location fresh;
      const bool bySearch = sampler.locate(point, {}, fresh);
      QCOMPARE(bySteps, bySearch);
      if (!bySearch) continue;
      ++both;
      if (walked.block != fresh.block) continue;  // the walk stays in its block where blocks overlap
      QCOMPARE(walked.cell, fresh.cell);
      QVERIFY(length(walked.xi - fresh.xi) < 1e-9);
    }
    QVERIFY(both > 2500);
  });
}

void TestLocation::pagesDoNotMatter() {
  std::vector<std::vector<double>> answers;
  for (const auto& [edge, budget] : {std::pair{4, 300 << 10}, {8, 400 << 10}, {8, 8 << 20}, {32, 16 << 20}}) {
    std::vector<double> answer;
    withSampler(edge, static_cast<std::uint64_t>(budget), [&](Sampler& sampler, PagedData&) {
      std::mt19937 random(17);
      std::uniform_real_distribution<double> unit(0, 1);
      Location location;
      for (int n = 0; n < 500; ++n) {
        const Vec3 point = warp(25 * unit(random), 12 * unit(random), 10 * unit(random));
        double index[3] = {-1, -1, -1};
        if (sampler.locate(point, {}, location)) sampler.evaluate(location, {}, index);
        answer.insert(answer.end(),
                      {static_cast<double>(location.block), static_cast<double>(location.cell), location.xi.x,
                       location.xi.y, location.xi.z, index[0], index[1], index[2]});
      }
    });
    answers.push_back(answer);
  }
  for (const auto& answer : answers) QCOMPARE(answer, answers.front());
}

void TestLocation::closeBeyondTheEnd() {
  withSampler(8, 8 << 20, [](Sampler& sampler, PagedData&) {
    const auto near = [&](Vec3 start, Vec3 point, Location& found) {
      found = {};
      const bool there = sampler.locate(start, {}, found);
      return there ? sampler.locateNear(point, {}, found) : Nearness::Far;
    };
    Location found, searched;
    // Inside: what a look-up with a search says.
    QVERIFY(near(warp(3.5, 4.5, 5.5), warp(5.2, 5.3, 4.4), found) == Nearness::Inside);
    QVERIFY(sampler.locate(warp(5.2, 5.3, 4.4), {}, searched));
    QCOMPARE(found.cell, searched.cell);
    // Past the end of block 0 along j, where nothing is; "index" is continued.
    QVERIFY(near(warp(5.5, 11.5, 5.5), warp(5.5, 12.3, 5.5), found) == Nearness::Beyond);
    QCOMPARE(found.block, 0);
    QVERIFY(found.xi.y > 1.2 && found.xi.y < 1.4);
    std::array<double, 3> index;
    sampler.evaluate(found, {}, index);
    QVERIFY(std::abs(index[1] - 12.3) < 0.05);
    // Past its end along i, where block 1 holds the point: it is not searched for.
    QVERIFY(near(warp(16.8, 8.5, 5.5), warp(17.4, 8.5, 5.5), found) == Nearness::Beyond);
    QCOMPARE(found.block, 0);
    // Into cells that are blank: continued from the last cell before them.
    QVERIFY(near(warp(14.8, 1.5, 5.5), warp(15.3, 1.5, 5.5), found) == Nearness::Beyond);
    QVERIFY(found.xi.x > 1.2 && found.xi.x < 1.4);
    // Far past the end.
    const Location before = found;
    QVERIFY(sampler.locateNear(warp(5.5, 18, 5.5), {}, found) == Nearness::Far);
    QVERIFY(found.cell == before.cell && found.xi == before.xi);
  });
}

void TestLocation::blankedCellsHoldNothing() {
  withSampler(8, 8 << 20, [](Sampler& sampler, PagedData&) {
    // The cells on both sides of the blanked node plane i = 16 are blank; block 1 holds the same points.
    Location location;
    QVERIFY(sampler.locate(warp(15.5, 2.5, 5.5), {}, location));
    QCOMPARE(location.block, 1);
    location = {};
    QVERIFY(sampler.locate(warp(15.5, 8.5, 5.5), {}, location));
    QCOMPARE(location.block, 0);
  });
}

void TestLocation::lowestBlockThenStay() {
  withSampler(8, 8 << 20, [](Sampler& sampler, PagedData&) {
    Location location;
    QVERIFY(sampler.locate(warp(20, 8, 5), {}, location));
    QCOMPARE(location.block, 1);
    // In the overlap a line that comes from block 1 stays there; a fresh look-up takes block 0.
    QVERIFY(sampler.locate(warp(15.5, 8.2, 5.1), {}, location));
    QCOMPARE(location.block, 1);
    Location fresh;
    QVERIFY(sampler.locate(warp(15.5, 8.2, 5.1), {}, fresh));
    QCOMPARE(fresh.block, 0);
    // Past the end of block 1 it goes on in block 0.
    QVERIFY(sampler.locate(warp(13.2, 8.2, 5.1), {}, location));
    QCOMPARE(location.block, 0);
  });
}

void TestLocation::outsideIsOutside() {
  withSampler(8, 8 << 20, [](Sampler& sampler, PagedData&) {
    Location location;
    QVERIFY(!sampler.locate({-5, 0, 0}, {}, location));
    QVERIFY(!sampler.locate({std::nan(""), 0, 0}, {}, location));
    QVERIFY(!sampler.locate({1e300, 1e300, 1e300}, {}, location));
    QVERIFY(!location.valid());
    QVERIFY(sampler.locate(warp(3, 3, 3), {}, location));
    const Location before = location;
    QVERIFY(!sampler.locate({100, 0, 0}, {}, location));
    QCOMPARE(location.cell, before.cell);
  });
}

void TestLocation::valuesOfAnyNumberOfArrays_data() {
  QTest::addColumn<int>("arrays");
  for (const int arrays : {1, 8, 9, 40}) QTest::addRow("%d", arrays) << arrays;
}

void TestLocation::valuesOfAnyNumberOfArrays() {
  QFETCH(int, arrays);
  paging::DatasetDescription description;
  description.times = {0};
  paging::BlockDescription grid;
  grid.dims = {9, 9, 9};
  grid.kind = paging::GridKind::Regular;
  grid.spacing = {1, 1, 1};
  grid.bounds.add(Vec3{0, 0, 0});
  grid.bounds.add(Vec3{8, 8, 8});
  description.blocks.push_back(grid);
  std::vector<std::string> names;
  for (int n = 0; n < arrays; ++n) {
    names.push_back("value" + std::to_string(n));
    description.arrays.push_back(
        {names.back(), 0, paging::PageLayout::ofExtent(grid.dims, grid.dims), 1, 1, ScalarType::F64, {}});
  }
  const auto reader = nodewiseReader(
      description, [](std::uint32_t array, std::int64_t, const Index3& node, NodeValues& values) {
        values.put(static_cast<double>(node[0]) + 100.0 * array);
      });
  MemoryAccount account(64 << 20);
  const auto data = openBoxes(reader, {4, false, "many"}, {}, account);
  const auto plan = std::make_shared<FunctionPlan>(data->description(), names);
  PagedDataOptions options;
  options.arrays = plan->arrays();
  PagedData paged(*data, account, options);
  std::vector<double> values(static_cast<std::size_t>(arrays));
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(context, plan);
    Location place;
    if (sampler->locate({2.5, 3, 4}, {}, place)) sampler->evaluate(place, {}, values);
  });
  for (int n = 0; n < arrays; ++n) QCOMPARE(values[static_cast<std::size_t>(n)], 2.5 + 100.0 * n);
}

QTEST_APPLESS_MAIN(TestLocation)
#include "tst_location.moc"
