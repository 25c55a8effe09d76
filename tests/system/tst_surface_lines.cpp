// Lines on grid surfaces through the built program: they stay on those of an exact flow, go from patch to patch, keep
// apart, and end with a reason; what is refused.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// Its velocity goes as (sin x cos y, -cos x sin y, 0) in each plane across z: lines of constant sin x sin y.
const std::string kVortices = R"("source":"sample://taylor-green?size=65")";
const std::string kCylinder = R"("source":"sample://cylinder?size=33,25,9&blocks=3")";

std::string oil(const std::string& on, const std::string& keys = R"("count":50)") {
  return R"({"name":"oil","type":"surface-lines","on":)" + on + "," + keys + "}";
}

}  // namespace

class TestSurfaceLines : public QObject {
  Q_OBJECT
 private slots:
  void followTheExactFlow();
  void lieBetweenNodes();
  void keepApart();
  void twoSidesOfAThinBodyAreAlike();
  void startsThatGiveNoLineKeepNoneAway();
  void ofNoLinesItIsSaid();
  void endWithAReason();
  void startsInBlankedCellsHaveNone();
  void areTheSameHoweverTheyAreComputed();
  void whatCannotBeIsRefused_data();
  void whatCannotBeIsRefused();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  RunResult run(const std::string& data, const std::string& objects) {
    writeFile(m_folder / "oil.json", sessionText(data, objects));
    std::filesystem::remove_all(m_folder / "out");
    return runProgram({"batchvis", "oil.json", "-o", "out", "--quiet"}, here());
  }
  /// The numbers of the vertices of each line.
  static std::vector<std::vector<std::size_t>> linesOf(const VtpFile& file) {
    std::vector<std::vector<std::size_t>> lines;
    std::size_t vertex = 0;
    for (const double end : file.array("Lines", "offsets").values) {
      lines.emplace_back();
      for (; vertex < static_cast<std::size_t>(end); ++vertex) lines.back().push_back(vertex);
    }
    return lines;
  }
  VtpFile made() const { return VtpFile(m_folder / "out" / "oil.vtp"); }
  TemporaryFolder m_folder;
};

