// Ribbons turn about their lines as the flow does: in flows that turn by known angles, whatever the vector is called and whatever the cells.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/error.h"
#include "core/fields/samples/sample_data.h"
#include "core/flow/line_turning.h"
#include "core/session/kinds/streamlines/line_surfaces.h"
#include "core/session/run/object_run.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::session;

namespace {

constexpr double kSpeed = 0.5, kTurns = 1.5;  // along x, and radians per time about the axis y = z = 3

Object ribbons(Vec3 seed, double twist = 1) {
  Object object;
  object.name = "ribbons";
  object.data = "flow";
  Streamlines shape;
  shape.vector = {"swirling"};
  shape.seeds = PointSeeds{{seed}};
  shape.form = LineForm::Ribbons;
  shape.radius.constant = 0.05;
  shape.twist = twist;
  object.shape = shape;
  return object;
}

/// An object, computed in a flow that goes along x and turns as a whole.
struct Scenery {
  explicit Scenery(const Object& its, const std::string& source = "sample://taylor-green?size=17")
      : object(its) {
    fields::OpenRequest request;
    request.sources = {source};
    request.options["function.swirling"] = "0.5, -1.5*(z-3), 1.5*(y-3)";
    request.options["function.circling"] = "-(y-3), x-3, 0";
    fields::ReaderRegistry readers;
    readers.add(std::make_unique<samples::SampleDataReader>());
    data = readers.open(request, account);
    run = makeObjectRun(object, data->description());
    fields::PagedDataOptions options;
    options.arrays = run->arrays();
    options.resultBytesPerTask = run->taskBytes();
    options.keptBytes = std::uint64_t{16} << 20;
    paged = std::make_unique<fields::PagedData>(*data, account, options);
  }
  ObjectSurroundings surroundings() { return {*paged, account, folder.path(), {}, {}}; }
  Scenery& compute() {
    computeAlone(*run, surroundings(), 0);
    return *this;
  }
  test::TemporaryFolder folder;
  Object object;
  MemoryAccount account{std::uint64_t{64} << 20};
  std::unique_ptr<fields::OpenData> data;
  std::unique_ptr<ObjectRun> run;
  std::unique_ptr<fields::PagedData> paged;
};

/// Where a ribbon is, and from there to its edge.
struct Cross {
  Vec3 place, toEdge;
};
std::vector<Cross> crossesOf(const scene::TriangleGeometry& ribbon) {
  std::vector<Cross> all;
  ribbon.visit([&](const scene::TriangleChunk& chunk) {
    const auto at = [&](std::size_t n) {
      return Vec3{chunk.points[3 * n], chunk.points[3 * n + 1], chunk.points[3 * n + 2]};
    };
    for (std::size_t n = 0; 6 * n < chunk.points.size(); ++n)
      all.push_back({0.5 * (at(2 * n) + at(2 * n + 1)), 0.5 * (at(2 * n + 1) - at(2 * n))});
  });
  return all;
}

/// By the right hand about x from `from` to `to`, less whole turns.
double angleAboutX(Vec3 from, Vec3 to) {
  return std::atan2(from.y * to.z - from.z * to.y, from.y * to.y + from.z * to.z);
}
bool areTurned(double angle, double by, double within = 1e-3) {
  return std::abs(std::remainder(angle - by, 2 * std::numbers::pi)) < within;
}

/// One straight line along x at speed 1, with what the flow has turned about it at its vertices, which are 1 apart.
class Turned final : public Polylines {
 public:
  explicit Turned(std::vector<double> turned) : m_turned(std::move(turned)) {}
  int width() const override { return 7; }
  std::uint64_t lineCount() const override { return 1; }
  std::uint64_t vertexCount() const override { return m_turned.size(); }
  void visitLines(const std::function<void(const PolylineSummary&)>& visit) const override {
    visit({0, m_turned.size(), {}});
  }
  void visitVertices(
      const std::function<void(const PolylineSummary&, std::span<const double>)>& visit) const override {
    double x = 0;
    for (const double turned : m_turned)
      visit({0, m_turned.size(), {}}, std::array<double, 7>{x++, 2, 3, 1, 0, 0, turned});
  }

