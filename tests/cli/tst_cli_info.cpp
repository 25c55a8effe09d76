// What `farfield info` says of the vector that flows: where data have several, and where it is made of others.

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zarr_turned.h"

using namespace farfield::test;

class TestCliInfo : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void theVectorThatFlowsIsSaid_data();
  void theVectorThatFlowsIsSaid();

 private:
  /// Eight nodes with these values.
  void writePoints(const QString& name, const QByteArray& values) {
    write(m_path + name,
          "# vtk DataFile Version 3.0\nx\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 2 2 2\nORIGIN 0 0 0\n"
          "SPACING 1 1 1\nPOINT_DATA 8\n" +
              values);
  }
  TemporaryFolder m_folder;
  QString m_path;
};

void TestCliInfo::initTestCase() {
  m_path = QString::fromStdString(m_folder.path().string()) + "/";
  const auto vectors = [](const QByteArray& name) {
    return "VECTORS " + name + " float\n" + QByteArray("1 2 3\n").repeated(8);
  };
  const auto scalars = [](const QByteArray& name) {
    return "SCALARS " + name + " float\nLOOKUP_TABLE default\n" + QByteArray("1\n").repeated(8);
  };
  writePoints("several.vtk", vectors("DISPL") + vectors("VEL") + vectors("ACCL"));
  writePoints("one.vtk", vectors("wind"));
  writePoints("parts.vtk", scalars("u") + scalars("v") + scalars("w"));
  writeZarrTurned(m_folder / "ocean.zarr");
}

void TestCliInfo::theVectorThatFlowsIsSaid_data() {
  QTest::addColumn<QString>("data");
  QTest::addColumn<QStringList>("vector");
  QTest::addColumn<bool>("isSaid");
  QTest::newRow("one of several") << "several.vtk" << QStringList{"VEL"} << true;
  QTest::newRow("the only one") << "one.vtk" << QStringList{"wind"} << false;
  QTest::newRow("in parts") << "parts.vtk" << QStringList{"u", "v", "w"} << true;
  QTest::newRow("of a turned grid") << "ocean.zarr" << QStringList{"flow"} << true;
  QTest::newRow("that of a flow") << "sample://tornado?size=5" << QStringList{"velocity"} << false;
  QTest::newRow("that of several blocks")
      << "sample://tornado?size=5&blocks=4" << QStringList{"velocity"} << false;
}

void TestCliInfo::theVectorThatFlowsIsSaid() {
  QFETCH(QString, data);
  QFETCH(QStringList, vector);
  QFETCH(bool, isSaid);
  const Outcome text = runFarfield({"info", data}, m_path),
                json = runFarfield({"info", data, "--json"}, m_path);
  QVERIFY2(text.status == 0 && json.status == 0, text.errors + json.errors);
  const QByteArray line = "\nvector     " + vector.join(", ").toUtf8() + "  (";
  QVERIFY2(text.out.contains(line) == isSaid, text.out);
  QCOMPARE(text.out.contains("\nvector "), isSaid);
  QStringList names;
  for (const QJsonValue& name : QJsonDocument::fromJson(json.out).object()["vector"].toArray())
    names.push_back(name.toString());
  QCOMPARE(names, vector);
}

QTEST_GUILESS_MAIN(TestCliInfo)
#include "tst_cli_info.moc"
