// Known answers, through the whole program: flows whose lines are known exactly, converted to stores and
// traced, must give those lines up to the error of the field between its nodes, which falls with the square
// of the distance of nodes, and of the integrator, which falls with its own order.

#include <QTest>

#include <cmath>
#include <numbers>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/plot3d_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr double kPi = std::numbers::pi;

// --- the flows, as the documentation of the samples gives them

Vec3 taylorGreen(Vec3 p) {
  return {std::sin(p.x) * std::cos(p.y), -std::cos(p.x) * std::sin(p.y), 0};
}
double taylorGreenStream(Vec3 p) {
  return std::sin(p.x) * std::sin(p.y);
}
Vec3 abc(Vec3 p) {
  const double a = std::sqrt(3.0), b = std::sqrt(2.0), c = 1;
  return {a * std::sin(p.z) + c * std::cos(p.y), b * std::sin(p.x) + a * std::cos(p.z),
          c * std::sin(p.y) + b * std::cos(p.x)};
}
double cylinderStream(Vec3 p) {
  return p.y * (1 - 1 / (p.x * p.x + p.y * p.y));
}

/// Where the exact flow takes `p` in `time`: classical Runge-Kutta with steps far below all that is measured.
Vec3 carried(Vec3 (*flow)(Vec3), Vec3 p, double time) {
  constexpr int kSteps = 2000;
  const double h = time / kSteps;
  for (int n = 0; n < kSteps; ++n) {
    const Vec3 k1 = flow(p), k2 = flow(p + h / 2 * k1), k3 = flow(p + h / 2 * k2), k4 = flow(p + h * k3);
    p = p + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return p;
}

/// The vertex or point between vertices where x is `x`, by cubic Hermite interpolation.
Vec3 crossing(const VtpLine& line, double x) {
  std::size_t k = 0;
  while (k + 2 < line.points.size() && line.points[k + 1].x < x) ++k;
  const double h = line.times[k + 1] - line.times[k];
  const auto at = [&](double s) {
    return (1 + 2 * s) * (1 - s) * (1 - s) * line.points[k] + s * (1 - s) * (1 - s) * h * line.vectors[k] +
           s * s * (3 - 2 * s) * line.points[k + 1] + s * s * (s - 1) * h * line.vectors[k + 1];
  };
  double low = 0, high = 1;
  for (int n = 0; n < 60; ++n) (at((low + high) / 2).x < x ? low : high) = (low + high) / 2;
  return at(low);
}

std::string pointsText(const std::vector<Vec3>& points) {
  std::string text;
  for (const Vec3& p : points) {
    char one[100];
    std::snprintf(one, sizeof one, "%s[%.17g,%.17g,%.17g]", text.empty() ? "" : ",", p.x, p.y, p.z);
    text += one;
  }
  return text;
}

/// Scattered through the middle of [0, 2 pi]³, always the same.
std::vector<Vec3> scattered(int count, double low, double high) {
  std::vector<Vec3> points;
  std::uint32_t state = 12345;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return low + (high - low) * (state >> 8) / double(1 << 24);
  };
  for (int n = 0; n < count; ++n) {
    const double x = next(), y = next(), z = next();
    points.push_back({x, y, z});
  }
  return points;
}

}  // namespace

class TestExact : public QObject {
  Q_OBJECT
 private slots:
  void taylorGreenLinesKeepTheStreamFunction();
  void valuesBetweenNodes_data();
  void valuesBetweenNodes();
  void chaoticLinesGoWhereTheFlowGoes();
  void linesRoundTheCylinder();
  void linesAreSymmetricAboutTheCylinder();
  void rotationIsExact_data();
  void rotationIsExact();
  void integratorsConvergeOnOneGrid();

 private:
  /// Converts `source` (with what follows it) into a store of small pages and traces lines from `seeds`.
  std::vector<VtpLine> trace(const std::vector<std::string>& source, const std::vector<Vec3>& seeds,
                             const std::string& integrator, const std::string& direction = "forward");
  /// Traces in the store that trace() made last.
  std::vector<VtpLine> traceAgain(const std::vector<Vec3>& seeds, const std::string& integrator,
                                  const std::string& direction = "forward");
  TemporaryFolder m_folder;
};

std::vector<VtpLine> TestExact::trace(const std::vector<std::string>& source, const std::vector<Vec3>& seeds,
                                      const std::string& integrator, const std::string& direction) {
  std::vector<std::string> arguments{"convert", "-o",          "store.h5", "--overwrite",
                                     "--quiet", "--page-edge", "8"};
  arguments.insert(arguments.end(), source.begin(), source.end());
  const RunResult made = runProgram(arguments, {.folder = m_folder.path()});
  if (made.status != 0) throw std::runtime_error("convert: " + made.errors);
  return traceAgain(seeds, integrator, direction);
}

