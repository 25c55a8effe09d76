// farfield probe along lines and in time: against formulas and independent references, as text, CSV and JSON,
// however it is computed; interrupted, and wrongly used. Also interrupts farfield integrate, which writes in
// the same way.

#include <signal.h>

#include <QProcess>
#include <QTest>

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

using farfield::test::contents;
using farfield::test::dataPath;
using farfield::test::Outcome;
using farfield::test::runFarfield;

namespace {

/// Rows of comma-separated values without quotes, by column.
struct Table {
  QList<QByteArray> names;
  QList<QList<QByteArray>> rows;
  explicit Table(const QByteArray& csv) {
    for (const QByteArray& line : csv.split('\n'))
      if (!line.isEmpty()) rows += line.split(',');
    if (!rows.isEmpty()) names = rows.takeFirst();
  }
  QByteArray text(qsizetype row, const char* name) const { return rows[row].value(names.indexOf(name)); }
  double number(qsizetype row, const char* name) const {
    bool good = false;
    const double value = text(row, name).toDouble(&good);
    return good ? value : std::numeric_limits<double>::quiet_NaN();
  }
};

QString path(const std::string& relative) {
  return QString::fromStdString(dataPath(relative).string());
}

}  // namespace

class TestCliProbe : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void formulaAlongALine();
  void formulaInTime();
  void outputsAgree();
  void alongIsolines();
  void alongStreamlines();
  void alongWalls();
  void alongWhatHasNoLines();
  void allDataOfASession();
  void outside();
  void onSurfacesInSpace();
  void surfacesAsVtkHasThem();
  void theSameHoweverItIsRun_data();
  void theSameHoweverItIsRun();
  void manyPointsInLittleMemory();
  void referenceVelocities_data();
  void referenceVelocities();
  void referenceSeries();
  void wrong_data();
  void wrong();
  void interrupted_data();
  void interrupted();

 private:
  Table csv(const QStringList& arguments) {
    const Outcome outcome = runFarfield(QStringList{"probe", "--csv", "-"} + arguments, m_path);
    if (outcome.status != 0) qWarning("%s", outcome.errors.constData());
    return Table(outcome.out);
  }
  farfield::test::TemporaryFolder m_folder;
  QString m_path;
};

void TestCliProbe::initTestCase() {
  m_path = QString::fromStdString(m_folder.path().string()) + "/";
  QCOMPARE(runFarfield({"sample", "cylinder", "-o", "cylinder", "--format", "plot3d"}, m_path).status, 0);
  QCOMPARE(runFarfield({"convert", "cylinder.xyz", "--solution", "cylinder.q", "-o", "cylinder.h5",
                        "--page-edge", "8"},
                       m_path)
               .status,
           0);
}

void TestCliProbe::formulaAlongALine() {
  // Taylor and Green's vortices, u = sin x cos y: linear interpolation in each direction is of second order.
  double before = 0;
  for (const int nodes : {17, 33, 65, 129}) {
    const Table table = csv({QString("sample://taylor-green?size=%1").arg(nodes), "--function", "velocity",
                             "--line", "0.3,0.5,1", "5.7,4.1,2.5", "--count", "200"});
    QCOMPARE(table.rows.size(), 200);
    double worst = 0;
    const double length = std::sqrt(5.4 * 5.4 + 3.6 * 3.6 + 1.5 * 1.5);
    for (qsizetype n = 0; n < 200; ++n) {
      const double x = table.number(n, "x"), y = table.number(n, "y");
      QVERIFY(std::abs(x - (0.3 + 5.4 * static_cast<double>(n) / 199)) < 1e-14);
      QVERIFY(std::abs(table.number(n, "distance") - length * static_cast<double>(n) / 199) < 1e-13);
      worst = std::max({worst, std::abs(table.number(n, "velocity_x") - std::sin(x) * std::cos(y)),
                        std::abs(table.number(n, "velocity_y") + std::cos(x) * std::sin(y))});
      // The cell is where the point is.
      const double spacing = 2 * M_PI / (nodes - 1);
      QCOMPARE(static_cast<int>(x / spacing), table.text(n, "i").toInt());
      QCOMPARE(table.text(n, "block"), QByteArray("0"));
    }
    QCOMPARE(table.text(199, "x"), QByteArray("5.7"));
    if (before != 0) {
      const double order = std::log2(before / worst);
      QVERIFY2(order > 1.8 && order < 2.2, qPrintable(QString::number(order)));
    }
    before = worst;
  }
  QVERIFY(before < 1e-3);
}

