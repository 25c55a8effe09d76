// Which faces of a wall meet is found out once for all steps whose cells it has, also by runs that compute one step each, and in the time
// that there is. Faces that have nodes of their own meet where these are at the same places.

#include <QTest>

#include <cmath>
#include <set>

#include "core/paging/arranging/flat_mesh.h"
#include "core/session/kinds/lic/lic_run.h"
#include "core/session/kinds/surface_lines/surface_lines_run.h"
#include "tests/support/file_contents.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/turning_flow.h"

using namespace farfield;
using namespace farfield::session;
using namespace farfield::test;

namespace {

constexpr int kSteps = 3;

Object onWall(Shape shape) {
  Object object;
  object.name = "oil";
  object.data = "flow";
  object.shape = std::move(shape);
  GridSurface wall;
  wall.surface = "boundary";
  surfaceUnder(object)->shape = wall;
  return object;
}

Object lines(std::int64_t count) {
  return onWall(SurfaceLines{.vector = {"flow"}, .count = count});
}

Object texture() {
  return onWall(Lic{.vector = {"flow"}, .resolution = 60});
}

struct Cube {
  explicit Cube(int along, const Object& its)
      : Cube(its, [along](MemoryAccount& account) { return openTurningFlow(along, kSteps, account); }) {}
  Cube(const Object& its, const std::function<std::unique_ptr<fields::OpenData>(MemoryAccount&)>& open)
      : data(open(account)) {
    const auto run = makeObjectRun(its, data->description());
    fields::PagedDataOptions options;
    options.arrays = run->arrays();
    options.resultBytesPerTask = run->taskBytes();
    options.keptBytes = run->stateBytes();
    options.processors = 2;
    paged = std::make_unique<fields::PagedData>(*data, account, options);
  }
  std::unique_ptr<ObjectRun> run(const Object& its) const { return makeObjectRun(its, data->description()); }
  ObjectSurroundings surroundings() const { return {*paged, account, folder.path(), {}, {}}; }
  std::string written(const ObjectRun& run) const {
    run.writeGeometry(folder / "out.vtp");
    return fileContents(folder / "out.vtp");
  }
  TemporaryFolder folder;
  mutable MemoryAccount account{std::uint64_t{128} << 20};
  std::unique_ptr<fields::OpenData> data;
  std::unique_ptr<fields::PagedData> paged;
};

/// A surface in space: a bent sheet of quadrilaterals, every third as two triangles, with a vector "flow" at its nodes that goes round.
class Sheet final : public MemoryMesh {
 public:
  /// `isSoup`: each face has nodes of its own.
  Sheet(int wide, int high, bool isSoup) {
    const auto at = [](int i, int j) {
      const double x = 0.1 * i, y = 0.1 * j;
      return Vec3{x, y, 0.2 * std::sin(2 * x) * std::cos(3 * y)};
    };
    const auto add = [&](std::vector<std::array<int, 2>> corners) {
      std::array<std::int32_t, 4> nodes{};
      for (std::size_t n = 0; n < corners.size(); ++n) {
        const auto& [i, j] = corners[n];
        if (isSoup) points.push_back(at(i, j));
        nodes[n] = isSoup ? static_cast<std::int32_t>(points.size() - 1) : i + (wide + 1) * j;
      }
      if (corners.size() == 3) nodes[3] = nodes[2];
      faces.push_back(nodes);
    };
    for (int j = 0; j <= high && !isSoup; ++j)
      for (int i = 0; i <= wide; ++i) points.push_back(at(i, j));
    for (int j = 0; j < high; ++j)
      for (int i = 0; i < wide; ++i) {
        if ((i + j) % 3 != 0) {
          add({{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}});
          continue;
        }
        add({{i, j}, {i + 1, j}, {i + 1, j + 1}});
        add({{i, j}, {i, j + 1}, {i + 1, j + 1}});  // turned over
      }
    named = {{.name = "flow", .components = 3}};
    value = [this](std::size_t, std::int64_t, std::int64_t number, int component) {
      const Vec3 its = points[static_cast<std::size_t>(number)];
      return Vec3{1, 0.7 * std::cos(3 * its.x), 0}[component];
    };
  }
  bool hasVolumes() const override { return false; }
  void forEachCell(const VisitCell&) const override {}
  void forEachFlatCell(const VisitFlatCell& visit) const override {
    for (std::size_t n = 0; n < faces.size(); ++n) visit(static_cast<std::int64_t>(n), faces[n]);
  }
  std::vector<std::array<std::int32_t, 4>> faces;
};

Object onSheet(Shape shape) {
  Object object = onWall(std::move(shape));
  surfaceUnder(object)->shape = GridSurface{};
  return object;
}

/// The geometry at `step`, computed by one run after the other for all of `steps`, of which it is the last.
std::string linesOn(const std::shared_ptr<const MemoryMesh>& mesh, const Object& object,
                    const std::vector<std::int64_t>& steps = {0}) {
  std::vector<std::string> explained;
  std::vector<double> times;
  for (std::int64_t n = 0; n < mesh->pointSteps(); ++n) times.push_back(static_cast<double>(n));
  const Cube sheet(object, [&](MemoryAccount& account) {
    return fields::openMesh(paging::withThickness(mesh, explained),
                            {.format = "mesh", .name = "sheet", .times = times}, account);
  });
  std::unique_ptr<ObjectRun> last;
  for (const std::int64_t step : steps) {
    std::unique_ptr<ObjectRun> run = sheet.run(object);
    computeAlone(*run, sheet.surroundings(), step, last.get());
    last = std::move(run);
  }
  return sheet.written(*last);
}

std::size_t surfacesRead(const ObjectRun& run) {
  if (const auto* const texture = dynamic_cast<const LicRun*>(&run)) return texture->links().surfacesRead();
  return dynamic_cast<const SurfaceLinesRun&>(run).links().surfacesRead();
}

}  // namespace

