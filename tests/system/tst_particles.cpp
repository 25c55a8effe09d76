// Pathlines and streaklines through the whole program: exact paths, what belongs together in the two kinds of
// files, equal bytes however they are computed, and runs that are interrupted and go on.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/plot3d_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr double kViscosity = 0.1;  // of the sample
constexpr double kStep = 0.2;       // between two steps of it
constexpr int kSteps = 6;           // at times 0 … 1

Vec3 taylorGreen(Vec3 p) {
  return {std::sin(p.x) * std::cos(p.y), -std::cos(p.x) * std::sin(p.y), 0};
}

/// Where the decaying vortices take `p`, which is there at time 0: along the streamlines of that moment, ever more
/// slowly.
Vec3 carried(Vec3 p, double time) {
  constexpr int kPieces = 2000;
  const double way = (1 - std::exp(-2 * kViscosity * time)) / (2 * kViscosity), h = way / kPieces;
  for (int n = 0; n < kPieces; ++n) {
    const Vec3 k1 = taylorGreen(p), k2 = taylorGreen(p + h / 2 * k1), k3 = taylorGreen(p + h / 2 * k2),
               k4 = taylorGreen(p + h * k3);
    p = p + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return p;
}

const char* const kSeeds = R"("seeds":{"type":"line","from":[0.7,1.1,3],"to":[5.5,5.0,3],"count":40})";

std::string object(const std::string& name, const std::string& type, const std::string& more) {
  return R"({"name":")" + name + R"(","type":")" + type + R"(","color":{"by":"age"},)" + kSeeds + more + "}";
}

std::string source(int size, int steps = kSteps) {
  return R"("source":"sample://taylor-green?size=)" + std::to_string(size) +
         "&steps=" + std::to_string(steps) + "\"";
}
bool same(double a, double b) {
  return std::abs(a - b) < 1e-12;
}

/// The vertices of each line or point of a file, in order.
struct Line {
  int seed = -1;
  std::vector<Vec3> points;
  std::vector<double> times;  ///< of pathlines; of streaklines the releases
};
std::vector<Line> linesOf(const VtpFile& file, const std::string& section, const std::string& times) {
  std::vector<Line> lines;
  const std::vector<Vec3> points = file.points();
  std::size_t at = 0;
  for (const double end : file.array(section, "offsets").values) {
    Line line;
    line.seed = static_cast<int>(file.array("CellData", "seed").values.at(lines.size()));
    for (; at < static_cast<std::size_t>(end); ++at) {
      line.points.push_back(points.at(at));
      line.times.push_back(file.array("PointData", times).values.at(at));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

class TestParticles : public QObject {
  Q_OBJECT
 private slots:
  void pathsAreExact();
  void pathsThroughMovingGrids_data();
  void pathsThroughMovingGrids();
  void streaksAreTheEndsOfPaths_data();
  void streaksAreTheEndsOfPaths();
  void streaksBeginAtTheirSeeds();
  void streaksBreakWhereParticlesHaveLeft();
  void releases_data();
  void releases();
  void equalBytes_data();
  void equalBytes();
  void interruptedRunsGoOn();
  void errors_data();
  void errors();

 private:
  RunResult run(const std::string& session, const std::string& out, std::vector<std::string> more = {}) {
    writeFile(m_folder / "session.json", session);
    std::vector<std::string> arguments{"batchvis", "session.json", "-o", out, "--quiet", "--overwrite"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runProgram(arguments, {.folder = m_folder.path()});
  }
  TemporaryFolder m_folder;
};

void TestParticles::pathsAreExact() {
  double before = 0;
  for (const int size : {25, 49}) {
    const RunResult result = run(sessionText(source(size, 26), object("paths", "pathlines", "")), "exact");
    QVERIFY2(result.status == 0, result.errors.c_str());
    const auto lines = linesOf(VtpFile(m_folder / "exact" / "paths.vtp"), "Lines", "time");
    QCOMPARE(lines.size(), 40u);
    double worst = 0;
    for (const Line& line : lines) {
      QCOMPARE(line.times.front(), 0.0);
      QVERIFY(same(line.times.back(), 5));
      for (int step = 1; step < 25; ++step) {
        const auto isThere = [&](double time) { return same(time, kStep * step); };
        QCOMPARE(std::count_if(line.times.begin(), line.times.end(), isThere), 1);
      }
      worst = std::max(worst, length(line.points.back() - carried(line.points.front(), 5)));
    }
    // The field between nodes is of second order.
    QVERIFY2(worst < 0.05, std::to_string(worst).c_str());
    if (before > 0) QVERIFY2(before / worst > 3, std::to_string(before / worst).c_str());
    before = worst;
  }
}

void TestParticles::pathsThroughMovingGrids_data() {
  QTest::addColumn<QString>("interpolation");
  QTest::addColumn<double>("order");
  QTest::newRow("linear in time") << "linear" << 2.0;
  QTest::newRow("cubic in time") << "cubic" << 4.0;
}

void TestParticles::pathsThroughMovingGrids() {
  // A flow that swings, the same everywhere, seen by a grid that shakes and bends: the error is that of time alone.
  QFETCH(QString, interpolation);
  QFETCH(double, order);
  constexpr int kNodes = 11;
  constexpr double kEnd = 4;
  double before = 0;
  for (const int intervals : {10, 20}) {
    const std::string series = "moving" + std::to_string(intervals) + "_";
    for (int step = 0; step <= intervals; ++step) {
      const double t = kEnd * step / intervals;
      Plot3dBlock block{{kNodes, kNodes, kNodes}, {}, {}, {}};
      const std::size_t nodes = kNodes * kNodes * kNodes;
      block.xyz.resize(3 * nodes);
      block.q.resize(5 * nodes);
      for (std::size_t n = 0; n < nodes; ++n) {
        const auto along = [&](std::size_t stride) {
          return -3 + 0.6 * static_cast<double>(n / stride % kNodes);
        };
        const Vec3 at{along(1), along(kNodes), along(kNodes * kNodes)};
        const Vec3 moved{at.x + 0.3 * std::sin(2 * t) + 0.1 * std::sin(at.y + t), at.y + 0.1 * std::cos(at.x),
                         at.z};
        const Vec3 flow{std::cos(t), 0.5 * std::sin(t), 0};
        for (std::size_t a = 0; a < 3; ++a) {
          block.xyz[a * nodes + n] = moved[static_cast<int>(a)];
          block.q[(a + 1) * nodes + n] = flow[static_cast<int>(a)];
        }
        block.q[n] = 1;
        block.q[4 * nodes + n] = 3;
      }
      const std::string name = series + std::to_string(100 + step);
      writePlot3d(m_folder / (name + ".xyz"), m_folder / (name + ".q"), {block}, {.f64 = true});
    }
    const std::string more =
        R"("integrator":{"tolerance":1e-9},"interpolation":")" + interpolation.toStdString() +
        R"(","seeds":{"type":"box","min":[-0.7,-0.7,-0.7],"max":[0.7,0.7,0.7],"counts":[3,3,3]}})";
    const std::string data = R"("source":")" + series + R"(*.xyz","solution":")" + series +
                             R"(*.q","options":{"timeStep":)" + std::to_string(kEnd / intervals) + "}";
    const RunResult result = run(
        sessionText(data, R"({"name":"paths","type":"pathlines",)" + more +
                              R"(,{"name":"streaks","type":"streaklines","release":{"steps":"0:0"},)" + more),
        "moving");
    QVERIFY2(result.status == 0, result.errors.c_str());
    const auto lines = linesOf(VtpFile(m_folder / "moving" / "paths.vtp"), "Lines", "time");
    QCOMPARE(lines.size(), 27u);
    const Vec3 way{std::sin(kEnd), 0.5 * (1 - std::cos(kEnd)), 0};
    double worst = 0;
    for (const Line& line : lines) {
      QVERIFY(same(line.times.back(), kEnd));
      worst = std::max(worst, length(line.points.back() - line.points.front() - way));
    }
    const std::string last = "streaks_00" + std::to_string(intervals) + ".vtp";
    const std::vector<Vec3> ends = VtpFile(m_folder / "moving" / last).points();
    QCOMPARE(ends.size(), lines.size());
    for (std::size_t n = 0; n < ends.size(); ++n) QVERIFY(length(ends[n] - lines[n].points.back()) == 0);
    if (before > 0) {
      const double found = std::log2(before / worst);
      QVERIFY2(std::abs(found - order) < 0.2, std::to_string(found).c_str());
    }
    before = worst;
  }
}

