// Data of one plane: whichever index it is one node thick along, and whichever coordinate, the lines are the same, to the last bit.

#include <QTest>

#include <array>
#include <cmath>
#include <sstream>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr int kAlong = 27, kAcross = 19;  // nodes: some groups of cells each way

/// (a, b) in the plane, as x, y, z where the plane is thin along `flat`.
std::array<double, 3> inSpace(double a, double b, int flat) {
  return flat == 0 ? std::array{0.0, a, b} : flat == 1 ? std::array{a, 0.0, b} : std::array{a, b, 0.0};
}

std::string text(const std::array<double, 3>& numbers) {
  std::ostringstream out;
  out.precision(17);
  out << numbers[0] << ' ' << numbers[1] << ' ' << numbers[2];
  return out.str();
}

/// A vortex in a legacy file of VTK.
std::string fileOf(const std::string& kind, int flat) {
  std::ostringstream out;
  out.precision(17);
  const auto dims = inSpace(kAlong, kAcross, flat);
  out << "# vtk DataFile Version 3.0\nplane\nASCII\nDATASET "
      << (kind == "curved"    ? "STRUCTURED_GRID"
          : kind == "regular" ? "STRUCTURED_POINTS"
                              : "RECTILINEAR_GRID")
      << "\nDIMENSIONS";
  for (int a = 0; a < 3; ++a) out << ' ' << (a == flat ? 1 : int(dims[std::size_t(a)]));
  const auto placeOf = [&](int i, int j) {
    const double a = 0.1 * i, b = 0.125 * j;
    if (kind == "curved") return std::array{a + 0.05 * std::sin(3 * b), b + 0.04 * std::cos(2 * a)};
    return kind == "regular" ? std::array{a, b} : std::array{a * a, b};
  };
  std::ostringstream points, vectors;
  for (int j = 0; j < kAcross; ++j)
    for (int i = 0; i < kAlong; ++i) {
      const auto [a, b] = placeOf(i, j);
      points << text(inSpace(a, b, flat)) << '\n';
      vectors << text(inSpace(1 - b, a - 1.25 + 0.1 * b, flat)) << '\n';
    }
  if (kind == "curved") {
    out << "\nPOINTS " << kAlong * kAcross << " double\n" << points.str();
  } else if (kind == "regular") {
    out << "\nORIGIN 0 0 0\nSPACING";
    for (int a = 0; a < 3; ++a) out << ' ' << (a == flat ? 0.2 : inSpace(0.1, 0.125, flat)[std::size_t(a)]);
  } else {
    for (int a = 0; a < 3; ++a) {
      out << '\n'
          << "XYZ"[a] << "_COORDINATES " << (a == flat ? 1 : int(dims[std::size_t(a)])) << " double\n";
      const bool isFirst = a == (flat == 0 ? 1 : 0);
      for (int n = 0; n < (a == flat ? 1 : int(dims[std::size_t(a)])); ++n)
        out << (a == flat ? 0 : isFirst ? placeOf(n, 0)[0] : placeOf(0, n)[1]) << ' ';
    }
  }
  out << "\nPOINT_DATA " << kAlong * kAcross << "\nVECTORS v double\n" << vectors.str();
  return out.str();
}

}  // namespace

class TestPlanes : public QObject {
  Q_OBJECT
 private slots:
  void linesAreTheSameAlongEveryAxis_data();
  void linesAreTheSameAlongEveryAxis();
  void cellsAreCountedAndFound();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  using Lines = std::vector<std::vector<std::array<double, 2>>>;
  /// By (a, b) in the plane.
  Lines linesOf(const std::string& source, const std::string& method, int flat);
  TemporaryFolder m_folder;
};

