// Real unstructured grids against what VTK says of them (refs/*.unstructured.json): cells, bounds, the range of every variable over all
// steps, the border's area, values at places. As they are opened in place, from a store, and from a store for other programs that is read
// as VTKHDF.

#include <QTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>

#include "tests/support/file_contents.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/system/session_text.h"

using namespace farfield::test;

namespace {

QJsonObject jsonOf(const std::string& text) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

/// The names of Exodus's vectors without what VTK leaves of them.
QString nameHere(QString name) {
  while (name.endsWith('_')) name.chop(1);
  return name;
}

}  // namespace

class TestUnstructured : public QObject {
  Q_OBJECT
 private slots:
  void agreesWithVtk_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("reference");
    QTest::addColumn<QString>("probed");    // the variable whose values at places the reference has
    QTest::addColumn<int>("cellsLeftOut");  // without a volume
    QTest::addColumn<bool>("border");       // not where VTK has a border of each element block
    QTest::newRow("can.vtu") << "unstructured/can.vtu"
                             << "can_vtu"
                             << "" << 0 << true;
    QTest::newRow("can-vtu.hdf") << "hdf/can-vtu.hdf"
                                 << "can_vtu"
                                 << "" << 0 << true;
    QTest::newRow("hexa.vtk") << "unstructured/hexa.vtk"
                              << "hexa"
                              << "scalars" << 0 << true;
    QTest::newRow("mug.e") << "unstructured/mug.e"
                           << "mug"
                           << "convected" << 0 << false;
    QTest::newRow("block_crush_1.ex2") << "unstructured/block_crush_1.ex2"
                                       << "block_crush"
                                       << "" << 1 << true;
  }

  void agreesWithVtk() {
    QFETCH(const QString, source);
    QFETCH(const QString, reference);
    QFETCH(const QString, probed);
    QFETCH(const int, cellsLeftOut);
    QFETCH(const bool, border);
    NEEDS_DATA("data/" + source.toStdString());
    NEEDS_DATA("refs/" + reference.toStdString() + ".unstructured.json");
    const QJsonObject wanted =
        jsonOf(fileContents(dataPath("refs/" + reference.toStdString() + ".unstructured.json")));
    const TemporaryFolder folder;
    const std::string file = dataPath("data/" + source.toStdString()).string(),
                      store = (folder / "a.h5").string(), other = (folder / "b.vtkhdf").string();
    QCOMPARE(run({"convert", file, "-o", store}).status, 0);
    QCOMPARE(run({"convert", file, "-o", other, "--open"}).status, 0);
    const std::vector<std::vector<std::string>> forms{{file}, {store}, {other, "--reader", "vtkhdf"}};
    for (const auto& form : forms) {
      const QJsonArray steps =
          wanted.contains("steps") ? wanted["steps"].toArray() : QJsonArray{QJsonValue(wanted)};
      compareInfo(form, steps, cellsLeftOut);
      if (QTest::currentTestFailed()) return;
      if (border) compareBorder(form, steps.first().toObject()["boundary"].toObject()["area"].toDouble());
      if (!probed.isEmpty()) compareProbes(form, probed, steps);
      if (QTest::currentTestFailed()) return;
    }
  }

  /// In place and from a store that was written so; the range is that of vtkCellDataToPointData.
  void valuesOfCellsAreTakenToTheNodes() {
    NEEDS_DATA("data/unstructured/can.vtu");
    const TemporaryFolder folder;
    const std::string file = dataPath("data/unstructured/can.vtu").string(),
                      store = (folder / "can.h5").string(),
                      option = ",\"options\":{\"on\":\"cells-at-nodes\"}";
    QCOMPARE(run({"convert", file, "-o", store, "--option", "on=cells-at-nodes"}).status, 0);
    const auto rangeOf = [&](const std::vector<std::string>& form) {
      const RunResult info = run("info", form, {"--ranges", "--json"});
      for (const QJsonValue& value : jsonOf(info.out)["variables"].toArray())
        if (value.toObject()["name"] == "EQPS" && value.toObject()["on"] == "nodes")
          return std::pair{value.toObject()["min"].toDouble(), value.toObject()["max"].toDouble()};
      return std::pair{0.0, 0.0};
    };
    const std::pair known{0.04407969722524285, 2.661921203136444};
    QCOMPARE(rangeOf({file, "--option", "on=cells-at-nodes"}), known);
    QCOMPARE(rangeOf({store}), known);
    QCOMPARE(rangeOf({file}), (std::pair{0.0, 0.0}));
    const auto surfaceOf = [&](const std::string& source, const std::string& more, RunResult& result) {
      const std::filesystem::path session = folder / "iso.json";
      writeFile(
          session,
          sessionText(
              "\"source\":\"" + source + "\"" + more,
              "{\"name\":\"iso\",\"type\":\"isosurface\",\"by\":\"EQPS\",\"value\":0.2,\"color\":\"#ffffff\"}"));
      result = run({"batchvis", session.string(), "-o", folder.path().string(), "--overwrite"});
      return fileContents(folder / "iso.vtp");
    };
    RunResult result;
    const std::string flat = surfaceOf(file, "", result);
    QVERIFY2(result.status == 0 && result.errors.find("cells-at-nodes") != std::string::npos,
             result.errors.c_str());
    const std::string smooth = surfaceOf(file, option, result);
    QVERIFY2(result.status == 0 && result.errors.find("is empty") == std::string::npos,
             result.errors.c_str());
    QVERIFY(smooth.size() > flat.size());
    QCOMPARE(surfaceOf(store, "", result), smooth);
  }

  /// Polygons and strips are several triangles of one cell: each face was taken for one of the last of them, and refused.
  void facesOfPolygonsHaveTheValuesOfTheirCells() {
    const TemporaryFolder folder;
    const std::string file = (folder / "polygons.vtk").string(), store = (folder / "polygons.h5").string();
    writeFile(file,
              "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 9 float\n"
              "0 0 0 2 0 0 3 1 0 2 2 0 0 2 0 0 0 1 2 0 1 0 -1 2 2 -1 2\n"
              "POLYGONS 1 6\n5 0 1 2 3 4\nTRIANGLE_STRIPS 1 7\n6 0 1 5 6 7 8\n"
              "CELL_DATA 2\nSCALARS c float 1\nLOOKUP_TABLE default\n10 100\n");
    QCOMPARE(run({"convert", file, "-o", store}).status, 0);
    for (const std::string& form : {file, store}) {
      const RunResult result = run({"integrate", form, "--surface", "boundary", "--function", "c", "--json"});
      QVERIFY2(result.status == 0, result.errors.c_str());
      const QJsonObject total = jsonOf(result.out)["steps"].toArray().first().toObject()["total"].toObject();
      // a pentagon of area 5, and two rectangles
      const double integral = total["functions"].toObject()["c"].toObject()["integral"].toDouble();
      QVERIFY2(near(integral, 10 * 5 + 100 * (2 + 2 * std::sqrt(2.0)), 1e-9),
               std::to_string(integral).c_str());
    }
  }

 private:
  static RunResult run(std::vector<std::string> arguments) { return runProgram(arguments); }
  static RunResult run(const std::string& command, const std::vector<std::string>& form,
                       std::vector<std::string> more) {
    more.insert(more.begin(), form.begin(), form.end());
    more.insert(more.begin(), command);
    return run(std::move(more));
  }

  void compareInfo(const std::vector<std::string>& form, const QJsonArray& steps, int cellsLeftOut) {
    const RunResult info = run("info", form, {"--ranges", "--json"});
    QVERIFY2(info.status == 0, info.errors.c_str());
    const QJsonObject found = jsonOf(info.out);
    const QJsonObject first = steps.first().toObject();
    QCOMPARE(found["steps"].toInt(), int(steps.size()));
    QCOMPARE(found["cells"].toInt() + cellsLeftOut, first["cells"].toInt());
    const QJsonArray bounds = found["blocks"].toArray()[0].toObject()["bounds"].toArray();
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2; ++end)
        QVERIFY(near(bounds[end].toArray()[a].toDouble(), first["bounds"].toArray()[2 * a + end].toDouble(),
                     1e-6));
    int compared = 0;
    for (const char* const kind : {"point_arrays", "cell_arrays"}) {
      const QJsonObject arrays = first[kind].toObject();
      for (auto array = arrays.begin(); array != arrays.end(); ++array)
        for (const QJsonValue& value : found["variables"].toArray()) {
          const QJsonObject variable = value.toObject();
          if (variable["name"].toString() != nameHere(array.key()) || variable["derived"].toBool()) continue;
          QCOMPARE(variable["components"].toInt(), array.value().toObject()["comps"].toInt());
          double least = INFINITY, most = -INFINITY;
          for (const QJsonValue& step : steps) {
            const QJsonObject its = step.toObject()[kind].toObject()[array.key()].toObject();
            least = std::min(least, its["min"].toDouble());
            most = std::max(most, its["max"].toDouble());
          }
          QVERIFY2(
              near(variable["min"].toDouble(), least, 1e-9) && near(variable["max"].toDouble(), most, 1e-9),
              qPrintable(array.key()));
          ++compared;
        }
    }
    QVERIFY2(compared > 0, "no variable is in both");
  }

  /// VTK cuts faces in triangles, so areas of bent ones differ a little.
  void compareBorder(const std::vector<std::string>& form, double area) {
    const RunResult integral = run("integrate", form, {"--surface", "0:all", "--json"});
    QVERIFY2(integral.status == 0, integral.errors.c_str());
    const QJsonObject step = jsonOf(integral.out)["steps"].toArray()[0].toObject();
    const double found = step["total"].toObject()["area"].toDouble();
    QVERIFY2(near(found, area, 1e-2), std::to_string(found).c_str());
  }

  void compareProbes(const std::vector<std::string>& form, const QString& variable, const QJsonArray& steps) {
    const qsizetype last = steps.size() - 1;
    const QJsonArray probes = steps[last].toObject()["probes"].toArray();
    QVERIFY(!probes.isEmpty());
    std::vector<std::string> asked{"--function", variable.toStdString(), "--steps", std::to_string(last),
                                   "--json"};
    for (const QJsonValue& probe : probes) {
      const QJsonArray at = probe.toObject()["xyz"].toArray();
      asked.push_back("--at");
      asked.push_back(QString("%1,%2,%3")
                          .arg(at[0].toDouble(), 0, 'g', 17)
                          .arg(at[1].toDouble(), 0, 'g', 17)
                          .arg(at[2].toDouble(), 0, 'g', 17)
                          .toStdString());
    }
    const RunResult probe = run("probe", form, asked);
    QVERIFY2(probe.status == 0, probe.errors.c_str());
    const QJsonObject all = jsonOf(probe.out);
    const QJsonArray found = all.contains("points")
                                 ? all["points"].toArray()
                                 : all["steps"].toArray()[0].toObject()["points"].toArray();
    QCOMPARE(found.size(), probes.size());
    for (qsizetype n = 0; n < probes.size(); ++n)
      QVERIFY2(near(found[n].toObject()["value"].toDouble(), probes[n].toObject()["value"].toDouble(), 1e-6),
               probe.out.c_str());
  }
};

QTEST_GUILESS_MAIN(TestUnstructured)
#include "tst_unstructured.moc"
