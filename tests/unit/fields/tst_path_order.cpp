// Paths through grids that move in flows that oscillate, against exact ones: of second order in the distance of nodes and
// in that of steps, the orders of the field between them.

#include <QTest>

#include <cmath>
#include <functional>

#include "core/fields/data/box_data.h"
#include "core/fields/paged/paged_data.h"
#include "core/flow/particle.h"
#include "tests/support/nodewise_reader.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::test;

namespace {

constexpr double kEnd = 2;

/// A flow, and where it takes a point that is there at time 0.
struct Flow {
  std::function<Vec3(Vec3 place, double time)> velocity;
  std::function<Vec3(Vec3 from, double time)> carried;
};

/// The same everywhere, to and fro: between nodes it is met exactly.
const Flow kWind{[](Vec3, double t) {
                   return Vec3{std::cos(3 * t), std::sin(2 * t), 0.5 * std::cos(t)};
                 },
                 [](Vec3 from, double t) {
                   return from + Vec3{std::sin(3 * t) / 3, (1 - std::cos(2 * t)) / 2, 0.5 * std::sin(t)};
                 }};
/// Layers that slide ever faster: between steps it is met exactly where the grid is at rest.
const Flow kLayers{[](Vec3 p, double t) {
                     return Vec3{t * std::sin(p.y), 0, 0.2 * t * std::cos(p.y)};
                   },
                   [](Vec3 from, double t) {
                     return from + t * t / 2 * Vec3{std::sin(from.y), 0, 0.2 * std::cos(from.y)};
                   }};

/// Nodes over -3 … 3 along each axis, in a grid that is bent and swings.
struct Grid {
  std::int64_t nodes;
  double swing;
  Vec3 placeOf(const Index3& node, double time) const {
    const auto along = [&](int axis) {
      return 6.0 * static_cast<double>(node[static_cast<std::size_t>(axis)]) /
                 static_cast<double>(nodes - 1) -
             3;
    };
    const Vec3 p{along(0), along(1), along(2)};
    return p + Vec3{0.2 * std::sin(p.y), 0.15 * std::sin(p.x), 0.1 * std::cos(p.x)} +
           swing * std::sin(2 * time) * Vec3{1, 0.5 + 0.1 * p.x, 0.2};
  }
};

/// The largest distance of some particles from where they should be.
double worst(const Flow& flow, const Grid& grid, int steps) {
  paging::DatasetDescription description;
  description.format = "oscillating";
  for (int n = 0; n <= steps; ++n) description.times.push_back(kEnd * n / steps);
  const Index3 dims{grid.nodes, grid.nodes, grid.nodes};
  paging::BlockDescription block;
  block.dims = dims;
  block.kind = paging::GridKind::Curvilinear;
  for (std::int64_t n = 0; n < product(dims); ++n)
    for (const double time : description.times) block.bounds.add(grid.placeOf(unlinear(n, dims), time));
  description.blocks.push_back(block);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(dims, dims);
  description.arrays.push_back({"velocity", 0, whole, steps + 1, 3, ScalarType::F64, {}});
  description.arrays.push_back(
      {"xyz", 0, whole, steps + 1, 3, ScalarType::F64, {}, paging::ArrayRole::Coordinates});
  const auto times = description.times;
  const auto reader = nodewiseReader(
      description, [=](std::uint32_t array, std::int64_t step, const Index3& node, NodeValues& values) {
        const double time = times[static_cast<std::size_t>(step)];
        const Vec3 place = grid.placeOf(node, time);
        values.put(array == 0 ? flow.velocity(place, time) : place);
      });
  MemoryAccount account(std::uint64_t{64} << 20);
  const auto data = openBoxes(reader, {8, false, "oscillating"}, {}, account);
  const auto plan = std::make_shared<FunctionPlan>(data->description(), std::vector<std::string>{"velocity"});
  PagedDataOptions options;
  options.arrays = plan->arrays();
  options.stepsAtATime = 2;
  options.resultBytesPerTask = PagedData::samplerBytes(*plan, 2);
  PagedData paged(*data, account, options);

  struct Nowhere final : flow::LineSink {
    void vertex(Vec3, double, std::span<const double>) override {}
  } sink;
  double distance = 0;
  tasks::TaskGroup group;
  group.count = 1;
  group.admission = &paged.admission();
  group.run = [&](std::size_t, tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(context, plan);
    for (const Vec3 seed :
         {Vec3{-1, -1.2, 0.3}, Vec3{0.4, 1, -0.8}, Vec3{-0.3, 0.2, 0.1}, Vec3{0.9, -0.5, 0.6}}) {
      auto particle = flow::Particle::released(seed, 0);
      for (int step = 0; step < steps && particle.alive(); ++step) {
        const auto n = static_cast<std::size_t>(step);
        flow::SampledField field(*sampler, step, times[n], times[n + 1]);
        flow::advance(particle, times[n + 1], field, {.tolerance = 1e-9}, context, sink);
      }
      if (!particle.alive()) throw std::runtime_error("a particle has left the grid");
      distance = std::max(distance, length(particle.position - flow.carried(seed, kEnd)));
    }
  };
  paged.makeScheduler()->run(group, {});
  return distance;
}

}  // namespace

class TestPathOrder : public QObject {
  Q_OBJECT
 private slots:
  void ofSecondOrderInTime();
  void ofSecondOrderInSpace();
};

void TestPathOrder::ofSecondOrderInTime() {
  for (const double swing : {0.0, 0.3}) {
    const Grid grid{9, swing};
    double before = worst(kWind, grid, 8);
    QVERIFY2(before < 0.05, std::to_string(before).c_str());
    for (const int steps : {16, 32, 64}) {
      const double error = worst(kWind, grid, steps);
      QVERIFY2(before / error > 3.7 && before / error < 4.3, std::to_string(before / error).c_str());
      before = error;
    }
  }
}

void TestPathOrder::ofSecondOrderInSpace() {
  for (const double swing : {0.0, 0.3}) {
    // So many steps that what they leave is small beside it.
    const int steps = swing > 0 ? 64 : 4;
    double before = worst(kLayers, {9, swing}, steps);
    QVERIFY2(before < 0.2, std::to_string(before).c_str());
    for (const std::int64_t nodes : {17, 33}) {
      const double error = worst(kLayers, {nodes, swing}, steps);
      QVERIFY2(before / error > 3.2, std::to_string(before / error).c_str());
      before = error;
    }
  }
}

QTEST_APPLESS_MAIN(TestPathOrder)
#include "tst_path_order.moc"
