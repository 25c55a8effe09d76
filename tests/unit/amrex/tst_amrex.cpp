// Folders laid out as AMReX writes plotfiles: boxes of three levels in two files each, with and without ghost cells, in single and
// double precision of both orders, have their values where they belong; what is damaged is refused. The folders are written
// here, after the format's description: no plotfile is among the test data.

#include <QTest>

#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/amrex/amrex_data.h"
#include "tests/support/amr_checks.h"
#include "tests/support/error_words.h"
#include "tests/support/file_contents.h"
#include "tests/support/plotfile.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::test;

namespace {

double cellValue(Vec3 at, int component) {
  return component == 0 ? AmrSample::linear(at) : 10 * at.x - at.z;
}

}  // namespace

class TestAmrex : public QObject {
  Q_OBJECT
 private slots:
  void init();
  void valuesAreWhereTheyBelong_data();
  void valuesAreWhereTheyBelong();
  void theHeaderNamesItToo();
  void planes();
  void whatIsDamagedIsRefused_data();
  void whatIsDamagedIsRefused();
  void cutFilesAreRefused();
  void otherFilesAreNotTaken();

 private:
  std::filesystem::path path(const std::string& name = "plt00100") const { return m_folder->path() / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path() / name, std::ios::binary) << text;
  }
  std::unique_ptr<fields::OpenData> open(const std::string& name = "plt00100") {
    const amrex::AmrexDataReader reader(std::make_shared<paging::ByteStores>());
    if (!reader.recognizes(path(name).string())) throw Invalid("not recognized");
    return reader.open({.sources = {path(name).string()}}, m_account);
  }

  std::unique_ptr<TemporaryFolder> m_folder;
  const AmrSample m_sample;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestAmrex::init() {
  m_folder = std::make_unique<TemporaryFolder>();
}

void TestAmrex::valuesAreWhereTheyBelong_data() {
  QTest::addColumn<int>("ghosts");
  QTest::addColumn<bool>("single");
  QTest::addColumn<bool>("bigEndian");
  QTest::addColumn<int>("domainFirst");
  QTest::newRow("plain") << 0 << false << false << 0;
  QTest::newRow("ghosts") << 2 << false << false << 0;
  QTest::newRow("single precision") << 0 << true << false << 0;
  QTest::newRow("the other order") << 1 << false << true << 0;
  QTest::newRow("single, the other order") << 0 << true << true << 0;
  QTest::newRow("cells from -6") << 0 << false << false << -6;
}

void TestAmrex::valuesAreWhereTheyBelong() {
  QFETCH(int, ghosts);
  QFETCH(bool, single);
  QFETCH(bool, bigEndian);
  QFETCH(int, domainFirst);
  writePlotfile(path(), m_sample, cellValue,
                {.ghosts = ghosts,
                 .single = single,
                 .bigEndian = bigEndian,
                 .domainFirst = {domainFirst, domainFirst, domainFirst}});
  std::filesystem::create_directory(path() / "particles");
  const auto data = open();
  const paging::DatasetDescription& description = data->description();
  QCOMPARE(description.format, std::string("amrex"));
  QCOMPARE(paging::amrOf(description)->boxes, (std::vector<std::int64_t>{2, 4, 1}));
  QCOMPARE(description.times, (std::vector<double>{2.5}));
  // Header, three lists, two files of two levels and one of the last
  QCOMPARE(data->files().size(), std::size_t{9});
  for (const int component : {0, 1})
    QVERIFY(nodesThatAgree(
                *data, m_sample, component == 0 ? "density" : "x_velocity",
                [&](Vec3 at) { return cellValue(at, component); }, single ? 1e-4 : 1e-11) > 1000);
  std::string said;
  for (const std::string& line : data->explanation()) said += line + "\n";
  QVERIFY2(contains(said, "left out: the folder particles"), said.c_str());
}

void TestAmrex::theHeaderNamesItToo() {
  writePlotfile(path(), m_sample, cellValue);
  const auto data = open("plt00100/Header");
  QCOMPARE(paging::amrOf(data->description())->boxes, (std::vector<std::int64_t>{2, 4, 1}));
}

/// Of two dimensions: one level of two boxes.
void TestAmrex::planes() {
  std::filesystem::create_directories(path() / "Level_0");
  write("Header",
        "NavierStokes-V1.1\n1\nphi\n2\n0.5\n0\n1 2\n4 3\n\n((0,0) (5,1) (0,0)) \n7 \n0.5 0.5 \n1\n0\n"
        "0 2 0.5\n7\n1 3\n2 3\n3 4\n2 3\nLevel_0/Cell\n");
  write("Level_0/Cell_H",
        "1\n1\n1\n0\n(2 0\n((0,0) (3,1) (0,0))\n((4,0) (5,1) (0,0))\n)\n2\nFabOnDisk: Cell_D_00000 0\n"
        "FabOnDisk: Cell_D_00001 0\n\n");
  const auto fab = [](const std::string& box, std::vector<float> values) {
    std::string text = "FAB ((8, (32 8 23 0 1 9 0 127)),(4, (4 3 2 1)))" + box + " 1\n";
    text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return text;
  };
  write("Level_0/Cell_D_00000", fab("((0,0) (3,1) (0,0))", {0, 1, 2, 3, 4, 5, 6, 7}));
  write("Level_0/Cell_D_00001", fab("((4,0) (5,1) (0,0))", {8, 9, 10, 11}));
  const auto data = open();
  QCOMPARE(data->description().blocks.size(), std::size_t{2});
  QCOMPARE(data->description().blocks[0].dims, (Index3{6, 4, 1}));
  QCOMPARE(data->description().blocks[0].bounds.min.x, 1.0);
  QCOMPARE(data->description().blocks[0].bounds.max.y, 3.0);
  const std::vector<double> values = blockValues(*data, 0, "phi");
  QCOMPARE(values[7], 0.0);   // the first centre
  QCOMPARE(values[10], 3.0);  // the last one of its row
  QCOMPARE(values[11], 5.5);  // the end towards the second box, whose first value is 8
}