void TestCliProbe::formulaInTime() {
  // The vortices decay as exp(-2 nu t) with nu = 0.1. At a node nothing is interpolated.
  const Table table = csv({"sample://taylor-green?size=17&steps=12", "--function", "velocity", "--at",
                           "1.5707963267948966,0,0", "--steps", "all"});
  QCOMPARE(table.rows.size(), 12);
  for (qsizetype n = 0; n < 12; ++n) {
    QCOMPARE(table.text(n, "step"), QByteArray::number(n));
    QVERIFY(n == 0 || table.number(n, "time") > table.number(n - 1, "time"));
    QVERIFY(std::abs(table.number(n, "velocity_x") - std::exp(-0.2 * table.number(n, "time"))) < 1e-6);
    QVERIFY(table.text(n, "line").isEmpty() && table.text(n, "distance").isEmpty());
  }
}

void TestCliProbe::outputsAgree() {
  const QStringList asked{"sample://taylor-green?size=17&steps=4",
                          "--function",
                          "velocity",
                          "--function",
                          "pressure",
                          "--at",
                          "1,2,3",
                          "--line",
                          "0,0,0",
                          "6,6,6",
                          "1,1,1",
                          "1,2,1",
                          "--count",
                          "3",
                          "--steps",
                          "1:-1:2"};
  const Table table = csv(asked);
  QCOMPARE(table.names.join(','),
           QByteArray("step,time,line,distance,x,y,z,block,i,j,k,velocity_x,velocity_y,velocity_z,pressure"));
  QCOMPARE(table.rows.size(), 2 * 7);
  const Outcome json = runFarfield(QStringList{"probe", "--json"} + asked);
  const QJsonArray steps = QJsonDocument::fromJson(json.out).object()["steps"].toArray();
  QCOMPARE(steps.size(), 2);
  const Outcome text = runFarfield(QStringList{"probe"} + asked);
  const QList<QByteArray> lines = text.out.trimmed().split('\n');
  QCOMPARE(lines.size(), 1 + 2 * 8);
  QCOMPARE(lines[0], QByteArray("# x,y,z velocity[3] pressure"));
  QVERIFY(lines[1].startsWith("# step 1, time ") && lines[9].startsWith("# step 3, time "));
  for (qsizetype row = 0; row < 14; ++row) {
    const QJsonObject point = steps[row / 7]["points"][row % 7].toObject();
    QCOMPARE(table.number(row, "time"), steps[row / 7]["time"].toDouble());
    QCOMPARE(table.number(row, "y"), point["at"][1].toDouble());
    QCOMPARE(table.number(row, "pressure"), point["values"]["pressure"].toDouble());
    QCOMPARE(table.number(row, "velocity_y"), point["values"]["velocity"][1].toDouble());
    QCOMPARE(table.text(row, "k").toInt(), point["cell"][2].toInt());
    QCOMPARE(table.text(row, "line"),
             point.contains("line") ? QByteArray::number(point["line"].toInt()) : QByteArray());
    const QList<QByteArray> words = lines[2 + row + row / 7].split(' ');
    QCOMPARE(words.size(), 5);
    QCOMPARE(words[0], table.rows[row].mid(4, 3).join(','));
    QCOMPARE(words[4], table.text(row, "pressure"));
  }
  QCOMPARE(table.text(4, "line"), QByteArray("1"));
  // A file has the same; JSON beside it is as without.
  const Outcome both = runFarfield(QStringList{"probe", "--json", "--csv", "probe.csv"} + asked, m_path);
  QVERIFY2(both.status == 0 && both.out == json.out, both.errors);
  QCOMPARE(Table(contents(m_path + "probe.csv")).rows, table.rows);
}

namespace {

constexpr const char* kLines = R"({ "farfield": 1,
  "data": { "flow": { "source": "sample://taylor-green?size=17&steps=3" } },
  "objects": [
    { "name": "cut", "type": "isolines", "data": "flow", "by": "x", "value": [1, 2.5], "visible": false,
      "on": { "type": "slice", "origin": [1, 1, 2], "normal": [0, 0, 1] } },
    { "name": "lines", "type": "streamlines", "data": "flow", "width": 5,
      "seeds": { "type": "line", "from": [1, 1, 1], "to": [1, 2, 1], "count": 3 },
      "integrator": { "maxLength": 3 } },
    { "name": "plane", "type": "slice", "data": "flow", "origin": [1, 1, 2], "normal": [0, 0, 1] } ],
  "time": { "steps": [1, 2, 1] } })";

}  // namespace

