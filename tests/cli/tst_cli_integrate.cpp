// farfield integrate: flows through closed surfaces of samples, the same numbers as table, CSV and JSON and
// however they are computed, sessions, time, wrong use.

#include <QTest>

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>

#include "tests/cli/program.h"
#include "tests/support/flat_mesh_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

using farfield::test::contents;
using farfield::test::Outcome;
using farfield::test::runFarfield;

namespace {

const QStringList kCylinder{"--surface",
                            "all:jmin",
                            "--surface",
                            "0:i=3:20,k=5",
                            "--surface",
                            "2:all",
                            "--slice",
                            "0,0,1.3:0.2,0.1,1",
                            "--force",
                            "--function",
                            "mach",
                            "--mass-flow",
                            "--function",
                            "velocity",
                            "--reference-pressure",
                            "17.857142857142858"};

}  // namespace

class TestCliIntegrate : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void closedSurfacesOfSamples_data();
  void closedSurfacesOfSamples();
  void constantsOverClosedSurfaces();
  void tablesAndJsonAgree();
  void theSameHoweverItIsRun_data();
  void theSameHoweverItIsRun();
  void normals();
  void sessions();
  void sessionsOfSeveralData();
  void steps();
  void blankedFacesAreSaid();
  void wrong_data();
  void wrong();
  void files();
  void dataThatBeginAsSessions();
  void cellsHaveTheirShearUpToTheEnds();
  void dataInAPlaneAreASheet();
  void realDataInAPlane();

 private:
  QJsonObject json(const QStringList& arguments) {
    const Outcome outcome = runFarfield(QStringList{"integrate", "--json"} + arguments, m_path);
    if (outcome.status != 0) qWarning("%s", outcome.errors.constData());
    return QJsonDocument::fromJson(outcome.out).object();
  }
  QByteArray csv(const QStringList& arguments) {
    const Outcome outcome = runFarfield(QStringList{"integrate", "--csv", "-"} + arguments, m_path);
    if (outcome.status != 0) qWarning("%s", outcome.errors.constData());
    return outcome.out;
  }

  farfield::test::TemporaryFolder m_folder;
  QString m_path;
};

void TestCliIntegrate::initTestCase() {
  m_path = QString::fromStdString(m_folder.path().string()) + "/";
  QCOMPARE(runFarfield({"sample", "cylinder", "-o", "cylinder", "--format", "plot3d"}, m_path).status, 0);
  for (const char* edge : {"8", "32"})
    QCOMPARE(runFarfield({"convert", "cylinder.xyz", "--solution", "cylinder.q", "-o",
                          QString("cylinder%1.h5").arg(edge), "--page-edge", edge},
                         m_path)
                 .status,
             0);
}

void TestCliIntegrate::closedSurfacesOfSamples_data() {
  QTest::addColumn<QString>("sample");
  QTest::addColumn<bool>("exact");
  // On a grid of equal spacings what enters and leaves a box of these two is equal to rounding; the sample
  // stores velocities as 32-bit numbers.
  QTest::newRow("taylor-green") << "taylor-green?size=N,N,N" << true;
  QTest::newRow("abc") << "abc?size=N,N,N" << true;
  // Otherwise the difference is that of the trapezoidal rule.
  QTest::newRow("taylor-green, unequal spacings") << "taylor-green?size=N,FINER,N" << false;
  QTest::newRow("turbulence") << "turbulence?size=N,N,N" << false;
}

void TestCliIntegrate::closedSurfacesOfSamples() {
  QFETCH(QString, sample);
  QFETCH(bool, exact);
  double before = 0;
  for (const int cells : {64, 128, 256}) {
    // A part of the sample that no period fits.
    const int along = sample.contains("FINER") ? 2 * cells : cells;
    const QString name =
        "sample://" +
        QString(sample).replace("FINER", QString::number(along + 1)).replace("N", QString::number(cells + 1));
    const QString box = QString("0:i=%1:%2,j=%3:%4,k=%1:%2")
                            .arg(cells / 8)
                            .arg(cells * 7 / 16)
                            .arg(along / 16)
                            .arg(along * 5 / 16);
    const QJsonObject answer = json({name, "--surface", box, "--function", "velocity"});
    const QJsonObject step = answer["steps"].toArray()[0].toObject();
    double through = 0;
    for (const QJsonValue& face : step["surfaces"].toArray())
      through += std::abs(face["functions"]["velocity"]["flow"].toDouble());
    const double total = step["total"]["functions"]["velocity"]["flow"].toDouble(NAN);
    QCOMPARE(step["surfaces"].toArray().size(), 6);
    QVERIFY(through > 0.1);
    if (exact) {
      QVERIFY2(std::abs(total) < 1e-6 * through, qPrintable(QString::number(total)));
      continue;
    }
    QVERIFY2(std::abs(total) < 0.02 * through, qPrintable(QString("%1 of %2").arg(total).arg(through)));
    if (before != 0) {
      const double order = std::log2(std::abs(before / total));
      QVERIFY2(order > 1.8 && order < 2.2, qPrintable(QString("%1 %2 %3").arg(order).arg(before).arg(total)));
    }
    before = total;
  }
}

