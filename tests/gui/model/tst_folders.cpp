// What is opened of a folder: lists bring the files that they name, which are not opened once more beside them; what no list names is
// opened by itself.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include "app/model/files/data_files.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::app;

class TestFolders : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_folder = std::make_unique<test::TemporaryFolder>(); }
  void listsBringWhatTheyName();
  void listsFromOtherMachines();
  void partsElsewhereAreOthers();
  void headersBringTheirNumbers();
  void listsOfPlot3d();
  void brokenListsMayBeOfAnyPiece();
  void whatIsPickedTogether();
  void whatOpensByItself();

 private:
  QString path(const QString& name) const { return m_folder->path().string().c_str() + ("/" + name); }
  void write(const QString& name, const QByteArray& text = "x") const {
    QVERIFY(QDir().mkpath(QFileInfo(path(name)).path()));
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
  }
  /// Names of what is opened, the first files of sets.
  static QStringList namesOf(const Picked& picked) {
    QStringList names;
    for (const DataFiles& each : picked.data) names.append(QFileInfo(each.source).fileName());
    names.sort();
    return names;
  }
  QStringList openedOf(const QString& folder) const { return namesOf(PathSorter::sort({path(folder)})); }
  std::unique_ptr<test::TemporaryFolder> m_folder;
};

void TestFolders::listsBringWhatTheyName() {
  write("run/all.pvd", R"(<VTKFile type="Collection"><Collection>
    <DataSet timestep="0" group="" part="0" file="a_0.pvtu"/><DataSet timestep="1" file='a_1.pvtu'/></Collection></VTKFile>)");
  for (const char step : {'0', '1'}) {
    const QString name = QString("a_%1").arg(step);
    write("run/" + name + ".pvtu",
          QString("<PUnstructuredGrid><Piece Source=\"%1_0.vtu\"/></PUnstructuredGrid>").arg(name).toUtf8());
    write("run/" + name + "_0.vtu");
  }
  write("run/other.vtu");
  write("run/boxes.vthb", R"(<Block level="0"><DataSet index="0" file="./box.vti"/></Block>)");
  write("run/box.vti");
  write("run/boxes.vti");
  QCOMPARE(openedOf("run"), (QStringList{"all.pvd", "boxes.vthb", "boxes.vti", "other.vtu"}));
}

/// By where their files lay there.
void TestFolders::listsFromOtherMachines() {
  write("run/all.pvd", R"(<DataSet group="" name='' file="/home/somebody/far away/a_0.pvtu"/>)");
  write("run/a_0.pvtu", R"(<Piece Source="a.vtu"/>)");
  write("run/a.vtu");
  QCOMPARE(openedOf("run"), QStringList{"all.pvd"});
}

void TestFolders::partsElsewhereAreOthers() {
  write("run/all.pvd", R"(<DataSet file="parts/a.vtu"/>)");
  write("run/parts/a.vtu");
  write("run/a.vtu");
  QCOMPARE(openedOf("run"), (QStringList{"a.vtu", "all.pvd"}));
}

void TestFolders::headersBringTheirNumbers() {
  write("scan/head.nhdr", "NRRD0004\ntype: short\ndata file: head.bin\nencoding: raw\n");
  write("scan/head.bin");
  write("scan/parts.nhdr", "NRRD0004\ntype: short\ndata file: LIST\none.bin\ntwo.bin\n");
  write("scan/one.bin");
  write("scan/two.bin");
  write("scan/wing.bin");
  QCOMPARE(openedOf("scan"), (QStringList{"head.nhdr", "parts.nhdr", "wing.bin"}));
  // A series of them, by a pattern.
  write("stack/stack.nhdr", "NRRD0004\ntype: short\ndata file: slice_%02d.bin 8 12 2 2\nencoding: raw\n");
  for (const char* const name : {"slice_08.bin", "slice_10.bin", "slice_11.bin", "slice_12.bin"})
    write(QString("stack/") + name);
  QCOMPARE(openedOf("stack"), (QStringList{"slice_11.bin", "stack.nhdr"}));
}

void TestFolders::listsOfPlot3d() {
  write("case/case.p3d", R"({ "filenames": [ { "time": 0, "xyz": "wing.xyz", "q": "wing_0.q" },
    { "time": 1, "xyz": "wing.xyz", "q": "wing_1.q" } ] })");
  write("case/wing.xyz");
  write("case/wing_0.q");
  write("case/wing_1.q");
  QCOMPARE(openedOf("case"), QStringList{"case.p3d"});
}

/// One that is cut off, or still being written: what is beside it is nothing for the eyes.
void TestFolders::brokenListsMayBeOfAnyPiece() {
  write("run/all.pvd", "<VTKFile type=");
  write("run/a_0.vtu");
  write("run/wing.xyz");
  QCOMPARE(openedOf("run"), (QStringList{"all.pvd", "wing.xyz"}));
  // Who picks files has said what is wanted.
  QCOMPARE(namesOf(PathSorter::sort({path("run/all.pvd"), path("run/a_0.vtu")})),
           (QStringList{"a_0.vtu", "all.pvd"}));
}

void TestFolders::whatIsPickedTogether() {
  write("run/all.pvd", R"(<DataSet file="a_0.vtu"/><DataSet file="a_1.vtu"/>)");
  for (const char* const name : {"run/a_0.vtu", "run/a_1.vtu", "run/b.vtu"}) write(name);
  QCOMPARE(namesOf(PathSorter::sort(
               {path("run/a_0.vtu"), path("run/a_1.vtu"), path("run/all.pvd"), path("run/b.vtu")})),
           (QStringList{"all.pvd", "b.vtu"}));
  QCOMPARE(namesOf(PathSorter::sort({path("run/a_0.vtu"), path("run/a_1.vtu")})), QStringList{"a_0.vtu"});
}

/// Other programs' files may have the same ending.
void TestFolders::whatOpensByItself() {
  const QByteArray hdf5("\x89HDF\r\n\x1a\n"), hdf4("\x0e\x03\x13\x01");
  write("cans/can-vtu.hdf", hdf5 + "x");
  QCOMPARE(openedOf("cans"), QStringList{"can-vtu.hdf"});
  write("cans/can_0.hdf", hdf5 + "x");
  write("cans/can_1.hdf", QByteArray(512, ' ') + hdf5);
  write("cans/swath.hdf", hdf4 + "x");
  QCOMPARE(openedOf("cans"), (QStringList{"can-vtu.hdf", "can_0.hdf"}));  // which has a step behind it
  for (const char* const name : {"run/DD0010.hierarchy", "run/DD0010", "run/flow.stripes", "run/hull.vtp",
                                 "run/all.pvtp", "run/deck.vtpc"})
    write(name);
  write("run/all.pvtp", R"(<Piece Source="all_0.vtp"/>)");
  write("run/all_0.vtp");
  write("run/deck.vtpc", R"(<Partitions><DataSet file="deck_0.vtp"/></Partitions>)");
  write("run/deck_0.vtp");
  QCOMPARE(openedOf("run"),
           (QStringList{"DD0010.hierarchy", "all.pvtp", "deck.vtpc", "flow.stripes", "hull.vtp"}));
}

QTEST_GUILESS_MAIN(TestFolders)
#include "tst_folders.moc"