class TestSurfaceLinks : public QObject {
  Q_OBJECT
 private slots:
  void areTakenOverFromTheLastRun_data();
  void areTakenOverFromTheLastRun();
  void areFoundInTheTimeThatThereIs_data();
  void areFoundInTheTimeThatThereIs();
  void theTimeIsUpWhileFacesAreLinked();
  void nodesOfTheirOwnMakeNoDifference_data() { areTakenOverFromTheLastRun_data(); }
  void nodesOfTheirOwnMakeNoDifference();
  void facesThatHaveComeApartDoNotMeet();
};

void TestSurfaceLinks::areTakenOverFromTheLastRun_data() {
  QTest::addColumn<bool>("isTexture");
  QTest::newRow("lines") << false;
  QTest::newRow("a texture") << true;
}

void TestSurfaceLinks::areTakenOverFromTheLastRun() {
  QFETCH(bool, isTexture);
  const Object first = isTexture ? texture() : lines(40), more = isTexture ? first : lines(90);
  Cube cube(8, first);
  std::unique_ptr<ObjectRun> last = cube.run(first);
  computeAlone(*last, cube.surroundings(), 0);
  QCOMPARE(surfacesRead(*last), std::size_t{1});
  // at later steps, earlier ones, and after a change of the object
  for (const std::int64_t step : {1, 2, 0}) {
    const Object& its = step == 2 ? more : first;
    std::unique_ptr<ObjectRun> run = cube.run(its), alone = cube.run(its);
    computeAlone(*run, cube.surroundings(), step, last.get());
    QCOMPARE(surfacesRead(*run), std::size_t{0});
    last = std::move(run);  // what was there before is gone
    computeAlone(*alone, cube.surroundings(), step);
    QCOMPARE(surfacesRead(*alone), std::size_t{1});
    QVERIFY(cube.written(*last) == cube.written(*alone));
  }
}

void TestSurfaceLinks::areFoundInTheTimeThatThereIs_data() {
  areTakenOverFromTheLastRun_data();
}

