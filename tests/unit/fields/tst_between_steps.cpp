// Values and places between two steps: fields and grids that are linear in time are met exactly, at times in
// any order, however the data are paged; on a step nothing of the next one is read.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "core/fields/data/box_data.h"
#include "core/fields/paged/paged_data.h"
#include "core/fields/paged/paged_nodes.h"
#include "core/flow/particle.h"
#include "core/flow/tracer.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/one_task.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::test;

namespace {

constexpr Index3 kDims{19, 14, 12}, kCells{18, 13, 11};
const std::vector<double> kTimes{1, 1.5, 4};
enum class Grid { Regular, Static, Moving };

/// A warp of index space that drifts, shears and grows in time where it moves.
Vec3 placeOf(Grid grid, Vec3 index, double time) {
  if (grid == Grid::Regular) return index;
  const double t = grid == Grid::Moving ? time : 0;
  const Vec3 still{index.x + 0.2 * std::sin(0.7 * index.y), 0.8 * index.y + 0.15 * std::sin(0.9 * index.x),
                   1.1 * index.z + 0.1 * std::cos(0.35 * index.x)};
  return still + t * Vec3{0.9 + 0.03 * index.y, 0.02 * index.z * index.x - 0.5, 0.05 * index.z};
}
Vec3 velocityOf(Vec3 index, double time) {
  return {index.x - 3 * time, 0.5 * index.y * time, 2 + index.z * (time - 1)};
}
/// The same everywhere; what it blows along from time 1 on.
Vec3 windAt(double time) {
  return {0.3, 0.2 * time, -0.1};
}
Vec3 blownSince1(Vec3 from, double time) {
  return from + Vec3{0.3 * (time - 1), 0.1 * (time * time - 1), -0.1 * (time - 1)};
}
/// Blank at the second step alone.
bool blanked(const Index3& node, std::int64_t step) {
  return step == 1 && node[0] == 15;
}

std::shared_ptr<paging::ComputedReader> reader(Grid grid) {
  paging::DatasetDescription description;
  description.format = "changing";
  description.times = kTimes;
  paging::BlockDescription block;
  block.dims = kDims;
  block.kind = grid == Grid::Regular ? paging::GridKind::Regular : paging::GridKind::Curvilinear;
  block.hasIblank = true;
  for (std::int64_t n = 0; n < product(kDims); ++n)
    for (const double time : kTimes) block.bounds.add(placeOf(grid, toVec3(unlinear(n, kDims)), time));
  description.blocks.push_back(block);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(kDims, kDims);
  const std::int64_t steps = description.steps();
  description.arrays.push_back({"velocity", 0, whole, steps, 3, ScalarType::F64, {}});
  description.arrays.push_back({"index", 0, whole, 1, 3, ScalarType::F64, {}});
  description.arrays.push_back({"wind", 0, whole, steps, 3, ScalarType::F64, {}});
  description.arrays.push_back({"still", 0, whole, 1, 3, ScalarType::F64, {}});
  description.arrays.push_back(
      {"iblank", 0, whole, steps, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
  if (grid != Grid::Regular)
    description.arrays.push_back({"xyz",
                                  0,
                                  whole,
                                  grid == Grid::Moving ? steps : 1,
                                  3,
                                  ScalarType::F64,
                                  {},
                                  paging::ArrayRole::Coordinates});
  return nodewiseReader(
      description, [grid](std::uint32_t array, std::int64_t step, const Index3& node, NodeValues& values) {
        const double time = kTimes[static_cast<std::size_t>(step)];
        if (array == 0) values.put(velocityOf(toVec3(node), time));
        if (array == 1) values.put(toVec3(node));
        if (array == 2) values.put(windAt(time));
        if (array == 3) values.put(Vec3{});
        if (array == 4) values.put(static_cast<std::int16_t>(blanked(node, step) ? 0 : 1));
        if (array == 5) values.put(placeOf(grid, toVec3(node), time));
      });
}

struct Setting {
  int edge = 8, stepsAtATime = 2;
  std::uint64_t budgetBytes = 16 << 20;
  std::vector<std::string> functions{"velocity", "index"};
};
using Work = std::function<void(Sampler&, PagedData&, tasks::TaskContext&)>;

/// Runs `work` as the single task.
void withSampler(Grid grid, const Setting& setting, const Work& work) {
  MemoryAccount account(setting.budgetBytes);
  const auto data = openBoxes(reader(grid), {setting.edge, false, "changing"}, {}, account);
  const auto plan = std::make_shared<FunctionPlan>(data->description(), setting.functions);
  PagedDataOptions options;
  options.arrays = plan->arrays();
  options.stepsAtATime = setting.stepsAtATime;
  options.resultBytesPerTask = PagedData::samplerBytes(*plan, setting.stepsAtATime);
  PagedData paged(*data, account, options);
  test::runOneTask(
      paged, [&](tasks::TaskContext& context) { work(*paged.makeSampler(context, plan), paged, context); });
}

struct Vertices final : flow::LineSink {
  std::vector<Vec3> points;
  std::vector<double> times;
  void vertex(Vec3 point, double time, std::span<const double>) override {
    points.push_back(point);
    times.push_back(time);
  }
};

/// Traces a particle up to `until` through all steps.
void follow(flow::Particle& particle, double until, const flow::LineOptions& options, Sampler& sampler,
            tasks::TaskContext& context, flow::LineSink& sink) {
  for (std::size_t step = 0; step + 1 < kTimes.size() && particle.alive(); ++step) {
    const double end = std::min(until, kTimes[step + 1]);
    if (particle.time >= end) continue;
    flow::SampledField field(sampler, static_cast<std::int64_t>(step), kTimes[step], kTimes[step + 1]);
    flow::advance(particle, end, field, options, context, sink);
  }
}

/// The values of a trilinear cell at its centre.
Vec3 meanOfCorners(const Index3& cell, const std::function<Vec3(Vec3)>& valueAt) {
  Vec3 mean;
  for (std::int64_t c = 0; c < 8; ++c)
    mean = mean + 0.125 * valueAt(toVec3({cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)}));
  return mean;
}

}  // namespace

class TestBetweenSteps : public QObject {
  Q_OBJECT
 private slots:
  void momentOfATime();
  void linearFieldsAreMet_data();
  void linearFieldsAreMet();
  void oneCellThroughTime();
  void onAStepTheNextIsNotRead();
  void blankAtEitherStepIsBlank();
  void gradientsBetween();
  void nodesAndLines();
  void pathsThroughSteps();
  void errorFollowsTheTolerance();
  void windOnGridsThatMove_data();
  void windOnGridsThatMove();
  void atRest();
  void endsOfPaths();
  void twoStepsAreReserved();
};

void TestBetweenSteps::momentOfATime() {
  QVERIFY(fieldTimeAt(kTimes, 1) == (FieldTime{0, 0}));
  QVERIFY(fieldTimeAt(kTimes, 1.25) == (FieldTime{0, 0.5}));
  QVERIFY(fieldTimeAt(kTimes, 1.5) == (FieldTime{1, 0}));
  QVERIFY(fieldTimeAt(kTimes, 2) == (FieldTime{1, 0.2}));
  QVERIFY(fieldTimeAt(kTimes, 4) == (FieldTime{2, 0}));
  QVERIFY(fieldTimeAt(kTimes, -7) == (FieldTime{0, 0}));
  QVERIFY(fieldTimeAt(kTimes, 7) == (FieldTime{2, 0}));
  // So close before a step that the weight is 1 when rounded; and steps at one time.
  const std::vector<double> close{0, std::nextafter(0.0, 1.0), 3, 3, 5};
  QVERIFY(fieldTimeAt(close, std::nextafter(3.0, 0.0)).weight < 1);
  QVERIFY(fieldTimeAt(close, 3) == (FieldTime{3, 0}));
}

void TestBetweenSteps::linearFieldsAreMet_data() {
  QTest::addColumn<int>("grid");
  QTest::addColumn<int>("edge");
  QTest::addColumn<int>("kilobytes");
  for (const auto& [name, grid] :
       {std::pair{"regular", Grid::Regular}, {"static", Grid::Static}, {"moving", Grid::Moving}})
    // The smallest budget holds one page at a time.
    for (const auto& [edge, kilobytes] : {std::pair{8, 16384}, {4, 400}, {32, 16384}, {8, 120}})
      QTest::addRow("%s, edge %d, %d KB", name, edge, kilobytes)
          << static_cast<int>(grid) << edge << kilobytes;
}

void TestBetweenSteps::linearFieldsAreMet() {
  QFETCH(int, grid);
  QFETCH(int, edge);
  QFETCH(int, kilobytes);
  const Grid kind = static_cast<Grid>(grid);
  withSampler(
      kind, {.edge = edge, .budgetBytes = static_cast<std::uint64_t>(kilobytes) << 10},
      [&](Sampler& sampler, PagedData&, tasks::TaskContext&) {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> anyTime(1, 4);
        std::uniform_int_distribution<std::int64_t> any(0, 1000);
        Location walked;
        for (int n = 0; n < 150; ++n) {
          // Three looks at a time, and now and then exactly on a step.
          const double time = n % 7 == 0 ? kTimes[static_cast<std::size_t>(n % 3)] : anyTime(random);
          const FieldTime moment = fieldTimeAt(kTimes, time);
          for (int look = 0; look < 3; ++look) {
            const Index3 cell{any(random) % 14, any(random) % kCells[1], any(random) % kCells[2]};
            const Vec3 point = meanOfCorners(cell, [&](Vec3 index) { return placeOf(kind, index, time); });
            Location searched;
            QVERIFY(sampler.locate(point, moment, searched));
            QCOMPARE(searched.cell, linear(cell, kCells));
            QVERIFY(length(searched.xi - Vec3{0.5, 0.5, 0.5}) < 1e-9);
            QVERIFY(sampler.locate(point, moment, walked));
            QCOMPARE(walked.cell, searched.cell);
            const Vec3 velocity = meanOfCorners(cell, [&](Vec3 index) { return velocityOf(index, time); });
            double values[6];
            sampler.evaluate(searched, moment, values);
            QVERIFY(length(Vec3{values[0], values[1], values[2]} - velocity) < 1e-8);
            const Vec3 centre = toVec3(cell) + Vec3{0.5, 0.5, 0.5};
            QVERIFY(length(Vec3{values[3], values[4], values[5]} - centre) < 1e-8);
            const auto flow = std::get<HexahedronFlow>(*sampler.flowIn(searched, moment));
            QVERIFY(length(flow.velocity(searched.xi, time) - velocity) < 1e-8);
            QVERIFY(length(flow.position(searched.xi, time) - point) < 1e-9);
          }
        }
      });
}

/// A cell that stays in use is where its nodes are at each of the times.
void TestBetweenSteps::oneCellThroughTime() {
  withSampler(Grid::Moving, {}, [](Sampler& sampler, PagedData& data, tasks::TaskContext&) {
    const Index3 cell{6, 5, 4};
    Location place;
    std::uint64_t misses = 0;
    for (const double time : {1.6, 1.7, 2.9, 2.0, 3.99}) {
      const FieldTime moment = fieldTimeAt(kTimes, time);
      const Vec3 centre = meanOfCorners(cell, [&](Vec3 index) { return placeOf(Grid::Moving, index, time); });
      if (place.valid())
        QVERIFY(sampler.locateNear(centre, moment, place) == Nearness::Inside);
      else
        QVERIFY(sampler.locate(centre, moment, place));
      QCOMPARE(place.cell, linear(cell, kCells));
      QVERIFY(length(place.xi - Vec3{0.5, 0.5, 0.5}) < 1e-9);
      double values[6];
      sampler.evaluate(place, moment, values);
      const Vec3 velocity = meanOfCorners(cell, [&](Vec3 index) { return velocityOf(index, time); });
      QVERIFY(length(Vec3{values[0], values[1], values[2]} - velocity) < 1e-8);
      // Both steps of it were read at the first of the times.
      if (misses > 0) QCOMPARE(data.cache().counters().misses, misses);
      misses = data.cache().counters().misses;
    }
  });
}

/// Pages asked for, and what a look at the middle gives.
std::pair<std::uint64_t, std::vector<double>> lookedAt(int stepsAtATime, FieldTime moment) {
  std::pair<std::uint64_t, std::vector<double>> found;
  withSampler(Grid::Moving, {.stepsAtATime = stepsAtATime},
              [&](Sampler& sampler, PagedData& data, tasks::TaskContext&) {
                Location place;
                QVERIFY(sampler.locate(placeOf(Grid::Moving, {6.3, 7.2, 5.1}, 1.5), moment, place));
                found.second.resize(6);
                sampler.evaluate(place, moment, found.second);
                found.second.insert(found.second.end(), {place.xi.x, place.xi.y, place.xi.z});
                found.first = data.cache().counters().misses;
              });
  return found;
}

void TestBetweenSteps::onAStepTheNextIsNotRead() {
  const auto one = lookedAt(1, {1}), two = lookedAt(2, {1}), between = lookedAt(2, {1, 1e-9});
  QCOMPARE(two.second, one.second);
  QCOMPARE(two.first, one.first);
  QVERIFY(between.first > one.first);
  for (std::size_t n = 0; n < one.second.size(); ++n)
    QVERIFY(std::abs(between.second[n] - one.second[n]) < 1e-6);
}

void TestBetweenSteps::blankAtEitherStepIsBlank() {
  for (const Grid grid : {Grid::Regular, Grid::Static, Grid::Moving})
    withSampler(grid, {}, [&](Sampler& sampler, PagedData&, tasks::TaskContext&) {
      for (const double time : {1.0, 1.25, 1.5, 2.0, 4.0, 1.01, 1.0}) {
        const FieldTime moment = fieldTimeAt(kTimes, time);
        const bool free = time == 1 || time == 4;
        const Vec3 point = meanOfCorners({14, 6, 5}, [&](Vec3 index) { return placeOf(grid, index, time); });
        const Vec3 beside = meanOfCorners({13, 6, 5}, [&](Vec3 index) { return placeOf(grid, index, time); });
        Location place;
        QCOMPARE(sampler.locate(point, moment, place), free);
        QVERIFY(sampler.locate(beside, moment, place));
        place.xi.x = 1;
        QCOMPARE(sampler.crossFace(place, moment, 1), free);
      }
    });
}

void TestBetweenSteps::gradientsBetween() {
  withSampler(Grid::Regular, {.functions = {"divergence"}},
              [&](Sampler& sampler, PagedData&, tasks::TaskContext&) {
                for (const double time : {1.0, 1.2, 3.0, 3.5, 1.5}) {
                  const FieldTime moment = fieldTimeAt(kTimes, time);
                  Location place;
                  QVERIFY(sampler.locate({4.3, 5.1, 6.7}, moment, place));
                  double divergence = 0;
                  sampler.evaluate(place, moment, {&divergence, 1});
                  QVERIFY(std::abs(divergence - (1 + 0.5 * time + (time - 1))) < 1e-9);
                }
              });
}

void TestBetweenSteps::nodesAndLines() {
  withSampler(Grid::Moving, {}, [&](Sampler& sampler, PagedData& data, tasks::TaskContext& context) {
    const FieldTime moment = fieldTimeAt(kTimes, 3);
    const Vec3 node = nodeCoordinates(data, context, 0, {5, 9, 7}, moment);
    QVERIFY(length(node - placeOf(Grid::Moving, {5, 9, 7}, 3)) < 1e-12);
    // A field that is steady at that moment, whatever time it is asked for.
    flow::SampledField field(sampler, moment);
    Vec3 velocity;
    QVERIFY(field.velocityAt(node, 77, velocity) == flow::Reach::Inside);
    QVERIFY(length(velocity - velocityOf({5, 9, 7}, 3)) < 1e-8);
  });
}

/// Paths are solutions of dx/dt = v(x, t), and the times of the data are vertices of them.
void TestBetweenSteps::pathsThroughSteps() {
  for (const flow::Method method : {flow::Method::Dopri5, flow::Method::Rk4})
    withSampler(Grid::Regular, {}, [&](Sampler& sampler, PagedData&, tasks::TaskContext& context) {
      Vertices line;
      const Vec3 seed{7, 3, 2};
      auto particle = flow::Particle::released(seed, 1.2);
      follow(particle, 2.2, {.method = method, .tolerance = 1e-8, .stepCells = 0.02}, sampler, context, line);
      QVERIFY(particle.alive());
      QCOMPARE(particle.time, 2.2);
      QCOMPARE(line.times.front(), 1.2);
      QCOMPARE(line.times.back(), 2.2);
      QCOMPARE(particle.vertices, static_cast<std::int64_t>(line.points.size()));
      QVERIFY(std::is_sorted(line.times.begin(), line.times.end()));
      QCOMPARE(std::count(line.times.begin(), line.times.end(), 1.5), 1);
      for (std::size_t n = 0; n < line.points.size(); ++n) {
        const double t = line.times[n];
        const double x = (seed.x - 3 * 1.2 - 3) * std::exp(t - 1.2) + 3 * t + 3;
        const double y = seed.y * std::exp((t * t - 1.2 * 1.2) / 4);
        QVERIFY(std::abs(line.points[n].x - x) < 1e-6 && std::abs(line.points[n].y - y) < 1e-6);
      }
    });
}

/// The error of a path falls with the tolerance, in cells' own coordinates too.
void TestBetweenSteps::errorFollowsTheTolerance() {
  withSampler(Grid::Regular, {}, [&](Sampler& sampler, PagedData&, tasks::TaskContext& context) {
    std::vector<double> errors;
    for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
      Vertices line;
      auto particle = flow::Particle::released({6.5, 3, 0.5}, 1);
      follow(particle, 2.5, {.tolerance = tolerance}, sampler, context, line);
      QCOMPARE(particle.time, 2.5);
      errors.push_back(std::abs(particle.position.y - 3 * std::exp((2.5 * 2.5 - 1) / 4)));
    }
    QVERIFY(errors[0] < 1e-2 && errors[1] < 1e-4 && errors[2] < 1e-6);
  });
}