std::vector<VtpLine> TestExact::traceAgain(const std::vector<Vec3>& seeds, const std::string& integrator,
                                           const std::string& direction) {
  writeFile(m_folder / "session.json",
            sessionText(R"("source":"store.h5")", R"({"name":"lines","type":"streamlines","direction":")" +
                                                      direction + R"(","seeds":{"type":"points","points":[)" +
                                                      pointsText(seeds) + R"(]},"integrator":{)" +
                                                      integrator + "}}"));
  const RunResult run = runProgram({"batchvis", "session.json", "-o", "out", "--quiet", "--memory", "2M"},
                                   {.folder = m_folder.path()});
  if (run.status != 0) throw std::runtime_error("batchvis: " + run.errors);
  return VtpFile(m_folder / "out" / "lines.vtp").lines();
}

void TestExact::taylorGreenLinesKeepTheStreamFunction() {
  const auto seeds = scattered(24, 0.6, 5.6);
  double before = 0;
  for (const int n : {17, 33, 65}) {
    const double h = 2 * kPi / (n - 1);
    const auto lines =
        trace({"sample://taylor-green?type=f64&size=" + std::to_string(n) + "," + std::to_string(n) + ",3"},
              seeds, R"("tolerance":1e-10,"maxTime":8)", "both");
    QCOMPARE(lines.size(), 2 * seeds.size());
    double worst = 0;
    for (const VtpLine& line : lines) {
      QCOMPARE(line.termination, std::string("max-time"));
      QVERIFY(line.points.front() == seeds[static_cast<std::size_t>(line.seed)]);
      for (std::size_t v = 0; v < line.points.size(); ++v) {
        const double drift = std::abs(taylorGreenStream(line.points[v]) - taylorGreenStream(line.points[0]));
        // The stream function's gradient is at most 1 long, and the field differs from the exact one by h²/4
        // per component at most.
        const double bound = std::abs(line.times[v]) * std::sqrt(2.0) * h * h / 4 + 1e-8;
        QVERIFY2(drift <= bound, qPrintable(QString("%1 > %2 on %3 nodes").arg(drift).arg(bound).arg(n)));
        worst = std::max(worst, drift);
        // A plane flow stays in its plane.
        QVERIFY(std::abs(line.points[v].z - line.points[0].z) < 1e-13);
      }
    }
    if (before > 0) QVERIFY2(worst < before / 3.5, qPrintable(QString("%1 after %2").arg(worst).arg(before)));
    before = worst;
  }
}

void TestExact::valuesBetweenNodes_data() {
  QTest::addColumn<std::string>("name");
  QTest::addColumn<double>("curvature");
  // Largest sum over the axes of second derivatives of a component: trilinear interpolation errs by h²/8 of
  // it.
  QTest::newRow("taylor-green") << std::string("taylor-green") << 2.0;
  QTest::newRow("abc") << std::string("abc") << std::sqrt(3.0) + std::sqrt(2.0);
}

void TestExact::valuesBetweenNodes() {
  QFETCH(std::string, name);
  QFETCH(double, curvature);
  const auto seeds = scattered(20, 1, 5);
  for (const int n : {17, 41}) {
    const double bound = std::pow(2 * kPi / (n - 1), 2) / 8 * curvature;
    const auto lines = trace({"sample://" + name + "?type=f64&size=" + std::to_string(n)}, seeds,
                             R"("tolerance":1e-6,"maxLength":6)", "both");
    double worst = 0;
    for (const VtpLine& line : lines) {
      for (std::size_t v = 0; v < line.points.size(); ++v) {
        const Vec3 exact = name == "abc" ? abc(line.points[v]) : taylorGreen(line.points[v]);
        for (int a = 0; a < 3; ++a) worst = std::max(worst, std::abs(line.vectors[v][a] - exact[a]));
      }
    }
    QVERIFY2(worst <= bound * (1 + 1e-9), qPrintable(QString("%1 > %2").arg(worst).arg(bound)));
    QVERIFY2(worst > bound / 4, "so small an error means that the field was not interpolated");
  }
}