void TestSurfaceLines::followTheExactFlow() {
  const RunResult result =
      run(kVortices, oil(R"({"type":"grid-surface","range":{"k":5}})", R"("count":80,"maxLength":5)"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = made();
  const auto lines = linesOf(file);
  QVERIFY(lines.size() > 140);
  const std::vector<double>& lengths = file.array("PointData", "length").values;
  double longest = 0, widest = 0;
  for (const auto& line : lines) {
    const auto at = [&](std::size_t n) {
      return Vec3{file.array("Points", "Points").values[3 * n],
                  file.array("Points", "Points").values[3 * n + 1],
                  file.array("Points", "Points").values[3 * n + 2]};
    };
    const auto stream = [](Vec3 p) { return std::sin(p.x) * std::sin(p.y); };
    const Vec3 start = at(line.front());
    double length_ = 0;
    Bounds bounds;
    for (std::size_t n = 0; n < line.size(); ++n) {
      const Vec3 p = at(line[n]);
      bounds.add(p);
      if (n > 0) length_ += length(p - at(line[n - 1]));
      QVERIFY(std::abs(p.z - start.z) < 1e-12);
      QVERIFY2(std::abs(stream(p) - stream(start)) < 0.01, std::to_string(stream(p) - stream(start)).c_str());
      QVERIFY(std::abs(std::abs(lengths[line[n]]) - length_) < 0.01 * length_ + 1e-9);
    }
    longest = std::max(longest, length_);
    widest = std::max(widest, bounds.max.x - bounds.min.x);
  }
  // further than a patch of 16 cells of 64
  QVERIFY(std::abs(longest - 5) < 0.01 && widest > 0.3 * 2 * std::acos(-1.0));
}

void TestSurfaceLines::lieBetweenNodes() {
  QCOMPARE(run(kVortices, oil(R"({"type":"slice","index":{"k":5.5}})")).status, 0);
  const VtpFile file = made();
  const double z = 5.5 / 64 * 2 * std::acos(-1.0);
  for (std::size_t n = 0; n < file.pointCount(); ++n)
    QVERIFY(std::abs(file.array("Points", "Points").values[3 * n + 2] - z) < 1e-9);
  // the same on a surface of the session, by its name
  const std::string first = fileContents(m_folder / "out" / "oil.vtp");
  QCOMPARE(run(kVortices, R"({"name":"cut","type":"slice","index":{"k":5.5}},)" + oil(R"("cut")")).status, 0);
  QVERIFY(fileContents(m_folder / "out" / "oil.vtp") == first);
}

void TestSurfaceLines::keepApart() {
  QCOMPARE(run(kCylinder, oil(R"({"type":"grid-surface","range":{"j":3}})", R"("count":400)")).status, 0);
  const std::size_t all = made().lineCount();
  QCOMPARE(run(kCylinder, oil(R"({"type":"grid-surface","range":{"j":3}})", R"("count":400,"spacing":0.2)"))
               .status,
           0);
  const VtpFile file = made();
  QVERIFY(file.lineCount() > 5 && 2 * file.lineCount() < all);
  // the starts of those that are left
  const auto lines = linesOf(file);
  const std::vector<double>& seeds = file.array("CellData", "seed").values;
  for (std::size_t a = 0; a < lines.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (seeds[a] == seeds[b]) continue;
      Vec3 between;
      for (int c = 0; c < 3; ++c)
        between[c] =
            file.array("Points", "Points").values[3 * lines[a].front() + static_cast<std::size_t>(c)] -
            file.array("Points", "Points").values[3 * lines[b].front() + static_cast<std::size_t>(c)];
      QVERIFY2(length(between) > 0.19, std::to_string(length(between)).c_str());
    }
}

/// A slab much thinner than lines are apart: both sides have as many, which keep apart on each, and none is there for the other's sake.
void TestSurfaceLines::twoSidesOfAThinBodyAreAlike() {
  std::string grid =
      "# vtk DataFile Version 3.0\nslab\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 33 33 2\nORIGIN 0 0 0\n"
      "SPACING 1 1 0.01\nPOINT_DATA 2178\nSCALARS u double\nLOOKUP_TABLE default\n";
  for (int node = 0; node < 33 * 33 * 2; ++node) grid += "1\n";
  writeFile(m_folder / "slab.vtk", grid);
  const std::string data = R"("source":"slab.vtk")";
  const std::string lines =
      oil(R"({"type":"grid-surface"})", R"_("count":300,"spacing":3,"vector":["u","0.2*u","0*u"])_");
  QCOMPARE(run(data, lines).status, 0);
  const VtpFile file = made();
  std::vector<Vec3> starts[2];
  const std::vector<double>& seeds = file.array("CellData", "seed").values;
  double last = -1;
  std::size_t n = 0;
  for (const auto& line : linesOf(file)) {
    Vec3 start;
    for (int c = 0; c < 3; ++c)
      start[c] = file.array("Points", "Points").values[3 * line.front() + static_cast<std::size_t>(c)];
    const bool isRim = start.x == 0 || start.x == 32 || start.y == 0 || start.y == 32;
    const double seed = seeds[n++];
    if (seed != last && !isRim) starts[start.z > 0.005 ? 1 : 0].push_back(start);
    last = seed;
  }
  for (const auto& side : starts) {
    QVERIFY2(side.size() > 6, std::to_string(side.size()).c_str());
    for (std::size_t a = 0; a < side.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) QVERIFY(length(side[a] - side[b]) > 2.99);
  }
  QVERIFY(3 * std::min(starts[0].size(), starts[1].size()) >
          2 * std::max(starts[0].size(), starts[1].size()));
  writeFile(m_folder / "slab.json", sessionText(data, lines));
  const RunResult result =
      runProgram({"verify", "slab.json", "--memory", "64M", "--processors", "2"}, here());
  QVERIFY2(result.status == 0, (result.out + result.errors).c_str());
}

/// The vector is 0 on half of the surface, as the velocity is on walls: from there nothing comes that others could cover.
void TestSurfaceLines::startsThatGiveNoLineKeepNoneAway() {
  constexpr double kSpacing = 2;
  const std::string lines =
      R"_("count":60,"maxLength":1,"vector":["max(velocity-x,0)","0*velocity-x","0*velocity-x"])_";
  const std::string sheet = R"({"type":"grid-surface","range":{"k":5}})";
  const auto startsOf = [](const VtpFile& file) {
    std::vector<Vec3> starts;
    for (const auto& line : linesOf(file)) {
      Vec3 start;
      for (int c = 0; c < 3; ++c)
        start[c] = file.array("Points", "Points").values[3 * line.front() + static_cast<std::size_t>(c)];
      starts.push_back(start);
    }
    return starts;
  };
  QCOMPARE(run(kVortices, oil(sheet, lines)).status, 0);
  const std::vector<Vec3> all = startsOf(made());
  QVERIFY2(all.size() > 20 && all.size() < 100, std::to_string(all.size()).c_str());
  QCOMPARE(run(kVortices, oil(sheet, lines + R"(,"spacing":)" + std::to_string(kSpacing))).status, 0);
  const VtpFile kept = made();
  for (const Vec3& start : all) {
    // There is a line because of which this one is left out, or it is there itself.
    double nearest = 1e9;
    for (std::size_t n = 0; n < kept.pointCount(); ++n) {
      Vec3 place;
      for (int c = 0; c < 3; ++c)
        place[c] = kept.array("Points", "Points").values[3 * n + static_cast<std::size_t>(c)];
      nearest = std::min(nearest, length(place - start));
    }
    QVERIFY2(nearest < kSpacing, std::to_string(nearest).c_str());
  }
}

/// A vector that is 0 all over the surface, or has no values on it.
void TestSurfaceLines::ofNoLinesItIsSaid() {
  writeFile(m_folder / "still.json",
            sessionText(kVortices, oil(R"({"type":"grid-surface","range":{"k":5}})",
                                       R"("vector":["0*velocity-x","0*velocity-x","0*velocity-x"])")));
  const RunResult still = runProgram({"batchvis", "still.json", "-o", "still"}, here());
  QVERIFY2(still.status == 0 &&
               still.errors.find("object oil is empty: on the surface the vector is 0") != std::string::npos,
           still.errors.c_str());
  writeFile(m_folder / "flow.json",
            sessionText(kVortices, oil(R"({"type":"grid-surface","range":{"k":5}})")));
  const RunResult flow = runProgram({"batchvis", "flow.json", "-o", "flow"}, here());
  QVERIFY2(flow.status == 0 && flow.errors.find("is empty") == std::string::npos, flow.errors.c_str());
}

void TestSurfaceLines::endWithAReason() {
  QCOMPARE(run(kCylinder,
               oil(R"({"type":"grid-surface","range":{"j":3}})", R"("maxLength":0.3,"direction":"forward")"))
               .status,
           0);
  const VtpFile file = made();
  std::set<double> reasons;
  for (const double reason : file.array("CellData", "termination").values) reasons.insert(reason);
  // at the surface's edge, or as long as they may be
  QCOMPARE(reasons, (std::set<double>{1, 3}));
  for (const double direction : file.array("CellData", "direction").values) QCOMPARE(direction, 1.0);
  for (const double length : file.array("PointData", "length").values)
    QVERIFY(length >= 0 && length <= 0.3 + 1e-12);
}

/// The cells where the blocks overlap have blanked nodes.
void TestSurfaceLines::startsInBlankedCellsHaveNone() {
  QCOMPARE(run(kCylinder, oil(R"({"type":"grid-surface","range":{"k":4}})", R"("count":300)")).status, 0);
  const VtpFile file = made();
  const double far = 40;
  for (std::size_t n = 0; n < file.array("Points", "Points").values.size(); ++n)
    QVERIFY(std::abs(file.array("Points", "Points").values[n]) < far);
  for (const auto& line : linesOf(file)) QVERIFY(line.size() > 1);
}

void TestSurfaceLines::areTheSameHoweverTheyAreComputed() {
  writeFile(m_folder / "same.json",
            sessionText(R"("source":"sample://cylinder?size=33,17,9&blocks=2")",
                        oil(R"({"type":"grid-surface","range":{"j":3}})",
                            R"("count":40,"spacing":0.1,"color":{"by":"pressure"})")));
  const RunResult result =
      runProgram({"verify", "same.json", "--memory", "64M", "--processors", "2"}, here());
  QVERIFY2(result.status == 0, (result.out + result.errors).c_str());
}

void TestSurfaceLines::whatCannotBeIsRefused_data() {
  QTest::addColumn<std::string>("objects");
  QTest::addColumn<std::string>("part");
  const auto row = [](const char* name, const std::string& object, const char* part) {
    QTest::newRow(name) << object << std::string(part);
  };
  const std::string wall = R"({"type":"grid-surface","range":{"k":0}})";
  row("no surface", R"({"name":"oil","type":"surface-lines"})", "objects.oil.on: missing");
  row("a plane", oil(R"({"type":"slice"})"), "object oil: on: lines need the cells of a surface");
  row("a scalar", oil(wall, R"("vector":"pressure")"), "object oil: vector: ");
  row("none", oil(wall, R"("count":0)"), "objects.oil.count: must be");
  row("no length", oil(wall, R"("maxLength":0)"), "objects.oil.maxLength: must be a number above 0");
}

void TestSurfaceLines::whatCannotBeIsRefused() {
  QFETCH(std::string, objects);
  QFETCH(std::string, part);
  const RunResult result = run(kVortices, objects);
  QVERIFY2(
      result.status == 1 && result.errorLines().size() == 1 && result.errors.find(part) != std::string::npos,
      (std::to_string(result.status) + ": " + result.errors).c_str());
  QVERIFY(namesIn(m_folder / "out").empty());
}

QTEST_GUILESS_MAIN(TestSurfaceLines)
#include "tst_surface_lines.moc"