 private:
  std::vector<double> m_turned;
};
std::vector<Cross> crossesOf(std::vector<double> turned) {
  return crossesOf(*lineSurfaces(std::make_shared<Turned>(std::move(turned)),
                                 {.form = LineForm::Ribbons, .vector = 3, .radius = 0.5, .turned = 6}));
}

/// u = (1 + y, -x, 2 + 3 y) at `point`: its curl is (3, 0, -2) everywhere.
Vec3 sheared(Vec3 point) {
  return {1 + point.y, -point.x, 2 + 3 * point.y};
}

}  // namespace

class TestRibbons : public QObject {
  Q_OBJECT
 private slots:
  void cellsOfAllShapesTurn_data();
  void cellsOfAllShapesTurn();
  void whatStandsStillDoesNotTurn();
  void turnOnTheAxis_data();
  void turnOnTheAxis();
  void goRoundTheAxis();
  void inBentCells();
  void flatFlowsDoNotTurnThem();
  void fastTurnsAreRound();
  void turnsThatAreNone();
  void othersAreLinesOfThem();
  void areOfProcessors();
  void anOlderRendererSaysNothingOfThem();
};

void TestRibbons::cellsOfAllShapesTurn_data() {
  QTest::addColumn<int>("shape");
  QTest::newRow("hexahedron") << 8;
  QTest::newRow("tetrahedron") << 4;
  QTest::newRow("wedge") << 6;
}

void TestRibbons::cellsOfAllShapesTurn() {
  QFETCH(int, shape);
  fields::CellCorners corners, velocities;
  for (std::size_t n = 0; n < 8; ++n) {
    const Vec3 unit{double(n & 1), double(n >> 1 & 1), double(n >> 2)};
    corners[n] = Vec3{5, 6, 7} + Vec3{2 * unit.x + unit.y, unit.y - 0.25 * unit.z, 3 * unit.z + unit.x};
    velocities[n] = sheared(corners[n]);
  }
  using V = fields::TrilinearVector;
  const fields::CellFlow cell =
      shape == 8 ? fields::CellFlow(fields::HexahedronFlow(V(corners), velocities))
      : shape == 4
          ? fields::CellFlow(fields::SteadyFlow<fields::Tetrahedron>(V::ofTetrahedron(corners),
                                                                     V::ofTetrahedron(velocities)))
          : fields::CellFlow(fields::SteadyFlow<fields::Wedge>(V::ofWedge(corners), V::ofWedge(velocities)));
  for (const Vec3 xi : {Vec3{0.2, 0.3, 0.4}, Vec3{0, 0, 0}, Vec3{0, 1, 0}}) {
    const Vec3 velocity = sheared(std::visit([&](const auto& its) { return its.position(xi, 0); }, cell));
    const double exact = 0.5 * dot(Vec3{3, 0, -2}, velocity) / length(velocity);
    const double rate = flow::turningRate(cell, xi, 0);
    QVERIFY2(std::abs(rate - exact) < 1e-12, qPrintable(QString::number(rate - exact)));
  }
}

/// And cells without a volume, and values that are none.
void TestRibbons::whatStandsStillDoesNotTurn() {
  fields::CellCorners corners{}, velocities{};
  using V = fields::TrilinearVector;
  QCOMPARE(flow::turningRate(fields::HexahedronFlow(V(corners), velocities), {0.5, 0.5, 0.5}, 0), 0.0);
  for (std::size_t n = 0; n < 8; ++n) corners[n] = {double(n & 1), double(n >> 1 & 1), double(n >> 2)};
  QCOMPARE(flow::turningRate(fields::HexahedronFlow(V(corners), velocities), {0.5, 0.5, 0.5}, 0), 0.0);
  velocities[3].x = std::numeric_limits<double>::quiet_NaN();
  QCOMPARE(flow::turningRate(fields::HexahedronFlow(V(corners), velocities), {0.5, 0.5, 0.5}, 0), 0.0);
}

void TestRibbons::turnOnTheAxis_data() {
  QTest::addColumn<double>("twist");
  QTest::newRow("with the flow") << 1.0;
  QTest::newRow("half as far") << 0.5;
  QTest::newRow("not at all") << 0.0;
}