void TestExact::chaoticLinesGoWhereTheFlowGoes() {
  const auto seeds = scattered(24, 2.2, 4.1);
  double before = 0;
  for (const int n : {17, 33, 65}) {
    const auto lines = trace({"sample://abc?type=f64&size=" + std::to_string(n)}, seeds,
                             R"("tolerance":1e-10,"maxTime":0.8)", "both");
    double worst = 0;
    int counted = 0;
    for (const VtpLine& line : lines) {
      if (line.termination != "max-time") continue;
      ++counted;
      const Vec3 exact = carried(abc, line.points.front(), 0.8 * line.direction);
      worst = std::max(worst, length(line.points.back() - exact));
      QVERIFY(std::abs(line.times.back() - 0.8 * line.direction) < 1e-15);
    }
    QVERIFY(counted >= 30);
    if (before > 0) {
      // Second order: a quarter.
      const double ratio = before / worst;
      QVERIFY2(ratio > 3.3 && ratio < 4.8, qPrintable(QString("ratio %1, error %2").arg(ratio).arg(worst)));
    }
    before = worst;
  }
  QVERIFY(before < 0.02);
}

void TestExact::linesRoundTheCylinder() {
  std::vector<Vec3> seeds;
  for (const double y : {0.001, 0.05, 0.2, 0.5, 1.0, 1.7, 2.5})
    for (const double side : {1.0, -1.0}) seeds.push_back({-5, side * y, 1.3});
  double before = 0;
  for (const int cells : {16, 32, 64}) {
    // Four blocks with two cells of overlap each.
    const auto lines = trace({"sample://cylinder?type=f64&blocks=4&size=" + std::to_string(cells + 3) + "," +
                              std::to_string(3 * cells / 4 + 1) + ",5"},
                             seeds, R"("tolerance":1e-9,"maxLength":10.6)");
    QCOMPARE(lines.size(), seeds.size());
    double worst = 0;
    for (const VtpLine& line : lines) {
      QVERIFY2(line.termination == "max-length" || cells == 16, line.termination.c_str());
      for (const Vec3& p : line.points) {
        worst = std::max(worst, std::abs(cylinderStream(p) - cylinderStream(line.points.front())));
        // The wall of the grid is a polygon whose corners lie on the cylinder.
        QVERIFY2(std::hypot(p.x, p.y) > std::cos(kPi / (4 * cells)) - 1e-9, "a line enters the cylinder");
      }
    }
    if (before > 0) {
      const double ratio = before / worst;
      QVERIFY2(ratio > 3.3 && ratio < 4.8, qPrintable(QString("ratio %1, error %2").arg(ratio).arg(worst)));
    }
    before = worst;
  }
  QVERIFY2(before < 1e-3, qPrintable(QString::number(before)));
}

void TestExact::linesAreSymmetricAboutTheCylinder() {
  // Nodes and flow are mirror images, across the axis and fore and aft, so the lines are too, whatever the
  // blocks that they pass.
  std::vector<Vec3> seeds;
  for (const double y : {0.2, 0.5, 1.0, 1.7, 2.5})
    for (const double side : {1.0, -1.0}) seeds.push_back({-5, side * y, 2.1});
  const auto lines = trace({"sample://cylinder?type=f64&blocks=4&size=35,25,5"}, seeds,
                           R"("tolerance":1e-10,"maxLength":10.6)");
  QCOMPARE(lines.size(), seeds.size());
  for (std::size_t n = 0; n < lines.size(); n += 2) {
    const Vec3 left = crossing(lines[n], 5), right = crossing(lines[n + 1], 5);
    QVERIFY2(std::abs(left.y + right.y) < 1e-6, qPrintable(QString::number(left.y + right.y)));
    QVERIFY2(std::abs(left.y - seeds[n].y) < 2e-6, qPrintable(QString::number(left.y - seeds[n].y)));
    QVERIFY(lines[n].points.back().x > 5 && lines[n + 1].points.back().x > 5);
  }
}

void TestExact::rotationIsExact_data() {
  QTest::addColumn<double>("bend");
  QTest::newRow("straight grid") << 0.0;
  QTest::newRow("bent grid") << 0.15;
}