void TestParticles::streaksAreTheEndsOfPaths_data() {
  QTest::addColumn<QString>("more");
  QTest::newRow("linear in time") << "";
  QTest::newRow("cubic in time") << R"(,"interpolation":"cubic")";
}

void TestParticles::streaksAreTheEndsOfPaths() {
  QFETCH(QString, more);
  const std::string release = R"(,"release":{"from":0,"to":0.9,"every":0.1})" + more.toStdString();
  const RunResult result = run(sessionText(source(17), object("paths", "pathlines", release) + "," +
                                                           object("streaks", "streaklines", release)),
                               "both");
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile paths(m_folder / "both" / "paths.vtp");
  const auto lines = linesOf(paths, "Lines", "time");
  QCOMPARE(lines.size(), 400u);
  const auto& releases = paths.array("CellData", "release").values;
  std::map<std::pair<int, double>, const Line*> bySeedAndRelease;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    // Ordered by release, then seed.
    QCOMPARE(lines[n].seed, static_cast<int>(n % 40));
    QCOMPARE(releases[n], 0.1 * static_cast<double>(n / 40));
    bySeedAndRelease[{lines[n].seed, releases[n]}] = &lines[n];
  }
  std::size_t compared = 0;
  for (int step = 1; step < kSteps; ++step) {
    const VtpFile file(m_folder / "both" / ("streaks_000" + std::to_string(step) + ".vtp"));
    for (const Line& streak : linesOf(file, "Lines", "release"))
      for (std::size_t n = 0; n < streak.points.size(); ++n) {
        if (n > 0) QVERIFY(streak.times[n] < streak.times[n - 1]);  // from the youngest to the oldest
        const Line& path = *bySeedAndRelease.at({streak.seed, streak.times[n]});
        const auto there = std::find_if(path.times.begin(), path.times.end(),
                                        [&](double time) { return same(time, kStep * step); });
        QVERIFY(there != path.times.end());
        QVERIFY(path.points[static_cast<std::size_t>(there - path.times.begin())] == streak.points[n]);
        ++compared;
      }
    for (const double age : file.array("PointData", "age").values)
      QVERIFY(age >= 0 && age <= kStep * step + 1e-12);
  }
  QVERIFY(compared > 1000);
}

