// Slices through the built program: they read what lies near the plane and nothing else, are the same surface
// that VTK cuts, and say what is wrong.

#include <QTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <map>
#include <numbers>

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

std::string cutObject(const std::string& plane, const std::string& color = R"({"by":"velocity-magnitude"})") {
  return R"({"name":"cut","type":"slice",)" + plane + R"("color":)" + color + "}";
}

/// Of triangles, those counted that lie the wrong way up or have no area as less.
double areaOf(const VtpFile& file, Vec3 normal) {
  const std::vector<Vec3> points = file.points();
  const std::vector<double>& nodes = file.array("Polys", "connectivity").values;
  normal = 1 / length(normal) * normal;
  double area = 0;
  for (std::size_t n = 0; n + 2 < nodes.size(); n += 3) {
    const Vec3 a = points.at(static_cast<std::size_t>(nodes[n])),
               b = points.at(static_cast<std::size_t>(nodes[n + 1])),
               c = points.at(static_cast<std::size_t>(nodes[n + 2]));
    area += 0.5 * dot(normal, cross(b - a, c - a));
  }
  return area;
}

}  // namespace

class TestSlices : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void onlyWhatLiesNearIsRead_data();
  void onlyWhatLiesNearIsRead();
  void variablesOfFilesAreReadAlone();
  void severalPlanesAreOneObject();
  void indicesHaveValues();
  void previewsComeClose();
  void areasAreThoseOfVtk_data();
  void areasAreThoseOfVtk();
  void overlapsAreResolved_data();
  void overlapsAreResolved();
  void stepsDiffer();
  void whatIsEmptyIsSaid();
  void whatCannotBeCutIsRefused();
  void aTimeBudgetLeavesWhatIsThere();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  RunResult run(const std::string& data, const std::string& objects, const Words& more = {}) {
    writeFile(m_folder / "slices.json", sessionText(data, objects));
    std::filesystem::remove_all(m_folder / "out");
    Words words{"batchvis", "slices.json", "-o", "out"};
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words, here());
  }
  QJsonObject json(const std::string& name) const {
    return QJsonDocument::fromJson(QByteArray::fromStdString(fileContents(m_folder / name))).object();
  }
  TemporaryFolder m_folder;
};

void TestSlices::initTestCase() {
  for (const Words& words :
       {Words{"convert", "sample://abc?size=97", "-o", "regular.h5", "--page-edge", "8", "--quiet"},
        Words{"convert", "sample://abc?size=97&curvilinear=true", "-o", "curvilinear.h5", "--page-edge", "8",
              "--quiet"}}) {
    const RunResult made = runProgram(words, here());
    QVERIFY2(made.status == 0, made.errors.c_str());
  }
}

void TestSlices::onlyWhatLiesNearIsRead_data() {
  QTest::addColumn<std::string>("data");
  QTest::addColumn<double>("most");
  // 13 layers of pages, of which the plane meets one. Coordinates are read of the groups of cells that it
  // meets, whose last nodes lie in the next layer; boxes are a few thousandths.
  QTest::newRow("regular") << std::string("regular.h5") << 1.1 / 13;
  QTest::newRow("curvilinear") << std::string("curvilinear.h5") << 2.2 / 13;
}

void TestSlices::onlyWhatLiesNearIsRead() {
  QFETCH(std::string, data);
  QFETCH(double, most);
  for (const auto& [normal, direction] :
       {std::pair{"[0,0,1]", Vec3{0, 0, 1}}, {"[0,-1,0]", {0, -1, 0}}, {"[1,0,0]", {1, 0, 0}}}) {
    const RunResult result = run(R"("source":")" + data + "\"",
                                 cutObject(R"("origin":[2.5,2.5,2.5],"normal":)" + std::string(normal) + ","),
                                 {"--stats", "stats.json", "--quiet"});
    QVERIFY2(result.status == 0, result.errors.c_str());
    const QJsonObject stats = json("stats.json");
    const VtpFile file(m_folder / "out" / "cut.vtp");
    QCOMPARE(stats["objects"].toArray()[0].toObject()["count"].toDouble(),
             static_cast<double>(file.polyCount()));
    const double side = 2 * std::numbers::pi;
    QVERIFY(std::abs(areaOf(file, direction) - side * side) < 1e-5);  // as float32 has the sides
    const double whole = static_cast<double>(std::filesystem::file_size(m_folder / data));
    const double read = stats["paging"].toObject()["bytesRead"].toDouble();
    if (kPagesStay) QVERIFY2(read > 0 && read < most * whole, qPrintable(QString::number(read / whole)));
  }
}

