// Files of CGNS on ADF: trees are those on HDF5, in either byte order, in one piece or several; links within a file; damaged files.

#include <QTest>

#include <fstream>

#include "core/base/error.h"
#include "plugins/cgns/cgns_data.h"
#include "plugins/chunks/chunk_pages.h"
#include "tests/support/array_checks.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/cgns/adf_maker.h"
#include "tests/unit/cgns/cgns_maker.h"

using namespace farfield;
using namespace farfield::test;

class TestAdf : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_path = (m_folder.path() / "a.cgns").string(); }
  void isWhatHdf5Holds_data();
  void isWhatHdf5Holds();
  void linksAreFollowed();
  void damagedFilesAreRefused();

 private:
  std::unique_ptr<fields::OpenData> open() {
    const cgns::CgnsDataReader reader(std::make_shared<paging::ByteStores>());
    if (!reader.recognizes(m_path)) throw Invalid("not recognized");
    return reader.open({.sources = {m_path}}, m_account);
  }
  /// Puts the file's tree into its place on ADF; returns its bytes.
  std::string writeAdf(const AdfOptions& options) {
    const paging::ByteStores stores;
    const cgns::Tree tree(hdf5::openFile(m_path, stores.open(m_path), m_account),
                          std::make_shared<chunks::ChunkCaches>(m_account), m_account);
    std::string bytes = AdfMaker(options).make(adfNodeOf(tree, tree.root(), options));
    std::ofstream(m_path, std::ios::binary) << bytes;
    return bytes;
  }

  TemporaryFolder m_folder;
  std::string m_path;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestAdf::isWhatHdf5Holds_data() {
  QTest::addColumn<bool>("bigEndian");
  QTest::addColumn<int>("pieces");
  QTest::newRow("little") << false << 1;
  QTest::newRow("big") << true << 1;
  QTest::newRow("in pieces") << false << 3;
  QTest::newRow("big, in pieces") << true << 7;
}

// The same tree on HDF5 and on ADF.
void TestAdf::isWhatHdf5Holds() {
  QFETCH(bool, bigEndian);
  QFETCH(int, pieces);
  for (const bool isStructured : {true, false}) {
    {
      CgnsMaker file(m_path);
      file.base();
      if (isStructured) {
        file.structured("z", {4, 3, 2});
        file.points("z", {2, 3, 4}, boxPoints(4, 3, 2));
        file.solution("z", "Flow", false);
        file.values("z", "Flow", "Density", {2, 3, 4}, counted(24, 1));
        file.condition("z", "seg 1", "BCWall", "Vertex", {2, 3}, {1, 1, 1, 1, 3, 2});
      } else {
        file.unstructured("z", 12, 1);
        file.points("z", {12}, kPoints);
        file.section("z", "H", 17, 1, 1, kHexa);
        file.solution("z", "Flow", false);
        file.values("z", "Flow", "Density", {12}, kValues);
      }
    }
    std::vector<std::string> names;
    std::vector<std::vector<double>> values;
    std::size_t surfaces = 0;
    {
      const auto inHdf5 = open();
      for (const auto& array : inHdf5->boxReader()->description().arrays) {
        names.push_back(array.name);
        values.push_back(allValues(*inHdf5->boxReader(), array.name));
      }
      surfaces = inHdf5->description().surfaces.size();
    }
    writeAdf({.bigEndian = bigEndian, .pieces = static_cast<std::size_t>(pieces)});
    const auto data = open();
    QCOMPARE(data->description().surfaces.size(), surfaces);
    QVERIFY(names.size() > 1);
    QCOMPARE(data->boxReader()->description().arrays.size(), names.size());
    for (std::size_t n = 0; n < names.size(); ++n)
      QCOMPARE(allValues(*data->boxReader(), names[n]), values[n]);
  }
}