void TestCliIntegrate::constantsOverClosedSurfaces() {
  // Of the curvilinear blocks of the cylinder: without blanked faces their boxes are closed.
  const QJsonObject answer = json({"cylinder.xyz", "--solution", "cylinder.q", "--surface",
                                   "0:i=4:12,j=2:9,k=3:8", "--function", "5+0*density"});
  const QJsonObject total = answer["steps"][0]["total"].toObject();
  const QJsonObject constant = total["functions"]["5+0*density"].toObject();
  QVERIFY(total["area"].toDouble() > 1);
  QCOMPARE(total["facesLeftOut"].toInt(-1), 0);
  QCOMPARE(constant["mean"].toDouble(), 5.0);
  for (int axis = 0; axis < 3; ++axis) {
    QVERIFY(std::abs(total["vectorArea"][axis].toDouble(NAN)) < 1e-12);
    QVERIFY(std::abs(constant["timesNormal"][axis].toDouble(NAN)) < 1e-12);
  }
}

void TestCliIntegrate::tablesAndJsonAgree() {
  const QJsonObject answer = json(QStringList{"cylinder8.h5"} + kCylinder);
  QCOMPARE(answer["functions"].toArray(), (QJsonArray{"mach", "velocity"}));
  const QJsonObject step = answer["steps"][0].toObject();
  const QJsonArray surfaces = step["surfaces"].toArray();
  QCOMPARE(surfaces.size(), 4 + 1 + 6 + 1);

  const QList<QByteArray> lines = csv(QStringList{"cylinder8.h5"} + kCylinder).trimmed().split('\n');
  QCOMPARE(lines.size(), 1 + 12 + 1);
  const QList<QByteArray> names = lines[0].split(',');
  const auto field = [&](qsizetype line, const char* name) {
    return lines[line].split(',').value(names.indexOf(name));
  };
  for (qsizetype n = 0; n < 12; ++n) {
    const QJsonObject surface = surfaces[n].toObject();
    QCOMPARE(QString(field(n + 1, "surface")), n == 11                      ? QString("\"slice 0")
                                               : lines[n + 1].contains('"') ? QString("\"0:i=3:20")
                                                                            : surface["surface"].toString());
    if (lines[n + 1].contains('"')) continue;
    QCOMPARE(QString(field(n + 1, "normal")), surface["normal"].toString());
    QCOMPARE(field(n + 1, "area").toDouble(), surface["area"].toDouble());
    QCOMPARE(field(n + 1, "mach_mean").toDouble(), surface["functions"]["mach"]["mean"].toDouble());
    QCOMPARE(field(n + 1, "velocity_flow").toDouble(), surface["functions"]["velocity"]["flow"].toDouble());
    QCOMPARE(field(n + 1, "mass_flow").toDouble(), surface["massFlow"].toDouble(NAN));
    QCOMPARE(field(n + 1, "force_y").toDouble(), surface["force"][1].toDouble(NAN));
  }
  QCOMPARE(field(13, "surface"), QByteArray("total"));
  QCOMPARE(field(13, "force_x").toDouble(), step["total"]["force"][0].toDouble(NAN));
  // The density of this sample is 1.
  QCOMPARE(field(13, "mass_flow").toDouble(), field(13, "velocity_flow").toDouble());

  const Outcome text = runFarfield(QStringList{"integrate", "cylinder8.h5"} + kCylinder, m_path);
  const QList<QByteArray> rows = text.out.trimmed().split('\n');
  QCOMPARE(rows.size(), 14);
  QVERIFY(rows[0].startsWith("surface") && rows[0].endsWith("force z") && rows[13].startsWith("total"));
  for (const QByteArray& row : rows) QVERIFY(row.size() <= rows[0].size());
}