void TestCliProbe::alongIsolines() {
  farfield::test::write(m_path + "lines.json", kLines);
  const QStringList asked{"lines.json", "--along", "cut", "--function", "2*y-z+3", "--function", "pressure"};
  const Outcome outcome = runFarfield(QStringList{"probe", "--csv", "-"} + asked, m_path);
  QVERIFY2(outcome.status == 0, outcome.errors);
  const Table table(outcome.out);
  QCOMPARE(table.names.join(','), QByteArray("step,time,line,distance,x,y,z,2*y-z+3,pressure"));
  // At each of the steps of the session, a line for each value, from border to border.
  QList<QByteArray> seen;
  double before = 0;
  for (qsizetype row = 0; row < table.rows.size(); ++row) {
    const QByteArray line = table.text(row, "step") + '/' + table.text(row, "line");
    const bool begins = !seen.contains(line);
    if (begins) seen.append(line);
    QVERIFY(std::abs(table.number(row, "x") - (table.number(row, "line") == 0 ? 1 : 2.5)) < 1e-12);
    const double y = table.number(row, "y"), distance = table.number(row, "distance");
    QVERIFY(std::abs(table.number(row, "2*y-z+3") - (2 * y - table.number(row, "z") + 3)) < 1e-12);
    QVERIFY(begins ? distance == 0 : distance > before);
    before = distance;
  }
  QCOMPARE(seen, (QList<QByteArray>{"1/0", "1/1", "2/0", "2/1"}));
  QVERIFY(std::abs(before - 2 * M_PI) < 1e-9);
  // The same as JSON, for one step.
  const Outcome json = runFarfield(QStringList{"probe", "--json", "--step", "2"} + asked, m_path);
  const QJsonArray steps = QJsonDocument::fromJson(json.out).object()["steps"].toArray();
  QCOMPARE(steps.size(), 1);
  const QJsonArray lines = steps[0].toObject()["lines"].toArray();
  QCOMPARE(lines.size(), 2);
  const QJsonObject last = lines[1].toObject()["points"].toArray().last().toObject();
  QCOMPARE(last["values"].toObject()["pressure"].toDouble(), table.number(table.rows.size() - 1, "pressure"));
  // Steps that other data of a session may have are those of the last one here, however many they are.
  const QByteArray far = QByteArray(kLines).replace("[1, 2, 1]", "[2, 9000000000000000000, 1]");
  farfield::test::write(m_path + "far.json", far);
  QStringList again = asked;
  again[0] = "far.json";
  const Outcome farther = runFarfield(QStringList{"probe", "--json"} + again, m_path);
  QVERIFY2(farther.status == 0, farther.errors);
  QCOMPARE(QJsonDocument::fromJson(farther.out).object()["steps"].toArray(), steps);
}

void TestCliProbe::alongStreamlines() {
  farfield::test::write(m_path + "lines.json", kLines);
  const Outcome outcome = runFarfield(
      {"probe", "lines.json", "--along", "lines", "--function", "pressure", "--step", "0", "--csv", "-"},
      m_path);
  QVERIFY2(outcome.status == 0, outcome.errors);
  const Table table(outcome.out);
  // Both ways from its seed each is one line.
  QCOMPARE(table.text(table.rows.size() - 1, "line"), QByteArray("2"));
  QStringList asked{"probe", "sample://taylor-green?size=17&steps=3", "--function", "pressure", "--csv", "-",
                    "--at"};
  for (qsizetype row = 0; row < table.rows.size(); ++row)
    asked.append(
        QString::fromUtf8(table.text(row, "x") + ',' + table.text(row, "y") + ',' + table.text(row, "z")));
  const Table probed(runFarfield(asked).out);
  QCOMPARE(probed.rows.size(), table.rows.size());
  QVERIFY(table.rows.size() > 20);
  for (qsizetype row = 0; row < table.rows.size(); ++row)
    if (!probed.text(row, "pressure").isEmpty())
      QVERIFY(std::abs(table.number(row, "pressure") - probed.number(row, "pressure")) < 1e-9);
}

