// Particles that take their steps together have the bits of those that go alone: on every kind of structured grid, at
// edges, between blocks, beside blank cells, with every limit, in vectors of any width.

#include <QTest>

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "core/fields/data/box_data.h"
#include "core/fields/functions/node_coordinates.h"
#include "core/fields/paged/paged_data.h"
#include "core/flow/cell_stock.h"
#include "core/flow/particle_group.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"
#include "tests/support/test_seed.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

constexpr Index3 kDims{17, 12, 10};
const std::vector<double> kTimes{1, 1.4, 2.5, 2.75};
enum class Grid { Regular, Static, Moving, Flat, TwoBlocks, Blanked, Even };

bool isRegular(Grid grid) {
  return grid == Grid::Regular || grid == Grid::Even;
}
Index3 dimsOf(Grid grid) {
  return grid == Grid::Flat ? Index3{17, 12, 1} : kDims;
}
/// A node of the index space that all blocks have together.
Vec3 indexOf(std::size_t block, const Index3& node) {
  const Vec3 index = toVec3(node);
  return block == 0 ? index : index + Vec3{16, 0, 0};
}
Vec3 placeOf(Grid grid, Vec3 index, double time) {
  if (isRegular(grid)) return index;
  if (grid == Grid::Flat) return {index.x + 0.2 * std::sin(0.7 * index.y), 0.8 * index.y, 0.25};
  const double t = grid == Grid::Moving ? time : 0;
  const Vec3 still{index.x + 0.2 * std::sin(0.7 * index.y), 0.8 * index.y + 0.15 * std::sin(0.9 * index.x),
                   1.1 * index.z + 0.1 * std::cos(0.35 * index.x)};
  return still + t * Vec3{0.9 + 0.03 * index.y, 0.02 * index.z - 0.5, 0.05 * index.z};
}
/// Swirls, and grows and turns with time.
Vec3 velocityOf(Grid grid, Vec3 index, double time) {
  // from node to node in the first interval
  if (grid == Grid::Even) return {2.5, 0, 0};
  const Vec3 from = index - Vec3{8, 6, 4.5};
  const double up = grid == Grid::Flat ? 0 : std::sin(0.8 * index.x + time);
  return {3 * std::cos(time) - 0.9 * from.y * time, 0.7 * from.x * time + std::cos(2 * index.z), up};
}