TestPlanes::Lines TestPlanes::linesOf(const std::string& source, const std::string& method, int flat) {
  std::string seeds;
  for (const auto& [a, b] : {std::array{0.6, 0.5}, {1.2, 1.1}, {1.93, 0.31}, {0.31, 1.9}, {9.0, 1.0}})
    seeds += (seeds.empty() ? "[" : ",[") +
             QString::fromStdString(text(inSpace(a, b, flat))).replace(' ', ',').toStdString() + "]";
  writeFile(
      m_folder / "lines.json",
      sessionText(R"("source":")" + source + "\"",
                  R"({"name":"lines","type":"streamlines","vector":"v","seeds":{"type":"points","points":[)" +
                      seeds + R"(]},"integrator":{"method":")" + method + R"(","maxLength":20}})"));
  const RunResult run = runProgram({"batchvis", "lines.json", "-o", "out", "--overwrite"}, here());
  if (run.status != 0) qWarning("%s", run.errors.c_str());
  Lines all;
  if (run.status != 0) return all;
  for (const VtpLine& line : VtpFile(m_folder / "out/lines.vtp").lines("v")) {
    all.emplace_back();
    for (const Vec3& point : line.points)
      all.back().push_back({flat == 0 ? point.y : point.x, flat == 2 ? point.y : point.z});
  }
  return all;
}

void TestPlanes::linesAreTheSameAlongEveryAxis_data() {
  QTest::addColumn<std::string>("kind");
  QTest::addColumn<std::string>("method");
  for (const char* const kind : {"curved", "regular", "rectilinear"})
    for (const char* const method : {"dopri5", "rk4"})
      QTest::addRow("%s, %s", kind, method) << std::string(kind) << std::string(method);
}

void TestPlanes::linesAreTheSameAlongEveryAxis() {
  QFETCH(std::string, kind);
  QFETCH(std::string, method);
  writeFile(m_folder / "k.vtk", fileOf(kind, 2));
  const auto wanted = linesOf("k.vtk", method, 2);
  QCOMPARE(wanted.size(), std::size_t{10});
  for (std::size_t n = 0; n < 8; ++n) QVERIFY(wanted[n].size() > 4);
  QCOMPARE(wanted[8].size(), std::size_t{1});  // outside
  for (const int flat : {0, 1}) {
    const std::string name = std::string(1, "ij"[flat]) + ".vtk";
    writeFile(m_folder / name, fileOf(kind, flat));
    QVERIFY2(linesOf(name, method, flat) == wanted, name.c_str());
    const RunResult stored =
        runProgram({"convert", name, "-o", "store.h5", "--page-edge", "8", "--overwrite", "--quiet"}, here());
    QVERIFY2(stored.status == 0, stored.errors.c_str());
    QVERIFY2(linesOf("store.h5", method, flat) == wanted, "store");
  }
}

void TestPlanes::cellsAreCountedAndFound() {
  for (const int flat : {0, 1, 2}) {
    writeFile(m_folder / "plane.vtk", fileOf("regular", flat));
    const RunResult info = runProgram({"info", "plane.vtk", "--json"}, here());
    QVERIFY2(info.out.find("\"cells\": " + std::to_string((kAlong - 1) * (kAcross - 1))) != std::string::npos,
             info.out.c_str());
    // Coordinates in the cell are by its block's axes.
    const auto at = text(inSpace(0.425, 0.375 + 0.125 * 0.75, flat));
    const RunResult probed =
        runProgram({"probe", "plane.vtk", "--function", "v", "--at",
                    QString::fromStdString(at).replace(' ', ',').toStdString(), "--json"},
                   here());
    QCOMPARE(probed.status, 0);
    QString said = QString::fromStdString(probed.out).simplified().remove(' ');
    const auto xi = inSpace(0.25, 0.75, flat);
    const auto begin = said.indexOf("\"xi\":[");
    QVERIFY2(begin > 0, qPrintable(said));
    const QStringList numbers = said.mid(begin + 6, said.indexOf(']', begin) - begin - 6).split(',');
    QCOMPARE(numbers.size(), 3);
    for (int a = 0; a < 3; ++a)
      QVERIFY2(std::abs(numbers[a].toDouble() - (a == flat ? 0.5 : xi[std::size_t(a)])) < 1e-9,
               qPrintable(said));
  }
}

QTEST_GUILESS_MAIN(TestPlanes)
#include "tst_planes.moc"
