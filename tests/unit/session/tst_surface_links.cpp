// Which faces of a wall meet is found out once for all steps whose cells it has, also by runs that compute one step each, and in the time
// that there is.

#include <QTest>

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
  explicit Cube(int along, const Object& its) : data(openTurningFlow(along, kSteps, account)) {
    const auto run = makeObjectRun(its, data->description());
    fields::PagedDataOptions options;
    options.arrays = run->arrays();
    options.resultBytesPerTask = run->taskBytes();
    options.keptBytes = run->stateBytes();
    options.processors = 2;
    paged = std::make_unique<fields::PagedData>(*data, account, options);
  }
  std::unique_ptr<ObjectRun> run(const Object& its) const { return makeObjectRun(its, data->description()); }
  ObjectSurroundings surroundings() { return {*paged, account, folder.path(), {}, {}}; }
  std::string written(const ObjectRun& run) const {
    run.writeGeometry(folder / "out.vtp");
    return fileContents(folder / "out.vtp");
  }
  TemporaryFolder folder;
  MemoryAccount account{std::uint64_t{128} << 20};
  std::unique_ptr<fields::OpenData> data;
  std::unique_ptr<fields::PagedData> paged;
};

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

QTEST_APPLESS_MAIN(TestSurfaceLinks)
#include "tst_surface_links.moc"