/// What is released at the moment of a step is in its streak, at the seed; the same particles are no others at the next step.
void TestParticles::streaksBeginAtTheirSeeds() {
  const RunResult result =
      run(sessionText(source(17), object("all", "streaklines", "") + "," +
                                      object("points", "streaklines", R"(,"as":"points")") + "," +
                                      object("some", "streaklines", R"(,"release":{"steps":"0:-1:2"})")),
          "begin");
  QVERIFY2(result.status == 0, result.errors.c_str());
  const auto fileOf = [&](const char* name, int step) {
    return VtpFile(m_folder / "begin" / (std::string(name) + "_000" + std::to_string(step) + ".vtp"));
  };
  for (int step = 0; step < kSteps; ++step) {
    const auto lines = linesOf(fileOf("all", step), "Lines", "age");
    QCOMPARE(lines.size(), 40u);
    for (int seed = 0; seed < 40; ++seed) {
      const Line& line = lines[static_cast<std::size_t>(seed)];
      QCOMPARE(line.seed, seed);
      QCOMPARE(line.points.size(), static_cast<std::size_t>(step + 1));
      QCOMPARE(line.times.front(), 0.0);
      const Vec3 place = Vec3{0.7, 1.1, 3} + seed / 39.0 * Vec3{4.8, 3.9, 0};
      QVERIFY(length(line.points.front() - place) < 1e-12);
    }
    QCOMPARE(fileOf("points", step).points().size(), static_cast<std::size_t>(40 * (step + 1)));
    for (const Line& line : linesOf(fileOf("some", step), "Lines", "age"))
      QCOMPARE(line.times.front() == 0, step % 2 == 0);
  }
}