/// In a wind that is the same everywhere it does not matter how the cells lie or move.
void TestBetweenSteps::windOnGridsThatMove_data() {
  QTest::addColumn<int>("grid");
  QTest::addColumn<int>("method");
  for (const auto& [name, grid] :
       {std::pair{"regular", Grid::Regular}, {"static", Grid::Static}, {"moving", Grid::Moving}})
    for (const auto& [methodName, method] :
         {std::pair{"dopri5", flow::Method::Dopri5}, {"rk4", flow::Method::Rk4}})
      QTest::addRow("%s, %s", name, methodName) << static_cast<int>(grid) << static_cast<int>(method);
}

void TestBetweenSteps::windOnGridsThatMove() {
  QFETCH(int, grid);
  QFETCH(int, method);
  const Grid kind = static_cast<Grid>(grid);
  withSampler(kind, {.functions = {"wind"}}, [&](Sampler& sampler, PagedData&, tasks::TaskContext& context) {
    const Vec3 seed = placeOf(kind, {8.3, 5.2, 5.9}, 1);
    Vertices line;
    auto particle = flow::Particle::released(seed, 1);
    follow(particle, 4, {.method = static_cast<flow::Method>(method), .tolerance = 1e-9}, sampler, context,
           line);
    QVERIFY(particle.alive());
    QCOMPARE(line.times.back(), 4.0);
    for (std::size_t n = 0; n < line.points.size(); ++n)
      QVERIFY(length(line.points[n] - blownSince1(seed, line.times[n])) < 1e-7);
  });
}