struct Sources {
  explicit Sources(Grid grid, MemoryAccount& account) {
    paging::DatasetDescription description;
    description.format = "lanes";
    description.times = kTimes;
    const std::size_t blocks = grid == Grid::TwoBlocks ? 2 : 1;
    const Index3 dims = dimsOf(grid);
    const auto steps = static_cast<std::int64_t>(kTimes.size());
    for (std::size_t n = 0; n < blocks; ++n) {
      paging::BlockDescription block;
      block.dims = dims;
      block.kind = isRegular(grid) ? paging::GridKind::Regular : paging::GridKind::Curvilinear;
      block.hasIblank = grid == Grid::Blanked;
      for (std::int64_t node = 0; node < product(dims); ++node)
        for (const double time : kTimes)
          block.bounds.add(placeOf(grid, indexOf(n, unlinear(node, dims)), time));
      description.blocks.push_back(block);
    }
    const paging::PageLayout whole = paging::PageLayout::ofExtent(dims, dims);
    for (std::int32_t n = 0; n < static_cast<std::int32_t>(blocks); ++n) {
      description.arrays.push_back({"velocity", n, whole, steps, 3, ScalarType::F64, {}});
      description.arrays.push_back({"index", n, whole, 1, 3, ScalarType::F64, {}});
      if (!isRegular(grid))
        description.arrays.push_back({"xyz",
                                      n,
                                      whole,
                                      grid == Grid::Moving ? steps : 1,
                                      3,
                                      ScalarType::F64,
                                      {},
                                      paging::ArrayRole::Coordinates});
      if (grid == Grid::Blanked)
        description.arrays.push_back(
            {"iblank", n, whole, steps, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
    }
    const auto arrays = description.arrays;
    const auto values = [grid, arrays](std::uint32_t array, std::int64_t step, const Index3& node,
                                       test::NodeValues& out) {
      const paging::ArrayDescription& its = arrays[array];
      const Vec3 index = indexOf(static_cast<std::size_t>(its.block), node);
      const double time = kTimes[static_cast<std::size_t>(step)];
      if (its.name == "velocity") out.put(velocityOf(grid, index, time));
      if (its.name == "index") out.put(index);
      if (its.name == "xyz") out.put(placeOf(grid, index, time));
      if (its.name == "iblank") out.put(static_cast<std::int16_t>(node[0] == 12 && node[1] > 4 ? 0 : 1));
    };
    data = openBoxes(test::nodewiseReader(description, values), {8, false, "lanes"}, {}, account);
  }
  std::unique_ptr<OpenData> data;
};

using Vertex = std::vector<double>;
struct Sink final : flow::LineSink {
  std::vector<Vertex> vertices;
  void vertex(Vec3 point, double time, std::span<const double> values) override {
    Vertex its{point.x, point.y, point.z, time};
    its.insert(its.end(), values.begin(), values.end());
    vertices.push_back(std::move(its));
  }
};
struct Sinks final : flow::GroupSink {
  explicit Sinks(std::vector<Sink>& all, std::vector<std::size_t> its)
      : sinks(all), numbers(std::move(its)) {}
  flow::LineSink& of(std::size_t n) override { return sinks[numbers[n]]; }
  std::vector<Sink>& sinks;
  std::vector<std::size_t> numbers;
};

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same(Vec3 a, Vec3 b) {
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}
bool same(const flow::Particle& a, const flow::Particle& b) {
  return same(a.position, b.position) && same(a.release, b.release) && same(a.time, b.time) &&
         same(a.length, b.length) && a.vertices == b.vertices && a.location.block == b.location.block &&
         a.location.cell == b.location.cell && same(a.location.xi, b.location.xi) && a.block == b.block &&
         a.termination == b.termination;
}

}  // namespace

class TestLaneSteps : public QObject {
  Q_OBJECT
 private slots:
  void togetherAsAlone_data();
  void togetherAsAlone();
  void cellsAreCarriedOn();
  void aLayerOfCellsFits();
  void stocksAreFreeWhileTheirTaskWaits();
  void cleanup();
};

void TestLaneSteps::cleanup() {
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

void TestLaneSteps::togetherAsAlone_data() {
  QTest::addColumn<int>("grid");
  QTest::addColumn<double>("tolerance");
  QTest::addColumn<double>("maxTime");
  QTest::addColumn<double>("maxLength");
  QTest::addColumn<int>("maxSteps");
  QTest::addColumn<bool>("narrow");
  QTest::addColumn<bool>("bare");  // the velocity, nothing else
  const double no = flow::LineOptions::kUnlimited;
  const auto row = [&](const char* name, Grid grid, double tolerance, double time, double length, int steps,
                       bool narrow, bool bare = false) {
    QTest::newRow(name) << static_cast<int>(grid) << tolerance << time << length << steps << narrow << bare;
  };
  row("regular", Grid::Regular, 0, no, no, 100000, false);
  row("curvilinear", Grid::Static, 0, no, no, 100000, false);
  row("curvilinear, narrow vectors", Grid::Static, 0, no, no, 100000, true);
  row("small tolerance", Grid::Static, 1e-11, no, no, 100000, false);
  row("moving", Grid::Moving, 0, no, no, 100000, false);
  row("moving, small tolerance, narrow vectors", Grid::Moving, 1e-10, no, no, 100000, true);
  row("flat", Grid::Flat, 0, no, no, 100000, false);
  row("two blocks", Grid::TwoBlocks, 0, no, no, 100000, false);
  row("iblank", Grid::Blanked, 0, no, no, 100000, false);
  row("even", Grid::Even, 0, no, no, 100000, false);
  row("even, limited length", Grid::Even, 0, no, 1, 100000, false);
  row("limited age", Grid::Static, 0, 0.6, no, 100000, false);
  row("limited length", Grid::Moving, 0, no, 2.5, 100000, false);
  row("limited steps", Grid::Static, 0, no, no, 7, false);
  row("velocity alone", Grid::Static, 0, no, no, 100000, false, true);
  row("velocity alone, narrow vectors", Grid::TwoBlocks, 0, no, no, 100000, true, true);
  row("velocity alone, moving", Grid::Moving, 0, no, no, 100000, false, true);
  row("velocity alone, iblank", Grid::Blanked, 0, no, no, 100000, false, true);
}

void TestLaneSteps::togetherAsAlone() {
  QFETCH(int, grid);
  QFETCH(double, tolerance);
  QFETCH(double, maxTime);
  QFETCH(double, maxLength);
  QFETCH(int, maxSteps);
  QFETCH(bool, narrow);
  QFETCH(bool, bare);
  if (narrow) {
    hwy::SetSupportedTargetsForTest(HWY_SSE4);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  const Grid kind = static_cast<Grid>(grid);
  MemoryAccount account(32 << 20);
  const Sources sources(kind, account);
  std::vector<std::string> functions{"velocity"};
  if (!bare) functions.emplace_back("index");
  const auto plan = std::make_shared<FunctionPlan>(sources.data->description(), functions);
  PagedDataOptions options;
  options.arrays = plan->arrays();
  options.stepsAtATime = 2;
  options.resultBytesPerTask = 2 * PagedData::samplerBytes(*plan, 2) + flow::bytesTogether(64, 6);
  PagedData paged(*sources.data, account, options);

  flow::LineOptions limits;
  limits.tolerance = tolerance;
  limits.maxTime = maxTime;
  limits.maxLength = maxLength;
  limits.maxSteps = maxSteps;

  std::mt19937_64 random(test::testSeed());
  const auto upTo = [&](double most) { return std::uniform_real_distribution<double>(0, most)(random); };
  const Index3 dims = dimsOf(kind);
  const double wide = static_cast<double>(kind == Grid::TwoBlocks ? 2 * dims[0] - 2 : dims[0] - 1);
  std::vector<flow::Particle> alone;
  for (int n = 0; n < 61; ++n) {
    // some of them on nodes, faces and edges, some outside
    Vec3 index{upTo(wide), upTo(11), kind == Grid::Flat ? 0 : upTo(9)};
    if (n % 5 == 0) index.x = std::round(index.x);
    if (n % 7 == 0) index.y = std::round(index.y);
    if (n % 11 == 0) index.z = std::round(index.z);
    if (n % 13 == 12) index.x = wide + 2;
    const double time = n % 3 == 0 ? 1 + upTo(1.5) : 1;
    alone.push_back(flow::Particle::released(placeOf(kind, index, time), time));
  }
  std::vector<flow::Particle> together = alone;
  std::vector<Sink> ofAlone(alone.size()), ofTogether(alone.size());
  flow::GroupCounts counts;
  std::size_t vertices = 0;
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    // few cells, so that some of the interval before are there and others had to make room
    flow::CellStocks stocks;
    stocks.giveBack(std::make_unique<flow::CellStock>(6, plan->outputCount()));
    flow::StockLoan loan(stocks, context);
    const auto sampler = paged.makeSampler(context, plan), other = paged.makeSampler(loan, plan);
    for (std::size_t step = 0; step + 1 < kTimes.size(); ++step) {
      const flow::SeriesInterval interval{static_cast<std::int64_t>(step), kTimes[step], kTimes[step + 1]};
      std::vector<flow::Particle*> moving;
      std::vector<std::size_t> numbers;
      for (std::size_t n = 0; n < alone.size(); ++n) {
        if (!alone[n].alive() || alone[n].release >= interval.until) continue;
        flow::SampledField field(*sampler, interval.step, interval.since, interval.until);
        flow::advance(alone[n], interval.until, field, limits, context, ofAlone[n]);
        moving.push_back(&together[n]);
        numbers.push_back(n);
      }
      Sinks sinks(ofTogether, numbers);
      flow::StockLoan* const lent = step % 3 == 2 ? nullptr : &loan;
      const flow::GroupCounts its =
          flow::advanceTogether(moving, interval, *other, limits, loan, sinks, lent);
      counts.together += its.together;
      counts.alone += its.alone;
      QCOMPARE(its.together + its.alone, moving.size());
    }
  });
  for (std::size_t n = 0; n < alone.size(); ++n) {
    const std::string name = "particle " + std::to_string(n);
    QVERIFY2(same(alone[n], together[n]), name.c_str());
    QCOMPARE(ofTogether[n].vertices.size(), ofAlone[n].vertices.size());
    for (std::size_t v = 0; v < ofAlone[n].vertices.size(); ++v)
      QVERIFY2(std::ranges::equal(ofAlone[n].vertices[v], ofTogether[n].vertices[v],
                                  [](double a, double b) { return same(a, b); }),
               (name + ", vertex " + std::to_string(v)).c_str());
    vertices += ofAlone[n].vertices.size();
  }
  qInfo("%zu went together, %zu alone, %zu vertices", counts.together, counts.alone, vertices);
  QVERIFY(vertices > 2 * alone.size());
  QVERIFY(counts.together > 20);
}

namespace {

class Source final : public CellsBetween {
 public:
  int taken = 0;
  void takeCell(std::int32_t block, std::int64_t number, std::int64_t step, CellBetween& cell,
                std::span<double> values) override {
    ++taken;
    cell.block = block;
    cell.number = number;
    std::fill(values.begin(), values.begin() + 24, static_cast<double>(step));
    std::fill(values.begin() + 24, values.end(), static_cast<double>(step + 1));
  }
  std::span<const double> nextValues(std::int32_t /*block*/, std::int64_t /*number*/,
                                     std::int64_t /*step*/) override {
    return {};
  }
};

/// Sees, while it waits, whether a stock is free.
class Waiting final : public tasks::TaskContext {
 public:
  explicit Waiting(flow::CellStocks& stocks) : m_stocks(stocks) {}
  bool found = false;
  void wait(tasks::Gate& /*gate*/, const std::function<void()>& /*submit*/) override {
    std::unique_ptr<flow::CellStock> stock = m_stocks.borrow();
    found = stock != nullptr;
    if (stock) m_stocks.giveBack(std::move(stock));
  }
  tasks::Waker& waker() override { return m_waker; }
  bool stopRequested() const override { return false; }
  bool outOfTime() const override { return false; }