/// In the flow around the cylinder particles leave; where one between has left, a streak is in two pieces.
void TestParticles::streaksBreakWhereParticlesHaveLeft() {
  const std::string data = R"("source":"sample://cylinder?size=17,25,5&steps=21")";
  const std::string seeds = R"("seeds":{"type":"points","points":[[7.5,1.2,1],[0.5,2.5,1]]})";
  const std::string streaks =
      R"({"name":"streaks","type":"streaklines",)" + seeds + R"(,"release":{"from":0,"to":5,"every":0.25}})";
  const std::string paths =
      R"({"name":"paths","type":"pathlines",)" + seeds + R"(,"release":{"from":0,"to":5,"every":0.25}})";
  const RunResult result = run(sessionText(data, streaks + "," + paths), "left");
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile all(m_folder / "left" / "paths.vtp");
  const auto lines = linesOf(all, "Lines", "time");
  const auto& terminations = all.array("CellData", "termination").values;
  QVERIFY(std::count(terminations.begin(), terminations.end(), 1) > 3);  // out of the domain
  // At the last step a piece is a run of releases all of which are still there.
  const auto last = linesOf(VtpFile(m_folder / "left" / "streaks_0020.vtp"), "Lines", "release");
  std::size_t there = 0;
  for (std::size_t n = 0; n < lines.size(); ++n)
    if (terminations[n] == 2) ++there;
  std::size_t inPieces = 0;
  for (const Line& piece : last) {
    inPieces += piece.points.size();
    for (std::size_t n = 1; n < piece.times.size(); ++n) QCOMPARE(piece.times[n - 1] - piece.times[n], 0.25);
  }
  QCOMPARE(inPieces, there);
}

void TestParticles::releases_data() {
  QTest::addColumn<QString>("release");
  QTest::addColumn<QList<double>>("times");
  QTest::newRow("none") << "" << QList<double>{0.2};
  QTest::newRow("steps") << R"(,"release":{"steps":"1:5:2"})" << QList<double>{0.2, 0.6, 1};
  QTest::newRow("before the first chosen step, and after the last")
      << R"(,"release":{"steps":"0:-1"})" << QList<double>{0, 0.2, 0.4, 0.6, 0.8, 1};
  QTest::newRow("one step") << R"(,"release":{"steps":2})" << QList<double>{0.4};
  QTest::newRow("between steps, up to and with the last")
      << R"(,"release":{"from":0.15,"to":0.45,"every":0.1})" << QList<double>{0.15, 0.25, 0.35, 0.45};
}

void TestParticles::releases() {
  QFETCH(QString, release);
  QFETCH(QList<double>, times);
  for (const bool asPoints : {false, true}) {
    const std::string more = release.toStdString() + (asPoints ? R"(,"as":"points")" : "");
    const RunResult result = run(sessionText(source(9, 8), object("paths", "pathlines", more)), "releases",
                                 {"--set", "time.steps=[1,5]"});
    QVERIFY2(result.status == 0, result.errors.c_str());
    const VtpFile file(m_folder / "releases" / "paths.vtp");
    const auto lines = linesOf(file, asPoints ? "Verts" : "Lines", "time");
    QCOMPARE(lines.size(), static_cast<std::size_t>(40 * times.size()));
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const double time = times[static_cast<qsizetype>(n / 40)];
      QVERIFY(same(file.array("CellData", "release").values[n], time));
      QVERIFY(same(lines[n].times.back(), 1));
      if (asPoints)
        QCOMPARE(lines[n].points.size(), 1u);
      else
        QVERIFY(same(lines[n].times.front(), time));
    }
  }
}

void TestParticles::equalBytes_data() {
  QTest::addColumn<QStringList>("options");
  QTest::newRow("serial") << QStringList{"--scheduler", "serial"};
  QTest::newRow("threads") << QStringList{"--scheduler", "threads", "--processors", "2"};
  QTest::newRow("little memory") << QStringList{"--memory", "1M"};
  QTest::newRow("one processor, no prefetch") << QStringList{"--processors", "1", "--prefetch", "off"};
}

void TestParticles::equalBytes() {
  QFETCH(QStringList, options);
  const std::string release = R"(,"release":{"from":0,"to":1,"every":0.1})";
  const std::string curved = release + R"(,"interpolation":"cubic")";
  const std::string session = sessionText(source(17), object("paths", "pathlines", release) + "," +
                                                          object("streaks", "streaklines", release) + "," +
                                                          object("curved", "pathlines", curved) + "," +
                                                          object("dye", "streaklines", curved));
  QCOMPARE(run(session, "equal").status, 0);
  std::vector<std::string> more;
  for (const QString& option : options) more.push_back(option.toStdString());
  const RunResult result = run(session, "other", more);
  QVERIFY2(result.status == 0, result.errors.c_str());
  const auto names = namesIn(m_folder / "equal");
  QCOMPARE(names.size(), 14u);
  QCOMPARE(namesIn(m_folder / "other"), names);
  for (const std::string& name : names)
    QVERIFY2(fileContents(m_folder / "other" / name) == fileContents(m_folder / "equal" / name),
             name.c_str());
}