/// PLOT3D has all numbers of one variable, and then those of the next. Who shows one reads one.
void TestSlices::variablesOfFilesAreReadAlone() {
  const RunResult made = runProgram(
      {"sample", "abc", "--size", "97,97,97", "--format", "plot3d", "-o", "flow", "--quiet"}, here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  const RunResult stored =
      runProgram({"convert", "flow.xyz", "--solution", "flow.q", "-o", "flow.h5", "--quiet"}, here());
  QVERIFY2(stored.status == 0, stored.errors.c_str());
  const std::string inPlace = R"("source":"flow.xyz","solution":"flow.q")";
  // a plane aslant, coloured by no function, by one variable, and by what all five are needed for
  std::map<std::string, double> read;
  for (const std::string by : {"", "energy", "pressure"}) {
    const std::string object = R"({"name":"cut","type":"slice","origin":[2.5,2.5,2.5],"normal":[1,0.4,0.7])" +
                               (by.empty() ? "}" : R"(,"color":{"by":")" + by + "\"}}");
    QVERIFY(run(R"("source":"flow.h5")", object, {"--quiet"}).status == 0);
    const std::string wanted = fileContents(m_folder / "out" / "cut.vtp");
    const RunResult result = run(inPlace, object, {"--stats", "stats.json", "--quiet"});
    QVERIFY2(result.status == 0, result.errors.c_str());
    QVERIFY(fileContents(m_folder / "out" / "cut.vtp") == wanted);
    read[by] = json("stats.json")["paging"].toObject()["bytesRead"].toDouble();
  }
  if (!kPagesStay) QSKIP("this build reads pages again each time");
  const double one = read["energy"] - read[""], all = read["pressure"] - read[""];
  // a fifth, and what longer pages have beside the plane
  QVERIFY2(one > 0 && one < 0.5 * all, qPrintable(QString("%1 of %2").arg(one).arg(all)));
}

void TestSlices::severalPlanesAreOneObject() {
  const double side = 2 * std::numbers::pi;
  const std::string through = R"("origin":[2.5,2.5,2.5],"normal":[0,0,3],)";
  const RunResult result =
      run(R"("source":"regular.h5")", cutObject(through + R"("offsets":[-2,0.25,1],)"), {"--quiet"});
  QVERIFY2(result.status == 0, result.errors.c_str());
  const VtpFile file(m_folder / "out" / "cut.vtp");
  QVERIFY(std::abs(areaOf(file, {0, 0, 1}) - 3 * side * side) < 1e-5);
  for (const Vec3& point : file.points()) {
    const double z = point.z - 2.5;
    QVERIFY(std::abs(z + 2) < 1e-9 || std::abs(z - 0.25) < 1e-9 || std::abs(z - 1) < 1e-9);
  }
  // The same as one at a time, in their order.
  const RunResult one =
      run(R"("source":"regular.h5")", cutObject(through + R"("offsets":0.25,)"), {"--quiet"});
  QVERIFY2(one.status == 0, one.errors.c_str());
  QCOMPARE(3 * VtpFile(m_folder / "out" / "cut.vtp").polyCount(), file.polyCount());
  const RunResult none =
      run(R"("source":"regular.h5")", cutObject(through + R"("offsets":[],)"), {"--quiet"});
  QCOMPARE(none.status, 1);
}

