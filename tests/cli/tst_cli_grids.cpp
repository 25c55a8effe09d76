// Solutions that are named alone: commands find the grid that the window finds, and say which.

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using namespace farfield::test;

class TestCliGrids : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void namesGoTogether_data();
  void namesGoTogether();
  void sizesGoTogether();
  void severalAreNone();
  void seriesAreSteps();
  void commandsTakeThem();

 private:
  QString at(const QString& name) const {
    return QString::fromStdString((m_folder.path() / name.toStdString()).string());
  }
  /// A folder with these copies of the sample's files.
  void arrange(const QString& folder, const QList<std::pair<QString, QString>>& copies) {
    QDir(at(folder)).removeRecursively();
    QVERIFY(QDir().mkpath(at(folder)));
    for (const auto& [from, to] : copies) QVERIFY(QFile::copy(at(from), at(folder + '/' + to)));
  }

  TemporaryFolder m_folder;
};

void TestCliGrids::initTestCase() {
  SUCCEEDS(runFarfield({"sample", "cylinder", "-o", at("wing"), "--size", "17,33,9", "--format", "plot3d"}));
  SUCCEEDS(runFarfield({"sample", "cylinder", "-o", at("other"), "--size", "17,35,9", "--format", "plot3d"}));
  QVERIFY(QFile::exists(at("wing.xyz")) && QFile::exists(at("wing.q")));
}

void TestCliGrids::namesGoTogether_data() {
  QTest::addColumn<QString>("grid");
  QTest::addColumn<QString>("solution");
  QTest::newRow("endings") << "wing.xyz"
                           << "wing.q";
  QTest::newRow("last letters") << "bluntfinxyz.bin"
                                << "bluntfinq.bin";
  QTest::newRow("words") << "fine-grid.dat"
                         << "fine-sol.dat";
  QTest::newRow("capitals") << "WING.XYZ"
                            << "WING.Q";
  QTest::newRow("numbered") << "wing.xyz"
                            << "wing_002.q";
  QTest::newRow("the grid says more") << "grid3d_le_f4.xyz"
                                      << "q3d_000.q";
  QTest::newRow("letters of elsewhere") << QString::fromUtf8("flügel.xyz") << QString::fromUtf8("flügel.q");
}

void TestCliGrids::namesGoTogether() {
  QFETCH(QString, grid);
  QFETCH(QString, solution);
  arrange("names", {{"wing.xyz", grid}, {"wing.q", solution}, {"other.xyz", "unlike.xyz"}});
  const Outcome seen = runFarfield({"info", solution, "--json"}, at("names"));
  QVERIFY2(seen.status == 0, seen.errors);
  QCOMPARE(seen.errorLines().size(), 1);
  QVERIFY2(seen.errors.contains(("grid of " + solution + ": " + grid).toUtf8()), seen.errors);
  const Outcome named = runFarfield({"info", grid, "--solution", solution, "--json"}, at("names"));
  QVERIFY2(named.status == 0, named.errors);
  QVERIFY(named.errors.isEmpty());
  QCOMPARE(seen.out, named.out);
  // Who wants no words gets none.
  const Outcome quiet = runFarfield({"info", solution, "--json", "--quiet"}, at("names"));
  QVERIFY(quiet.errors.isEmpty());
  QCOMPARE(quiet.out, named.out);
}

void TestCliGrids::sizesGoTogether() {
  arrange("sizes", {{"wing.xyz", "mesh_of_monday.g"}, {"wing.q", "run7.q"}, {"other.xyz", "unlike.xyz"}});
  write(at("sizes/notes.txt"), "nothing that is a grid");
  write(at("sizes/empty.xyz"), "");
  for (const QString& folder : {at("sizes"), QDir::rootPath()}) {
    const QString name = folder == at("sizes") ? QString("run7.q") : at("sizes/run7.q");
    const Outcome seen = runFarfield({"info", name}, folder);
    QVERIFY2(seen.status == 0, seen.errors);
    QVERIFY2(seen.errors.contains("mesh_of_monday.g") && seen.errors.contains("the same sizes"), seen.errors);
  }
}

void TestCliGrids::severalAreNone() {
  arrange("several", {{"wing.xyz", "monday.g"}, {"wing.xyz", "tuesday.g"}, {"wing.q", "run7.q"}});
  REFUSED(runFarfield({"info", "run7.q"}, at("several")), "name the grid");
  arrange("lonely", {{"other.xyz", "monday.g"}, {"wing.q", "run7.q"}});
  REFUSED(runFarfield({"info", "run7.q"}, at("lonely")), "name the grid");
  // What is said of a reader counts.
  arrange("sizes", {{"wing.xyz", "wing.xyz"}, {"wing.q", "wing.q"}});
  REFUSED(runFarfield({"info", "wing.q", "--reader", "nrrd"}, at("sizes")), "");
}

void TestCliGrids::seriesAreSteps() {
  arrange(
      "series",
      {{"wing.xyz", "wing.xyz"}, {"wing.q", "wing_1.q"}, {"wing.q", "wing_2.q"}, {"wing.q", "wing_10.q"}});
  const Outcome seen = runFarfield({"info", "wing_*.q", "--json"}, at("series"));
  QVERIFY2(seen.status == 0, seen.errors);
  QCOMPARE(QJsonDocument::fromJson(seen.out).object()["steps"].toInt(), 3);
  const Outcome one = runFarfield({"info", "wing_2.q", "--json"}, at("series"));
  QCOMPARE(QJsonDocument::fromJson(one.out).object()["steps"].toInt(), 1);
  // Solutions of different grids are no steps of one.
  arrange("series", {{"wing.xyz", "a.xyz"}, {"wing.q", "a.q"}, {"other.xyz", "b.xyz"}, {"other.q", "b.q"}});
  QCOMPARE(runFarfield({"info", "a.q", "b.q"}, at("series")).status, 1);
}

void TestCliGrids::commandsTakeThem() {
  arrange("all", {{"wing.xyz", "wing.xyz"}, {"wing.q", "wing.q"}});
  for (const QStringList& words :
       {QStringList{"probe", "wing.q", "--function", "density", "--at", "2,0,0.5"},
        QStringList{"integrate", "wing.q", "--surface", "0:kmin", "--function", "density"},
        QStringList{"verify", "wing.q"}, QStringList{"convert", "wing.q", "-o", "wing.h5"}}) {
    const Outcome done = runFarfield(words, at("all"));
    QVERIFY2(done.status == 0, words[0].toUtf8() + ": " + done.errors);
    QCOMPARE(done.errors.count("grid of wing.q: wing.xyz"), 1);
  }
  const Outcome store = runFarfield({"info", "wing.h5", "--json"}, at("all"));
  QVERIFY2(store.status == 0, store.errors);
  QVERIFY(store.out.contains("density"));
}

QTEST_GUILESS_MAIN(TestCliGrids)
#include "tst_cli_grids.moc"