/// A run that was stopped ends with the same files when it is resumed, however often.
void TestParticles::interruptedRunsGoOn() {
  const std::string seeds =
      R"("seeds":{"type":"plane","origin":[0.7,0.8,3],"axis1":[5,0,0],"axis2":[0,5,0],"counts":[50,50]})";
  const std::string session = sessionText(source(33, 41), R"({"name":"paths","type":"pathlines",)" + seeds +
                                                              R"(},{"name":"streaks","type":"streaklines",)" +
                                                              seeds + R"(,"release":{"steps":"0:-1:10"}})");
  QCOMPARE(run(session, "reference").status, 0);
  bool stopped = false;
  for (int attempt = 0; attempt < 3; ++attempt) {
    RunningProgram program(
        builtProgram(),
        {"batchvis", "session.json", "-o", "stopped", "--quiet", "--resume", "--processors", "1"},
        {.folder = m_folder.path()});
    // At least a step further each time.
    const auto before = namesIn(m_folder / "stopped").size();
    while (!program.endsWithin(5) && namesIn(m_folder / "stopped").size() < before + 5) {
    }
    program.signal(SIGINT);
    const RunResult result = program.wait();
    stopped = stopped || result.status == 130;
    QVERIFY2(result.status == 130 || result.status == 0, result.errors.c_str());
  }
  QVERIFY2(stopped, "was over before it could be stopped");
  const RunResult result = runProgram({"batchvis", "session.json", "-o", "stopped", "--quiet", "--resume"},
                                      {.folder = m_folder.path()});
  QVERIFY2(result.status == 0, result.errors.c_str());
  QCOMPARE(namesIn(m_folder / "stopped"), namesIn(m_folder / "reference"));
  for (const std::string& name : namesIn(m_folder / "reference"))
    QVERIFY2(fileContents(m_folder / "stopped" / name) == fileContents(m_folder / "reference" / name),
             name.c_str());
}

void TestParticles::errors_data() {
  QTest::addColumn<QString>("more");
  QTest::addColumn<QString>("error");
  QTest::newRow("before the data") << R"(,"release":{"from":-1,"to":1,"every":1})"
                                   << "release.from";
  QTest::newRow("nothing to release") << R"(,"release":{"from":7,"to":9,"every":1})"
                                      << "no particle is released";
  QTest::newRow("no such step") << R"(,"release":{"steps":"0:17"})"
                                << "release.steps";
  QTest::newRow("both") << R"(,"release":{"steps":"0:1","from":0})"
                        << "release.from";
  QTest::newRow("half") << R"(,"release":{"from":0,"every":1})"
                        << "release.to";
  QTest::newRow("no stride") << R"(,"release":{"steps":"0:4:0"})"
                             << "release.steps";
  QTest::newRow("as what") << R"(,"as":"tubes")"
                           << "as: must be one of lines, points";
  QTest::newRow("a curve of what order") << R"(,"interpolation":"quintic")"
                                         << "interpolation: must be one of linear, cubic";
  QTest::newRow("never ascending") << R"(,"release":{"from":2,"to":1,"every":1})"
                                   << "release.to";
}

void TestParticles::errors() {
  QFETCH(QString, more);
  QFETCH(QString, error);
  for (const char* const type : {"pathlines", "streaklines"}) {
    const RunResult result = run(sessionText(source(9), object("lines", type, more.toStdString())), "errors");
    QCOMPARE(result.status, 1);
    QVERIFY2(result.errors.find(error.toStdString()) != std::string::npos, result.errors.c_str());
    QCOMPARE(std::count(result.errors.begin(), result.errors.end(), '\n'), 1);
    QVERIFY(!std::filesystem::exists(m_folder / "errors" / "lines.vtp"));
  }
}

QTEST_APPLESS_MAIN(TestParticles)
#include "tst_particles.moc"