void TestSlices::indicesHaveValues() {
  // nodes: the same file as the grid surface has
  for (const char* const data : {R"("source":"regular.h5")", R"("source":"curvilinear.h5")"}) {
    QCOMPARE(run(data, cutObject(R"("index":{"j":-20},)"), {"--quiet"}).status, 0);
    const std::string sheet = fileContents(m_folder / "out" / "cut.vtp");
    const RunResult grid = run(
        data, R"({"name":"cut","type":"grid-surface","range":{"j":77},"color":{"by":"velocity-magnitude"}})",
        {"--quiet"});
    QVERIFY2(grid.status == 0, grid.errors.c_str());
    QVERIFY(fileContents(m_folder / "out" / "cut.vtp") == sheet);
  }
  // between nodes: in the regular block the plane there, and its flow
  const double edge = 2 * std::numbers::pi / 96;
  QCOMPARE(run(R"("source":"regular.h5")", cutObject(R"("index":{"k":[40.25,96]},)"), {"--quiet"}).status, 0);
  for (const Vec3& point : VtpFile(m_folder / "out" / "cut.vtp").points())
    QVERIFY(std::abs(point.z - 40.25 * edge) < 1e-6 || std::abs(point.z - 96 * edge) < 1e-6);
  const double side = 2 * std::numbers::pi;
  QVERIFY(std::abs(areaOf(VtpFile(m_folder / "out" / "cut.vtp"), {0, 0, 1}) - 2 * side * side) < 1e-5);
  for (const auto& [object, part] :
       {std::pair{R"("index":{"k":96.5},)", "object cut: index.k: k = 96.5 is not there"},
        {R"("index":{"k":-98},)", "object cut: index.k: k = -98 is not there"},
        {R"("index":{"k":1},"block":1,)", "object cut: block: there is no block 1"}}) {
    const RunResult wrong = run(R"("source":"regular.h5")", cutObject(object), {"--quiet"});
    QVERIFY2(wrong.status == 1 && wrong.errors.find(part) != std::string::npos, wrong.errors.c_str());
  }
}

void TestSlices::previewsComeClose() {
  const std::string data = R"("source":"curvilinear.h5")";
  const std::string object = cutObject(R"("normal":[0.3,1,0.4],)");
  const RunResult preview = run(data, object, {"--dry-run", "--json"});
  QVERIFY2(preview.status == 0, preview.errors.c_str());
  const QJsonObject found = QJsonDocument::fromJson(QByteArray::fromStdString(preview.out)).object();
  const QJsonObject cut = found["objects"].toArray()[0].toObject();
  QCOMPARE(cut["tasks"].toInt(), 27);
  QVERIFY(cut["tried"].toInt() > 0);
  QVERIFY(
      runProgram({"batchvis", "slices.json", "-o", "out", "--dry-run"}, here()).out.find("slice, 27 parts") !=
      std::string::npos);
  if (!kPagesStay) QSKIP("this build reads pages again each time");
  const RunResult result = run(data, object, {"--stats", "stats.json", "--quiet"});
  QVERIFY2(result.status == 0, result.errors.c_str());
  const double expected = found["bytesToRead"].toDouble(),
               actual = json("stats.json")["paging"].toObject()["bytesRead"].toDouble();
  if (cut["tried"].toInt() == 27)
    QVERIFY2(expected > actual / 1.5 && expected < actual * 1.5,
             qPrintable(QString("%1 expected, %2 read").arg(expected).arg(actual)));
}

void TestSlices::areasAreThoseOfVtk_data() {
  QTest::addColumn<std::string>("grid");
  QTest::addColumn<std::string>("solution");
  QTest::addColumn<QVector<double>>("origin");
  QTest::addColumn<QVector<double>>("normal");
  QTest::addColumn<double>("area");
  // vtkCutter with a vtkPlane, VTK 9.7.2, points in double precision; bench/scripts/compare_slices.py computes them.
  const auto row = [](const char* name, const char* grid, const char* solution, const QVector<double>& origin,
                      const QVector<double>& normal, double area) {
    QTest::newRow(name) << std::string(grid) << std::string(solution) << origin << normal << area;
  };
  const char *const fin = "bluntfinxyz.bin", *const finQ = "bluntfinq.bin";
  const char *const multi = "multi-bin.xyz", *const multiQ = "multi-bin.q";
  row("fin, z", fin, finQ, {0, 0, 1}, {0, 0, 1}, 162.66978267352894);
  row("fin, tilted", fin, finQ, {0, 0.7, 0}, {0, 1, 0.1}, 74.30692729650909);
  row("fin, aslant", fin, finQ, {}, {1, 0.3, 0.2}, 47.63039956206317);
  row("two blocks, z", multi, multiQ, {0, 0, 1}, {0, 0, 1}, 162.34688571226394);
  row("two blocks, tilted", multi, multiQ, {0, 0.7, 0}, {0, 1, 0.1}, 74.1622502900418);
  row("two blocks, aslant", multi, multiQ, {}, {1, 0.3, 0.2}, 47.630394576076945);
}

