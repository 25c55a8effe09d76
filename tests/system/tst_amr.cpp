// Adaptive grids through the program: a slice has the area of the domain and no place twice, an isosurface of a linear function is
// its plane, lines cross boxes and levels, probes give the value of the finest cell; in place and converted, with any budget,
// scheduler and number of processors the bytes are equal; what cannot be read is said in a line.

#include <QTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <map>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/support/vtk_amr_files.h"
#include "tests/support/vtp_file.h"
#include "tests/system/session_text.h"
#include "tests/system/smallest_budget.h"

using namespace farfield;
using namespace farfield::test;
using Words = std::vector<std::string>;

class TestAmr : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void infoSaysLevels();
  void probesGiveTheFinestCell();
  void slicesHaveTheAreaOfTheDomain();
  void outerFacesAreThoseOfTheDomain();
  void equalBytesEverywhere();
  void damageIsSaid();
  void realDataAreAsTheReferenceSays();
  void processesAreOneGrid();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  std::string run(const Words& arguments) {
    const RunResult result = runProgram(arguments, here());
    return result.status == 0 ? result.out : "failed: " + result.errors;
  }
  QJsonObject json(const Words& arguments) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(run(arguments))).object();
  }

  TemporaryFolder m_folder;
  const AmrSample m_sample;
};

void TestAmr::initTestCase() {
  writeVtkAmr(m_sample, m_folder.path(), "amr");
  const std::string objects = R"({"name":"cut","type":"slice","normal":[0.3,0.2,1],"color":{"by":"linear"}},
    {"name":"surface","type":"isosurface","by":"linear","value":[-5,0.5]},
    {"name":"lines","type":"streamlines","vector":"flow","direction":"both","seeds":{"type":"plane","origin":[0,2.4,3],"axis1":[4,0,0],"axis2":[0,1,3],"counts":[5,4]},"integrator":{"maxLength":20,"maxTime":10},"color":{"by":"linear"}},
    {"name":"boxes","type":"outline"})";
  writeFile(m_folder / "place.json", sessionText(R"("source":"amr.vth")", objects));
  writeFile(m_folder / "store.json", sessionText(R"("source":"amr.h5")", objects));
}

void TestAmr::infoSaysLevels() {
  const QJsonObject info = json({"info", "amr.vth", "--json", "--ranges"});
  QCOMPARE(info["blocks"].toArray().size(), 7);
  QCOMPARE(info["amr"].toObject()["boxes"].toArray(), (QJsonArray{2, 4, 1}));
  const QJsonObject last = info["blocks"].toArray()[6].toObject();
  QCOMPARE(last["kind"].toString(), QString("amr"));
  QCOMPARE(last["level"].toInt(), 2);
  QCOMPARE(last["cells"].toInt(), 6 * 8 * 8);
  QCOMPARE(info["cells"].toInt(), 512 + 256 + 2 * 256 + 32 + 64 + 384);
  const std::string text = run({"info", "amr.vth"});
  QVERIFY2(text.find("levels     3") != std::string::npos && text.find("4 boxes") != std::string::npos,
           text.c_str());
}