void TestCliIntegrate::theSameHoweverItIsRun_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("512K") << QStringList{"cylinder8.h5", "--memory", "512K"};
  QTest::newRow("three processors") << QStringList{"cylinder8.h5", "--processors", "3"};
  QTest::newRow("large pages") << QStringList{"cylinder32.h5", "--processors", "1"};
  QTest::newRow("in place") << QStringList{"cylinder.xyz", "--solution", "cylinder.q", "--memory", "16M"};
}

void TestCliIntegrate::theSameHoweverItIsRun() {
  QFETCH(QStringList, arguments);
  static const QByteArray reference = csv(QStringList{"cylinder8.h5"} + kCylinder);
  QVERIFY(reference.size() > 1000);
  QCOMPARE(csv(arguments + kCylinder), reference);
}

void TestCliIntegrate::normals() {
  const auto vectorArea = [&](const QStringList& more) {
    return json(QStringList{"sample://tornado?size=9", "--surface"} +
                more)["steps"][0]["surfaces"][0]["vectorArea"]
        .toArray();
  };
  // A regular grid: k is z.
  QVERIFY(vectorArea({"0:kmin"})[2].toDouble() < 0);
  QVERIFY(vectorArea({"0:kmax"})[2].toDouble() > 0);
  QVERIFY(vectorArea({"0:k=0"})[2].toDouble() > 0);
  QVERIFY(vectorArea({"0:k=4"})[2].toDouble() > 0);
  QVERIFY(vectorArea({"0:k=4", "--flip"})[2].toDouble() < 0);
  QVERIFY(vectorArea({"0:jmin"})[1].toDouble() < 0);
  QVERIFY(vectorArea({"0:i=-1"})[0].toDouble() > 0);
}

void TestCliIntegrate::sessions() {
  farfield::test::write(m_path + "session.json",
                        R"({"farfield":1,"data":{"flow":{"source":"cylinder8.h5"}},"objects":[
    {"name":"lines","type":"streamlines","seeds":{"type":"points","points":[[-4,0,1]]}},
    {"name":"wall","type":"grid-surface","range":{"j":0}},
    {"name":"hidden","type":"grid-surface","range":{"k":0},"visible":false},
    {"name":"box","type":"grid-surface","block":2},
    {"name":"cut","type":"slice","origin":[0,0,1],"normal":[1,0,2]}]})");
  const QJsonObject ofSession = json({"session.json", "--force"})["steps"][0].toObject();
  const QJsonObject ofData = json({"cylinder8.h5", "--surface", "all:j=0", "--slice", "0,0,1:1,0,2",
                                   "--surface", "2:all", "--force"})["steps"][0]
                                 .toObject();
  QCOMPARE(ofSession["data"].toString(), "flow");
  const QJsonArray surfaces = ofSession["surfaces"].toArray();
  QCOMPARE(surfaces.size(), 11);
  QCOMPARE(surfaces[0]["object"].toString(), "wall");
  QCOMPARE(surfaces[9]["object"].toString(), "box");
  QCOMPARE(surfaces[10]["object"].toString(), "cut");
  QVERIFY(surfaces[10]["area"].toDouble() > 100);
  QCOMPARE(ofSession["total"], ofData["total"]);
  for (qsizetype n = 0; n < surfaces.size(); ++n) {
    QJsonObject surface = surfaces[n].toObject();
    surface.remove("object");
    QCOMPARE(surface, ofData["surfaces"][n].toObject());
  }
  QVERIFY(runFarfield({"integrate", "session.json"}, m_path).out.contains("wall 0:j=0"));
}