void TestSlices::areasAreThoseOfVtk() {
  QFETCH(std::string, grid);
  QFETCH(std::string, solution);
  QFETCH(QVector<double>, origin);
  QFETCH(QVector<double>, normal);
  QFETCH(double, area);
  NEEDS_DATA("data/plot3d/bluntfinq.bin");
  const auto list = [](const QVector<double>& v) {
    return QString("[%1,%2,%3]").arg(v[0]).arg(v[1]).arg(v[2]).toStdString();
  };
  const std::string folder = dataPath("data/plot3d").string() + "/";
  const RunResult result =
      run(R"("source":")" + folder + grid + R"(","solution":")" + folder + solution + "\"",
          cutObject((origin.isEmpty() ? std::string() : R"("origin":)" + list(origin) + ",") +
                        R"("normal":)" + list(normal) + ",",
                    R"({"by":"pressure"})"),
          {"--quiet"});
  QVERIFY2(result.status == 0, result.errors.c_str());
  const double found = areaOf(VtpFile(m_folder / "out" / "cut.vtp"), {normal[0], normal[1], normal[2]});
  QVERIFY2(std::abs(found - area) <= 1e-12 * area, qPrintable(QString::number(found - area)));
}

void TestSlices::overlapsAreResolved_data() {
  QTest::addColumn<std::string>("data");
  QTest::addColumn<std::string>("plane");
  QTest::addColumn<std::string>("whole");  // data without overlaps that are cut as much; empty: an exact area
  const std::string folder = dataPath("data/plot3d").string() + "/";
  const auto pair = [&](const char* grid, const char* solution) {
    return R"("source":")" + folder + grid + R"(","solution":")" + folder + solution + "\"";
  };
  QTest::newRow("cylinder") << std::string(R"("source":"sample://cylinder?size=35,49,17&blocks=4")")
                            << std::string(R"("origin":[0,0,2.03],"normal":[0,0,1],)") << std::string();
  const std::string fin = pair("bluntfinxyz.bin", "bluntfinq.bin");
  const std::string overlap = pair("bluntfin_8blk_overlap_be_f4_mk.xyz", "bluntfin_8blk_overlap_be_f4_mk.q");
  const std::string matched = pair("bluntfin_8blk_le_f8_mk_ib.xyz", "bluntfin_8blk_le_f8_mk_ib.q");
  for (const auto& [name, plane] :
       {std::pair{"z", R"("origin":[0,0,1],"normal":[0,0,1],)"}, {"aslant", R"("normal":[1,0.3,0.2],)"}}) {
    QTest::addRow("eight overlapping blocks, %s", name) << overlap << std::string(plane) << fin;
    QTest::addRow("eight blocks that touch, %s", name) << matched << std::string(plane) << fin;
  }
}

void TestSlices::overlapsAreResolved() {
  QFETCH(std::string, data);
  QFETCH(std::string, plane);
  QFETCH(std::string, whole);
  if (!whole.empty()) NEEDS_DATA("data/plot3d/bluntfin_8blk_overlap_be_f4_mk.xyz");
  const auto areaOfCut = [&](const std::string& source, const char* overlaps) {
    const RunResult result = run(
        source, cutObject(plane + R"("overlaps":")" + overlaps + "\",", R"({"by":"density"})"), {"--quiet"});
    [&] { QVERIFY2(result.status == 0, result.errors.c_str()); }();
    const VtpFile file(m_folder / "out" / "cut.vtp");
    const std::vector<double>& normals = file.array("PointData", "Normals").values;
    return areaOf(file, {normals.at(0), normals.at(1), normals.at(2)});
  };
  double wanted = 0;
  if (whole.empty()) {
    // the blocks share nodes: polygons with as many corners as there are cells around, from radius 1 to the outer one
    const int around = 4 * (35 - 1 - 2);
    const double outer = 10;
    wanted = 0.5 * around * std::sin(2 * std::numbers::pi / around) * (outer * outer - 1);
  } else {
    wanted = areaOfCut(whole, "all");
  }
  const double all = areaOfCut(data, "all"), resolved = areaOfCut(data, "resolved");
  // coordinates are in single precision
  QVERIFY2(
      std::abs(resolved / wanted - 1) < 1e-5,
      qPrintable(QString("%1 of %2, all %3").arg(resolved, 0, 'g', 12).arg(wanted, 0, 'g', 12).arg(all)));
  if (data.find("_mk_ib") == std::string::npos)
    QVERIFY2(all > 1.02 * wanted, qPrintable(QString::number(all / wanted)));
}