/// Of the wall itself, whose triangles are flat: some points of them lie in no cell.
void TestCliProbe::alongWalls() {
  farfield::test::write(m_path + "wall.json", R"({ "farfield": 1,
  "data": { "flow": { "source": "sample://cylinder" } },
  "objects": [ { "name": "ring", "type": "isolines", "data": "flow", "by": "z", "value": 1.1,
      "on": { "type": "grid-surface", "block": 0, "range": { "j": 0 } } } ] })");
  const Outcome outcome = runFarfield({"probe", "wall.json", "--along", "ring", "--function", "pressure",
                                       "--function", "x^2+y^2", "--csv", "-"},
                                      m_path);
  QVERIFY2(outcome.status == 0, outcome.errors);
  const Table table(outcome.out);
  QVERIFY(table.rows.size() > 10);
  int within = 0;
  for (qsizetype row = 0; row < table.rows.size(); ++row) {
    QCOMPARE(table.text(row, "line"), QByteArray("0"));
    QVERIFY(std::isfinite(table.number(row, "pressure")));
    QVERIFY(std::abs(table.number(row, "x^2+y^2") - 1) < 1e-6);
    within += std::hypot(table.number(row, "x"), table.number(row, "y")) < 1 - 1e-6;
  }
  QVERIFY(within > 0);
}

void TestCliProbe::alongWhatHasNoLines() {
  farfield::test::write(m_path + "lines.json", kLines);
  const auto refused = [this](const QStringList& more, int status, const char* part) {
    farfield::test::verifyRefused(QStringList{"probe"} + more, status, part, m_path);
  };
  refused({"lines.json", "--function", "pressure", "--along", "plane"}, 1, "slice");
  refused({"lines.json", "--function", "pressure", "--along", "line"}, 1, "lines");
  refused({"lines.json", "--function", "velocity", "--along", "lines"}, 1,
          "farfield: 'velocity' is a vector");
  refused({"lines.json", "--function", "presure", "--along", "lines"}, 1, "farfield: there is no function");
  refused({"lines.json", "--function", "pressure"}, 2, "--along");
  refused({"sample://abc", "--function", "velocity-x", "--along", "lines"}, 2, "session");
  refused({"lines.json", "--function", "pressure", "--along", "lines", "--at", "1,1,1"}, 2, "--along");
}

