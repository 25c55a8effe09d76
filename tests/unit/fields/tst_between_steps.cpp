// Values and places between two steps: fields and grids that are linear in time are met exactly, at times in
// any order, however the data are paged; on a step nothing of the next one is read.

#include <QTest>

#include <cmath>
#include <functional>
#include <random>

#include "core/fields/box_data.h"
#include "core/fields/node_coordinates.h"
#include "core/fields/paged_data.h"
#include "core/flow/tracer.h"
#include "tests/support/nodewise_reader.h"

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
        if (array == 2) values.put(static_cast<std::int16_t>(blanked(node, step) ? 0 : 1));
        if (array == 3) values.put(placeOf(grid, toVec3(node), time));
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
  tasks::TaskGroup group;
  group.count = 1;
  group.admission = &paged.admission();
  group.run = [&](std::size_t, tasks::TaskContext& context) {
    work(*paged.makeSampler(context, plan), paged, context);
  };
  paged.makeScheduler()->run(group, {});
}

/// A sampler at the moment of each look-up, which makes pathlines of lines; with steps in space alone.
class MovingField final : public flow::LineField {
 public:
  explicit MovingField(Sampler& sampler) : m_sampler(sampler) {}
  flow::Reach velocityAt(Vec3 point, double time, Vec3& velocity) override {
    Location found = m_vertex;
    if (!m_sampler.locate(point, at(time), found)) return flow::Reach::Outside;
    return velocityIn(found, time, velocity);
  }
  flow::Reach velocityNear(Vec3 point, double time, Vec3& velocity) override {
    return velocityAt(point, time, velocity);
  }
  void enter(const Location&) override {}
  bool locate(Vec3 point, double time, Location& location) override {
    return m_sampler.locate(point, at(time), location);
  }
  Nearness locateNear(Vec3 point, double time, Location& location) override {
    return locate(point, time, location) ? Nearness::Inside : Nearness::Far;
  }
  std::optional<CellFlow> flowIn(const Location&, double) override { return std::nullopt; }
  bool crossFace(Location&, double, int) override { return false; }
  double outsideBy(const Location& location) override { return m_sampler.outsideBy(location); }
  flow::Reach velocityIn(const Location& location, double time, Vec3& velocity) override {
    m_last = location;
    m_sampler.evaluate(location, at(time), m_values);
    velocity = {m_values[0], m_values[1], m_values[2]};
    return flow::Reach::Inside;
  }
  void accept(int) override { m_vertex = m_last; }
  std::span<const double> values() const override { return m_values; }
  const Location& location() const override { return m_vertex; }
  const Location& lastLocation() const override { return m_last; }
  double cellsPerTime(Vec3 velocity, double time) override {
    return m_sampler.cellsPerTime(m_vertex, at(time), velocity);
  }
  const Bounds& bounds() const override { return m_sampler.bounds(); }

 private:
  static FieldTime at(double time) { return fieldTimeAt(kTimes, time); }
  Sampler& m_sampler;
  Location m_vertex, m_last;
  std::array<double, 6> m_values{};
};

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
    flow::SteadyField field(sampler, moment);
    Vec3 velocity;
    QVERIFY(field.velocityAt(node, 77, velocity) == flow::Reach::Inside);
    QVERIFY(length(velocity - velocityOf({5, 9, 7}, 3)) < 1e-8);
  });
}

/// The tracer asks for the time of each stage: the line is the solution of dx/dt = v(x, t).
void TestBetweenSteps::pathsThroughSteps() {
  struct Vertices final : flow::LineSink {
    std::vector<Vec3> points;
    std::vector<double> times;
    void vertex(Vec3 point, double time, std::span<const double>) override {
      points.push_back(point);
      times.push_back(time);
    }
  };
  for (const flow::Method method : {flow::Method::Dopri5, flow::Method::Rk4})
    withSampler(Grid::Regular, {}, [&](Sampler& sampler, PagedData&, tasks::TaskContext& context) {
      MovingField field(sampler);
      Vertices line;
      const flow::LineOptions options{
          .method = method, .tolerance = 1e-8, .stepCells = 0.02, .maxTime = 1, .startTime = 1.2};
      const Vec3 seed{7, 3, 2};
      const auto result = flow::traceLine(field, seed, 1, options, context, line);
      QVERIFY(result.termination == flow::Termination::MaxTime);
      for (std::size_t n = 0; n < line.points.size(); ++n) {
        const double t = 1.2 + line.times[n];
        const double x = (seed.x - 3 * 1.2 - 3) * std::exp(t - 1.2) + 3 * t + 3;
        const double y = seed.y * std::exp((t * t - 1.2 * 1.2) / 4);
        QVERIFY(std::abs(line.points[n].x - x) < 1e-6 && std::abs(line.points[n].y - y) < 1e-6);
      }
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