void TestSlices::stepsDiffer() {
  const RunResult result = run(R"("source":"sample://taylor-green?size=33&steps=3")",
                               cutObject(R"("origin":[3,3,1],)"), {"--stats", "stats.json", "--quiet"});
  QVERIFY2(result.status == 0, result.errors.c_str());
  const std::vector<std::string> names = namesIn(m_folder / "out");
  QCOMPARE(names, (std::vector<std::string>{"cut_0000.vtp", "cut_0001.vtp", "cut_0002.vtp"}));
  QVERIFY(fileContents(m_folder / "out/cut_0000.vtp") != fileContents(m_folder / "out/cut_0001.vtp"));
  QCOMPARE(json("stats.json")["objects"].toArray()[0].toObject()["count"].toInt(), 3 * 2 * 32 * 32);
}

void TestSlices::whatIsEmptyIsSaid() {
  for (const char* const data : {R"("source":"regular.h5")", R"("source":"curvilinear.h5")"}) {
    const RunResult result =
        run(data, cutObject(R"("origin":[0,0,100],)", R"({"by":"velocity-magnitude","log":true})"),
            {"--set", "output.images=true"});
    QVERIFY2(result.status == 0, result.errors.c_str());
    QVERIFY2(result.errors.find("object cut is empty") != std::string::npos, result.errors.c_str());
    const VtpFile file(m_folder / "out" / "cut.vtp");
    QCOMPARE(file.pointCount(), 0u);
    QCOMPARE(file.polyCount(), 0u);
    QVERIFY(file.has("PointData", "Normals") && file.has("PointData", "velocity-magnitude"));
  }
  const RunResult full = run(R"("source":"regular.h5")", cutObject(""));
  QVERIFY2(full.errors.find("is empty") == std::string::npos, full.errors.c_str());
}

void TestSlices::whatCannotBeCutIsRefused() {
  const auto fails = [&](const std::string& data, const std::string& object, const char* part) {
    const RunResult result = run(data, object, {"--quiet"});
    QVERIFY2(result.status == 1 && result.errorLines().size() == 1 &&
                 result.errors.find(part) != std::string::npos,
             (std::to_string(result.status) + ": " + result.errors).c_str());
    QVERIFY(namesIn(m_folder / "out").empty());
  };
  const std::string data = R"("source":"regular.h5")";
  fails(data, cutObject(R"("normal":[0,0,0],)"), "objects.cut.normal: has no direction");
  fails(data, cutObject(R"("normal":[0,0,1e999],)"), "1e999");
  fails(data, cutObject(R"("origin":[0,0],)"), "objects.cut.origin");
  fails(data, cutObject("", R"({"by":"velocity"})"), "object cut: color.by");
  fails(data, cutObject(R"("overlaps":"once",)"), "objects.cut.overlaps");
  fails(data, cutObject(R"("index":{"k":3},"overlaps":"resolved",)"), "objects.cut.overlaps");
  NEEDS_DATA("data/plot3d/multi-bin-2D.q");
  const std::string folder = dataPath("data/plot3d").string();
  fails(R"("source":")" + folder + R"(/multi-bin-2D.xyz","solution":")" + folder + "/multi-bin-2D.q\"",
        cutObject("", R"({"by":"density"})"), "object cut: the data are one sheet of nodes");
}

void TestSlices::aTimeBudgetLeavesWhatIsThere() {
  const RunResult result = run(R"("source":"curvilinear.h5")", cutObject(R"("budget":{"milliseconds":1},)"),
                               {"--processors", "1", "--quiet"});
  QVERIFY2(result.status == 0, result.errors.c_str());
  QVERIFY(VtpFile(m_folder / "out" / "cut.vtp").polyCount() <= std::uint64_t{2} * 96 * 96);
}

QTEST_GUILESS_MAIN(TestSlices)
#include "tst_slices.moc"