/// The same line in each of them: rows with the name of the data, those of one data set as they are by themselves.
void TestCliProbe::allDataOfASession() {
  farfield::test::write(m_path + "two.json", R"({ "farfield": 1, "data": {
    "coarse": { "source": "sample://taylor-green?size=9" }, "fine": { "source": "sample://taylor-green?size=17" },
    "grid": { "source": "sample://abc?size=9" } }, "objects": [] })");
  const QStringList line{"--function", "velocity-x", "--line", "0.3,0.5,1", "5.7,4.1,2.5", "--count", "20"};
  const Table all = csv(QStringList{"two.json"} + line);
  QCOMPARE(all.names.front(), QByteArray("data"));
  QCOMPARE(all.rows.size(), 60);
  const Table fine = csv(QStringList{"sample://taylor-green?size=17"} + line);
  for (qsizetype n = 0; n < 20; ++n) {
    QCOMPARE(all.rows[20 + n].front(), QByteArray("fine"));
    QCOMPARE(all.rows[20 + n].mid(1), fine.rows[n]);
  }
  const Outcome json = runFarfield(QStringList{"probe", "two.json", "--json"} + line, m_path);
  QCOMPARE(json.status, 0);
  const QJsonArray data = QJsonDocument::fromJson(json.out).object()["data"].toArray();
  QCOMPARE(data.size(), 3);
  QCOMPARE(data[1].toObject()["name"].toString(), QString("fine"));
  QCOMPARE(data[1].toObject()["points"].toArray().size(), 20);
  const Outcome text = runFarfield(QStringList{"probe", "two.json"} + line, m_path);
  QVERIFY(text.out.startsWith("# data coarse\n") && text.out.contains("\n# data fine\n"));
  // What lacks the function is left out, which is said; where all lack it there is nothing.
  farfield::test::write(m_path + "own.json", R"({ "farfield": 1, "data": {
    "coarse": { "source": "sample://taylor-green?size=9" },
    "fine": { "source": "sample://taylor-green?size=17", "options": { "function.mine": "velocity-x*2" } } }, "objects": [] })");
  const Outcome some =
      runFarfield({"probe", "own.json", "--function", "mine", "--at", "1,1,1", "--csv", "-"}, m_path);
  QCOMPARE(some.status, 0);
  QVERIFY2(some.errors.contains("coarse is left out") && some.errors.contains("mine"),
           some.errors.constData());
  QVERIFY(some.out.contains("\nfine,") && !some.out.contains("coarse"));
  farfield::test::verifyRefused({"probe", "two.json", "--function", "mine", "--at", "1,1,1"}, 1,
                                "no data of the session", m_path);
  // What lacks the step as well.
  farfield::test::write(m_path + "runs.json", R"({ "farfield": 1, "data": {
    "long": { "source": "sample://taylor-green?size=9&steps=5" },
    "short": { "source": "sample://taylor-green?size=9&steps=3" } }, "objects": [] })");
  const QStringList step{"--function", "pressure", "--at", "1,1,1", "--step", "4"};
  const Outcome later = runFarfield(QStringList{"probe", "runs.json", "--json"} + step, m_path);
  QVERIFY2(later.status == 0 && later.errors.contains("short is left out"), later.errors);
  QCOMPARE(QJsonDocument::fromJson(later.out).object()["data"].toArray().size(), 1);
  // The table of all of them is the program's own as well, and is replaced by the next.
  for (int times = 0; times < 2; ++times)
    SUCCEEDS(runFarfield(QStringList{"probe", "two.json", "--csv", "two.csv"} + line, m_path));
  farfield::test::write(m_path + "other.csv", "data,of,another\n");
  REFUSED(runFarfield(QStringList{"probe", "two.json", "--csv", "other.csv"} + line, m_path),
          "exists already");
  // Of data that cannot be opened it is said before anything else is.
  farfield::test::write(m_path + "half.json", R"({ "farfield": 1, "data": {
    "there": { "source": "sample://taylor-green?size=9" }, "gone": { "source": "gone.h5" } }, "objects": [] })");
  const QStringList here{"probe", "half.json", "--function", "pressure", "--at", "1,1,1"};
  for (const QStringList& as : {QStringList{}, QStringList{"--json"}, QStringList{"--csv", "-"}}) {
    const Outcome half = runFarfield(here + as, m_path);
    QVERIFY2(half.status == 1 && half.out.isEmpty() && half.errors.contains("data gone"), half.errors);
  }
  // More than what waits in memory until all are open.
  const QStringList much{"--function", "velocity-x", "--line", "0.3,0.5,1", "5.7,4.1,2.5",
                         "--count",    "3000",       "--csv",  "-"};
  const Outcome both = runFarfield(QStringList{"probe", "two.json"} + much, m_path);
  QCOMPARE(both.status, 0);
  QCOMPARE(both.out.count('\n'), 3 * 3000 + 1);
  QVERIFY(both.out.size() > 400'000 && both.out.startsWith("data,step,") &&
          both.out.count("\nfine,") == 3000);
  farfield::test::verifyRefused(
      {"probe", "two.json", "--function", "velocity-x", "--at", "1,1,1", "--reader", "sample"}, 2,
      "names its data itself", m_path);
}

void TestCliProbe::outside() {
  // Through the cylinder: what lies in it is no data.
  const Outcome outcome = runFarfield({"probe", "cylinder.h5", "--function", "mach", "--line", "-4,0.001,1",
                                       "4,0.001,1", "--count", "81", "--csv", "-"},
                                      m_path);
  QVERIFY2(outcome.errors.contains("19 of 81 points are outside the data"), outcome.errors);
  const Table table(outcome.out);
  QCOMPARE(table.rows.size(), 81);
  int missing = 0;
  for (qsizetype n = 0; n < 81; ++n) {
    QCOMPARE(table.rows[n].size(), table.names.size());
    const bool in = std::abs(table.number(n, "x")) < 0.99;
    for (const char* name : {"block", "i", "j", "k", "mach"}) QCOMPARE(table.text(n, name).isEmpty(), in);
    missing += in;
  }
  QCOMPARE(missing, 19);
}

