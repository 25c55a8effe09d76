// Particles as the window computes them, up to one step and on to another, and their checkpoints: the same vertices
// whichever way they came, and no step computed twice.

#include <QTest>

#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <sstream>

#include "core/fields/data/box_data.h"
#include "core/fields/samples/sample_data.h"
#include "core/session/run/object_run.h"
#include "core/session/run/particles/particles_run.h"
#include "core/session/run/particles/release_times.h"
#include "tests/support/file_contents.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::session;

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{64} << 20;

Object particles(bool streaks, std::int64_t seeds = 40) {
  Object object;
  object.name = "particles";
  object.data = "flow";
  const auto fill = [&](auto shape) {
    shape.seeds = LineSeeds{{0.7, 1.1, 3}, {5.5, 5, 3}, seeds};
    shape.release = ReleaseTimes{0, 10, 0.3};
    object.shape = shape;
  };
  streaks ? fill(Streaklines{}) : fill(Pathlines{});
  object.color.by = "age";
  return object;
}
Object cubic(Object object) {
  std::visit(
      [](auto& shape) {
        if constexpr (requires { shape.between; }) shape.between = fields::BetweenSteps::Cubic;
      },
      object.shape);
  return object;
}

/// Told of each node that is read, in the thread that needs it.
using NodeRead = std::function<void(std::int64_t step, const Index3& node)>;

/// Vortices that grow with time, in 3 x 3 pages.
std::unique_ptr<fields::OpenData> vortices(int steps, MemoryAccount& account, const NodeRead& isRead) {
  paging::DatasetDescription description;
  description.format = "vortices";
  for (int n = 0; n < steps; ++n) description.times.push_back(0.2 * n);
  paging::BlockDescription block;
  block.dims = {17, 17, 3};
  block.kind = paging::GridKind::Regular;
  block.spacing = {0.4, 0.4, 3};
  block.bounds.add(Vec3{0, 0, 0});
  block.bounds.add(Vec3{6.4, 6.4, 6});
  description.blocks.push_back(block);
  description.arrays.push_back(
      {"velocity", 0, paging::PageLayout::ofExtent(block.dims, {6, 6, 3}), steps, 3, ScalarType::F64, {}});
  const auto values = [isRead](std::uint32_t /*array*/, std::int64_t step, const Index3& node,
                               test::NodeValues& out) {
    isRead(step, node);
    const Vec3 at = 0.4 * toVec3(node);
    out.put((1 + 0.1 * static_cast<double>(step)) *
            Vec3{std::sin(at.x) * std::cos(at.y), -std::cos(at.x) * std::sin(at.y), 0});
  };
  return fields::openBoxes(test::nodewiseReader(description, values), {6, false, "vortices"}, {}, account);
}

/// An object over a series of steps.
struct Scenery {
  Scenery(const Object& its, int steps) : object(its) {
    fields::OpenRequest request;
    request.sources = {"sample://taylor-green?size=9&steps=" + std::to_string(steps)};
    data = samples::SampleDataReader().open(request, account);
    prepare(2);
  }
  Scenery(const Object& its, int steps, int processors, const NodeRead& isRead,
          std::uint64_t keptBytes = kMemory / 2)
      : object(its) {
    data = vortices(steps, account, isRead);
    prepare(processors, keptBytes);
  }
  void prepare(int processors, std::uint64_t keptBytes = kMemory / 2) {
    run = makeObjectRun(object, data->description());
    fields::PagedDataOptions options;
    options.arrays = run->arrays();
    options.resultBytesPerTask = run->taskBytes();
    options.stepsAtATime = run->stepsAtATime();
    options.processors = processors;
    options.keptBytes = keptBytes;
    paged = std::make_unique<fields::PagedData>(*data, account, options);
  }
  ObjectSurroundings surroundings() { return {*paged, account, folder.path(), stop.get_token(), {}}; }
  std::uint64_t reads() const { return paged->cache().counters().requests; }
  std::string file() const {
    run->writeGeometry(folder / "file.vtp");
    std::ifstream in(folder / "file.vtp");
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  test::TemporaryFolder folder;
  std::stop_source stop;
  Object object;
  MemoryAccount account{kMemory};
  std::unique_ptr<fields::OpenData> data;
  std::unique_ptr<ObjectRun> run;
  std::unique_ptr<fields::PagedData> paged;
};

RunSteps upTo(std::int64_t last) {
  RunSteps steps;
  for (std::int64_t n = 0; n <= last; ++n) steps.chosen.push_back(n);
  steps.first = steps.chosen.size() - 1;
  return steps;
}

}  // namespace

