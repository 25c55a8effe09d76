// Whether playing stalls while the disk can keep up: a series of files that is larger than the memory budget is played in the window,
// with slices and streamlines. Prints a line of JSON. No test: it asserts nothing, and is run by hand (docs/benchmarks/window.md).
// The system's copies of the files are dropped before each turn; how fast the disk gives a file is measured in the same run. Turns with
// reading ahead and without take turns, FARFIELD_PLAY_TURNS of each (2). FARFIELD_PLAY_SPEED (4) is in steps a second, FARFIELD_PLAY_STEPS (30) how many steps the
// series has, FARFIELD_PLAY_SIZE ("129,129,65") its nodes, FARFIELD_PLAY_BUDGET (200) the budget in MiB.
#include <fcntl.h>
#include <unistd.h>

#include <QAction>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <cstdlib>

#include "app/ui/panels/time_bar.h"
#include "core/base/machine.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/run_program.h"

using namespace farfield;
using namespace farfield::test;

namespace {

int fromEnvironment(const char* name, int usual) {
  bool good = false;
  const int value = qEnvironmentVariableIntValue(name, &good);
  return good ? value : usual;
}

double loadAverage() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : -1;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, std::size_t(share * double(values.size())))];
}

std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// So that they are read from the disk again.
void dropCopies(const std::filesystem::path& folder) {
  for (const auto& file : filesIn(folder)) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) continue;
    ::fdatasync(descriptor);
    ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    ::close(descriptor);
  }
}

/// Bytes a second, of the file in one go.
double speedOf(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  std::vector<char> buffer(std::size_t{4} << 20);
  QElapsedTimer clock;
  clock.start();
  double bytes = 0;
  for (ssize_t got = 0; (got = ::read(descriptor, buffer.data(), buffer.size())) > 0;) bytes += double(got);
  ::close(descriptor);
  return 1e9 * bytes / std::max<double>(1, double(clock.nsecsElapsed()));
}

/// Of all turns of one kind.
struct Played {
  std::vector<double> intervals, making;  ///< milliseconds from step to step; until all of a step was there
  double bytesRead = 0, stallP99Ms = 0, stallWorstMs = 0;
  int steps = 0;

  QJsonObject json(double wishedMs) const {
    const auto late = std::count_if(making.begin(), making.end(), [&](double ms) { return ms > wishedMs; });
    return {{"steps", steps},
            {"late", int(late)},
            {"intervalMedianMs", quantile(intervals, 0.5)},
            {"intervalP99Ms", quantile(intervals, 0.99)},
            {"makingMedianMs", quantile(making, 0.5)},
            {"makingP99Ms", quantile(making, 0.99)},
            {"mbReadPerStep", 1e-6 * bytesRead / std::max(1, steps)},
            {"stallP99Ms", stallP99Ms},
            {"stallWorstMs", stallWorstMs}};
  }
};

}  // namespace

class BenchPlayback : public QObject {
  Q_OBJECT
 private slots:
  void playing();

 private:
  static app::PagingTotals totals(Studio& studio);
  /// Once through all steps as TimeBar plays them; `isAhead` says whether the next step is expected.
  static void play(Studio& studio, double wishedMs, bool isAhead, Played& played);
};

app::PagingTotals BenchPlayback::totals(Studio& studio) {
  app::PagingTotals found;
  bool told = false;
  const auto connection =
      QObject::connect(&studio.model.engine(), &app::Engine::counted, &studio.window,
                       [&](const app::WorkshopCounters& counters) { found = counters.totals, told = true; });
  [[maybe_unused]] const bool came = QTest::qWaitFor([&] { return told; }, kPatienceMs);
  QObject::disconnect(connection);
  return found;
}