 private:
  struct NoWaker final : tasks::Waker {
    void wake() noexcept override {}
  };
  flow::CellStocks& m_stocks;
  NoWaker m_waker;
};

}  // namespace

/// A cell of the interval before goes on with the values that are new; one of any other interval is taken.
void TestLaneSteps::cellsAreCarriedOn() {
  Source source;
  flow::CellStock taking(2, 3), stock(4, 3);
  taking.open(source, 5);
  stock.copy(taking.of(0, 7), 5);
  taking.of(0, 7);
  QCOMPARE(source.taken, 1);
  QVERIFY(stock.find(0, 7, 5));
  QVERIFY(stock.find(0, 7, 5)->now != taking.find(0, 7, 5)->now);
  QCOMPARE(stock.find(0, 7, 5)->now[0], 5.0);
  QCOMPARE(stock.find(0, 7, 5)->next[23], 6.0);

  const std::vector<double> next(24, 7.0);
  QVERIFY(!stock.carryOn(0, 7, 8, next));
  QVERIFY(!stock.carryOn(0, 6, 6, next));
  QVERIFY(!stock.carryOn(1, 7, 6, next));
  const flow::CellStock::Cell* const carried = stock.carryOn(0, 7, 6, next);
  QVERIFY(carried && carried == stock.find(0, 7, 6));
  QVERIFY(!stock.find(0, 7, 5));
  QCOMPARE(carried->now[23], 6.0);
  QCOMPARE(carried->next[0], 7.0);
  // where another task was faster
  QCOMPARE(stock.carryOn(0, 7, 6, std::vector<double>(24, 9.0)), carried);
  QCOMPARE(carried->next[0], 7.0);
  QVERIFY(stock.carryOn(0, 7, 7, std::vector<double>(24, 8.0)));
  QCOMPARE(carried->now[0], 7.0);
  QCOMPARE(carried->next[23], 8.0);
  // copied as it is now
  taking.copy(*carried, 7);
  QCOMPARE(taking.find(0, 7, 7)->now[0], 7.0);
  QCOMPARE(taking.find(0, 7, 7)->next[23], 8.0);

  taking.open(source, 8);
  QCOMPARE(taking.of(0, 7).now[0], 8.0);
  QCOMPARE(source.taken, 2);
}

/// Cells that follow one another do not take each other's place.
void TestLaneSteps::aLayerOfCellsFits() {
  Source source;
  flow::CellStock stock(8, 3);
  stock.open(source, 0);
  for (int again = 0; again < 2; ++again)
    for (std::int64_t number = 1024; number < 1280; ++number) QCOMPARE(stock.of(2, number).number, number);
  QCOMPARE(source.taken, 256);
}

/// A task that waits has no stock that others could have.
void TestLaneSteps::stocksAreFreeWhileTheirTaskWaits() {
  flow::CellStocks stocks;
  stocks.giveBack(std::make_unique<flow::CellStock>(4, 3));
  Waiting task(stocks);
  flow::StockLoan loan(stocks, task);
  QVERIFY(loan.stock());
  QVERIFY(!stocks.borrow());
  tasks::Gate gate(loan.waker());
  loan.wait(gate, [] {});
  QVERIFY(task.found);
  QVERIFY(loan.stock());
}

QTEST_APPLESS_MAIN(TestLaneSteps)
#include "tst_lane_steps.moc"