class TestParticlesRun : public QObject {
  Q_OBJECT
 private slots:
  void releasesThatNobodyCouldMeanAreRefused();
  void picturesShowWhatIsLetGoAtItsSeeds();
  void goesOnFromAnEarlierStep_data() { kinds(); }
  void goesOnFromAnEarlierStep();
  void anotherObjectBeginsAnew();
  void whatWasStoppedIsNoBeginning();
  void tasksHaveSeveralGroupsWhereThereIsRoom_data() { kinds(); }
  void tasksHaveSeveralGroupsWhereThereIsRoom();
  void checkpointsFitSeriesThatHaveGrown_data() { kinds(); }
  void checkpointsFitSeriesThatHaveGrown();
  void damagedCheckpointsAreRefused_data() { kinds(); }
  void damagedCheckpointsAreRefused();
  void checkpointsOfOthersAreRefused();
  void seedsOverSpaceAreFoundAgain_data() { kinds(); }
  void seedsOverSpaceAreFoundAgain();
  void cubicTimeLooksAheadAStep_data() { kinds(); }
  void cubicTimeLooksAheadAStep();
  void ownColorsAreKnown_data();
  void ownColorsAreKnown();
  void whileTheyMoveTheyAreNotLookedThrough();

 private:
  static void kinds() {
    QTest::addColumn<bool>("streaks");
    QTest::newRow("pathlines") << false;
    QTest::newRow("streaklines") << true;
  }
};

/// Of a series a picture is drawn at each step: those that are let go at it stand at their seeds, and those of later ones nowhere.
void TestParticlesRun::picturesShowWhatIsLetGoAtItsSeeds() {
  constexpr std::int64_t kSeeds = 10, kLast = 4;
  for (const bool asPoints : {true, false}) {
    Object object = particles(false, kSeeds);
    auto& paths = std::get<Pathlines>(object.shape);
    paths.release = ReleaseSteps{{0, -1}, 1};
    paths.asPoints = asPoints;
    Scenery scenery(object, kLast + 1);
    RunSteps steps = upTo(kLast);
    steps.first = 0;
    QCOMPARE(scenery.run->begin(scenery.surroundings(), steps), std::size_t{0});
    std::string file;
    for (std::int64_t step = 0; step <= kLast; ++step) {
      scenery.run->step(scenery.surroundings(), step);
      scenery.run->beforePicture(scenery.surroundings());
      std::int64_t lines = 0;
      scenery.run->item().lines->visit([&](const scene::LineChunk& chunk) {
        lines += static_cast<std::int64_t>(chunk.lengths.size());
        for (std::size_t n = 0; n < chunk.points.size(); n += 3)
          QVERIFY(std::abs(chunk.points[n + 2] - 3) < 1.5);
      });
      // A line takes two places.
      QCOMPARE(lines, kSeeds * (asPoints ? step + 1 : step));
    }
    scenery.run->end(scenery.surroundings());
    // Pictures leave the file as it is.
    Scenery without(object, kLast + 1);
    without.run->begin(without.surroundings(), steps);
    for (std::int64_t step = 0; step <= kLast; ++step) without.run->step(without.surroundings(), step);
    without.run->end(without.surroundings());
    QCOMPARE(scenery.file(), without.file());
  }
}

