// Values that are cubic between steps: what is a parabola in time is met exactly, steps at which a cell is blank and ends of the
// series included, and paths come near the true ones with a higher order than those of fields that are linear in time.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "core/fields/cells/step_curve.h"
#include "core/fields/data/box_data.h"
#include "core/fields/paged/paged_data.h"
#include "core/flow/particle.h"
#include "core/flow/tracer.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::test;

namespace {

constexpr Index3 kDims{14, 12, 9}, kCells{13, 11, 8};
constexpr int kBlankNode = 9;  // along i, at the third step
constexpr double kOmega = 5;
enum class Grid { Regular, Static, Moving };

Vec3 placeOf(Grid grid, Vec3 index, double time) {
  if (grid == Grid::Regular) return index;
  const double t = grid == Grid::Moving ? time : 0;
  return Vec3{index.x + 0.2 * std::sin(0.7 * index.y), 0.8 * index.y, 1.1 * index.z} +
         t * Vec3{0.1 + 0.01 * index.y, -0.2, 0.05 * index.z};
}
/// A parabola in time at each node.
Vec3 velocityOf(Vec3 index, double t) {
  return {index.x - 3 * t + 2 * t * t, 0.5 * index.y * t - t * t, 2 + index.z * (t - 1) * (t + 2)};
}
/// Swings about the middle; the same everywhere.
Vec3 swing(double t) {
  return {std::cos(kOmega * t), -std::sin(kOmega * t), 0};
}
Vec3 swungTo(Vec3 from, double t) {
  return from + 1 / kOmega * Vec3{std::sin(kOmega * t), std::cos(kOmega * t) - 1, 0};
}

struct Setting {
  Grid grid = Grid::Regular;
  std::vector<double> times{0, 0.4, 1, 1.3, 2, 2.2};
  bool blanks = false;
  std::uint64_t budgetBytes = 16 << 20;
  std::vector<std::string> functions{"velocity", "index"};
};

std::shared_ptr<paging::ComputedReader> readerOf(const Setting& setting) {
  paging::DatasetDescription description;
  description.format = "curved";
  description.times = setting.times;
  paging::BlockDescription block;
  block.dims = kDims;
  block.kind = setting.grid == Grid::Regular ? paging::GridKind::Regular : paging::GridKind::Curvilinear;
  block.hasIblank = setting.blanks;
  for (std::int64_t n = 0; n < product(kDims); ++n)
    for (const double time : setting.times)
      block.bounds.add(placeOf(setting.grid, toVec3(unlinear(n, kDims)), time));
  description.blocks.push_back(block);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(kDims, kDims);
  const std::int64_t steps = description.steps();
  description.arrays.push_back({"velocity", 0, whole, steps, 3, ScalarType::F64, {}});
  description.arrays.push_back({"index", 0, whole, 1, 3, ScalarType::F64, {}});
  description.arrays.push_back({"swing", 0, whole, steps, 3, ScalarType::F64, {}});
  if (setting.blanks)
    description.arrays.push_back(
        {"iblank", 0, whole, steps, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
  if (setting.grid != Grid::Regular)
    description.arrays.push_back({"xyz",
                                  0,
                                  whole,
                                  setting.grid == Grid::Moving ? steps : 1,
                                  3,
                                  ScalarType::F64,
                                  {},
                                  paging::ArrayRole::Coordinates});
  return nodewiseReader(
      description, [setting, blankArray = setting.blanks ? 3u : 99u](std::uint32_t array, std::int64_t step,
                                                                     const Index3& node, NodeValues& values) {
        const double time = setting.times[static_cast<std::size_t>(step)];
        const bool blank = setting.blanks && step == 2 && node[0] == kBlankNode;
        if (array == 0)
          values.put(blank ? Vec3{1e9, -1e9, 0} : velocityOf(toVec3(node), time));
        else if (array == 1)
          values.put(toVec3(node));
        else if (array == 2)
          values.put(swing(time));
        else if (array == blankArray)
          values.put(static_cast<std::int16_t>(blank ? 0 : 1));
        else
          values.put(placeOf(setting.grid, toVec3(node), time));
      });
}

using Work = std::function<void(Sampler&, tasks::TaskContext&)>;
void withSampler(const Setting& setting, const Work& work) {
  MemoryAccount account(setting.budgetBytes);
  const auto data = openBoxes(readerOf(setting), {8, false, "curved"}, {}, account);
  const auto plan = std::make_shared<FunctionPlan>(data->description(), setting.functions);
  PagedDataOptions options;
  options.arrays = plan->arrays();
  options.stepsAtATime = 4;
  options.resultBytesPerTask = PagedData::samplerBytes(*plan, 4);
  PagedData paged(*data, account, options);
  test::runOneTask(paged,
                   [&](tasks::TaskContext& context) { work(*paged.makeSampler(context, plan), context); });
}

Vec3 centreOf(const Index3& cell, const std::function<Vec3(Vec3)>& valueAt) {
  Vec3 mean;
  for (std::int64_t c = 0; c < 8; ++c)
    mean = mean + 0.125 * valueAt(toVec3({cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)}));
  return mean;
}

struct NoSink final : flow::LineSink {
  void vertex(Vec3, double, std::span<const double>) override {}
};

/// How far a particle of the swinging flow is from where it should be at the end, at worst of all steps.
double errorOfPath(int steps, BetweenSteps between) {
  Setting setting{.functions = {"swing"}};
  setting.times.clear();
  for (int n = 0; n <= steps; ++n) setting.times.push_back(2.0 * n / steps);
  double worst = 0;
  withSampler(setting, [&](Sampler& sampler, tasks::TaskContext& context) {
    NoSink sink;
    const Vec3 seed{6.2, 5.3, 4.1};
    auto particle = flow::Particle::released(seed, 0);
    for (std::size_t n = 0; n + 1 < setting.times.size(); ++n) {
      flow::SampledField field(sampler, static_cast<std::int64_t>(n), setting.times[n], setting.times[n + 1],
                               between);
      flow::advance(particle, setting.times[n + 1], field, {.tolerance = 1e-10}, context, sink);
      QVERIFY(particle.alive());
      worst = std::max(worst, length(particle.position - swungTo(seed, particle.time)));
    }
  });
  return worst;
}

}  // namespace

class TestCubicTime : public QObject {
  Q_OBJECT
 private slots:
  void curves();
  void parabolasAreMet_data();
  void parabolasAreMet();
  void ofTwoStepsItIsLinear();
  void linearAndCubicInTurn();
  void pathsAreOfHigherOrder();
};

void TestCubicTime::curves() {
  const auto valueAt = [](double t) { return 3 - 2 * t + 0.7 * t * t; };
  const std::vector<double> times{-1, 0.5, 2, 2.5, 7};
  for (std::int64_t step = 0; step < 4; ++step) {
    const StepCurve curve(times, step);
    QCOMPARE(curve.hasBefore(), step > 0);
    QCOMPARE(curve.hasAfter(), step < 3);
    const auto at = [&](std::int64_t n) {
      return n < 0 || n > 4 ? NAN : valueAt(times[static_cast<std::size_t>(n)]);
    };
    for (const bool before : {true, false})
      for (const bool after : {true, false}) {
        const auto its = curve.through(at(step), at(step + 1), at(step - 1), at(step + 2), before, after);
        QCOMPARE(its.at(0), at(step));
        QVERIFY(std::abs(its.at(1) - at(step + 1)) < 1e-12);
        const double time =
            times[static_cast<std::size_t>(step)] +
            0.3 * (times[static_cast<std::size_t>(step + 1)] - times[static_cast<std::size_t>(step)]);
        const bool known = (before && step > 0) || (after && step < 3);
        const double wanted = known ? valueAt(time) : 0.7 * at(step) + 0.3 * at(step + 1);
        QVERIFY2(std::abs(its.at(0.3) - wanted) < 1e-12, std::to_string(its.at(0.3) - wanted).c_str());
      }
  }
  // Smooth in time: the slope at a step is the same from both sides.
  const std::vector<double> any{4, -1, 2, 9, 0};
  const auto one = StepCurve(times, 1).through(any[1], any[2], any[0], any[3], true, true);
  const auto two = StepCurve(times, 2).through(any[2], any[3], any[1], any[4], true, true);
  const double left = (one.first + 2 * one.second + 3 * one.third) / (times[2] - times[1]);
  QVERIFY(std::abs(left - two.first / (times[3] - times[2])) < 1e-12);
}

void TestCubicTime::parabolasAreMet_data() {
  QTest::addColumn<int>("grid");
  QTest::addColumn<bool>("blanks");
  QTest::addColumn<int>("kilobytes");
  for (const auto& [name, grid] :
       {std::pair{"regular", Grid::Regular}, {"static", Grid::Static}, {"moving", Grid::Moving}})
    for (const bool blanks : {false, true})
      for (const int kilobytes : {16384, 200})
        QTest::addRow("%s%s, %d KB", name, blanks ? " with blanks" : "", kilobytes)
            << static_cast<int>(grid) << blanks << kilobytes;
}

void TestCubicTime::parabolasAreMet() {
  QFETCH(int, grid);
  QFETCH(bool, blanks);
  QFETCH(int, kilobytes);
  const auto kind = static_cast<Grid>(grid);
  const Setting setting{
      .grid = kind, .blanks = blanks, .budgetBytes = static_cast<std::uint64_t>(kilobytes) << 10};
  withSampler(setting, [&](Sampler& sampler, tasks::TaskContext&) {
    std::mt19937 random(5);
    std::uniform_int_distribution<std::int64_t> any(0, 1000);
    for (int n = 0; n < 200; ++n) {
      const std::int64_t step = any(random) % 5;
      const std::size_t at = static_cast<std::size_t>(step);
      const double weight = n % 9 == 0 ? 0 : n % 9 == 1 ? 1 : 1e-3 * static_cast<double>(any(random));
      const double time = setting.times[at] + weight * (setting.times[at + 1] - setting.times[at]);
      const FieldTime moment{step, weight, true, BetweenSteps::Cubic};
      const Index3 cell{any(random) % kCells[0], any(random) % kCells[1], any(random) % kCells[2]};
      const bool touchesBlank = blanks && (cell[0] == kBlankNode || cell[0] == kBlankNode - 1);
      // Nodes move linearly in time anyway.
      const Vec3 point = centreOf(cell, [&](Vec3 index) { return placeOf(kind, index, time); });
      Location place;
      if (touchesBlank && (step == 1 || step == 2)) {
        QVERIFY(!sampler.locate(point, moment, place));
        continue;
      }
      QVERIFY(sampler.locate(point, moment, place));
      QCOMPARE(place.cell, linear(cell, kCells));
      // At the first step the one after the next is blank, and there is none before: nothing but a straight line is known.
      const bool straight = touchesBlank && step == 0;
      const Vec3 velocity = centreOf(cell, [&](Vec3 index) {
        return straight ? (1 - weight) * velocityOf(index, setting.times[0]) +
                              weight * velocityOf(index, setting.times[1])
                        : velocityOf(index, time);
      });
      double values[6];
      sampler.evaluate(place, moment, values);
      QVERIFY(length(Vec3{values[0], values[1], values[2]} - velocity) < 1e-8);
      QVERIFY(length(Vec3{values[3], values[4], values[5]} - toVec3(cell) - Vec3{0.5, 0.5, 0.5}) < 1e-8);
      const auto flow = std::get<CubicHexahedronFlow>(*sampler.flowIn(place, moment));
      QVERIFY(length(flow.velocity(place.xi, time) - velocity) < 1e-8);
      QVERIFY(length(flow.position(place.xi, time) - point) < 1e-9);
    }
  });
}

void TestCubicTime::ofTwoStepsItIsLinear() {
  withSampler({.times = {1, 3}}, [&](Sampler& sampler, tasks::TaskContext&) {
    Location place;
    double straight[6], curved[6];
    const FieldTime moment{0, 0.3, true}, cubic{0, 0.3, true, BetweenSteps::Cubic};
    QVERIFY(sampler.locate({4.5, 5.5, 3.5}, moment, place));
    sampler.evaluate(place, moment, straight);
    sampler.evaluate(place, cubic, curved);
    for (int n = 0; n < 6; ++n) QVERIFY(std::abs(straight[n] - curved[n]) < 1e-12);
  });
}

/// A sampler that is asked for both keeps them apart.
void TestCubicTime::linearAndCubicInTurn() {
  withSampler({.grid = Grid::Moving}, [&](Sampler& sampler, tasks::TaskContext&) {
    std::vector<std::array<double, 6>> seen;
    for (int round = 0; round < 2; ++round)
      for (const FieldTime moment :
           {FieldTime{2, 0.5}, FieldTime{2, 0.5, true}, FieldTime{2, 0.5, true, BetweenSteps::Cubic},
            FieldTime{2}, FieldTime{0, 0.5, true, BetweenSteps::Cubic}, FieldTime{4, 0.5, true}}) {
        Location place;
        std::array<double, 6> values;
        QVERIFY(sampler.locate({4.5, 3.5, 3.5}, moment, place));
        sampler.evaluate(place, moment, values);
        seen.push_back(values);
      }
    for (std::size_t n = 0; n < 6; ++n) QVERIFY(seen[n] == seen[n + 6]);
    QVERIFY(seen[0] == seen[1]);
    QVERIFY(seen[1] != seen[2]);
  });
}

void TestCubicTime::pathsAreOfHigherOrder() {
  const auto orderOf = [](BetweenSteps between) {
    return std::log2(errorOfPath(20, between) / errorOfPath(40, between));
  };
  const double linear = orderOf(BetweenSteps::Linear), cubic = orderOf(BetweenSteps::Cubic);
  QVERIFY2(linear > 1.7 && linear < 2.3, std::to_string(linear).c_str());
  QVERIFY2(cubic > 3.2, std::to_string(cubic).c_str());
  const double gain = errorOfPath(40, BetweenSteps::Linear) / errorOfPath(40, BetweenSteps::Cubic);
  QVERIFY2(gain > 8, std::to_string(gain).c_str());
}

QTEST_APPLESS_MAIN(TestCubicTime)
#include "tst_cubic_time.moc"
