// Isosurfaces through the built program: the same surface that VTK makes, pages that are known are not read again, a
// surface of many times the budget, and what is said of wrong ones.

#include <QTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/pages_stay.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/support/vtp_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

std::string object(const std::string& by, const std::string& value, const std::string& more = {}) {
  return R"({"name":"iso","type":"isosurface","by":")" + by + R"(","value":)" + value + more + "}";
}

double areaOf(const VtpFile& file) {
  const std::vector<Vec3> points = file.points();
  const std::vector<double>& nodes = file.array("Polys", "connectivity").values;
  double area = 0;
  for (std::size_t n = 0; n + 2 < nodes.size(); n += 3) {
    const Vec3 a = points.at(static_cast<std::size_t>(nodes[n])),
               b = points.at(static_cast<std::size_t>(nodes[n + 1])),
               c = points.at(static_cast<std::size_t>(nodes[n + 2]));
    area += 0.5 * length(cross(b - a, c - a));
  }
  return area;
}

}  // namespace

class TestIsosurfaces : public QObject {
  Q_OBJECT
 private slots:
  void areasAreThoseOfVtk_data();
  void areasAreThoseOfVtk();
  void whatIsKnownIsNotReadAgain();
  void whatIsSmallReadsLittle();
  void rowsOfFilesAreLookedThroughOnce();
  void functionsOfSeveralNumbersReadWhatIsCut_data();
  void functionsOfSeveralNumbersReadWhatIsCut();
  void unstructuredBlocksReadWhatIsCut();
  void surfacesLargerThanTheBudget();
  void severalValues();
  void whatCannotBeIsRefused();

 private:
  RunSettings here() const {
    return {.folder = m_folder.path(),
            .environment = {{"FARFIELD_CACHE_DIR", (m_folder / "kept").string()}},
            .timeoutMs = 240'000};
  }
  RunResult run(const std::string& data, const std::string& objects, const Words& more = {}) {
    writeFile(m_folder / "iso.json", sessionText(data, objects));
    std::filesystem::remove_all(m_folder / "out");
    Words words{"batchvis", "iso.json", "-o", "out", "--stats", "stats.json", "--overwrite", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words, here());
  }
  QJsonObject stats() const {
    return QJsonDocument::fromJson(QByteArray::fromStdString(fileContents(m_folder / "stats.json"))).object();
  }
  VtpFile surface() const { return VtpFile(m_folder / "out" / "iso.vtp"); }
  TemporaryFolder m_folder;
};

void TestIsosurfaces::areasAreThoseOfVtk_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<std::string>("file");
  QTest::addColumn<std::string>("variable");
  QTest::newRow("engine") << "engine" << std::string("engine.vti") << std::string("ImageFile");
  QTest::newRow("ironProt") << "ironProt" << std::string("ironProt.vtk") << std::string("scalars");
  QTest::newRow("vase") << "vase" << std::string("vase.vti") << std::string("SLCImage");
}

void TestIsosurfaces::areasAreThoseOfVtk() {
  QFETCH(QString, name);
  QFETCH(std::string, file);
  QFETCH(std::string, variable);
  const std::string reference = "refs/" + name.toStdString() + ".volume.json";
  NEEDS_DATA(reference);
  const QJsonArray wanted =
      QJsonDocument::fromJson(QByteArray::fromStdString(fileContents(dataPath(reference))))
          .object()["iso"]
          .toArray();
  QVERIFY(!wanted.isEmpty());
  for (const QJsonValue& each : wanted) {
    const QJsonObject its = each.toObject()["marching_cubes"].toObject();
    const RunResult result =
        run(R"("source":")" + dataPath("data/scalar/" + file).string() + "\"",
            object(variable, QByteArray::number(each.toObject()["value"].toDouble()).toStdString()));
    QVERIFY2(result.status == 0, result.errors.c_str());
    const VtpFile made = surface();
    QCOMPARE(static_cast<double>(made.polyCount()), its["triangles"].toDouble());
    const double area = its["area"].toDouble();
    QVERIFY2(std::abs(areaOf(made) - area) < 1e-6 * area,
             qPrintable(QString::number(areaOf(made) / area - 1)));
  }
}

