// Isolines through the built program: on surfaces of every kind, named or their own; values that are given or
// follow from the surface; what is said of wrong ones.

#include <QTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <set>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

/// The pressure goes from 17.36 to 18.36.
const std::string kData = R"("source":"sample://taylor-green?size=33&curvilinear=true")";
const std::string kCut = R"({"name":"cut","type":"slice","normal":[0.2,0.1,1]})";

std::string lines(const std::string& on, const std::string& keys) {
  return R"({"name":"lines","type":"isolines","on":)" + on + R"(,"by":"pressure",)" + keys + "}";
}

std::set<double> valuesOf(const VtpFile& file) {
  const std::vector<double>& values = file.array("CellData", "value").values;
  return {values.begin(), values.end()};
}

}  // namespace

class TestIsolines : public QObject {
  Q_OBJECT
 private slots:
  void lieOnNamedSurfaces();
  void lieOnEveryKindOfSurface();
  void thereAreNoneOfRounding();
  void valuesFollowFromTheSurface();
  void areColouredByAnything();
  void areDrawn();
  void whatCannotBeIsRefused_data();
  void whatCannotBeIsRefused();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  RunResult run(const std::string& objects, const Words& more = {}) {
    writeFile(m_folder / "lines.json", sessionText(kData, objects));
    std::filesystem::remove_all(m_folder / "out");
    Words words{"batchvis", "lines.json", "-o", "out", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words, here());
  }
  VtpFile made() const { return VtpFile(m_folder / "out" / "lines.vtp"); }
  TemporaryFolder m_folder;
};

void TestIsolines::lieOnNamedSurfaces() {
  const std::string keys = R"("value":[17.9,17.6,17.9])";
  // before the surface or behind it
  QCOMPARE(run(lines(R"("cut")", keys) + "," + kCut).status, 0);
  const std::string before = fileContents(m_folder / "out" / "lines.vtp");
  QCOMPARE(run(kCut + "," + lines(R"("cut")", keys)).status, 0);
  QVERIFY(fileContents(m_folder / "out" / "lines.vtp") == before);
  // the same as on one of its own, and where the surface is not shown
  QCOMPARE(run(lines(R"({"type":"slice","normal":[0.2,0.1,1]})", keys)).status, 0);
  QVERIFY(fileContents(m_folder / "out" / "lines.vtp") == before);
  QCOMPARE(run(kCut + "," + lines(R"("cut")", keys), {"--set", "objects.cut.visible=false"}).status, 0);
  QVERIFY(fileContents(m_folder / "out" / "lines.vtp") == before);
  QCOMPARE(valuesOf(made()), (std::set<double>{17.6, 17.9}));
  QVERIFY(made().lineCount() > 10);
  QCOMPARE(made().polyCount(), 0u);
}

void TestIsolines::lieOnEveryKindOfSurface() {
  const std::string values = R"("value":[17.7,18])";
  const RunResult wall = run(lines(R"({"type":"grid-surface","range":{"k":8}})", values));
  QVERIFY2(wall.status == 0, wall.errors.c_str());
  QVERIFY(made().pointCount() > 100);
  const RunResult speed =
      run(lines(R"({"type":"isosurface","by":"velocity-magnitude","value":[0.5,0.8]})", values));
  QVERIFY2(speed.status == 0, speed.errors.c_str());
  QVERIFY(made().pointCount() > 100);
  // of the function itself there are none: it has one value on each surface
  const RunResult none = run(lines(R"({"type":"isosurface","by":"pressure","value":17.9})", R"("value":18)"));
  QVERIFY2(none.status == 0, none.errors.c_str());
  QCOMPARE(made().lineCount(), 0u);
}

/// What differs by rounding alone is one value, whoever computed it, and where 0 is that value.
void TestIsolines::thereAreNoneOfRounding() {
  const auto linesOf = [&](const std::string& by, const std::string& value, const std::string& ofLines,
                           const std::string& keys) {
    const RunResult result = run(R"({"name":"lines","type":"isolines","on":{"type":"isosurface","by":")" +
                                 by + R"(","value":)" + value + R"(},"by":")" + ofLines + "\"," + keys + "}");
    return result.status == 0 ? made().lineCount() : std::size_t{1'000'000};
  };
  for (const std::string keys : {R"("count":10)", R"("value":17.9)"})
    QCOMPARE(linesOf("pressure", "17.9", "pressure", keys), 0u);
  QCOMPARE(linesOf("pressure", "17.9", "3*pressure", R"("count":10)"), 0u);
  QCOMPARE(linesOf("velocity-x", "0", "velocity-x", R"("count":10)"), 0u);
  QVERIFY(linesOf("pressure", "17.9", "velocity-x", R"("count":10)") > 10);
}

