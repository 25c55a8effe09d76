// Lines on grid surfaces through the built program: they stay on those of an exact flow, go from patch to patch, keep
// apart, and end with a reason; what is refused.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/face_files.h"
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
  void goRoundOnASphereOfTriangles();
  void areStraightOnAPlateOfFaces_data();
  void areStraightOnAPlateOfFaces();
  void stayOnTheBorderOfCells();
  void goAlongTheSideOnWhichTheyMeet();
  void goAlongWhereTheVectorComesTogether_data();
  void goAlongWhereTheVectorComesTogether();
  void areReadAlongTheFlow();
  void eachStepHasItsOwnWhereCellsChange();
  void onFacesAreTheSameHoweverTheyAreComputed();
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
  static Vec3 pointOf(const VtpFile& file, std::size_t n) {
    const std::vector<double>& points = file.array("Points", "Points").values;
    return {points[3 * n], points[3 * n + 1], points[3 * n + 2]};
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

/// The flow goes round an axis that no side of a triangle knows of: lines are circles, and close.
void TestSurfaceLines::goRoundOnASphereOfTriangles() {
  writeSphere(m_folder / "sphere.vtk", 4);
  const RunResult result = run(R"("source":"sphere.vtk")",
                               oil(R"({"type":"grid-surface"})",
                                   R"("vector":"shear","direction":"forward","count":60,"maxLength":6.5)"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = made();
  const auto lines = linesOf(file);
  QCOMPARE(lines.size(), std::size_t{60});
  const std::vector<double>& lengths = file.array("PointData", "length").values;
  int closed = 0;
  for (const auto& line : lines) {
    const Vec3 start = pointOf(file, line.front());
    const double around = 2 * M_PI * std::hypot(start.x, start.y);
    QVERIFY2(lengths[line.back()] > 6.49, std::to_string(lengths[line.back()]).c_str());
    double nearest = 1e9;
    for (const std::size_t n : line) {
      const Vec3 p = pointOf(file, n);
      QVERIFY2(std::abs(length(p) - 1) < 0.004, std::to_string(length(p) - 1).c_str());
      QVERIFY2(std::abs(p.z - start.z) < 0.004, std::to_string(p.z - start.z).c_str());
      if (std::abs(lengths[n] - around) < 0.1) nearest = std::min(nearest, length(p - start));
    }
    if (around > 1 && around < 6.4) {
      QVERIFY2(nearest < 0.01, std::to_string(nearest).c_str());
      ++closed;
    }
  }
  QVERIFY(closed > 40);
}

void TestSurfaceLines::areStraightOnAPlateOfFaces_data() {
  QTest::addColumn<bool>("inSpace");
  QTest::addColumn<bool>("onCells");
  QTest::addColumn<double>("uneven");
  QTest::addColumn<double>("tolerance");
  QTest::newRow("even, in a plane") << false << false << 0.0 << 1e-9;
  QTest::newRow("even, in space") << true << false << 0.0 << 1e-9;
  QTest::newRow("even, values on cells") << true << true << 0.0 << 1e-9;
  // in quadrilaterals that are no parallelograms steps are no longer exact
  QTest::newRow("uneven, in a plane") << false << false << 0.2 << 0.01;
  QTest::newRow("uneven, in space") << true << false << 0.2 << 0.01;
  QTest::newRow("uneven, values on cells") << true << true << 0.2 << 0.01;
}

/// Of triangles and quadrilaterals, some of them turned over.
void TestSurfaceLines::areStraightOnAPlateOfFaces() {
  QFETCH(bool, inSpace);
  QFETCH(bool, onCells);
  QFETCH(double, uneven);
  QFETCH(double, tolerance);
  const Vec3 along{0.8, 0.6, inSpace ? 0.8 * 0.3 + 0.6 * 0.2 : 0};
  writePlate(
      m_folder / "plate.vtk", 20,
      [&](double i, double j) {
        const bool isRim = i == 0 || j == 0 || i == 20 || j == 20;
        const double x = i + (isRim ? 0 : uneven * std::sin(3 * i + 5 * j)),
                     y = j + (isRim ? 0 : uneven * std::cos(7 * i + 2 * j));
        return Vec3{x, y, inSpace ? 0.3 * x + 0.2 * y : 0};
      },
      [&](Vec3) { return along; }, onCells);
  const RunResult result =
      run(R"("source":"plate.vtk")",
          oil(R"({"type":"grid-surface"})", R"("vector":"shear","count":100,"maxLength":100)"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = made();
  const auto lines = linesOf(file);
  QCOMPARE(lines.size(), std::size_t{200});
  for (const double reason : file.array("CellData", "termination").values) QCOMPARE(reason, 1.0);
  const std::vector<double>& lengths = file.array("PointData", "length").values;
  const Vec3 unit = 1 / length(along) * along;
  for (const auto& line : lines) {
    const Vec3 start = pointOf(file, line.front());
    for (const std::size_t n : line) {
      const Vec3 p = pointOf(file, n);
      const Vec3 off = p - (start + lengths[n] * unit);
      QVERIFY2(length(off) < tolerance, std::to_string(length(off)).c_str());
    }
    // to the very edge
    const Vec3 end = pointOf(file, line.back());
    QVERIFY2(std::min({std::abs(end.x), std::abs(end.y), std::abs(20 - end.x), std::abs(20 - end.y)}) < 1e-9,
             std::to_string(end.x).c_str());
  }
}

/// Also over its edges and corners.
void TestSurfaceLines::stayOnTheBorderOfCells() {
  writeCube(m_folder / "cube.vtk");
  const RunResult result =
      run(R"("source":"cube.vtk")", oil(R"({"type":"grid-surface"})", R"("vector":"shear","count":200)"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = made();
  std::size_t over = 0;
  for (const auto& line : linesOf(file)) {
    std::set<int> sides;
    for (const std::size_t n : line) {
      const Vec3 p = pointOf(file, n);
      double nearest = 1e9;
      for (int axis = 0; axis < 3; ++axis)
        for (const double end : {0.0, 6.0}) {
          nearest = std::min(nearest, std::abs(p[axis] - end));
          if (std::abs(p[axis] - end) < 1e-9) sides.insert(2 * axis + (end > 0));
          QVERIFY(p[axis] > -1e-9 && p[axis] < 6 + 1e-9);
        }
      QVERIFY2(nearest < 1e-9, std::to_string(nearest).c_str());
    }
    over += sides.size() > 1;
  }
  QVERIFY2(over > 100, std::to_string(over).c_str());
}

/// A roof on whose both sides the vector goes to the ridge: there lines meet, and follow it to its end.
void TestSurfaceLines::goAlongTheSideOnWhichTheyMeet() {
  writePlate(
      m_folder / "roof.vtk", 12,
      [](double i, double j) {
        return Vec3{i, j, 6 - std::abs(i - 6)};
      },
      [](Vec3 p) {
        return Vec3{p.x < 6 ? 1.0 : p.x > 6 ? -1.0 : 0.0, 0.5, 1};
      });
  const RunResult result = run(R"("source":"roof.vtk")",
                               oil(R"({"type":"grid-surface"})",
                                   R"("vector":"shear","direction":"forward","count":60,"maxLength":100)"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = made();
  std::size_t onRidge = 0;
  for (const auto& line : linesOf(file)) {
    const Vec3 end = pointOf(file, line.back());
    QVERIFY2(std::abs(end.y - 12) < 1e-9, std::to_string(end.y).c_str());
    onRidge += std::abs(end.x - 6) < 1e-6;
  }
  QVERIFY2(onRidge > 0, std::to_string(onRidge).c_str());
}

void TestSurfaceLines::goAlongWhereTheVectorComesTogether_data() {
  QTest::addColumn<bool>("onFaces");
  QTest::addColumn<double>("along");
  for (const bool onFaces : {false, true})
    for (const double along : {0.0, 1e-9, 0.002, 0.2})
      QTest::addRow("%s, %g along it", onFaces ? "faces" : "sheet", along) << onFaces << along;
}

/// Between nodes, from both sides and stiffly: as wall shear at a separation. Lines went to and fro there for all steps that they may have.
void TestSurfaceLines::goAlongWhereTheVectorComesTogether() {
  QFETCH(bool, onFaces);
  QFETCH(double, along);
  constexpr double kMiddle = 3.06, kCell = 0.1, kFar = 2 * M_PI;
  writePlate(
      m_folder / "meet.vtk", 63,
      [](double i, double j) {
        return Vec3{kCell * i, kCell * j, 0};
      },
      [&](Vec3 p) {
        return Vec3{kMiddle - p.x, along, 0};
      });
  char shear[80];
  std::snprintf(shear, sizeof shear, R"(,"options":{"function.shear":"%g-x, %g, 0*x"})", kMiddle, along);
  const std::string keys = R"("vector":"shear","direction":"forward","count":40,"maxLength":100)";
  const RunResult result =
      onFaces ? run(R"("source":"meet.vtk")", oil(R"({"type":"grid-surface"})", keys))
              : run(kVortices + shear, oil(R"({"type":"grid-surface","range":{"k":5}})", keys));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = made();
  const auto lines = linesOf(file);
  QVERIFY(lines.size() >= 30);
  const std::vector<double>& lengths = file.array("PointData", "length").values;
  const std::vector<double>& reasons = file.array("CellData", "termination").values;
  const bool isStill = along < 1e-3;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const auto& line = lines[n];
    const Vec3 end = pointOf(file, line.back());
    // at most a step beside it, and further only where it has not come there
    QVERIFY2(std::abs(end.x - kMiddle) < kCell / 2 || (!isStill && along > 0.1),
             std::to_string(end.x).c_str());
    QCOMPARE(reasons[n], isStill ? 5.0 : 1.0);
    if (!isStill) QVERIFY2(end.y > kFar - kCell, std::to_string(end.y).c_str());
    QVERIFY2(lengths[line.back()] < 2 * kFar, std::to_string(lengths[line.back()]).c_str());
    QVERIFY2(line.size() < 8000, std::to_string(line.size()).c_str());
    double towards = 0;
    for (std::size_t k = 1; k < line.size(); ++k)
      towards += std::abs(pointOf(file, line[k]).x - pointOf(file, line[k - 1]).x);
    // hardly to and fro: a little where it comes over a side of faces
    const Vec3 start = pointOf(file, line.front());
    const double most = std::abs(start.x - kMiddle) + (onFaces ? 3 * kCell + 0.2 * (end.y - start.y) : kCell);
    QVERIFY2(towards < most, std::to_string(towards).c_str());
  }
}

/// As many at each step as there are to be, on its own cells, and a texture of these alone.
/// Of a start on a line of separation there is the half upstream of it alone, which the file has from its start on, as it has all of these;
/// read along, it goes with the flow as whole lines do.
void TestSurfaceLines::areReadAlongTheFlow() {
  const double middle = M_PI + 0.01;  // the first start lies less than a step before it
  char shear[80];
  std::snprintf(shear, sizeof shear, R"(,"options":{"function.shear":"%.12g-x, 0*x, 0*x"})", middle);
  const RunResult result = run(kVortices + shear, oil(R"({"type":"grid-surface","range":{"k":5}})",
                                                      R"("vector":"shear","count":20,"maxLength":100)"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = made();
  const std::vector<double>& seeds = file.array("CellData", "seed").values;
  const std::vector<double>& directions = file.array("CellData", "direction").values;
  QCOMPARE(std::count(seeds.begin(), seeds.end(), 0.0), std::ptrdiff_t{1});
  QCOMPARE(seeds[0], 0.0);
  QCOMPARE(directions[0], -1.0);
  const auto first = linesOf(file)[0];
  QVERIFY(std::abs(pointOf(file, first.front()).x - middle) <
          std::abs(pointOf(file, first.back()).x - middle));

  const RunResult read = runProgram(
      {"probe", "oil.json", "--along", "oil", "--function", "pressure", "--csv", "along.csv", "--quiet"},
      here());
  QVERIFY2(read.status == 0, read.errors.c_str());
  std::istringstream rows(fileContents(m_folder / "along.csv"));
  std::string row;
  std::getline(rows, row);
  QVERIFY2(row.starts_with("step,time,line,distance,x,"), row.c_str());
  std::map<int, std::vector<double>> away;
  while (std::getline(rows, row)) {
    double step = 0, time = 0, line = 0, distance = 0, x = 0;
    QCOMPARE(std::sscanf(row.c_str(), "%lf,%lf,%lf,%lf,%lf", &step, &time, &line, &distance, &x), 5);
    away[static_cast<int>(line)].push_back(std::abs(x - middle));
  }
  QCOMPARE(away.size(), std::size_t{20});
  for (const auto& [line, its] : away)
    QVERIFY2(std::is_sorted(its.rbegin(), its.rend()), std::to_string(line).c_str());
}

void TestSurfaceLines::eachStepHasItsOwnWhereCellsChange() {
  const std::vector<int> sides{2, 5, 3};
  writeGrowingCubes(m_folder.path(), "growing", sides);
  const std::string data = R"("source":"growing.pvd")",
                    keys = R"("vector":"shear","direction":"forward","count":60)";
  const std::string texture =
      R"({"name":"texture","type":"lic","on":{"type":"grid-surface"},"vector":"shear","resolution":64})";
  const RunResult result = run(data, oil(R"({"type":"grid-surface"})", keys) + ',' + texture);
  QVERIFY2(result.status == 0, result.errors.c_str());
  for (std::size_t step = 0; step < sides.size(); ++step) {
    const std::string number = "_000" + std::to_string(step) + ".vtp";
    const VtpFile lines(m_folder / "out" / ("oil" + number));
    QCOMPARE(lines.lineCount(), std::size_t{60});
    const VtpFile shaded(m_folder / "out" / ("texture" + number));
    QVERIFY(shaded.pointCount() > 100);
    for (const VtpFile* const file : {&lines, &shaded})
      for (std::size_t n = 0; n < file->pointCount(); ++n) {
        const Vec3 p = pointOf(*file, n);
        double nearest = 1e9;
        for (int axis = 0; axis < 3; ++axis)
          for (const int end : {0, sides[step]}) nearest = std::min(nearest, std::abs(p[axis] - end));
        QVERIFY2(nearest < 1e-5, std::to_string(nearest).c_str());
      }
  }
  // of one step's cells alone: none at the others
  const RunResult one = run(data, oil(R"({"type":"grid-surface","block":1})", keys));
  QVERIFY2(one.status == 0, one.errors.c_str());
  for (std::size_t step = 0; step < sides.size(); ++step)
    QCOMPARE(VtpFile(m_folder / "out" / ("oil_000" + std::to_string(step) + ".vtp")).lineCount(),
             std::size_t{step == 1 ? 60u : 0u});
  writeFile(m_folder / "same.json", sessionText(data, oil(R"({"type":"grid-surface"})", keys)));
  const RunResult same = runProgram({"verify", "same.json", "--memory", "64M", "--processors", "2"}, here());
  QVERIFY2(same.status == 0, (same.out + same.errors).c_str());
}

void TestSurfaceLines::onFacesAreTheSameHoweverTheyAreComputed() {
  writeSphere(m_folder / "sphere.vtk", 3);
  writeCube(m_folder / "cube.vtk");
  for (const char* const name : {"sphere", "cube"}) {
    writeFile(m_folder / "same.json",
              sessionText(R"("source":")" + std::string(name) + R"(.vtk")",
                          oil(R"({"type":"grid-surface"})",
                              R"("vector":"shear","count":60,"spacing":0.1,"maxLength":4)")));
    const RunResult result =
        runProgram({"verify", "same.json", "--memory", "64M", "--processors", "2"}, here());
    QVERIFY2(result.status == 0, (result.out + result.errors).c_str());
  }
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