void TestParticlesRun::goesOnFromAnEarlierStep() {
  QFETCH(bool, streaks);
  // Many steps: one that is computed alone asks for more than one that follows another, which has cells to go on with, and what tasks
  // that wait ask for again differs from run to run.
  constexpr int kSteps = 92, kLast = 89;
  const Object object = particles(streaks);
  Scenery all(object, kSteps);
  computeAlone(*all.run, all.surroundings(), kLast);
  const std::string wanted = all.file();
  const std::uint64_t reads = all.reads();

  Scenery first(object, kSteps), second(object, kSteps);
  computeAlone(*first.run, first.surroundings(), kLast - 1);
  const std::string before = first.file();
  computeAlone(*second.run, second.surroundings(), kLast, first.run.get());
  QVERIFY(second.file() == wanted);
  QVERIFY2(second.reads() * 3 < reads, "the steps before were computed again");
  // What was shown stays as it was.
  QVERIFY(first.file() == before);

  // A step back begins anew, and a look that needs other values, too.
  Scenery back(object, kSteps);
  computeAlone(*back.run, back.surroundings(), kLast - 1, second.run.get());
  QVERIFY(back.file() == before);
  Object colored = object;
  colored.color.by = "pressure";
  Scenery other(colored, kSteps), alone(colored, kSteps);
  computeAlone(*other.run, other.surroundings(), kLast, first.run.get());
  computeAlone(*alone.run, alone.surroundings(), kLast);
  QVERIFY(other.file() == alone.file());
}

void TestParticlesRun::anotherObjectBeginsAnew() {
  const Object object = particles(false), more = particles(false, 41);
  Scenery first(object, 12), second(more, 12), alone(more, 12);
  computeAlone(*first.run, first.surroundings(), 5);
  computeAlone(*second.run, second.surroundings(), 9, first.run.get());
  computeAlone(*alone.run, alone.surroundings(), 9);
  QVERIFY(second.file() == alone.file());
}

void TestParticlesRun::ownColorsAreKnown_data() {
  QTest::addColumn<QString>("color");
  for (const char* const color : {"time", "age", "release", "seed"}) QTest::newRow(color) << color;
}

/// Their ranges are those of the vertices, though nobody looks through these; and how many there are is counted as they are made.
void TestParticlesRun::ownColorsAreKnown() {
  QFETCH(QString, color);
  Object object = particles(false);
  object.color.by = color.toStdString();
  const auto holds = [&](const Scenery& its) {
    const scene::SceneItem item = its.run->item();
    std::uint64_t points = 0;
    std::array<double, 2> range{std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()};
    item.lines->visit([&](const scene::LineChunk& chunk) {
      points += chunk.points.size() / 3;
      for (const double value : chunk.scalars) range = {std::min(range[0], value), std::max(range[1], value)};
    });
    ObjectStats stats;
    its.run->count(stats);
    return points == stats.points && item.scale.min == range[0] && item.scale.max == range[1];
  };
  Scenery early(object, 12), late(object, 12), written(object, 12), resumed(object, 12);
  computeAlone(*early.run, early.surroundings(), 1);
  QVERIFY(holds(early));
  computeAlone(*late.run, late.surroundings(), 9, early.run.get());
  QVERIFY(holds(late) && holds(early));
  const RunSteps some = upTo(5);
  written.run->begin(written.surroundings(), some);
  for (const std::int64_t step : some.chosen) written.run->step(written.surroundings(), step);
  written.run->writeCheckpoint(written.folder / "left.checkpoint");
  RunSteps rest = upTo(9);
  rest.checkpoint = written.folder / "left.checkpoint";
  const std::size_t next = resumed.run->begin(resumed.surroundings(), rest);
  QCOMPARE(next, std::size_t{6});
  for (std::size_t n = next; n < rest.chosen.size(); ++n)
    resumed.run->step(resumed.surroundings(), rest.chosen[n]);
  resumed.run->end(resumed.surroundings());
  QVERIFY(holds(resumed));
}

/// A window asks many times a second how much there is.
void TestParticlesRun::whileTheyMoveTheyAreNotLookedThrough() {
  const Object object = particles(false, 400);
  const ObjectRun* run = nullptr;
  bool wasAsked = false, hasCount = false, wasLookedThrough = false;
  Scenery all(object, 6, 1, [&](std::int64_t step, const Index3&) {
    if (step < 3 || std::exchange(wasAsked, true)) return;
    ObjectStats stats;
    run->count(stats);
    hasCount = stats.points > stats.count;
    wasLookedThrough = !stats.terminations.empty();
  });
  run = all.run.get();
  computeAlone(*all.run, all.surroundings(), 4);
  QVERIFY(wasAsked && hasCount && !wasLookedThrough);
  ObjectStats stats;
  run->count(stats);
  QVERIFY(!stats.terminations.empty());
}