/// A particle at rest stays where it is, though cells go past it, and ends where the data have left it.
void TestBetweenSteps::atRest() {
  for (const Grid grid : {Grid::Regular, Grid::Moving})
    withSampler(grid, {.functions = {"still"}},
                [&](Sampler& sampler, PagedData&, tasks::TaskContext& context) {
                  const Vec3 seed = placeOf(grid, {8.3, 5.2, 5.9}, 1);
                  Vertices line;
                  auto particle = flow::Particle::released(seed, 1);
                  follow(particle, 4, {.tolerance = 1e-9}, sampler, context, line);
                  QVERIFY(particle.alive());
                  QCOMPARE(particle.time, 4.0);
                  for (const Vec3& point : line.points) QVERIFY(length(point - seed) < 1e-7);
                });
  withSampler(Grid::Moving, {.functions = {"still"}},
              [&](Sampler& sampler, PagedData&, tasks::TaskContext& context) {
                const Vec3 seed = placeOf(Grid::Moving, {0.4, 5.2, 5.9}, 1);
                Vertices line;
                auto particle = flow::Particle::released(seed, 1);
                follow(particle, 4, {}, sampler, context, line);
                QVERIFY(particle.termination == flow::Termination::OutOfDomain);
                // The face i = 0 goes over the seed; its nodes move with (0.9 + 0.03 j, -0.5, 0.05 k).
                QVERIFY(particle.time > 1.3 && particle.time < 1.6);
                Location place;
                QVERIFY(!sampler.locate(seed, fieldTimeAt(kTimes, particle.time + 1e-3), place));
                place = {};
                QVERIFY(sampler.locate(seed, fieldTimeAt(kTimes, particle.time - 1e-3), place));
              });
}