void TestCliIntegrate::sessionsOfSeveralData() {
  const auto session = [&](const char* name, const char* second, const char* steps) {
    farfield::test::write(m_path + name, QByteArray(R"({"farfield":1,"data":{
    "long":{"source":"sample://taylor-green?size=9&steps=5","options":{"function.mine":"velocity-x"}},
    "short":{"source":"sample://taylor-green?size=9&steps=2")") +
                                             second + R"(}},"time":{"steps":)" + steps + R"(},"objects":[
    {"name":"a","type":"grid-surface","data":"long","range":{"k":0}},
    {"name":"b","type":"grid-surface","data":"short","range":{"k":0}}]})");
  };
  // Each at the steps at which it is shown: what has fewer at its last one.
  session("runs.json", "", "[1,4]");
  const QJsonArray all = json({"runs.json", "--function", "pressure"})["steps"].toArray();
  QCOMPARE(all.size(), 5);
  for (qsizetype n = 0; n < 4; ++n) QCOMPARE(all[n]["step"].toInt(), static_cast<int>(n) + 1);
  QCOMPARE(all[4]["data"].toString(), "short");
  QCOMPARE(all[4]["step"].toInt(), 1);
  // A table has one head. Where the same name is a number here and a vector there nothing is written under it.
  session("mixed.json", R"(,"options":{"function.mine":"velocity-x, velocity-y, velocity-z"})", "0");
  const QStringList mine{"integrate", "mixed.json", "--function", "mine"};
  farfield::test::verifyRefused(mine + QStringList{"--csv", "-"}, 1, "other components", m_path);
  farfield::test::verifyRefused(mine + QStringList{"--csv", "mixed.csv"}, 1, "other components", m_path);
  QVERIFY(!QFile::exists(m_path + "mixed.csv"));
  QCOMPARE(json({"mixed.json", "--function", "mine"})["steps"].toArray().size(), 2);
  // What the second data lack is said before anything of the first is printed.
  session("half.json", R"(,"options":{"function.other":"velocity-x"})", "0");
  farfield::test::verifyRefused({"integrate", "half.json", "--function", "mine"}, 1, "data short", m_path);
}

void TestCliIntegrate::steps() {
  const QStringList data{"sample://taylor-green?size=17&steps=5", "--surface", "0:j=3,i=0:5", "--function",
                         "velocity"};
  const QJsonArray all = json(data + QStringList{"--steps", "all"})["steps"].toArray();
  QCOMPARE(all.size(), 5);
  QVERIFY(all[4]["time"].toDouble() > all[3]["time"].toDouble());
  // The flow decays.
  const auto flow = [](const QJsonValue& step) {
    return std::abs(step["surfaces"][0]["functions"]["velocity"]["flow"].toDouble());
  };
  for (int n = 1; n < 5; ++n) QVERIFY(flow(all[n]) < flow(all[n - 1]));
  const QJsonArray some = json(data + QStringList{"--steps", "0:-1:2"})["steps"].toArray();
  QCOMPARE(some, (QJsonArray{all[0], all[2], all[4]}));
  QCOMPARE(json(data + QStringList{"--step", "-2"})["steps"].toArray(), QJsonArray{all[3]});
  QCOMPARE(json(data)["steps"].toArray(), QJsonArray{all[0]});
  QCOMPARE(csv(data + QStringList{"--steps", "1:3"}).count('\n'), 4);
  QVERIFY(runFarfield(QStringList{"integrate"} + data + QStringList{"--steps", "1:3"})
              .out.contains("step 2, time "));
}

void TestCliIntegrate::blankedFacesAreSaid() {
  const Outcome outcome =
      runFarfield({"integrate", "cylinder8.h5", "--surface", "all:kmin", "--json"}, m_path);
  const QJsonObject total = QJsonDocument::fromJson(outcome.out).object()["steps"][0]["total"].toObject();
  QVERIFY(total["facesLeftOut"].toInt() > 0);
  QVERIFY2(outcome.errors.contains(QByteArray::number(total["facesLeftOut"].toInt()) + " of "),
           outcome.errors);
  // A function without a value there.
  const Outcome none = runFarfield(
      {"integrate", "cylinder8.h5", "--surface", "0:jmin", "--function", "sqrt(-density)", "--csv", "-"},
      m_path);
  QCOMPARE(none.status, 0);
  QVERIFY2(none.errors.contains("sqrt(-density) has no value at"), none.errors);
  QVERIFY2(none.out.contains(",,,,,"), none.out);
}

