#include <QTest>

#include <cmath>

#include "core/fields/samples/sample.h"
#include "core/fields/samples/sample_data.h"
#include "render/volume/paged_bricks.h"
#include "render/volume/strided_bricks.h"

using namespace farfield;

class TestPagedBricks : public QObject {
  Q_OBJECT
 private slots:
  void hasTheValuesOfItsNodes_data();
  void hasTheValuesOfItsNodes();
  void stridesTakeEverySecondNode();
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

void TestPagedBricks::stridesTakeEverySecondNode() {
  MemoryAccount account(std::uint64_t{64} << 20);
  fields::OpenRequest request;
  request.sources = {"sample://marschner-lobb?size=300,150,140"};
  const auto opened = samples::SampleDataReader().open(request, account);
  const auto plan =
      std::make_shared<fields::FunctionPlan>(opened->description(), std::vector<std::string>{"density"});
  fields::PagedDataOptions options;
  options.arrays = plan->arrays();
  fields::PagedData data(*opened, account, options);
  // 300, 150 and 75 nodes along the longest axis; what is computed from several has none.
  QCOMPARE(volume::StridedBricks::levelsOf(data, *plan), 3);
  const fields::FunctionPlan computed(opened->description(), {"density*density"});
  QCOMPARE(volume::StridedBricks::levelsOf(data, computed), 1);
  const std::uint64_t read = data.sourceCounters().reads;
  for (const int level : {1, 2}) {
    volume::StridedBricks source(data, *plan, 0, level);
    const std::int64_t stride = std::int64_t{1} << level;
    QCOMPARE(source.grid().nodes, (Index3{299 / stride + 1, 149 / stride + 1, 139 / stride + 1}));
    const volume::PagedBricks finest(data, plan, 0);
    for (std::int64_t n = 0; n < source.grid().brickCount(); ++n) {
      const Index3 at = unlinear(n, source.grid().bricks()), cells = source.grid().cellsOf(at);
      volume::Brick brick(source.format(), cells);
      tasks::TaskGroup group;
      group.count = 1;
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
                  at[axis] * volume::kBrickCells - 1 + local[axis], 0, source.grid().nodes[axis] - 1);
              QVERIFY(std::abs(source.grid().coordinate(a, node) -
                               finest.grid().coordinate(a, node * stride)) < 1e-12);
              point[a] = finest.grid().coordinate(a, node * stride);
            }
            const double exact = samples::exactScalar("marschner-lobb", "density", point, 0);
            QVERIFY(std::abs(valueAt(brick, i, j, k) - exact) < 1e-6);
          }
    }
  }
  // No page was read for it.
  QCOMPARE(data.sourceCounters().reads, read);
}

QTEST_GUILESS_MAIN(TestPagedBricks)
#include "tst_paged_bricks.moc"