/// A place on a face has the values of that face; beside it there are none.
void TestCliProbe::onSurfacesInSpace() {
  QFile file(m_path + "faces.vtk");
  QVERIFY(file.open(QIODevice::WriteOnly));
  // A square across the diagonal of y and z, a triangle beside it, and a face that is bent.
  file.write(
      "# vtk DataFile Version 3.0\nfaces\nASCII\nDATASET POLYDATA\nPOINTS 9 double\n"
      "0 0 0\n1 0 0\n1 1 1\n0 1 1\n2 0 0.5\n5 0 0\n6 0 0\n6 1 1\n5 1 0\n"
      "POLYGONS 3 14\n4 0 1 2 3\n3 1 4 2\n4 5 6 7 8\nCELL_DATA 3\nSCALARS kind double 1\nLOOKUP_TABLE default\n"
      "10\n20\n30\nPOINT_DATA 9\nSCALARS heat double 1\nLOOKUP_TABLE default\n1\n2\n4\n3\n7\n0\n1\n5\n2\n"
      "VECTORS wind double\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n1 0 0\n0 1 0\n0 1 0\n0 1 0\n0 1 0\n");
  file.close();
  // Of the last it is x + 2 y + 2 x y, and the face x y high.
  const double expected[][2] = {{2.25, 10}, {3.75, 20}, {0.25 + 1 + 0.25, 30}, {2, 20}};
  const QStringList places{"0.25,0.5,0.5",  "1.25,0.25,0.375", "5.25,0.5,0.125", "1.0000001,0,0",
                           "0.25,0.5,0.51", "5.5,0.5,0.5",     "3,0,0"};
  const Table table =
      csv(QStringList{"faces.vtk", "--function", "heat", "--function", "kind", "--function", "wind", "--at"} +
          places);
  QCOMPARE(table.rows.size(), places.size());
  for (qsizetype n = 0; n < places.size(); ++n) {
    const bool isOn = n < 4;
    QCOMPARE(table.text(n, "heat").isEmpty(), !isOn);
    QCOMPARE(table.text(n, "block"), QByteArray(isOn ? "0" : ""));
    if (!isOn) continue;
    QVERIFY2(std::abs(table.number(n, "heat") - expected[n][0]) < 1e-6, table.text(n, "heat"));
    // a corner is of several faces
    if (n != 3) QCOMPARE(table.number(n, "kind"), expected[n][1]);
  }
  const Outcome said =
      runFarfield({"probe", "faces.vtk", "--function", "heat", "--at", "0.25,0.5,0.6"}, m_path);
  QVERIFY2(said.status == 0 && said.out.contains("outside"), said.out);
}

/// At places that VTK's locator found on a sphere that moves, with the values of the faces that it found there.
void TestCliProbe::surfacesAsVtkHasThem() {
  NEEDS_DATA("data/hdf/warping_spheres.vtkhdf");
  const QString data = path("data/hdf/warping_spheres.vtkhdf");
  const Table table = csv({data, "--function", "SpatioTemporalHarmonics", "--steps", "50", "--at",
                           "-0.2483418666315761,-0.3312882402436382,8.780244366892447",
                           "0.6594382486501463,1.142180540130092,5.7302155992567805",
                           "19.663621748581527,6.922370225361879,9.035254008981543", "0,0,9"});
  QCOMPARE(table.rows.size(), qsizetype(4));
  const double expected[] = {-1.1971861197152918, -4.117186621104473, 1.0835180509540128};
  for (qsizetype n = 0; n < 3; ++n)
    QVERIFY2(std::abs(table.number(n, "SpatioTemporalHarmonics") - expected[n]) < 1e-6,
             table.text(n, "SpatioTemporalHarmonics"));
  QVERIFY(table.text(3, "SpatioTemporalHarmonics").isEmpty());
}

void TestCliProbe::theSameHoweverItIsRun_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("400K") << QStringList{"cylinder.h5", "--memory", "400K"};
  QTest::newRow("one processor") << QStringList{"cylinder.h5", "--processors", "1"};
  QTest::newRow("three processors") << QStringList{"cylinder.h5", "--processors", "3", "--memory", "2M"};
  QTest::newRow("in place") << QStringList{"cylinder.xyz", "--solution", "cylinder.q"};
}