void TestIsosurfaces::whatIsKnownIsNotReadAgain() {
  const RunResult made = runProgram(
      {"sample", "abc", "--size", "97,97,97", "--format", "plot3d", "-o", "flow", "--quiet"}, here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  const std::string data = R"("source":"flow.xyz","solution":"flow.q")";
  // It goes up to 2 along a few lines.
  double read[2] = {0, 0};
  for (const int n : {0, 1}) {
    const RunResult result = run(data, object("velocity-x", n == 0 ? "1.94" : "1.95"));
    QVERIFY2(result.status == 0, result.errors.c_str());
    QVERIFY(surface().polyCount() > 100);
    read[n] = stats()["paging"].toObject()["bytesRead"].toDouble();
  }
  if (!kPagesStay) QSKIP("this build reads pages again each time");
  QVERIFY2(read[1] < 0.4 * read[0], qPrintable(QString("%1 of %2").arg(read[1]).arg(read[0])));
  const std::string known = fileContents(m_folder / "out" / "iso.vtp");
  std::filesystem::remove_all(m_folder / "kept");
  QVERIFY(run(data, object("velocity-x", "1.95")).status == 0);
  QVERIFY(fileContents(m_folder / "out" / "iso.vtp") == known);
}

void TestIsosurfaces::whatIsSmallReadsLittle() {
  const RunResult made = runProgram(
      {"convert", "sample://abc?size=129", "-o", "large.h5", "--page-edge", "8", "--quiet"}, here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  // Small balls around the points at which the flow stands still.
  const RunResult result =
      run(R"("source":"large.h5")", object("velocity-magnitude", "0.15"), {"--scheduler", "serial"});
  QVERIFY2(result.status == 0, result.errors.c_str());
  QVERIFY(surface().polyCount() > 500);
  if (!kPagesStay) QSKIP("this build reads pages again each time");
  // besides the index, which says which they are
  const int pages = 17 * 17 * 17, read = stats()["paging"].toObject()["misses"].toInt();
  QVERIFY2(read > 0 && read < pages / 50, qPrintable(QString("%1 of %2").arg(read).arg(pages)));
}

void TestIsosurfaces::rowsOfFilesAreLookedThroughOnce() {
  // a ball in plain numbers; rows have some that are none
  const std::int64_t nodes = 129;
  std::vector<float> numbers;
  for (std::int64_t k = 0; k < nodes; ++k)
    for (std::int64_t j = 0; j < nodes; ++j)
      for (std::int64_t i = 0; i < nodes; ++i)
        numbers.push_back(
            i == 100 ? std::numeric_limits<float>::quiet_NaN()
                     : static_cast<float>((i - 31) * (i - 31) + (j - 70) * (j - 70) + (k - 50) * (k - 50)));
  const std::size_t bytes = numbers.size() * sizeof(float);
  writeFile(m_folder / "ball.raw", std::string(reinterpret_cast<const char*>(numbers.data()), bytes));
  const RunResult made = runProgram({"convert", "ball.raw", "-o", "ball.h5", "--quiet", "--reader", "raw",
                                     "--option", "dims=129,129,129", "--option", "type=f32"},
                                    here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  const std::string data =
      R"("source":"ball.raw","reader":"raw","options":{"dims":"129,129,129","type":"f32"})";
  bool isFirst = true;
  for (const char* const value : {"60.5", "70.25"}) {
    QVERIFY(run(R"("source":"ball.h5")", object("value", value)).status == 0);
    QVERIFY(surface().polyCount() > 500);
    const std::string wanted = fileContents(m_folder / "out" / "iso.vtp");
    const RunResult result = run(data, object("value", value));
    QVERIFY2(result.status == 0, result.errors.c_str());
    QVERIFY(fileContents(m_folder / "out" / "iso.vtp") == wanted);
    if (!kPagesStay) continue;
    // the first one looks through all, once, and reads pages with groups that are cut; the second these alone
    const double read = stats()["paging"].toObject()["bytesRead"].toDouble() / static_cast<double>(bytes);
    QVERIFY2(isFirst ? read > 1 && read < 1.4 : read > 0 && read < 0.3, qPrintable(QString::number(read)));
    isFirst = false;
  }
}

void TestIsosurfaces::functionsOfSeveralNumbersReadWhatIsCut_data() {
  QTest::addColumn<QString>("by");
  QTest::addColumn<QString>("first");
  QTest::addColumn<QString>("second");
  // small balls around the points at which the flow stands still
  QTest::newRow("derived") << "velocity-magnitude"
                           << "0.15"
                           << "0.16";
  QTest::newRow("expression") << "velocity-x*velocity-x+velocity-y*velocity-y+velocity-z*velocity-z"
                              << "0.0225"
                              << "0.0256";
  QTest::newRow("in proportion") << "2*velocity-x+1"
                                 << "4.9"
                                 << "4.92";
}

/// What each group of the numbers in files has between its least and its greatest tells what a function of them has.
void TestIsosurfaces::functionsOfSeveralNumbersReadWhatIsCut() {
  QFETCH(QString, by);
  QFETCH(QString, first);
  QFETCH(QString, second);
  const RunResult made = runProgram({"sample", "abc", "--size", "129,129,129", "--format", "plot3d", "-o",
                                     "rows", "--quiet", "--overwrite"},
                                    here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  const RunResult stored = runProgram(
      {"convert", "rows.xyz", "--solution", "rows.q", "-o", "rows.h5", "--quiet", "--overwrite"}, here());
  QVERIFY2(stored.status == 0, stored.errors.c_str());
  const double bytes = static_cast<double>(std::filesystem::file_size(m_folder / "rows.q"));
  std::filesystem::remove_all(m_folder / "kept");
  bool isFirst = true;
  for (const QString& value : {first, second}) {
    const std::string its = object(by.toStdString(), value.toStdString());
    QVERIFY(run(R"("source":"rows.h5")", its).status == 0);
    QVERIFY(surface().polyCount() > 300);
    const std::string wanted = fileContents(m_folder / "out" / "iso.vtp");
    const RunResult result = run(R"("source":"rows.xyz","solution":"rows.q")", its);
    QVERIFY2(result.status == 0, result.errors.c_str());
    QVERIFY(fileContents(m_folder / "out" / "iso.vtp") == wanted);
    const QJsonObject paging = stats()["paging"].toObject();
    const double read = paging["bytesRead"].toDouble() / bytes;
    // pages of these files have about 64 KB; the first one looks through the numbers without them
    const double pages = paging["misses"].toDouble() / (bytes / 65'536);
    qInfo("%s %s: %.3f of the numbers, pages %.3f", qPrintable(by), qPrintable(value), read, pages);
    if (kPagesStay) {
      QVERIFY2(pages > 0 && pages < 0.7, qPrintable(QString::number(pages)));
      QVERIFY2(isFirst ? read > 1 && read < 1.5 : read < 0.35, qPrintable(QString::number(read)));
    }
    isFirst = false;
  }
}

/// A cube of hexahedra as VTK's old format has it, with the squared distance from a node as `f`.
std::string cubeOfHexahedra(int nodes) {
  std::string points, cells, values;
  const auto put = [](std::string& to, auto number) {
    const auto* const bytes = reinterpret_cast<const char*>(&number);
    for (std::size_t n = sizeof number; n-- > 0;) to += bytes[n];  // big-endian
  };
  int cellCount = 0;
  for (int k = 0; k < nodes; ++k)
    for (int j = 0; j < nodes; ++j)
      for (int i = 0; i < nodes; ++i) {
        for (const int each : {i, j, k}) put(points, static_cast<float>(each));
        put(values, static_cast<float>((i - 12) * (i - 12) + (j - 30) * (j - 30) + (k - 20) * (k - 20)));
        if (i + 1 == nodes || j + 1 == nodes || k + 1 == nodes) continue;
        ++cellCount;
        put(cells, std::int32_t{8});
        const int low = i + nodes * (j + nodes * k), row = nodes, layer = nodes * nodes;
        for (const int to : {0, 1, 1 + row, row, layer, layer + 1, layer + 1 + row, layer + row})
          put(cells, static_cast<std::int32_t>(low + to));
      }
  std::string types;
  for (int n = 0; n < cellCount; ++n) put(types, std::int32_t{12});
  const std::string nodeCount = std::to_string(nodes * nodes * nodes), count = std::to_string(cellCount);
  return "# vtk DataFile Version 3.0\ncube\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS " + nodeCount +
         " float\n" + points + "\nCELLS " + count + " " + std::to_string(9 * cellCount) + "\n" + cells +
         "\nCELL_TYPES " + count + "\n" + types + "\nPOINT_DATA " + nodeCount +
         "\nSCALARS f float 1\nLOOKUP_TABLE default\n" + values + "\n";
}

void TestIsosurfaces::unstructuredBlocksReadWhatIsCut() {
  writeFile(m_folder / "cube.vtk", cubeOfHexahedra(49));
  const RunResult made = runProgram({"convert", "cube.vtk", "-o", "cube.h5", "--quiet"}, here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  double read[2] = {0, 0};
  for (const int n : {0, 1}) {
    const std::string ball = object("f", n == 0 ? "20.5" : "500.5");
    const RunResult whole = run(R"("source":"cube.vtk")", ball);  // of whose pages nothing is known
    QVERIFY2(whole.status == 0, whole.errors.c_str());
    const std::string wanted = fileContents(m_folder / "out" / "iso.vtp");
    QVERIFY(run(R"("source":"cube.h5")", ball, {"--scheduler", "serial"}).status == 0);
    QVERIFY(surface().polyCount() > 500);
    QVERIFY(fileContents(m_folder / "out" / "iso.vtp") == wanted);
    read[n] = stats()["paging"].toObject()["misses"].toDouble();
  }
  if (!kPagesStay) QSKIP("this build reads pages again each time");
  QVERIFY2(read[0] > 0 && read[0] < 0.7 * read[1], qPrintable(QString("%1 of %2").arg(read[0]).arg(read[1])));
}

void TestIsosurfaces::surfacesLargerThanTheBudget() {
  const RunResult made =
      runProgram({"convert", "sample://abc?size=97", "-o", "abc.h5", "--page-edge", "8", "--quiet"}, here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  const std::string rough =
      object("sin(40*velocity-x)*cos(35*velocity-y)", "0.1", R"(,"color":{"by":"velocity-z"})");
  const RunResult tight = run(R"("source":"abc.h5")", rough, {"--memory", "6M"});
  QVERIFY2(tight.status == 0, tight.errors.c_str());
  const QJsonObject paging = stats()["paging"].toObject();
  QVERIFY(paging["peakBytes"].toDouble() <= paging["budgetBytes"].toDouble());
  QVERIFY(std::filesystem::file_size(m_folder / "out" / "iso.vtp") > std::uint64_t{60} << 20);
#ifndef FARFIELD_SANITIZED  // sanitizers take memory of their own
  // The program itself, and what the system counts of files that it maps.
  QVERIFY2(tight.peakRssBytes < std::uint64_t{60} << 20,
           qPrintable(QString::number(tight.peakRssBytes >> 20)));
#endif
  std::filesystem::rename(m_folder / "out" / "iso.vtp", m_folder / "tight.vtp");
  QVERIFY(run(R"("source":"abc.h5")", rough, {"--memory", "1G"}).status == 0);
  QVERIFY(fileContents(m_folder / "out" / "iso.vtp") == fileContents(m_folder / "tight.vtp"));
}

void TestIsosurfaces::severalValues() {
  const RunResult result = run(R"("source":"sample://abc?size=33")",
                               object("velocity-magnitude", "[1, 2]", R"(,"color":{"by":"velocity-x"})"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file = surface();
  QVERIFY(file.has("PointData", "Normals") && file.has("PointData", "velocity-x"));
  const std::vector<double>& values = file.array("PointData", "value").values;
  QCOMPARE(values.size(), file.pointCount());
  QVERIFY(std::count(values.begin(), values.end(), 1.0) > 100);
  QVERIFY(std::count(values.begin(), values.end(), 2.0) > 100);
  QCOMPARE(std::count(values.begin(), values.end(), 1.0) + std::count(values.begin(), values.end(), 2.0),
           static_cast<std::ptrdiff_t>(values.size()));
  QVERIFY(run(R"("source":"sample://abc?size=33")", object("velocity-magnitude", "1")).status == 0);
  QVERIFY(!surface().has("PointData", "value"));
}

void TestIsosurfaces::whatCannotBeIsRefused() {
  const auto refused = [&](const std::string& its, const char* what) {
    const RunResult result = run(R"("source":"sample://abc?size=9")", its);
    QCOMPARE(result.status, 1);
    QCOMPARE(result.errorLines().size(), 1U);
    QVERIFY2(result.errors.find(what) != std::string::npos, result.errors.c_str());
    QVERIFY(namesIn(m_folder / "out").empty());
  };
  refused(object("velocity", "1"), "by: 'velocity' is a vector");
  refused(object("speed", "1"), "by: there is no function 'speed'");
  refused(object("velocity-x", "[]"), "value: has no value");
  refused(R"({"name":"iso","type":"isosurface","by":"velocity-x"})", "value: missing");
}

QTEST_GUILESS_MAIN(TestIsosurfaces)
#include "tst_isosurfaces.moc"
