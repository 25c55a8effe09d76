#include <QTest>

#include <cmath>

#include "core/fields/data/store_data.h"
#include "core/fields/data/store_levels.h"
#include "core/fields/samples/sample.h"
#include "core/fields/samples/sample_data.h"
#include "core/paging/ingest/converter.h"
#include "core/paging/pages/coarse_levels.h"
#include "render/volume/paged_bricks.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;

class TestPagedBricks : public QObject {
  Q_OBJECT
 private slots:
  void hasTheValuesOfItsNodes_data();
  void hasTheValuesOfItsNodes();
  void stridesHaveTheValuesOfTheirNodes();
  void levelsOfStoresHaveRanges();
};

namespace {

/// What a place of a brick holds, as a value.
double valueAt(const volume::Brick& brick, std::int64_t i, std::int64_t j, std::int64_t k) {
  const auto at = static_cast<std::size_t>(i + volume::kBrickSide * (j + volume::kBrickSide * k));
  const volume::BrickFormat& format = brick.format();
  double raw = 0;
  if (format.type == volume::BrickType::U8) raw = reinterpret_cast<const std::uint8_t*>(brick.data())[at];
  if (format.type == volume::BrickType::U16) raw = reinterpret_cast<const std::uint16_t*>(brick.data())[at];
  if (format.type == volume::BrickType::F32)
    raw = static_cast<double>(reinterpret_cast<const float*>(brick.data())[at]);
  return raw * format.factor + format.offset;
}

}  // namespace

void TestPagedBricks::hasTheValuesOfItsNodes_data() {
  QTest::addColumn<QString>("url");
  QTest::addColumn<QString>("function");
  QTest::addColumn<double>("tolerance");
  QTest::newRow("f32") << "sample://marschner-lobb?size=70,45,33"
                       << "density" << 1e-6;
  QTest::newRow("expression") << "sample://abc?size=40,40,70"
                              << "sqrt(pressure*pressure)+1" << 0.0;
}

void TestPagedBricks::hasTheValuesOfItsNodes() {
  QFETCH(QString, url);
  QFETCH(QString, function);
  QFETCH(double, tolerance);
  const bool expression = function != "density";
  MemoryAccount account(std::uint64_t{64} << 20);
  fields::OpenRequest request;
  request.sources = {url.toStdString()};
  const auto opened = samples::SampleDataReader().open(request, account);
  const std::string name = function.toStdString();
  const auto plan =
      std::make_shared<fields::FunctionPlan>(opened->description(), std::vector<std::string>{name});
  fields::PagedDataOptions options;
  options.arrays = plan->arrays();
  fields::PagedData data(*opened, account, options);
  volume::PagedBricks source(data, plan, 0);
  const Index3 bricks = source.grid().bricks(), nodes = source.grid().nodes;
  const char* const sample = expression ? "abc" : "marschner-lobb";
  for (std::int64_t n = 0; n < source.grid().brickCount(); ++n) {
    const Index3 at = unlinear(n, bricks), cells = source.grid().cellsOf(at);
    volume::Brick brick(source.format(), cells);
    tasks::TaskGroup group;
    group.count = 1;
    group.admission = source.admission();
    group.run = [&](std::size_t, tasks::TaskContext& context) { source.read(at, context, brick); };
    source.makeScheduler()->run(group, {});
    for (std::int64_t k = 0; k < cells[2] + 3; k += 3)
      for (std::int64_t j = 0; j < cells[1] + 3; j += 2)
        for (std::int64_t i = 0; i < cells[0] + 3; ++i) {
          Vec3 point;
          const Index3 local{i, j, k};
          for (int a = 0; a < 3; ++a) {
            const auto axis = static_cast<std::size_t>(a);
            const std::int64_t node = std::clamp<std::int64_t>(
                at[axis] * volume::kBrickCells - 1 + local[axis], 0, nodes[axis] - 1);
            point[a] = source.grid().coordinate(a, node);
          }
          const double exact = samples::exactScalar(sample, expression ? "pressure" : "density", point, 0);
          const double wanted = expression ? std::abs(exact) + 1 : exact;
          QVERIFY(std::abs(valueAt(brick, i, j, k) - wanted) <= std::max(tolerance, 2e-6 * std::abs(wanted)));
        }
  }
}