void TestIsolines::valuesFollowFromTheSurface() {
  const RunResult result =
      run(R"({"name":"cut","type":"slice","normal":[0.2,0.1,1],"color":{"by":"pressure"}},)" +
          lines(R"("cut")", R"("count":5)"));
  QVERIFY2(result.status == 0, result.errors.c_str());
  const std::vector<double> all = VtpFile(m_folder / "out" / "cut.vtp").array("PointData", "pressure").values;
  const auto [least, greatest] = std::minmax_element(all.begin(), all.end());
  const std::set<double> values = valuesOf(made());
  QCOMPARE(values.size(), 5u);
  int n = 1;
  for (const double value : values)
    QVERIFY(std::abs(value - (*least + n++ * (*greatest - *least) / 6)) < 1e-12);
  // which are those that one could have given
  const std::string before = fileContents(m_folder / "out" / "lines.vtp");
  std::string list;
  for (const double value : values) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    list += (list.empty() ? "" : ",") + std::string(text);
  }
  QCOMPARE(run(kCut + "," + lines(R"("cut")", R"("value":[)" + list + "]")).status, 0);
  const std::set<double> given = valuesOf(made());
  QVERIFY(given == values);
  QCOMPARE(run(kCut + "," + lines(R"("cut")", R"("count":5,"range":[17.6,18.1])")).status, 0);
  const std::set<double> between = valuesOf(made());
  QCOMPARE(between.size(), 5u);
  QCOMPARE(*between.begin(), 17.6);
  QCOMPARE(*between.rbegin(), 18.1);
}

void TestIsolines::areColouredByAnything() {
  const auto colored = [&](const std::string& by) {
    const RunResult result =
        run(lines(R"({"type":"slice"})", R"("value":[17.7,18],"color":{"by":")" + by + "\"}"));
    QVERIFY2(result.status == 0, result.errors.c_str());
    const VtpFile file = made();
    QCOMPARE(file.array("PointData", by).values.size(), file.pointCount());
  };
  colored("velocity-magnitude");
  colored("pressure");
  const VtpFile byItself = made();
  for (const double value : byItself.array("PointData", "pressure").values)
    QVERIFY(value == 17.7 || value == 18);
  colored("value");
}

void TestIsolines::areDrawn() {
  const std::string objects = kCut + "," + lines(R"("cut")", R"("count":8,"width":3,"color":"#ffffff")");
  const RunResult result = run(objects, {"--set", "output.images=true"});
  if (result.errors.find("this build") != std::string::npos) QSKIP("this build draws no pictures");
  QVERIFY2(result.status == 0, result.errors.c_str());
  const auto bytes = std::filesystem::file_size(m_folder / "out" / "lines.png");
  QVERIFY(run(objects, {"--set", "output.images=true", "--set", "objects.lines.visible=false"}).status == 0);
  // a surface of one colour, and the same with lines all over it
  QVERIFY(bytes > 2 * std::filesystem::file_size(m_folder / "out" / "lines.png"));
}

void TestIsolines::whatCannotBeIsRefused_data() {
  QTest::addColumn<std::string>("objects");
  QTest::addColumn<std::string>("part");
  const auto row = [](const char* name, const std::string& objects, const char* part) {
    QTest::newRow(name) << objects << std::string(part);
  };
  const std::string values = R"("value":1)";
  row("no surface", R"({"name":"lines","type":"isolines","by":"pressure","value":1})",
      "objects.lines.on: missing");
  row("no such object", lines(R"("cut")", values), "objects.lines.on: there is no object 'cut'");
  row("on a box", R"({"name":"box","type":"outline"},)" + lines(R"("box")", values),
      "objects.lines.on: 'box' is no surface");
  row("on itself", lines(R"("lines")", values), "objects.lines.on: 'lines' is no surface");
  row("on a kind that is none", lines(R"({"type":"volume"})", values),
      "objects.lines.on.type: must be one of slice, grid-surface, isosurface");
  row("keys of objects", lines(R"({"type":"slice","color":"#ff0000"})", values),
      "objects.lines.on.color: belongs to the object");
  row("unknown keys", lines(R"({"type":"slice","nromal":[0,0,1]})", values),
      "objects.lines.on.nromal: unknown key; did you mean 'normal'?");
  row("no direction", lines(R"({"type":"slice","normal":[0,0,0]})", values),
      "objects.lines.on.normal: has no direction");
  row("no such nodes", lines(R"({"type":"grid-surface","range":{"k":99}})", values), "object lines: on");
  row("values and a count", lines(R"({"type":"slice"})", R"("value":1,"count":3)"),
      "objects.lines.count: cannot be combined with value");
  row("none", lines(R"({"type":"slice"})", R"("count":0)"), "objects.lines.count");
  row("descending", lines(R"({"type":"slice"})", R"("range":[2,1])"), "objects.lines.range: must ascend");
  row("a vector", R"({"name":"lines","type":"isolines","on":{"type":"slice"},"by":"velocity"})",
      "object lines: by: 'velocity' is a vector, and a line needs one number");
  row("no such function", R"({"name":"lines","type":"isolines","on":{"type":"slice"},"by":"presure"})",
      "object lines: by: ");
}

void TestIsolines::whatCannotBeIsRefused() {
  QFETCH(std::string, objects);
  QFETCH(std::string, part);
  const RunResult result = run(objects);
  QVERIFY2(
      result.status == 1 && result.errorLines().size() == 1 && result.errors.find(part) != std::string::npos,
      (std::to_string(result.status) + ": " + result.errors).c_str());
  QVERIFY(namesIn(m_folder / "out").empty());
}

QTEST_GUILESS_MAIN(TestIsolines)
#include "tst_isolines.moc"