/// By the angle that the flow turns in the time that it takes from the seed, both ways.
void TestRibbons::turnOnTheAxis() {
  QFETCH(double, twist);
  Scenery scenery(ribbons({3, 3, 3}, twist));
  const auto item = scenery.compute().run->item();
  QVERIFY(item.triangles && !item.lines);
  const std::vector<Cross> all = crossesOf(*item.triangles);
  const auto seed = std::find_if(all.begin(), all.end(), [](const Cross& each) {
    return length(each.place - Vec3{3, 3, 3}) < 1e-9;
  });
  QVERIFY(seed != all.end() && all.size() > 15);
  double least = 3, greatest = 3;
  for (const Cross& each : all) {
    QVERIFY(std::abs(length(each.toEdge) - 0.05) < 1e-9 && std::abs(each.toEdge.x) < 1e-9);
    const double time = (each.place.x - 3) / kSpeed;
    QVERIFY(areTurned(angleAboutX(seed->toEdge, each.toEdge), twist * kTurns * time));
    least = std::min(least, each.place.x);
    greatest = std::max(greatest, each.place.x);
  }
  QVERIFY2(least < 0.1 && greatest > 6, "it goes both ways");
}

/// What turns as a whole takes the ribbon with it: as it points to the axis at the seed it does everywhere.
void TestRibbons::goRoundTheAxis() {
  Scenery scenery(ribbons({3, 3, 4}), "sample://taylor-green?size=33");
  const std::vector<Cross> all = crossesOf(*scenery.compute().run->item().triangles);
  const auto fromAxis = [](const Cross& each) {
    return (1 / 0.05) * dot(each.toEdge, Vec3{0, each.place.y - 3, each.place.z - 3});
  };
  QVERIFY(all.size() > 20);
  for (const Cross& each : all) {
    QVERIFY(std::abs(std::hypot(each.place.y - 3, each.place.z - 3) - 1) < 1e-3);
    QVERIFY2(std::abs(fromAxis(each) - fromAxis(all.front())) < 0.01,
             qPrintable(QString::number(fromAxis(each) - fromAxis(all.front()))));
  }
}

void TestRibbons::inBentCells() {
  Scenery scenery(ribbons({0, 2, 3}), "sample://cylinder?size=33,33,17");
  const Bounds all = scenery.paged->bounds();
  QVERIFY2(all.contains({0, 2, 3}), "the seed lies in the data");
  const std::vector<Cross> crosses = crossesOf(*scenery.compute().run->item().triangles);
  QVERIFY(crosses.size() > 10);
  const Vec3 start{0, 2 - 3, 0};
  for (const Cross& each : crosses) {
    const Vec3 out{0, each.place.y - 3, each.place.z - 3};
    QVERIFY(std::abs(length(out) - length(start)) < 1e-2);
    QVERIFY(std::abs(dot(each.toEdge, out) - dot(crosses.front().toEdge, Vec3{0, crosses.front().place.y - 3,
                                                                              crosses.front().place.z - 3})) <
            1e-3);
  }
}

/// A flow in a plane turns about what stands upright on it.
void TestRibbons::flatFlowsDoNotTurnThem() {
  Object object = ribbons({4, 3, 3.1});
  auto& shape = std::get<Streamlines>(object.shape);
  shape.vector = {"circling"};
  shape.integrator.maxLength = 6;
  Scenery scenery(object);
  const std::vector<Cross> all = crossesOf(*scenery.compute().run->item().triangles);
  QVERIFY(all.size() > 15);
  for (const Cross& each : all) QVERIFY(std::abs(each.toEdge.z - all.front().toEdge.z) < 1e-9);
}

/// Nothing is drawn across the line where a step turns by half a turn.
void TestRibbons::fastTurnsAreRound() {
  const std::vector<Cross> all = crossesOf({0, 3, 3.5, -2});
  QVERIFY2(all.size() > 40, qPrintable(QString::number(all.size())));
  for (std::size_t n = 1; n < all.size(); ++n) {
    QVERIFY(dot(all[n - 1].toEdge, all[n].toEdge) > 0.25 * std::cos(0.2));
    QVERIFY(all[n].place.x > all[n - 1].place.x && std::abs(length(all[n].toEdge) - 0.5) < 1e-9);
  }
  for (const auto& [x, turned] : {std::pair{1.0, 3.0}, {1.5, 3.25}, {2.0, 3.5}, {3.0, -2.0}}) {
    const auto there = std::find_if(all.begin(), all.end(),
                                    [x = x](const Cross& each) { return std::abs(each.place.x - x) < 1e-9; });
    if (x != 1.5) QVERIFY(there != all.end());
    if (there != all.end()) QVERIFY(areTurned(angleAboutX(all.front().toEdge, there->toEdge), turned, 1e-9));
  }
}