void TestParticlesRun::whatWasStoppedIsNoBeginning() {
  const Object object = particles(false, 4000);
  const NodeRead unheeded = [](std::int64_t, const Index3&) {};
  Scenery all(object, 6, 2, unheeded), second(object, 6, 2, unheeded);
  computeAlone(*all.run, all.surroundings(), 4);
  // Stopped when a page is needed of a step of which another one has been read: by then some particles have moved.
  std::array<std::set<std::int64_t>, 6> pages;
  std::stop_source* stop = nullptr;
  Scenery first(object, 6, 1, [&](std::int64_t step, const Index3& node) {
    auto& its = pages[static_cast<std::size_t>(step)];
    its.insert(node[0] / 6 + 3 * (node[1] / 6));
    if (step == 3 && its.size() > 1) stop->request_stop();
  });
  stop = &first.stop;
  QVERIFY_THROWS_EXCEPTION(Cancelled, computeAlone(*first.run, first.surroundings(), 4));
  QVERIFY(pages[4].empty());
  const auto& left = *dynamic_cast<const ParticlesRun&>(*first.run).particles()->table;
  std::array<ParticleRecord, 1> seed;
  left.read(0, seed);
  QCOMPARE(seed[0].particle.time, 0.2 * 3);
  left.read(3999, seed);
  QCOMPARE(seed[0].particle.time, 0.2 * 2);
  computeAlone(*second.run, second.surroundings(), 4, first.run.get());
  QVERIFY(second.file() == all.file());
}

/// Where nothing has to be waited for long a task moves more particles together: the same paths. With a time budget, never spent here, each
/// task has 32.
void TestParticlesRun::tasksHaveSeveralGroupsWhereThereIsRoom() {
  QFETCH(bool, streaks);
  const NodeRead unheeded = [](std::int64_t, const Index3&) {};
  const Object object = particles(streaks, 1000);
  Object timed = object;
  timed.budgetMs = std::int64_t{1000} * 3600;
  constexpr std::uint64_t kRoom = kMemory / 4 * 3;
  Scenery together(object, 6, 1, unheeded, kRoom), apart(timed, 6, 1, unheeded, kRoom);
  computeAlone(*together.run, together.surroundings(), 5);
  computeAlone(*apart.run, apart.surroundings(), 5);
  // four releases of 32 groups each
  QCOMPARE(apart.run->lastGroup().finished, 128U);
  QVERIFY2(together.run->lastGroup().finished <= 64,
           std::to_string(together.run->lastGroup().finished).c_str());
  QVERIFY(together.file() == apart.file());
}

void TestParticlesRun::checkpointsFitSeriesThatHaveGrown() {
  QFETCH(bool, streaks);
  const Object object = particles(streaks);
  Scenery all(object, 12), early(object, 6), late(object, 12);
  const RunSteps whole = upTo(11);
  all.run->begin(all.surroundings(), whole);
  for (const std::int64_t step : whole.chosen) all.run->step(all.surroundings(), step);
  all.run->end(all.surroundings());

  const RunSteps some = upTo(5);
  early.run->begin(early.surroundings(), some);
  for (const std::int64_t step : some.chosen) {
    early.run->step(early.surroundings(), step);
    early.run->writeCheckpoint(early.folder / "left.checkpoint");
  }
  RunSteps rest = upTo(11);
  rest.checkpoint = early.folder / "left.checkpoint";
  const std::size_t next = late.run->begin(late.surroundings(), rest);
  QCOMPARE(next, std::size_t{6});
  for (std::size_t n = next; n < rest.chosen.size(); ++n) late.run->step(late.surroundings(), rest.chosen[n]);
  late.run->end(late.surroundings());
  QVERIFY(late.file() == all.file());

  // Of other steps before it is of no use.
  RunSteps others = rest;
  others.chosen.erase(others.chosen.begin() + 2);
  others.first = others.chosen.size() - 1;
  Scenery apart(object, 12);
  QCOMPARE(apart.run->begin(apart.surroundings(), others), std::size_t{0});
}

