// Output laid out as Enzo lays it out: grids of several levels in HDF5 files of several processes have their values where they belong,
// from the hierarchy or the parameter file; what is damaged is refused. The files are written here, after the format's
// description: no output of Enzo is among the test data.

#include <QTest>

#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/enzo/enzo_data.h"
#include "tests/support/amr_checks.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/hdf5_maker.h"

using namespace farfield;
using namespace farfield::test;

namespace {

std::string numbers(Vec3 v) {
  char text[100];
  std::snprintf(text, sizeof text, "%.17g %.17g %.17g", v.x, v.y, v.z);
  return text;
}

}  // namespace

class TestEnzo : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void valuesAreWhereTheyBelong_data();
  void valuesAreWhereTheyBelong();
  void whatIsDamagedIsRefused_data();
  void whatIsDamagedIsRefused();
  void fieldsThatDifferAreLeftOut();
  void otherTextIsNotTaken();

 private:
  std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::unique_ptr<fields::OpenData> open(const std::string& name) {
    const enzo::EnzoDataReader reader(std::make_shared<paging::ByteStores>());
    if (!reader.recognizes(path(name))) throw Invalid("not recognized");
    return reader.open({.sources = {path(name)}}, m_account);
  }

  TemporaryFolder m_folder;
  const AmrSample m_sample;
  std::string m_text;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestEnzo::initTestCase() {
  int grid = 0;
  std::vector<std::unique_ptr<Hdf5Maker>> files;
  for (int n = 0; n < 2; ++n)
    files.push_back(std::make_unique<Hdf5Maker>(path("DD0001.cpu000" + std::to_string(n))));
  // not in the order of levels
  for (const std::size_t level : {std::size_t{1}, std::size_t{0}, std::size_t{2}})
    for (const IndexBox& box : m_sample.levels[level]) {
      ++grid;
      const Vec3 h = m_sample.spacingOf(level);
      Vec3 left, right;
      for (int a = 0; a < 3; ++a) {
        const auto axis = static_cast<std::size_t>(a);
        left[a] = m_sample.origin[a] + static_cast<double>(box.first[axis]) * h[a];
        right[a] = m_sample.origin[a] + static_cast<double>(box.first[axis] + box.size[axis]) * h[a];
      }
      const std::string cells = [&] {
        std::string end;
        for (std::size_t a = 0; a < 3; ++a) end += std::to_string(box.size[a] + 2) + " ";
        return end;
      }();
      m_text += "\nGrid = " + std::to_string(grid) + "\nTask              = " + std::to_string(grid % 2) +
                "\nGridRank          = 3\nGridDimension     = 99 99 99\nGridStartIndex    = 3 3 "
                "3\nGridEndIndex      = " +
                cells + "\nGridLeftEdge      = " + numbers(left) + "\nGridRightEdge     = " + numbers(right) +
                "\nTime              = 1.5\nSubgridsAreStatic = 0\nNumberOfBaryonFields = 2\nFieldType = 0 "
                "4\nBaryonFileName = "
                "/scratch/run/DD0001.cpu000" +
                std::to_string(grid % 2) + "\nPointer: Grid[" + std::to_string(grid) +
                "]->NextGridThisLevel = 0\n";
      Hdf5Maker& file = *files[static_cast<std::size_t>(grid % 2)];
      char group[24];
      std::snprintf(group, sizeof group, "Grid%08d", grid);
      file.group(group);
      DatasetOptions options{.dims = {static_cast<hsize_t>(box.size[2]), static_cast<hsize_t>(box.size[1]),
                                      static_cast<hsize_t>(box.size[0])}};
      options.type = H5T_IEEE_F64LE;
      std::vector<double> values;
      for (std::int64_t n = 0; n < product(box.size); ++n) {
        Index3 cell = unlinear(n, box.size);
        for (std::size_t a = 0; a < 3; ++a) cell[a] += box.first[a];
        values.push_back(AmrSample::linear(m_sample.centre(level, cell)));
      }
      file.make(std::string(group) + "/Density", options);
      file.write(std::string(group) + "/Density", values);
      if (grid != 4) {
        file.make(std::string(group) + "/Dark_Matter_Density", options);
        file.write(std::string(group) + "/Dark_Matter_Density", values);
      }
      file.make(std::string(group) + "/particle_mass", {.dims = {7}});
    }
  files.clear();
  write("DD0001.hierarchy", m_text);
  write("DD0001", "InitialCycleNumber = 3\nInitialTime = 1.5\nTopGridRank = 3\n");
}