void TestCliIntegrate::wrong_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<int>("status");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const QStringList& arguments, int status, const char* part) {
    QTest::newRow(name) << QStringList{"integrate"} + arguments << status << QString(part);
  };
  const QString data = "sample://tornado?size=9";
  row("no surface", {data}, 2, "name a surface");
  for (const char* text : {"0", "kmin", "0:kmid", "0:", "x:kmin", "-1:kmin", "0:k",
                           "0:k=", "0:k=1:", "0:k=1,", "0:k=1,k=2", "0:l=1", "0:k=1;j=2"})
    row(text, {data, "--surface", text}, 2, "is no surface");
  for (const char* text : {"0,0,1", "0,0:0,0,1", "0,0,1:0,0,1,", "0,0,1;0,0,1", "x,0,1:0,0,1"})
    row(text, {data, "--slice", text}, 2, "is no plane");
  row("no direction", {data, "--slice", "0,0,1:0,0,0"}, 2, "has no direction");
  farfield::test::write(
      m_path + "twice.vtk",
      "# vtk DataFile Version 3.0\na cell that is there twice\nASCII\nDATASET UNSTRUCTURED_GRID\n"
      "POINTS 8 float\n0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1\nCELLS 2 18\n"
      "8 0 1 2 3 4 5 6 7\n8 0 1 2 3 4 5 6 7\nCELL_TYPES 2\n12 12\nPOINT_DATA 8\n"
      "SCALARS s float 1\nLOOKUP_TABLE default\n0 1 2 3 4 5 6 7\n");
  row("no border", {"twice.vtk", "--surface", "all:all"}, 1, "there is no face to integrate over");
  row("no such block", {data, "--surface", "1:kmin"}, 1, "there is no block 1");
  row("no such node", {data, "--surface", "0:k=9"}, 1, "block 0 has 9");
  row("a line", {data, "--surface", "0:k=1,j=2"}, 1, "of block 0 span no surface");
  row("no such function", {data, "--surface", "0:kmin", "--function", "smoke"}, 1, "smoke");
  row("no density", {data, "--surface", "0:kmin", "--mass-flow"}, 1, "--function velocity");
  row("no force", {data, "--surface", "0:kmin", "--reference-pressure", "1"}, 2, "--force");
  row("no number", {data, "--surface", "0:kmin", "--force", "--reference-pressure", "1x"}, 2, "'1x'");
  row("no steps", {data, "--surface", "0:kmin", "--steps", "1:2:0"}, 2, "names no steps");
  row("no such step", {data, "--surface", "0:kmin", "--steps", "1"}, 1, "the data have one step, 0");
  row("small budget", {data, "--surface", "0:kmin", "--memory", "2K"}, 1, "--memory");
  row("twice to stdout", {data, "--surface", "0:kmin", "--json", "--csv", "-"}, 2, "both print");
  row("no such folder", {data, "--surface", "0:kmin", "--csv", "none/x.csv"}, 1, "none/x.csv");
}

void TestCliIntegrate::wrong() {
  QFETCH(QStringList, arguments);
  QFETCH(int, status);
  QFETCH(QString, part);
  farfield::test::verifyRefused(arguments, status, part, m_path);
}

void TestCliIntegrate::files() {
  const QStringList data{"sample://tornado?size=9", "--surface", "0:kmin", "--function", "pressure"};
  const QByteArray printed = csv(data);
  const Outcome outcome = runFarfield(QStringList{"integrate", "--csv", "out.csv"} + data, m_path);
  QVERIFY2(outcome.status == 0, outcome.errors);
  QCOMPARE(contents(m_path + "out.csv"), printed);
  // JSON beside a file.
  QCOMPARE(json(data + QStringList{"--csv", "again.csv"}), json(data));
  QCOMPARE(contents(m_path + "again.csv"), printed);
  // What fails leaves the file as it was, and nothing beside it.
  const Outcome failed =
      runFarfield(QStringList{"integrate", "--csv", "out.csv", "--steps", "7"} + data, m_path);
  QCOMPARE(failed.status, 1);
  QCOMPARE(contents(m_path + "out.csv"), printed);
  QCOMPARE(QDir(m_path).entryList({"*.csv*", ".*.csv*"}, QDir::Files | QDir::Hidden).size(), 2);
}

/// A folder of Zarr, the file of metadata in it, and a list of PLOT3D files are data, though two of them are JSON.
void TestCliIntegrate::dataThatBeginAsSessions() {
  QVERIFY(QDir(m_path).mkdir("a.zarr"));
  farfield::test::write(
      m_path + "a.zarr/.zarray",
      R"({"zarr_format":2,"shape":[4,4,4],"chunks":[4,4,4],"dtype":"|u1","compressor":null,)"
      R"("fill_value":0,"order":"C","filters":null})");
  farfield::test::write(m_path + "a.zarr/0.0.0", QByteArray(64, 7));
  farfield::test::write(
      m_path + "list.p3d",
      R"({"auto-detect-format":true,"filenames":[{"time":0,"xyz":"cylinder.xyz","q":"cylinder.q"}]})");
  const auto areaOf = [&](const QString& name, const QString& surface) {
    return json({name, "--surface", surface})["steps"].toArray()[0].toObject()["total"].toObject()["area"];
  };
  QCOMPARE(areaOf("a.zarr", "0:kmin").toDouble(), 9.0);
  QCOMPARE(areaOf("a.zarr/.zarray", "0:kmin").toDouble(), 9.0);
  QVERIFY(areaOf("list.p3d", "0:kmin").toDouble() > 0);
}