/// Whichever bit is wrong, and wherever it ends: words, and never other particles.
void TestParticlesRun::damagedCheckpointsAreRefused() {
  QFETCH(bool, streaks);
  const Object object = particles(streaks);
  Scenery all(object, 12), early(object, 12), late(object, 12);
  computeAlone(*all.run, all.surroundings(), 11);
  const RunSteps some = upTo(5);
  early.run->begin(early.surroundings(), some);
  RunSteps rest = upTo(11);
  rest.checkpoint = early.folder / "left.checkpoint";
  for (const std::int64_t step : some.chosen) {
    early.run->step(early.surroundings(), step);
    early.run->writeCheckpoint(rest.checkpoint);
  }
  const std::filesystem::path state = rest.checkpoint, paths = early.folder / "left.checkpoint.paths";
  QCOMPARE(std::filesystem::exists(paths), !streaks);
  const auto refuses = [&](const std::filesystem::path& file, const std::string& bytes) {
    const std::string good = test::fileContents(file);
    test::writeFile(file, bytes);
    std::string said;
    try {
      late.run->begin(late.surroundings(), rest);
    } catch (const Corrupt& error) {
      said = error.what();
    }
    test::writeFile(file, good);
    return said.find("file " + file.string() + ": is damaged") == 0 && said.find("delete") != said.npos;
  };
  for (const auto& file : streaks ? std::vector{state} : std::vector{state, paths}) {
    const std::string good = test::fileContents(file);
    // all of what comes first, on which the rest depends, and some everywhere; of the paths the first byte is never read
    const std::size_t stride = std::max<std::size_t>(1, good.size() / 97);
    for (std::size_t at = file == paths ? 1 : 0; at < good.size(); at += at < 160 ? 1 : stride) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
      QVERIFY2(refuses(file, bad), std::to_string(at).c_str());
      QVERIFY2(refuses(file, good.substr(0, at)), std::to_string(at).c_str());
    }
  }
  QVERIFY(refuses(state, test::fileContents(state) + "more"));
  if (!streaks) {
    std::filesystem::rename(paths, early.folder / "away");
    QVERIFY_THROWS_EXCEPTION(NotFound, late.run->begin(late.surroundings(), rest));
    std::filesystem::rename(early.folder / "away", paths);
  }
  // and what is whole is gone on with, after all that
  const std::size_t next = late.run->begin(late.surroundings(), rest);
  QCOMPARE(next, std::size_t{6});
  for (std::size_t n = next; n < rest.chosen.size(); ++n) late.run->step(late.surroundings(), rest.chosen[n]);
  late.run->end(late.surroundings());
  QVERIFY(late.file() == all.file());
}

void TestParticlesRun::checkpointsOfOthersAreRefused() {
  const Object object = particles(false);
  const auto opened = [](const Object& its, const std::string& source) {
    auto scenery = std::make_unique<Scenery>(its, 12);
    fields::ReaderRegistry readers;
    readers.add(std::make_unique<samples::SampleDataReader>());
    fields::OpenRequest request;
    request.sources = {source};
    scenery->paged.reset();
    scenery->data = readers.open(request, scenery->account);
    scenery->prepare(2);
    return scenery;
  };
  const std::string source = "sample://taylor-green?size=9&steps=12";
  const auto early = opened(object, source);
  const RunSteps some = upTo(5);
  early->run->begin(early->surroundings(), some);
  for (const std::int64_t step : some.chosen) early->run->step(early->surroundings(), step);
  RunSteps rest = upTo(11);
  rest.checkpoint = early->folder / "left.checkpoint";
  early->run->writeCheckpoint(rest.checkpoint);
  const auto said = [&](Scenery& its) -> std::string {
    try {
      return std::to_string(its.run->begin(its.surroundings(), rest));
    } catch (const Invalid& error) {
      return error.what();
    }
  };
  const std::string refused = "file " + rest.checkpoint.string() + ": was left by a run of another object";
  Object faster = object, colored = object, painted = object;
  std::get<Pathlines>(faster.shape).integrator.tolerance = 1e-3;
  colored.color.by = "pressure";
  painted.color.range = {0, 2};
  QCOMPARE(said(*opened(object, source)), std::string("6"));
  QCOMPARE(said(*opened(painted, source)), std::string("6"));
  QVERIFY(said(*opened(faster, source)).starts_with(refused));
  QVERIFY(said(*opened(colored, source)).starts_with(refused));
  QVERIFY(said(*opened(particles(false, 41), source)).starts_with(refused));
  // of the same shape and at the same times, but other data
  QVERIFY(said(*opened(object, "sample://taylor-green?steps=12&size=9")).starts_with(refused));
  QVERIFY(said(*opened(object, "sample://taylor-green?size=11&steps=12")).starts_with(refused));
}