void TestSurfaceLinks::areFoundInTheTimeThatThereIs() {
  QFETCH(bool, isTexture);
  const Object its = isTexture ? texture() : lines(20);
  Cube cube(60, its);
  const std::unique_ptr<ObjectRun> run = cube.run(its);
  const std::vector<std::size_t> some{0, 1};
  // of no task: what they need is found out alone
  QVERIFY(run->tryTasks(cube.surroundings(), 0, {}, std::chrono::milliseconds{1}).outOfTime);
  QCOMPARE(run->tryTasks(cube.surroundings(), 0, some, std::chrono::milliseconds{1}).finished,
           std::size_t{0});
  const tasks::GroupResult whole = run->tryTasks(cube.surroundings(), 0, {}, std::chrono::minutes{1});
  QVERIFY(!whole.outOfTime);
  QVERIFY(whole.busySeconds > 0.001);
  // and is known then
  QCOMPARE(run->tryTasks(cube.surroundings(), 0, some, std::chrono::minutes{1}).finished, some.size());
  QCOMPARE(surfacesRead(*run), std::size_t{0});
}

/// All faces were read in time: what was being made of them is given up, and takes no room on disk.
void TestSurfaceLinks::theTimeIsUpWhileFacesAreLinked() {
  const Object its = lines(1);
  Cube cube(16, its);
  const paging::DatasetDescription& description = cube.data->description();
  const paging::NamedSurface& boundary = description.surfaces.front();
  const extract::GridSurface wall(description, boundary.block, boundary.nodes);
  const fields::FunctionPlan functions(description, {"flow"});
  // Once something was read the time is over; before that all of it is left.
  const auto isRead = [&] { return cube.paged->cache().counters().pagesRead > 0; };
  constexpr std::chrono::hours kLimit{1};
  const auto start = SurfaceLinks::Clock::now();
  SurfaceLinks links([&] { return isRead() ? start + kLimit : start; });
  QVERIFY(!isRead());
  links.startStep(description, 0, kLimit);
  links.find(0, wall, cube.surroundings(), functions, 0, "oil");
  QVERIFY(links.cost().outOfTime);
  QCOMPARE(links.surfacesRead(), std::size_t{1});  // it had the time for that
  // Without a limit they are found, once.
  for (const std::size_t read : {1, 0}) {
    links.startStep(description, 0);
    links.find(0, wall, cube.surroundings(), functions, 0, "oil");
    QVERIFY(!links.cost().outOfTime);
    QCOMPARE(links.surfacesRead(), read);
    QVERIFY(links.links(0).beyond(0)[0]);
  }
}

void TestSurfaceLinks::nodesOfTheirOwnMakeNoDifference() {
  QFETCH(bool, isTexture);
  const Object its = onSheet(isTexture ? Shape(Lic{.vector = {"flow"}, .resolution = 90})
                                       : Shape(SurfaceLines{.vector = {"flow"}, .count = 25}));
  const std::string shared = linesOn(std::make_shared<Sheet>(24, 17, false), its);
  QVERIFY(shared.size() > 100'000);
  QVERIFY(linesOn(std::make_shared<Sheet>(24, 17, true), its) == shared);
}

/// What meets is what is at one place at the first step, as long as it is: whichever step is computed before.
void TestSurfaceLinks::facesThatHaveComeApartDoNotMeet() {
  const Object its = onSheet(SurfaceLines{.vector = {"flow"}, .count = 25});
  const auto moving = std::make_shared<Sheet>(12, 9, true), apart = std::make_shared<Sheet>(12, 9, true);
  std::vector<Vec3> moved = moving->points;
  for (std::size_t n = 0; n < moving->faces.size(); ++n) {
    std::set<std::int32_t> corners(moving->faces[n].begin(), moving->faces[n].end());
    for (const std::int32_t node : corners)
      moved[static_cast<std::size_t>(node)].z += 1e-3 * static_cast<double>(n);
  }
  const auto flow = moving->value;
  apart->points = moved;
  apart->value = flow;  // which is that of the places of before
  moving->moved = {moved, moving->points};
  const std::string together = linesOn(std::make_shared<Sheet>(12, 9, true), its),
                    alone = linesOn(apart, its);
  QVERIFY(alone.size() < together.size());
  for (const std::vector<std::int64_t>& steps : {std::vector<std::int64_t>{1}, {0, 1}, {2, 0, 1}})
    QVERIFY(linesOn(moving, its, steps) == alone);
  for (const std::vector<std::int64_t>& steps : {std::vector<std::int64_t>{2}, {1, 0}, {1, 2}})
    QVERIFY(linesOn(moving, its, steps) == together);
}

QTEST_APPLESS_MAIN(TestSurfaceLinks)
#include "tst_surface_links.moc"