/// Once, also where cells go around either way, and in a store; what leaves the sheet does so along its normal.
/// u = z in 4 x 4 x 8 cells: the vorticity is 1 everywhere, so its integral is the area, in the first layer and at the wall too.
void TestCliIntegrate::cellsHaveTheirShearUpToTheEnds() {
  QString points, velocity;
  for (int k = 0; k <= 8; ++k)
    for (int j = 0; j <= 4; ++j)
      for (int i = 0; i <= 4; ++i) {
        points += QString("%1 %2 %3 ").arg(i).arg(j).arg(k);
        if (i < 4 && j < 4 && k < 8) velocity += QString("%1 0 0 ").arg(k + 0.5);
      }
  const auto array = [](const char* name, const QString& values) {
    return QString(
               "<DataArray type=\"Float64\" Name=\"%1\" NumberOfComponents=\"3\" format=\"ascii\">%2</DataArray>")
        .arg(name, values);
  };
  QFile file(m_path + "shear.vts");
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(
      (QString("<VTKFile type=\"StructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">"
               "<StructuredGrid WholeExtent=\"0 4 0 4 0 8\"><Piece Extent=\"0 4 0 4 0 8\"><Points>%1</Points>"
               "<CellData>%2</CellData></Piece></StructuredGrid></VTKFile>")
           .arg(array("Points", points), array("velocity", velocity)))
          .toLatin1());
  file.close();
  QCOMPARE(runFarfield({"convert", "shear.vts", "-o", "shear.h5"}, m_path).status, 0);
  for (const char* const name : {"shear.vts", "shear.h5"}) {
    const QJsonArray surfaces =
        json({name, "--slice", "2,2,0.5:0,0,1", "--slice", "2,2,0.1:0,0,1", "--surface", "0:kmin",
              "--function", "vorticity-magnitude"})["steps"][0]["surfaces"]
            .toArray();
    QCOMPARE(surfaces.size(), 3);
    for (const QJsonValue& surface : surfaces)
      QVERIFY(std::abs(surface["functions"]["vorticity-magnitude"]["integral"].toDouble() - 16) < 1e-12);
  }
}

void TestCliIntegrate::dataInAPlaneAreASheet() {
  farfield::test::writeFlatMesh(m_folder.path() / "flat.vtk");
  QCOMPARE(runFarfield({"convert", "flat.vtk", "-o", "flat.h5"}, m_path).status, 0);
  for (const char* const file : {"flat.vtk", "flat.h5"}) {
    const QJsonObject surface =
        json({file, "--surface", "boundary", "--function", "s"})["steps"][0]["surfaces"][0].toObject();
    QVERIFY(std::abs(surface["area"].toDouble() - 2) < 1e-12);
    QCOMPARE(surface["normal"].toString(), QString("out"));
    QVERIFY(std::abs(surface["functions"]["s"]["integral"].toDouble() - 2) < 1e-12);
    QVERIFY(std::abs(surface["vectorArea"][2].toDouble() - 2) < 1e-12);
    const Outcome info = runFarfield({"info", file}, m_path);
    QVERIFY2(info.out.contains(" 6 nodes, unstructured, 3 cells"), info.out.constData());
  }
}

/// The numbers are those of VTK, without ghosts.
void TestCliIntegrate::realDataInAPlane() {
  NEEDS_DATA("data/series/pvd_tunnel/run_0_results.pvd");
  const std::string file = farfield::test::dataPath("data/series/pvd_tunnel/run_0_results.pvd").string();
  const QJsonObject surface = json({QString::fromStdString(file), "--surface", "boundary", "--function",
                                    "pressure", "--steps", "1"})["steps"][0]["surfaces"][0]
                                  .toObject();
  QVERIFY(std::abs(surface["area"].toDouble() / 96.02394235881442 - 1) < 1e-9);
  QVERIFY(std::abs(surface["functions"]["pressure"]["integral"].toDouble() / 1075411022.5224557 - 1) < 1e-6);
}

QTEST_GUILESS_MAIN(TestCliIntegrate)
#include "tst_cli_integrate.moc"