void TestEnzo::valuesAreWhereTheyBelong_data() {
  QTest::addColumn<QString>("entry");
  QTest::newRow("hierarchy") << "DD0001.hierarchy";
  QTest::newRow("parameter file") << "DD0001";
}

void TestEnzo::valuesAreWhereTheyBelong() {
  QFETCH(QString, entry);
  const auto data = open(entry.toStdString());
  const paging::DatasetDescription& description = data->description();
  QCOMPARE(paging::amrOf(description)->boxes, (std::vector<std::int64_t>{2, 4, 1}));
  QCOMPARE(description.times, (std::vector<double>{1.5}));
  QCOMPARE(data->files().size(), std::size_t{3});
  QVERIFY(nodesThatAgree(*data, m_sample, "Density", AmrSample::linear) > 2000);
}

void TestEnzo::whatIsDamagedIsRefused_data() {
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("by");
  QTest::addColumn<QString>("says");
  QTest::newRow("cells") << "GridEndIndex      = 10 6 10"
                         << "GridEndIndex      = 10 6 2"
                         << "no cells";
  QTest::newRow("other cells") << "GridEndIndex      = 10 6 10"
                               << "GridEndIndex      = 18 6 10"
                               << "does not lie";
  QTest::newRow("no cells") << "GridEndIndex      = 10 6 10"
                            << ""
                            << "no cells";
  QTest::newRow("letters") << "GridEndIndex      = 10 6 10"
                           << "GridEndIndex      = 10 x 10"
                           << "GridEndIndex";
  QTest::newRow("far") << "GridLeftEdge      = 0 "
                       << "GridLeftEdge      = -1e300 "
                       << "grid";
  QTest::newRow("nowhere") << "GridLeftEdge      = 0 "
                           << "GridLeftEdge      = nan "
                           << "no place";
  QTest::newRow("rank") << "GridRank          = 3"
                        << "GridRank          = 4"
                        << "GridRank";
  QTest::newRow("no file") << "DD0001.cpu0001"
                           << "DD0001.cpu7777"
                           << "cpu7777";
  QTest::newRow("no grid of that number") << "Grid = 1\n"
                                          << "Grid = 1234567\n"
                                          << "left out";
}

void TestEnzo::whatIsDamagedIsRefused() {
  QFETCH(QString, what);
  QFETCH(QString, by);
  QFETCH(QString, says);
  QString text = QString::fromStdString(m_text);
  const qsizetype at = text.indexOf(what);
  QVERIFY(at >= 0);
  text.replace(at, what.size(), by);
  write("bad.hierarchy", text.toStdString());
  std::string words;
  try {
    for (const std::string& line : open("bad.hierarchy")->explanation()) words += line + "\n";
  } catch (const Error& error) {
    words = error.what();
    QVERIFY2(contains(words, "file "), words.c_str());
  }
  QVERIFY2(contains(words, says.toStdString().c_str()), words.c_str());
}

void TestEnzo::fieldsThatDifferAreLeftOut() {
  const auto data = open("DD0001");
  QVERIFY(data->description().find(0, "Dark_Matter_Density") < 0);
  std::string said;
  for (const std::string& line : data->explanation()) said += line + "\n";
  QVERIFY2(contains(said, "left out: Dark_Matter_Density") && contains(said, "left out: particle_mass"),
           said.c_str());
}

void TestEnzo::otherTextIsNotTaken() {
  write("text", "Grid = 1\nbut nothing else");
  write("alone", "InitialCycleNumber = 3\nTopGridRank = 3\n");
  const enzo::EnzoDataReader reader(std::make_shared<paging::ByteStores>());
  QVERIFY(!reader.recognizes(path("text")) && !reader.recognizes(path("alone")) &&
          !reader.recognizes(path("nothing")));
  QVERIFY(!reader.recognizes(m_folder.path().string()));
}

QTEST_GUILESS_MAIN(TestEnzo)
#include "tst_enzo.moc"