void TestAdf::linksAreFollowed() {
  const auto numbers = [](std::vector<double> values) {
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  };
  const auto text = [](const char* name, const char* label, std::string letters, const char* type = "C1") {
    const auto count = static_cast<std::int64_t>(letters.size());
    return AdfNode{name, label, type, {count}, std::move(letters)};
  };
  AdfNode points{"GridCoordinates", "GridCoordinates_t"};
  for (std::size_t a = 0; a < 3; ++a) {
    std::vector<double> one;
    for (std::size_t n = a; n < 24; n += 3) one.push_back(boxPoints(2, 2, 2)[n]);
    points.children.push_back(
        {std::string("Coordinate") + "XYZ"[a], "DataArray_t", "R8", {2, 2, 2}, numbers(one)});
  }
  const auto zone = [&](const char* name, AdfNode grid) {
    const std::int32_t sizes[] = {2, 2, 2, 1, 1, 1, 0, 0, 0};
    AdfNode made{
        name, "Zone_t", "I4", {3, 3}, std::string(reinterpret_cast<const char*>(sizes), sizeof sizes)};
    made.children = {text("ZoneType", "ZoneType_t", "Structured"), std::move(grid)};
    return made;
  };
  AdfNode base{"Base", "CGNSBase_t", "I4", {2}, std::string("\3\0\0\0\3\0\0\0", 8)};
  base.children = {zone("a", points),
                   zone("b", text("GridCoordinates", "", ">/Base/c/GridCoordinates", "LK")),
                   zone("c", text("GridCoordinates", "", ">Base/a/GridCoordinates", "LK"))};
  base.children[0].children.push_back(text("round", "", ">/Base/a", "LK"));
  base.children[1].children.push_back(text("far", "", "other.cgns>/Base", "LK"));
  base.children[2].children.push_back(text("lost", "", ">/Base/none", "LK"));
  const AdfNode root{"ADF MotherNode", "", "MT", {}, {}, {base}};
  std::ofstream(m_path, std::ios::binary) << AdfMaker({}).make(root);
  const auto data = open();
  QCOMPARE(data->description().blocks.size(), std::size_t{3});
  for (const auto& block : data->description().blocks) QCOMPARE(block.bounds.max.z, 2.0);
  // links that lead into each other end somewhere
  base.children[0].children.push_back(text("to b", "", ">/Base/b", "LK"));
  base.children[1].children.push_back(text("to a", "", ">/Base/a", "LK"));
  std::ofstream(m_path, std::ios::binary) << AdfMaker({}).make({"ADF MotherNode", "", "MT", {}, {}, {base}});
  errorOf<Error>([&] { open(); });
}

void TestAdf::damagedFilesAreRefused() {
  {
    CgnsMaker file(m_path);
    file.base();
    file.structured("z", {4, 3, 2});
    file.points("z", {2, 3, 4}, boxPoints(4, 3, 2));
  }
  const std::string whole = writeAdf({});
  const auto refused = [&](const std::string& bytes, const char* words) {
    std::ofstream(m_path, std::ios::binary) << bytes;
    const std::string error = errorOf<Error>([&] { open(); });
    if (error.find(words) == std::string::npos) qWarning("%s", error.c_str());
    return error.find(words) != std::string::npos;
  };
  QVERIFY(refused(whole.substr(0, 100), "lies behind its end"));
  QVERIFY(refused(whole.substr(0, whole.size() - 2000), "behind its end"));
  std::string changed = whole;
  changed[100] = 'C';  // of a Cray
  QVERIFY(refused(changed, "adf2hdf"));
  changed = whole;
  changed.replace(whole.find("SNTb"), 4, "XXXX");
  QVERIFY(refused(changed, "a list of nodes is damaged"));
  changed = whole;
  changed.replace(whole.find("CoordinateX") + 32 + 32 + 8 + 8 + 12 + 32 + 2, 8, "FFFFFFFF");
  QVERIFY(refused(changed, "CoordinateX"));
  changed = whole;
  changed.replace(266 + 68, 8, "0000ZZZZ");
  QVERIFY(refused(changed, "a number in its structures"));
}

QTEST_GUILESS_MAIN(TestAdf)
#include "tst_adf.moc"