/// Levels of data that have none are read by strides, also of what is computed from several.
void TestPagedBricks::stridesHaveTheValuesOfTheirNodes() {
  MemoryAccount account(std::uint64_t{64} << 20);
  fields::OpenRequest request;
  request.sources = {"sample://marschner-lobb?size=300,150,140"};
  const auto opened = samples::SampleDataReader().open(request, account);
  QVERIFY(!opened->openLevel(0, account));
  QVERIFY(!opened->openLevel(16, account));
  for (const int level : {1, 2, 3}) {
    const auto coarse = opened->openLevel(level, account);
    QVERIFY(coarse);
    for (const bool computed : {false, true}) {
      const auto plan = std::make_shared<fields::FunctionPlan>(
          coarse->description(), std::vector<std::string>{computed ? "density*density" : "density"});
      fields::PagedDataOptions options;
      options.arrays = plan->arrays();
      fields::PagedData data(*coarse, account, options);
      volume::PagedBricks source(data, plan, 0, level);
      const volume::BrickGrid& grid = source.grid();
      QCOMPARE(grid.nodes, paging::coarseDims({300, 150, 140}, level));
      QCOMPARE(grid.bounds().max.x, opened->description().blocks[0].bounds.max.x);
      // Nodes lie between those of the data, where their values are: what is linear there is not the formula.
      const Vec3 fine = opened->description().blocks[0].spacing;
      const auto exactAt = [&](const Vec3& point) {
        double sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
          Vec3 at;
          double weight = 1;
          for (int a = 0; a < 3; ++a) {
            const double place = (point[a] - grid.origin[a]) / fine[a];
            const double below = std::floor(place + 1e-9), beyond = std::max(0.0, place - below);
            const bool next = (corner >> a & 1) != 0;
            at[a] = grid.origin[a] + fine[a] * (below + (next ? 1 : 0));
            weight *= next ? beyond : 1 - beyond;
          }
          if (weight > 1e-9) sum += weight * samples::exactScalar("marschner-lobb", "density", at, 0);
        }
        return computed ? sum * sum : sum;
      };
      for (std::int64_t n = 0; n < grid.brickCount(); n += 3) {
        const Index3 at = unlinear(n, grid.bricks()), cells = grid.cellsOf(at);
        volume::Brick brick(source.format(), cells);
        tasks::TaskGroup group;
        group.count = 1;
        group.admission = source.admission();
        group.run = [&](std::size_t, tasks::TaskContext& context) { source.read(at, context, brick); };
        source.makeScheduler()->run(group, {});
        for (std::int64_t k = 1; k < cells[2] + 2; k += 5)
          for (std::int64_t j = 1; j < cells[1] + 2; j += 3)
            for (std::int64_t i = 1; i < cells[0] + 2; i += 2) {
              Vec3 point;
              const Index3 local{i, j, k};
              for (int a = 0; a < 3; ++a) {
                const auto axis = static_cast<std::size_t>(a);
                point[a] = grid.coordinate(a, at[axis] * volume::kBrickCells - 1 + local[axis]);
              }
              QVERIFY(std::abs(valueAt(brick, i, j, k) - exactAt(point)) < 2e-6);
            }
      }
    }
  }
}

/// A store's levels by strides: the values of its own levels, within the ranges that its index has of its pages. Also where
/// the cells of an axis cannot be halved.
void TestPagedBricks::levelsOfStoresHaveRanges() {
  test::TemporaryFolder folder;
  MemoryAccount account(std::uint64_t{64} << 20);
  fields::OpenRequest request;
  request.sources = {"sample://marschner-lobb?size=101,97,70"};
  const auto sample = samples::SampleDataReader().open(request, account);
  paging::convert(*sample->boxReader(), folder / "with", {.levels = 3}, account);
  paging::convert(*sample->boxReader(), folder / "without", {}, account);
  const auto open = [&](const char* name, int level) {
    fields::OpenRequest store;
    store.sources = {(folder / name).string()};
    if (level > 0) store.options["level"] = std::to_string(level);
    return fields::StoreDataReader().open(store, account);
  };
  const auto data = open("without", 0);
  QCOMPARE(fields::stridedLevelsOf(*open("with", 0)), 1);
  QCOMPARE(fields::stridedLevelsOf(*sample), 1);
  QCOMPARE(fields::stridedLevelsOf(*data), 2);
  QVERIFY(!data->openLevel(2, account));
  const auto level = data->openLevel(1, account), wanted = open("with", 1);
  QVERIFY(level);
  const auto plan =
      std::make_shared<fields::FunctionPlan>(level->description(), std::vector<std::string>{"density"});
  fields::PagedDataOptions options;
  options.arrays = plan->arrays();
  options.shareOfFree = 0.3;
  fields::PagedData paged(*level, account, options), pagedWanted(*wanted, account, options);
  volume::PagedBricks source(paged, plan, 0, 1), sourceWanted(pagedWanted, plan, 0, 1);
  QCOMPARE(source.grid().nodes, sourceWanted.grid().nodes);
  const auto read = [](volume::PagedBricks& from, const Index3& at, volume::Brick& brick) {
    tasks::TaskGroup group;
    group.count = 1;
    group.admission = from.admission();
    group.run = [&](std::size_t, tasks::TaskContext& context) { from.read(at, context, brick); };
    from.makeScheduler()->run(group, {});
  };
  const auto all = data->storedRange(0, 0);
  QVERIFY(all);
  for (std::int64_t n = 0; n < source.grid().brickCount(); ++n) {
    const Index3 at = unlinear(n, source.grid().bricks()), cells = source.grid().cellsOf(at);
    volume::Brick brick(source.format(), cells), brickWanted(source.format(), cells);
    read(source, at, brick);
    read(sourceWanted, at, brickWanted);
    const auto range = source.range(at);
    QVERIFY(range);
    QVERIFY(range->min >= (*all)[0] && range->max <= (*all)[1]);
    for (std::int64_t k = 1; k <= cells[2] + 1; ++k)
      for (std::int64_t j = 1; j <= cells[1] + 1; ++j)
        for (std::int64_t i = 1; i <= cells[0] + 1; ++i) {
          const double value = valueAt(brick, i, j, k);
          QCOMPARE(value, valueAt(brickWanted, i, j, k));
          QVERIFY(value >= range->min && value <= range->max);
        }
  }
}

QTEST_GUILESS_MAIN(TestPagedBricks)
#include "tst_paged_bricks.moc"