void TestCliProbe::theSameHoweverItIsRun() {
  const QStringList line{"--function", "velocity", "--function", "vorticity-z", "--line", "-3,-2,1",
                         "3,2.1,3",    "--count",  "5000",       "--csv",       "-"};
  static const Outcome reference = runFarfield(QStringList{"probe", "cylinder.h5"} + line, m_path);
  QVERIFY(reference.out.count('\n') == 5001);
  QFETCH(QStringList, arguments);
  QCOMPARE(runFarfield(QStringList{"probe"} + arguments + line, m_path).out, reference.out);
  // A point of a line is answered as the point alone.
  const Table table(reference.out);
  const QString at = table.rows[1234].mid(4, 3).join(',');
  const Table alone = csv({"cylinder.h5", "--function", "velocity", "--function", "vorticity-z", "--at", at});
  QCOMPARE(alone.rows[0].mid(4), table.rows[1234].mid(4));
}

void TestCliProbe::manyPointsInLittleMemory() {
  // Some 40 MB of results through a budget of 1 MB; the resident size is watched while they are written.
  QProcess process;
  process.setWorkingDirectory(m_path);
  process.start(farfield::test::programPath(), {"probe", "sample://tornado?size=33", "--function", "velocity",
                                                "--line", "0.4,0.4,0.9", "-.4,-.4,.1", "--count", "400000",
                                                "--csv", "many.csv", "--memory", "1M", "--processors", "2"});
  QVERIFY(process.waitForStarted());
  qint64 most = 0;
  while (!process.waitForFinished(20)) {
    const QByteArray status = contents(QString("/proc/%1/status").arg(process.processId()));
    const qsizetype at = status.indexOf("VmHWM:");
    if (at >= 0)
      most = std::max(most, status.mid(at + 6, 20).trimmed().split(' ').first().toLongLong() * 1024);
  }
  QCOMPARE(process.exitCode(), 0);
  QCOMPARE(contents(m_path + "many.csv").count('\n'), 400'001);
  // Code and libraries lie outside the budget: 150 MB at most. A sanitizer takes memory of its own.
#ifndef FARFIELD_SANITIZED
  QVERIFY2(most > 0 && most < (qint64(150) << 20), qPrintable(QString::number(most)));
#endif
}

void TestCliProbe::referenceVelocities_data() {
  QTest::addColumn<QString>("reference");
  QTest::addColumn<QStringList>("data");
  QTest::newRow("bluntfin") << "bluntfin" << QStringList{"bluntfinxyz.bin", "--solution", "bluntfinq.bin"};
  QTest::newRow("cylinder") << "cylinder_000"
                            << QStringList{"cylinder_series/grid3d_le_f4_ib.xyz", "--solution",
                                           "cylinder_series/q3d_000.q"};
  QTest::newRow("8 blocks that overlap")
      << "bluntfin_8blk_overlap"
      << QStringList{"bluntfin_8blk_overlap_be_f4_mk.xyz", "--solution", "bluntfin_8blk_overlap_be_f4_mk.q"};
}

void TestCliProbe::referenceVelocities() {
  QFETCH(QString, reference);
  QFETCH(QStringList, data);
  NEEDS_DATA("refs/" + reference.toStdString() + ".streamlines.json");
  // Velocities at the seeds of the reference's streamlines, interpolated by an independent program.
  const QJsonObject known =
      QJsonDocument::fromJson(contents(path("refs/" + reference.toStdString() + ".streamlines.json")))
          .object();
  const QJsonArray seeds = known["seeds"].toArray();
  QVERIFY(seeds.size() >= 100);
  QStringList arguments{"--function", "velocity", "--at"};
  for (const QJsonValue& seed : seeds) {
    QStringList words;
    for (int a = 0; a < 3; ++a) words += QString::number(seed["xyz"][a].toDouble(), 'g', 17);
    arguments += words.join(',');
  }
  const Outcome outcome =
      runFarfield(QStringList{"probe", "--csv", "-"} + data + arguments, path("data/plot3d"));
  QVERIFY2(outcome.status == 0, outcome.errors);
  const Table table(outcome.out);
  QCOMPARE(table.rows.size(), seeds.size());
  const char* const names[3] = {"velocity_x", "velocity_y", "velocity_z"};
  for (qsizetype n = 0; n < seeds.size(); ++n)
    for (int a = 0; a < 3; ++a) {
      const double found = table.number(n, names[a]), expected = seeds[n]["velocity"][a].toDouble();
      QVERIFY2(std::abs(found - expected) < 1e-6 * known["max_speed"].toDouble(),
               qPrintable(QString("seed %1: %2, %3").arg(n).arg(found).arg(expected)));
    }
}

void TestCliProbe::referenceSeries() {
  NEEDS_DATA("refs/cylinder_series.json");
  const QJsonArray known = QJsonDocument::fromJson(contents(path("refs/cylinder_series.json"))).array();
  QCOMPARE(known.size(), 20);
  // The reference is the velocity along y at node 1, 40 of every layer.
  const Outcome outcome =
      runFarfield({"probe", "grid3d_le_f4_ib.xyz", "--solution", "q3d_*.q", "--function", "velocity-y",
                   "--at", "-0.6032818,0.05449681,0.5", "--steps", "all", "--csv", "-"},
                  path("data/plot3d/cylinder_series"));
  QVERIFY2(outcome.status == 0, outcome.errors);
  const Table table(outcome.out);
  QCOMPARE(table.rows.size(), 20);
  for (qsizetype n = 0; n < 20; ++n) {
    QVERIFY(std::abs(table.number(n, "time") - known[n]["time"].toDouble()) < 1e-3);
    QVERIFY(std::abs(table.number(n, "velocity-y") - known[n]["v_probe_j1_k40"].toDouble()) < 1e-6);
  }
}

void TestCliProbe::wrong_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<int>("status");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const QStringList& arguments, int status, const char* part) {
    QTest::newRow(name) << QStringList{"probe", "sample://tornado?size=9", "--function", "pressure"} +
                               arguments
                        << status << QString(part);
  };
  row("no point", {}, 2, "--at or a line with --line");
  row("one end", {"--line", "0,0,0"}, 2, "--line: a line has two ends");
  row("no point of a line", {"--line", "0,0,0", "1,2"}, 2, "--line: '1,2' is not a point");
  row("one point of a line", {"--line", "0,0,0", "1,1,1", "--count", "1"}, 2, "--count");
  row("no such step", {"--at", "0,0,1", "--steps", "0:3"}, 1, "the data have one step, 0");
  row("no steps", {"--at", "0,0,1", "--steps", "first"}, 2, "'first' names no steps");
  row("twice to stdout", {"--at", "0,0,1", "--json", "--csv", "-"}, 2, "both print");
  row("small budget", {"--at", "0,0,1", "--memory", "1K"}, 1, "--memory");
  row("no such folder", {"--at", "0,0,1", "--csv", "none/x.csv"}, 1, "none/x.csv");
}