void TestExact::rotationIsExact() {
  // A rotation like that of a solid body is linear, so trilinear interpolation gives it exactly in cells of
  // any shape, and what remains is the error of the integrator alone. Two blocks that share a layer of nodes.
  QFETCH(double, bend);
  std::vector<Plot3dBlock> blocks(2);
  constexpr std::int64_t kCells = 8, kLayers = 4;
  for (int b = 0; b < 2; ++b) {
    Plot3dBlock& block = blocks[static_cast<std::size_t>(b)];
    block.dims = {kCells + 1, 2 * kCells + 1, kLayers};
    const std::int64_t nodes = product(block.dims);
    block.xyz.resize(static_cast<std::size_t>(3 * nodes));
    block.q.resize(static_cast<std::size_t>(5 * nodes));
    for (std::int64_t n = 0; n < nodes; ++n) {
      const Index3 at = unlinear(n, block.dims);
      double x = 2.0 * static_cast<double>(at[0]) / kCells - (b == 0 ? 2 : 0);
      double y = 2.0 * static_cast<double>(at[1]) / kCells - 2;
      double z = static_cast<double>(at[2]) / (kLayers - 1);
      const double wave = std::sin(kPi * x / 2);
      const double dx = bend * wave * std::sin(kPi * y / 2), dz = 0.3 * bend * std::sin(kPi * z) * wave;
      x += dx;
      y += dx;
      z += dz;
      const double values[] = {x, y, z}, flow[] = {1, -y, x, 0, 2.5 + 0.5 * (x * x + y * y)};
      for (int v = 0; v < 3; ++v) block.xyz[static_cast<std::size_t>(v * nodes + n)] = values[v];
      for (int v = 0; v < 5; ++v) block.q[static_cast<std::size_t>(v * nodes + n)] = flow[v];
    }
  }
  writePlot3d(m_folder / "r.xyz", m_folder / "r.q", blocks, {.f64 = true});
  const std::vector<Vec3> seeds{
      {0.3, 0.01, 0.4}, {0.7, 0.01, 0.4}, {1.1, 0.01, 0.4}, {1.5, 0.01, 0.4}, {1.85, 0.01, 0.4}};
  char twice[60];
  std::snprintf(twice, sizeof twice, R"(,"maxTime":%.17g)", 4 * kPi);
  trace({"r.xyz", "--solution", "r.q"}, seeds, R"("maxTime":1)");
  /// Distance from the seed after two turns, at most.
  const auto gap = [&](const std::string& integrator) {
    double worst = 0;
    for (const VtpLine& line : traceAgain(seeds, integrator + twice)) {
      if (line.termination != "max-time") return -1.0;
      worst = std::max(worst, length(line.points.back() - line.points.front()));
    }
    return worst;
  };
  double before = 0;
  for (const char* const step : {"0.4", "0.2", "0.1", "0.05"}) {
    const double error = gap(std::string(R"("method":"rk4","step":)") + step);
    QVERIFY(error >= 0);
    if (before > 0) {
      // Fourth order: a sixteenth.
      const double ratio = before / error;
      QVERIFY2(ratio > 14 && ratio < 18,
               qPrintable(QString("rk4 %1: ratio %2, error %3").arg(step).arg(ratio).arg(error)));
    }
    before = error;
  }
  before = 0;
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const double error = gap("\"tolerance\":" + std::to_string(tolerance * 1e12) + "e-12");
    QVERIFY(error >= 0);
    // The error of a step is below the tolerance, and steps of fifth order grow as the fifth root of it. Two
    // turns are some hundred steps.
    QVERIFY2(error < 10 * tolerance, qPrintable(QString("dopri5 %1: %2").arg(tolerance).arg(error)));
    if (before > 0)
      QVERIFY2(before / error > 60,
               qPrintable(QString("dopri5 %1: ratio %2").arg(tolerance).arg(before / error)));
    before = error;
  }
}

void TestExact::integratorsConvergeOnOneGrid() {
  // The field has kinks at the faces of cells, which limit a fixed step to second order; whatever the step,
  // the limit is the same line: that of this grid.
  const auto seeds = scattered(16, 0.8, 5.4);
  const std::string time = R"("maxTime":8,)";
  const auto limit =
      trace({"sample://taylor-green?type=f64&size=33,33,3"}, seeds, time + R"("tolerance":1e-12)", "both");
  const auto difference = [&](const std::string& integrator) {
    const auto lines = traceAgain(seeds, time + integrator, "both");
    double worst = lines.size() == limit.size() ? 0 : HUGE_VAL;
    for (std::size_t n = 0; n < lines.size(); ++n)
      worst = std::max(worst, length(lines[n].points.back() - limit[n].points.back()));
    return worst;
  };
  const double coarse = difference(R"("method":"rk4","step":0.4)");
  const double fine = difference(R"("method":"rk4","step":0.025)");
  QVERIFY2(coarse < 1e-2 && fine < coarse / 100,
           qPrintable(QString("rk4: %1, then %2").arg(coarse).arg(fine)));
  double before = difference(R"("tolerance":1e-4)");
  for (const char* const tolerance : {"1e-6", "1e-8", "1e-10"}) {
    const double error = difference(std::string(R"("tolerance":)") + tolerance);
    QVERIFY2(error < 300 * std::stod(tolerance) && error < before / 4,
             qPrintable(QString("dopri5 %1: %2 after %3").arg(tolerance).arg(error).arg(before)));
    before = error;
  }
}

QTEST_GUILESS_MAIN(TestExact)
#include "tst_exact.moc"