void TestAmr::probesGiveTheFinestCell() {
  for (const Vec3 point : {Vec3{-0.99, 2.01, 0.6}, Vec3{1.26, 2.9, 4.3}, Vec3{2.1, 3.01, 4.1},
                           Vec3{2.6, 2.6, 2.6}, Vec3{4.3, 3.6, 7}}) {
    const auto [level, box] = m_sample.holder(point);
    Index3 cell;
    for (int a = 0; a < 3; ++a)
      cell[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(
          std::floor((point[a] - m_sample.origin[a]) / m_sample.spacingOf(level)[a]));
    const std::string at =
        std::to_string(point.x) + "," + std::to_string(point.y) + "," + std::to_string(point.z);
    const QJsonObject found =
        json({"probe", "amr.vth", "--function", "linear", "--at", at, "--json"})["points"]
            .toArray()[0]
            .toObject();
    QCOMPARE(found["level"].toInt(-1), static_cast<int>(level));
    QCOMPARE(found["value"].toDouble(), AmrSample::linear(m_sample.centre(level, cell)));
    for (int a = 0; a < 3; ++a)
      QCOMPARE(found["cell"].toArray()[a].toInteger() +
                   m_sample.levels[level][box].first[static_cast<std::size_t>(a)],
               cell[static_cast<std::size_t>(a)]);
  }
}

void TestAmr::slicesHaveTheAreaOfTheDomain() {
  // x is constant: 8 × 0.25 by 8 × 1, whatever is cut, also on planes where boxes and levels end
  for (const char* const x : {"-0.8", "0", "1.01", "2", "2.2", "2.5", "3", "3.1", "4", "4.12"}) {
    const QJsonObject result = json(
        {"integrate", "amr.vth", "--slice", std::string(x) + ",3,4:1,0,0", "--function", "linear", "--json"});
    const QByteArray text = QJsonDocument(result).toJson();
    const qsizetype at = text.indexOf("\"area\":");
    QVERIFY2(at >= 0, text.constData());
    const double area = text.mid(at + 7, text.indexOf(',', at) - at - 7).trimmed().toDouble();
    QVERIFY2(std::abs(area / 16 - 1) < 1e-9, text.constData());
  }
}

/// Finer boxes lie on those of coarser ones, also on the border of the data: each place of it is there once, and no face between boxes.
void TestAmr::outerFacesAreThoseOfTheDomain() {
  const auto areaOf = [this](const Words& surfaces, const std::string& data) {
    Words words{"integrate", data, "--function", "linear", "--json"};
    for (const std::string& each : surfaces) words.insert(words.end(), {"--surface", each});
    return json(words)["steps"].toArray()[0].toObject()["total"].toObject()["area"].toDouble(-1);
  };
  QCOMPARE(run({"convert", "amr.vth", "-o", "faces.h5", "--quiet"}), std::string());
  const Vec3 size = m_sample.end() - m_sample.origin;
  const double outside = 2 * (size.x * size.y + size.y * size.z + size.z * size.x);
  for (const char* const data : {"amr.vth", "faces.h5"}) {
    QVERIFY2(std::abs(areaOf({"all:all"}, data) / outside - 1) < 1e-12,
             qPrintable(QString::number(areaOf({"all:all"}, data))));
    // A box alone has all its faces, but where finer boxes cover it: the second one has such a box in a corner of the domain.
    const auto faces = [](double x, double y, double z) { return 2 * (x * y + y * z + z * x); };
    for (const auto& [surface, area] : {std::pair{"0:all", faces(4, 2, 8)},
                                        {"1:all", faces(2, 2, 8) - faces(1, 0.5, 2) / 2},
                                        {"5:all", faces(1, 0.5, 2)},
                                        {"1:imax", 16.0 - 1}})
      QVERIFY2(std::abs(areaOf({surface}, data) / area - 1) < 1e-12, surface);
  }
}

void TestAmr::equalBytesEverywhere() {
  QVERIFY(run({"convert", "amr.vth", "-o", "amr.h5", "--quiet"}).empty());
  std::map<std::string, std::string> reference;
  int n = 0;
  const auto compare = [&](const std::string& session, Words how) {
    const std::string out = "out" + std::to_string(n++);
    Words all{"batchvis", session, "-o", out, "--quiet"};
    all.insert(all.end(), how.begin(), how.end());
    const RunResult result = runProgram(all, here());
    QVERIFY2(result.status == 0, result.errors.c_str());
    for (const char* const name : {"cut.vtp", "surface.vtp", "lines.vtp", "boxes.vtp"}) {
      const std::string bytes = fileContents(m_folder / out / name);
      QVERIFY(bytes.size() > 2000);
      if (!reference.contains(name)) reference[name] = bytes;
      QVERIFY2(bytes == reference[name], (session + " " + (how.empty() ? "" : how[1]) + ": " + name).c_str());
    }
  };
  compare("place.json", {});
  for (const std::string session : {"place.json", "store.json"}) {
    compare(session, {"--scheduler", "serial"});
    compare(session, {"--scheduler", "threads", "--processors", "3"});
    const std::string least = smallestBudget({"batchvis", session, "-o", "small"}, here());
    QVERIFY(!least.empty());
    compare(session, {"--memory", least});
  }
  QVERIFY(run({"verify", "store.json", "--quiet"}).find("failed") == std::string::npos);
}

void TestAmr::damageIsSaid() {
  const std::string file = fileContents(m_folder / "amr/4.vti");
  writeFile(m_folder / "amr/4.vti", file.substr(0, file.size() / 2));
  const RunResult result = runProgram({"info", "amr.vth"}, here());
  QCOMPARE(result.status, 1);
  QCOMPARE(result.errorLines().size(), std::size_t{1});
  QVERIFY2(result.errors.find("4.vti") != std::string::npos, result.errors.c_str());
  writeFile(m_folder / "amr/4.vti", file);
}

void TestAmr::realDataAreAsTheReferenceSays() {
  NEEDS_DATA("data/amr/HierarchicalBoxDataset.v1.1.vthb");
  NEEDS_DATA("refs/hbox.amr.json");
  const QJsonObject reference =
      QJsonDocument::fromJson(QByteArray::fromStdString(fileContents(dataPath("refs/hbox.amr.json"))))
          .object();
  Words arguments{"probe",      dataPath("data/amr/HierarchicalBoxDataset.v1.1.vthb").string(),
                  "--function", "Fractal Volume Fraction",
                  "--json",     "--at"};
  const QJsonArray probes = reference["probes_piecewise_constant"].toArray();
  QVERIFY(probes.size() > 10);
  for (const QJsonValue& probe : probes) {
    const QJsonArray at = probe.toObject()["xyz"].toArray();
    arguments.push_back(QString("%1,%2,%3")
                            .arg(at[0].toDouble(), 0, 'g', 17)
                            .arg(at[1].toDouble(), 0, 'g', 17)
                            .arg(at[2].toDouble(), 0, 'g', 17)
                            .toStdString());
  }
  const QJsonArray points = json(arguments)["points"].toArray();
  QCOMPARE(points.size(), probes.size());
  for (qsizetype n = 0; n < probes.size(); ++n) {
    const QJsonObject wanted = probes[n].toObject(), point = points[n].toObject();
    QCOMPARE(point["level"].toInt(-1), wanted["finest_level"].toInt());
    QCOMPARE(point["value"].toDouble(), wanted["value"].toArray()[0].toDouble());
    QCOMPARE(point["cell"].toArray(), wanted["ijk"].toArray());
  }
}

/// A checkpoint of five processes, of four levels, in folders; by one of its files.
void TestAmr::processesAreOneGrid() {
  const std::string file =
      "data/amr/carpet/level_0.group_0/level_1.group_2/CarpetWaveToyCheckpointSubdirs_test.it_64.file_3.h5";
  NEEDS_DATA(file);
  const std::string source = dataPath(file).string();
  QVERIFY(run({"convert", source, "-o", "carpet.h5", "--quiet"}).empty());
  // the domain is 2 wide, and every place is cut once
  for (const std::string& data : {source, std::string("carpet.h5")})
    for (const auto& [plane, wanted] : {std::pair{"0.01,0,0:1,0,0", 4.0}, std::pair{"0,-0.4,0:0,1,0", 4.0},
                                        std::pair{"0,0,0.13:0.1,0.1,1", 4 * std::sqrt(1.02)}}) {
      const QByteArray text =
          QJsonDocument(json({"integrate", data, "--slice", plane, "--function", "WAVETOY::phi", "--json"}))
              .toJson();
      const qsizetype at = text.indexOf("\"area\":");
      QVERIFY2(at >= 0, text.constData());
      const double area = text.mid(at + 7, text.indexOf(',', at) - at - 7).trimmed().toDouble();
      QVERIFY2(std::abs(area / wanted - 1) < 1e-9, text.constData());
    }
}

QTEST_GUILESS_MAIN(TestAmr)
#include "tst_amr.moc"