void TestCliProbe::wrong() {
  QFETCH(QStringList, arguments);
  QFETCH(int, status);
  QFETCH(QString, part);
  farfield::test::verifyRefused(arguments, status, part, m_path);
}

void TestCliProbe::interrupted_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("probe") << QStringList{"probe",      "cylinder.h5", "--function", "velocity",
                                        "--line",     "-3,-2,1",     "3,2,3",      "--count",
                                        "1000000000", "--csv",       "out/x.csv"};
  QTest::newRow("integrate") << QStringList{
      "integrate", "sample://turbulence?size=2049", "--surface", "0:all", "--function", "velocity", "--csv",
      "out/x.csv"};
}

void TestCliProbe::interrupted() {
  QFETCH(QStringList, arguments);
  QDir(m_path).mkdir("out");
  farfield::test::write(m_path + "out/x.csv", "step,time,old");
  QProcess process;
  process.setWorkingDirectory(m_path);
  process.start(farfield::test::programPath(), arguments);
  QVERIFY(process.waitForStarted());
  // It is at work when the new file has begun beside the old one.
  QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning ||
                               QDir(m_path + "out").entryList(QDir::Files | QDir::Hidden).size() == 2,
                           60'000);
  QVERIFY(process.state() == QProcess::Running);
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  const Outcome outcome = farfield::test::outcomeOf(process);
  QVERIFY2(outcome.status == 130, outcome.errors);
  QVERIFY2(outcome.errors.endsWith("farfield: interrupted\n"), outcome.errors);
  QCOMPARE(QDir(m_path + "out").entryList(QDir::Files | QDir::Hidden), QStringList{"x.csv"});
  QCOMPARE(contents(m_path + "out/x.csv"), QByteArray("step,time,old"));
  QVERIFY(QDir(m_path + "out").removeRecursively());
}

QTEST_GUILESS_MAIN(TestCliProbe)
#include "tst_cli_probe.moc"