void TestAmrex::whatIsDamagedIsRefused_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("by");
  QTest::addColumn<QString>("says");
  const auto row = [](const char* name, const char* file, const char* what, const char* by,
                      const char* says) { QTest::newRow(name) << file << what << by << says; };
  row("levels", "Header", "\n3\n2.5\n2\n", "\n3\n2.5\n200\n", "finest level");
  row("dimensions", "Header", "\n3\n2.5\n2\n", "\n1\n2.5\n2\n", "one line");
  row("time", "Header", "\n3\n2.5\n2\n", "\n3\nnan\n2\n", "time");
  row("sizes", "Header", "0.25 0.125 0.5 \n", "0.25 0 0.5 \n", "no size");
  row("other sizes", "Header", "0.25 0.125 0.5 \n", "0.25 0.1 0.5 \n", "divide");
  row("more boxes", "Header", "0 2 2.5\n", "0 3 2.5\n", "does not lie");
  row("elsewhere", "Header", "Level_1/Cell", "../Cell", "below its own folder");
  row("far away", "Header", "Level_1/Cell", "/etc/Cell", "below its own folder");
  row("no such level", "Header", "Level_1/Cell", "Level_7/Cell", "Level_7");
  row("newer", "Level_0/Cell_H", "1\n1\n2\n", "3\n1\n2\n", "version");
  row("values", "Level_0/Cell_H", "1\n1\n2\n", "1\n1\n5\n", "5 values");
  row("box", "Level_0/Cell_H", "((0,0,0) (7,7,7) (0,0,0))", "((0,0,0) (7,-7,7) (0,0,0))", "none");
  row("large box", "Level_0/Cell_H", "((0,0,0) (7,7,7) (0,0,0))", "((0,0,0) (8,7,7) (0,0,0))", "list");
  row("nodes", "Level_0/Cell_H", "((0,0,0) (7,7,7) (0,0,0))", "((0,0,0) (7,7,7) (1,0,0))", "centres");
  row("huge box", "Level_0/Cell_H", "((0,0,0) (7,7,7) (0,0,0))", "((0,0,0) (7,7,99999999999) (0,0,0))",
      "box");
  row("offset", "Level_0/Cell_H", "Cell_D_00000 0\n", "Cell_D_00000 99999999\n", "behind its end");
  row("wrong offset", "Level_0/Cell_H", "Cell_D_00000 0\n", "Cell_D_00000 8\n", "no box");
  row("other file", "Level_0/Cell_H", "Cell_D_00000 0\n", "../../Cell 0\n", "beside it");
  row("missing file", "Level_0/Cell_H", "Cell_D_00000 0\n", "Cell_D_00007 0\n", "Cell_D_00007");
  row("kind", "Level_0/Cell_D_00000", "(64 11 52 0", "(64 15 48 0", "kind");
  row("order", "Level_0/Cell_D_00000", "(8 7 6 5 4 3 2 1)", "(8 7 6 5 4 3 1 2)", "order");
  row("other count", "Level_0/Cell_D_00000", "(0,0,0)) 2\n", "(0,0,0)) 1\n", "values where");
  row("more values", "Level_0/Cell_D_00000", "(0,0,0)) 2\n", "(0,0,0)) 4000\n", "behind its end");
}

void TestAmrex::whatIsDamagedIsRefused() {
  QFETCH(QString, file);
  QFETCH(QString, what);
  QFETCH(QString, by);
  QFETCH(QString, says);
  writePlotfile(path(), m_sample, cellValue);
  std::string text = fileContents(path() / file.toStdString());
  const std::size_t at = text.find(what.toStdString());
  QVERIFY(at != std::string::npos);
  text.replace(at, what.toStdString().size(), by.toStdString());
  write(file.toStdString(), text);
  const std::string error = errorOf<Error>([&] { open(); });
  QVERIFY2(contains(error, says.toStdString().c_str()), error.c_str());
  QVERIFY2(contains(error, "file "), error.c_str());
}

void TestAmrex::cutFilesAreRefused() {
  writePlotfile(path(), m_sample, cellValue);
  for (const char* const name : {"Header", "Level_1/Cell_H", "Level_1/Cell_D_00000"}) {
    const std::string whole = fileContents(path() / name);
    // what follows the places of values in a list is not looked at
    const std::size_t end = std::min(whole.size() - 1, whole.rfind("FabOnDisk"));
    for (std::size_t length = 300; length < end; length += 1 + end / 40) {
      write(name, whole.substr(0, length));
      QVERIFY2(!errorOf<Error>([&] { open(); }).empty(), name);
    }
    write(name, whole);
  }
}

void TestAmrex::otherFilesAreNotTaken() {
  const amrex::AmrexDataReader reader(std::make_shared<paging::ByteStores>());
  std::filesystem::create_directory(path());
  QVERIFY(!reader.recognizes(path().string()));
  for (const char* const text :
       {"", "HyperCLaw-V1.1", "some words-V1.1\n3\n", "HyperCLaw-V1.1\nthree\n", "-V1\n3\n"}) {
    write("Header", text);
    QVERIFY2(!reader.recognizes(path().string()), text);
  }
  QVERIFY(!reader.recognizes("https://example.org/plt00100"));
}

QTEST_GUILESS_MAIN(TestAmrex)
#include "tst_amrex.moc"