/// Cells that become blank, limits of age, length and steps, and seeds outside end a path.
void TestBetweenSteps::endsOfPaths() {
  withSampler(Grid::Static, {.functions = {"still"}},
              [&](Sampler& sampler, PagedData&, tasks::TaskContext& context) {
                Vertices line;
                const Vec3 blankLater = placeOf(Grid::Static, {14.5, 5.2, 5.9}, 1);
                auto particle = flow::Particle::released(blankLater, 1);
                follow(particle, 4, {}, sampler, context, line);
                QVERIFY(particle.termination == flow::Termination::SeedOutside);
                particle = flow::Particle::released({-50, 0, 0}, 1);
                follow(particle, 4, {}, sampler, context, line);
                QVERIFY(particle.termination == flow::Termination::SeedOutside);
                QVERIFY(line.points.empty());
              });
  withSampler(Grid::Regular, {.functions = {"wind"}},
              [&](Sampler& sampler, PagedData&, tasks::TaskContext& context) {
                const auto ended = [&](const flow::LineOptions& options) {
                  Vertices line;
                  auto particle = flow::Particle::released({8.3, 5.2, 5.9}, 1);
                  follow(particle, 4, options, sampler, context, line);
                  return particle;
                };
                const auto old = ended({.maxTime = 0.7});
                QVERIFY(old.termination == flow::Termination::MaxTime);
                QCOMPARE(old.time, 1.7);
                const auto far = ended({.maxLength = 0.8});
                QVERIFY(far.termination == flow::Termination::MaxLength);
                QVERIFY(far.length >= 0.8 && far.time < 4);
                const auto many = ended({.maxSteps = 2});
                QVERIFY(many.termination == flow::Termination::MaxSteps);
                QCOMPARE(many.vertices, 3);
              });
}

void TestBetweenSteps::twoStepsAreReserved() {
  MemoryAccount account(64 << 20);
  for (const Grid grid : {Grid::Static, Grid::Moving}) {
    const auto data = openBoxes(reader(grid), {32, false, "changing"}, {}, account);
    const auto reserved = [&](int stepsAtATime) {
      PagedDataOptions options;
      options.arrays = {"velocity", "index"};
      options.stepsAtATime = stepsAtATime;
      return PagedData(*data, account, options).plan().reservationBytes;
    };
    // Eight pages of 3 doubles, and of an iblank, more.
    const std::uint64_t nodes = static_cast<std::uint64_t>(product(kDims));
    const std::uint64_t more = 8 * nodes * ((grid == Grid::Moving ? 48 : 24) + 2);
    QVERIFY(reserved(2) >= reserved(1) + more);
    QVERIFY(reserved(2) < reserved(1) + more + more / 4);
  }
}

QTEST_APPLESS_MAIN(TestBetweenSteps)
#include "tst_between_steps.moc"