void BenchPlayback::play(Studio& studio, double wishedMs, bool isAhead, Played& played) {
  app::Stage& stage = studio.model.stage();
  stage.expectStep(-1);
  stage.setStep(0);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const app::PagingTotals before = totals(studio);
  app::Watchdog& watchdog = studio.model.watchdog();
  watchdog.start();
  watchdog.reset();
  QElapsedTimer sinceStep;
  QEventLoop loop;
  QTimer next;
  next.setSingleShot(true);
  bool made = false;
  const auto advance = [&] {
    if (stage.step() > 0 || sinceStep.isValid()) {
      played.intervals.push_back(1e-6 * double(sinceStep.nsecsElapsed()));
      ++played.steps;
    }
    if (stage.step() + 1 >= stage.steps()) return loop.quit();
    const std::int64_t step = stage.step() + 1;
    stage.expectStep(isAhead && step + 1 < stage.steps() ? step + 1 : -1);
    sinceStep.start();
    made = false;
    stage.setStep(step);
    next.start(int(wishedMs));
  };
  const auto busy = QObject::connect(&stage, &app::Stage::busyChanged, &loop, [&](bool isBusy) {
    if (isBusy) return;
    if (!std::exchange(made, true)) played.making.push_back(1e-6 * double(sinceStep.nsecsElapsed()));
    if (!next.isActive()) advance();
  });
  QObject::connect(&next, &QTimer::timeout, &loop, [&] {
    if (!stage.isBusy()) advance();
  });
  advance();
  loop.exec();
  QObject::disconnect(busy);
  const app::Watchdog::Report stalls = watchdog.report();
  watchdog.stop();
  const app::PagingTotals after = totals(studio);
  played.bytesRead += double(after.bytesRead - before.bytesRead);
  played.stallP99Ms = std::max(played.stallP99Ms, stalls.p99Ms);
  played.stallWorstMs = std::max(played.stallWorstMs, stalls.worstMs);
}

void BenchPlayback::playing() {
  const int steps = fromEnvironment("FARFIELD_PLAY_STEPS", 30),
            turns = fromEnvironment("FARFIELD_PLAY_TURNS", 2);
  const int speed = fromEnvironment("FARFIELD_PLAY_SPEED", 4);
  const double wishedMs = 1000.0 / speed;
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const std::filesystem::path folder = studio.folder / "series";
  std::filesystem::create_directory(folder);
  const RunResult sampled =
      runProgram({"sample", "taylor-green", "-o", "flow", "--size",
                  qEnvironmentVariable("FARFIELD_PLAY_SIZE", "129,129,65").toStdString(), "--steps",
                  std::to_string(steps), "--format", "plot3d", "--quiet"},
                 {.folder = folder});
  QVERIFY2(sampled.status == 0, sampled.errors.c_str());
  std::uintmax_t bytes = 0;
  for (const auto& file : filesIn(folder)) bytes += std::filesystem::file_size(file);
  studio.model.setMemoryBytes(std::uint64_t(fromEnvironment("FARFIELD_PLAY_BUDGET", 200)) << 20);
  studio.model.document().edit("Open", [&](app::Draft& draft) {
    draft.frame().data.push_back(
        {"flow", {(folder / "flow.xyz").string()}, {(folder / "flow_*.q").string()}, {}, {}});
    for (const double z : {0.3, 0.6}) {
      session::Object slice;
      slice.name = z < 0.5 ? "lower" : "upper";
      slice.data = "flow";
      slice.color.by = z < 0.5 ? "pressure" : "velocity-magnitude";
      session::Slice shape;
      shape.origin = Vec3{3, 3, z * 6};
      shape.normal = z < 0.5 ? Vec3{0, 0.2, 1} : Vec3{1, 0.1, 0.2};
      slice.shape = shape;
      draft.add(slice);
    }
    session::Object lines;
    lines.name = "lines";
    lines.data = "flow";
    session::Streamlines shape;
    shape.seeds = session::SpreadSeeds{200};
    shape.integrator.maxLength = 4;
    lines.shape = shape;
    draft.add(lines);
  });
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().steps(), std::int64_t(steps), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const double loadBefore = loadAverage();
  Played ahead, plain;
  std::vector<double> disk;
  for (int turn = 0; turn < turns; ++turn)
    for (const bool isAhead : {false, true}) {
      dropCopies(folder);
      const auto files = filesIn(folder);
      disk.push_back(speedOf(files[files.size() - 1 - std::size_t(turn)]));
      dropCopies(folder);
      play(studio, wishedMs, isAhead, isAhead ? ahead : plain);
    }
  const QJsonObject result{{"bytes", double(bytes)},
                           {"budgetMiB", fromEnvironment("FARFIELD_PLAY_BUDGET", 200)},
                           {"stepsPerSecond", speed},
                           {"diskMbPerSecond", 1e-6 * quantile(disk, 0.5)},
                           {"ahead", ahead.json(wishedMs)},
                           {"withoutAhead", plain.json(wishedMs)},
                           {"loadBefore", loadBefore},
                           {"loadAfter", loadAverage()},
                           {"processors", availableProcessors()}};
  std::printf("%s\n", QJsonDocument(result).toJson(QJsonDocument::Compact).constData());
  std::fflush(stdout);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  BenchPlayback test;
  return QTest::qExec(&test, count, words);
}
#include "bench_playback.moc"
