// Particles as the window computes them, up to one step and on to another, and their checkpoints: the same vertices
// whichever way they came, and no step computed twice.

#include <QTest>

#include <fstream>
#include <sstream>

#include "core/fields/samples/sample_data.h"
#include "core/session/run/object_run.h"
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

/// An object over a series of `steps` steps.
struct Scenery {
  Scenery(const Object& its, int steps) : object(its) {
    fields::OpenRequest request;
    request.sources = {"sample://taylor-green?size=9&steps=" + std::to_string(steps)};
    data = samples::SampleDataReader().open(request, account);
    run = makeObjectRun(object, data->description());
    fields::PagedDataOptions options;
    options.arrays = run->arrays();
    options.resultBytesPerTask = run->taskBytes();
    options.stepsAtATime = run->stepsAtATime();
    options.processors = 2;
    options.keptBytes = kMemory / 2;
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
  void goesOnFromAnEarlierStep_data() { kinds(); }
  void goesOnFromAnEarlierStep();
  void anotherObjectBeginsAnew();
  void whatWasStoppedIsNoBeginning();
  void checkpointsFitSeriesThatHaveGrown_data() { kinds(); }
  void checkpointsFitSeriesThatHaveGrown();
  void cubicTimeLooksAheadAStep_data() { kinds(); }
  void cubicTimeLooksAheadAStep();

 private:
  static void kinds() {
    QTest::addColumn<bool>("streaks");
    QTest::newRow("pathlines") << false;
    QTest::newRow("streaklines") << true;
  }
};

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

void TestParticlesRun::whatWasStoppedIsNoBeginning() {
  const Object object = particles(false, 4000);
  Scenery all(object, 6), first(object, 6), second(object, 6);
  computeAlone(*all.run, all.surroundings(), 4);
  ObjectSurroundings surroundings = first.surroundings();
  std::size_t told = 0;
  surroundings.progress = [&](std::size_t done, std::size_t total) {
    if (done < total && ++told > 5) first.stop.request_stop();
  };
  try {
    computeAlone(*first.run, surroundings, 3);
    QSKIP("it was over before it could be stopped");
  } catch (const Cancelled&) {
  }
  computeAlone(*second.run, second.surroundings(), 4, first.run.get());
  QVERIFY(second.file() == all.file());
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

QTEST_APPLESS_MAIN(TestParticlesRun)
#include "tst_particles_run.moc"