/// A thousand turns in one step are two, which end at the same angle; what is no number is none.
void TestRibbons::turnsThatAreNone() {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN(),
                   kHuge = std::numeric_limits<double>::infinity();
  const std::vector<Cross> fast = crossesOf({0, 2000 * std::numbers::pi + 1, 2000 * std::numbers::pi + 1.1});
  QVERIFY(fast.size() < 100);
  QVERIFY(areTurned(angleAboutX(fast.front().toEdge, fast.back().toEdge), 1.1, 1e-6));
  for (const double turned : {kNone, kHuge, -1e300}) {
    const std::vector<Cross> all = crossesOf({0, turned, 1, turned, turned});
    QVERIFY(all.size() >= 5 && all.size() < 300);
    for (const Cross& each : all) QVERIFY(std::abs(length(each.toEdge) - 0.5) < 1e-9);
  }
}

/// Ribbons are computed, and can be shown as anything else; how far they turn for the flow is a look.
void TestRibbons::othersAreLinesOfThem() {
  const Object object = ribbons({3, 3, 3});
  Object tubes = object, less = object;
  std::get<Streamlines>(tubes.shape).form = LineForm::Tubes;
  std::get<Streamlines>(less.shape).twist = 0.1;
  QVERIFY(sameGeometry(object, tubes) && !sameGeometry(tubes, object) && sameGeometry(tubes, tubes));
  QVERIFY(sameGeometry(object, less) && !isDrawnLike(object, less));
  Scenery scenery(object);
  QVERIFY(scenery.compute().run->item(tubes).triangles);
  // Lines that were computed as others do not turn, until they are computed anew.
  Scenery others(tubes);
  const auto crosses = crossesOf(*others.compute().run->item(object).triangles);
  QVERIFY(areTurned(angleAboutX(crosses.front().toEdge, crosses.back().toEdge), 0, 1e-9));
}

/// Devices do not tell how the flow turns, and learn that it is asked for.
void TestRibbons::areOfProcessors() {
  for (const LineForm form : {LineForm::Ribbons, LineForm::Tubes}) {
    Object object = ribbons({3, 3, 3});
    object.engine = Engine::OpenCl;
    std::get<Streamlines>(object.shape).form = form;
    Scenery scenery(object);
    std::optional<bool> turns;
    ObjectSurroundings surroundings = scenery.surroundings();
    surroundings.traceLines = [&](const flow::LineJob& job) -> std::optional<flow::LineCounts> {
      turns = job.turns;
      return {};
    };
    computeAlone(*scenery.run, surroundings, 0);
    QCOMPARE(turns, std::optional(form == LineForm::Ribbons));
    QVERIFY(scenery.run->item().triangles);
  }
}

void TestRibbons::anOlderRendererSaysNothingOfThem() {
  Scenery scenery(ribbons({3, 3, 3}));
  const ResultFacts facts = scenery.compute().run->facts({});
  QCOMPARE(facts.width, 4U);
  const auto& description = scenery.data->description();
  for (const std::uint32_t width : {3U, 4U}) {
    const auto sink = scenery.run->takeOver(scenery.surroundings(), description, 0, {facts.numbers, width});
    std::vector<double> vertices;
    for (const double x : {3.0, 4.0}) {
      vertices.insert(vertices.end(), {x, 3, 3, (x - 3) / kSpeed, kSpeed, 0, 0});
      if (width == 4) vertices.push_back(kTurns * (x - 3) / kSpeed);
    }
    sink->line({0, true, 0, 0, vertices});
    const auto crosses = crossesOf(*scenery.run->item().triangles);
    QVERIFY(areTurned(angleAboutX(crosses.front().toEdge, crosses.back().toEdge),
                      width == 4 ? kTurns / kSpeed : 0, 1e-9));
  }
  for (const std::uint32_t width : {2U, 5U})
    QVERIFY_THROWS_EXCEPTION(
        Invalid, scenery.run->takeOver(scenery.surroundings(), description, 0, {facts.numbers, width}));
}

QTEST_APPLESS_MAIN(TestRibbons)
#include "tst_ribbons.moc"