/// Who goes on from a checkpoint looks for them anew.
void TestParticlesRun::seedsOverSpaceAreFoundAgain() {
  QFETCH(bool, streaks);
  Object object = particles(streaks);
  std::visit(
      [](auto& shape) {
        if constexpr (requires { shape.seeds; }) shape.seeds = SpreadSeeds{40, SpreadSeeds::Over::Space};
      },
      object.shape);
  Scenery all(object, 12), early(object, 12), late(object, 12);
  computeAlone(*all.run, all.surroundings(), 11);
  RunSteps some = upTo(5);
  early.run->begin(early.surroundings(), some);
  for (const std::int64_t step : some.chosen) early.run->step(early.surroundings(), step);
  early.run->writeCheckpoint(early.folder / "left.checkpoint");
  RunSteps rest = upTo(11);
  rest.checkpoint = early.folder / "left.checkpoint";
  const std::size_t next = late.run->begin(late.surroundings(), rest);
  QCOMPARE(next, std::size_t{6});
  for (std::size_t n = next; n < rest.chosen.size(); ++n) late.run->step(late.surroundings(), rest.chosen[n]);
  late.run->end(late.surroundings());
  QVERIFY(late.file() == all.file());
  // all of them are in the data
  ObjectStats stats;
  late.run->count(stats);
  QVERIFY(!stats.terminations.contains("seed-outside"));
}

/// Where time is cubic the way to the last step depends on whether there is one after it.
void TestParticlesRun::cubicTimeLooksAheadAStep() {
  QFETCH(bool, streaks);
  const Object object = cubic(particles(streaks));
  Scenery all(object, 12), first(object, 12), second(object, 12), plain(particles(streaks), 12);
  computeAlone(*all.run, all.surroundings(), 9);
  computeAlone(*plain.run, plain.surroundings(), 9);
  QVERIFY(all.file() != plain.file());
  computeAlone(*first.run, first.surroundings(), 7);
  computeAlone(*second.run, second.surroundings(), 9, first.run.get());
  QVERIFY(second.file() == all.file());
  QVERIFY2(second.reads() * 2 < all.reads(), "the steps before were computed again");

  // After step 7 of eight, the ninth changes what is known of the last of them.
  Scenery ended(object, 8), grown(object, 12);
  computeAlone(*ended.run, ended.surroundings(), 7);
  computeAlone(*grown.run, grown.surroundings(), 9, ended.run.get());
  QVERIFY(grown.file() == all.file());

  const RunSteps some = upTo(7), more = upTo(9);
  Scenery short8(object, 8), early(object, 12), late(object, 12);
  for (Scenery* const each : {&short8, &early}) {
    each->run->begin(each->surroundings(), some);
    for (const std::int64_t step : some.chosen) each->run->step(each->surroundings(), step);
    each->run->writeCheckpoint(each->folder / "left.checkpoint");
  }
  RunSteps rest = more;
  rest.checkpoint = short8.folder / "left.checkpoint";
  QCOMPARE(late.run->begin(late.surroundings(), rest), std::size_t{0});
  rest.checkpoint = early.folder / "left.checkpoint";
  Scenery fitting(object, 12);
  QCOMPARE(fitting.run->begin(fitting.surroundings(), rest), std::size_t{8});
  for (std::size_t n = 8; n < rest.chosen.size(); ++n)
    fitting.run->step(fitting.surroundings(), rest.chosen[n]);
  fitting.run->end(fitting.surroundings());
  QVERIFY(fitting.file() == all.file());
}

/// At once, before each of them is kept.
void TestParticlesRun::releasesThatNobodyCouldMeanAreRefused() {
  const std::vector<double> times{0, 1, 2};
  const std::vector<std::int64_t> chosen{0, 1, 2};
  const auto of = [&](double every) {
    return session::releaseTimes(session::ReleaseTimes{0, 1, every}, false, times, chosen);
  };
  QCOMPARE(of(0.25), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  for (const double every : {1e-9, 1e-300, 5e-324}) {
    try {
      (void)of(every);
      QFAIL("they are taken");
    } catch (const Invalid& error) {
      QCOMPARE(error.place(), std::string("release.every"));
    }
  }
}

QTEST_APPLESS_MAIN(TestParticlesRun)
#include "tst_particles_run.moc"
