// Values of cells of VTK's unstructured grids, taken to the nodes by the option on=cells-at-nodes: hidden cells count for nothing, pieces
// and blocks keep apart, flat cells and grids that change have means as well, and structured grids refuse it.

#include <QTest>

#include <cmath>
#include <fstream>
#include <map>

#include "core/base/error.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/support/array_checks.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::vtkfile;
using namespace farfield::test;

namespace {

std::string array(const std::string& type, const std::string& name, int components,
                  const std::string& values) {
  return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(components) + "\" format=\"ascii\">" + values + "</DataArray>";
}
std::string file(const std::string& type, const std::string& inside) {
  return "<VTKFile type=\"" + type + "\" version=\"1.0\" byte_order=\"LittleEndian\"><" + type + ">" +
         inside + "</" + type + "></VTKFile>";
}

/// Cells from x = `first` on, one for each value: cubes, or squares on their floor.
std::string row(const std::vector<int>& values, int first = 0, const std::string& hidden = "",
                bool flat = false, const std::string& type = "Float64") {
  std::string points, cells, ends, types, numbers;
  const int around = flat ? 2 : 4, count = static_cast<int>(values.size());
  const char* const places[] = {" 0 0 ", " 1 0 ", " 1 1 ", " 0 1 "};
  for (int i = 0; i <= count; ++i)
    for (int n = 0; n < around; ++n) points += std::to_string(first + i) + places[n];
  for (int i = 0; i < count; ++i) {
    const std::vector<int> corners = flat ? std::vector{0, 2, 3, 1} : std::vector{0, 4, 5, 1, 3, 7, 6, 2};
    for (const int corner : corners) cells += std::to_string(around * i + corner) + " ";
    ends += std::to_string(static_cast<int>(corners.size()) * (i + 1)) + " ";
    types += flat ? "9 " : "12 ";
    numbers += std::to_string(values[static_cast<std::size_t>(i)]) + " ";
  }
  return file("UnstructuredGrid",
              "<Piece NumberOfPoints=\"" + std::to_string(around * (count + 1)) + "\" NumberOfCells=\"" +
                  std::to_string(count) + "\"><CellData>" + array(type, "c", 1, numbers) +
                  (hidden.empty() ? "" : array("UInt8", "vtkGhostType", 1, hidden)) + "</CellData><Points>" +
                  array("Float64", "Points", 3, points) + "</Points><Cells>" +
                  array("Int64", "connectivity", 1, cells) + array("Int64", "offsets", 1, ends) +
                  array("UInt8", "types", 1, types) + "</Cells></Piece>");
}

const std::map<std::string, std::string> kAtNodes{{"on", "cells-at-nodes"}};

}  // namespace

class TestVtkCellsAtNodes : public QObject {
  Q_OBJECT
 private slots:
  void cellsAroundAreAveraged_data();
  void cellsAroundAreAveraged();
  void blocksKeepApart_data();
  void blocksKeepApart();
  void stepsHaveTheirOwn_data();
  void stepsHaveTheirOwn();
  void structuredGridsRefuse();

 private:
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (m_folder.path() / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::unique_ptr<fields::OpenData> open(const std::vector<std::string>& files,
                                         const std::map<std::string, std::string>& options = kAtNodes) {
    return VtkDataReader().open({.sources = files, .options = options}, m_account);
  }
  /// The values of c of the nodes of a block by their x. NaN: there are several.
  static std::map<double, double> byPlace(const fields::OpenData& data, std::int64_t step = 0,
                                          int block = 0) {
    const paging::DatasetDescription& description = data.boxReader()->description();
    const auto read = [&](const std::string& name, std::int64_t atStep) {
      const int number = description.find(block, name);
      const auto& its = description.arrays.at(static_cast<std::size_t>(number));
      const Index3 dims = its.layout.dims();
      std::vector<std::byte> bytes(static_cast<std::size_t>(product(dims) * its.nodeBytes()));
      data.boxReader()->read(static_cast<std::uint32_t>(number), atStep, {{0, 0, 0}, dims}, bytes);
      std::vector<double> values;
      for (std::int64_t n = 0; n < product(dims) * its.components; ++n)
        values.push_back(valueAt(bytes.data(), its.type, n));
      return values;
    };
    const std::vector<double> values = read("c", step), places = read("xyz", step);
    std::map<double, double> found;
    for (std::size_t n = 0; n < values.size(); ++n) {
      const auto [at, isNew] = found.emplace(places[3 * n], values[n]);
      if (!isNew && at->second != values[n]) at->second = std::nan("");
    }
    return found;
  }

  TemporaryFolder m_folder;
  MemoryAccount m_account{64 << 20};
};

void TestVtkCellsAtNodes::cellsAroundAreAveraged_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QList<double>>("wanted");
  const auto add = [](const char* name, const std::string& text, const QList<double>& wanted) {
    QTest::newRow(name) << QString::fromStdString(text) << wanted;
  };
  add("cubes", row({1, 3, 11}), {1, 2, 7, 11});
  add("whole numbers", row({1, 2, 2}, 0, "", false, "Int32"), {1, 1.5, 2, 2});
  add("bytes", row({1, 2, 255}, 0, "", false, "UInt8"), {1, 1.5, 128.5, 255});
  add("one is hidden", row({1, 3, 11}, 0, "0 32 0"), {1, 1, 11, 11});
  add("one is another piece's", row({1, 3, 11}, 0, "0 0 1"), {1, 2, 3});
  add("in a plane", row({1, 3, 11}, 0, "", true), {1, 2, 7, 11});
}

void TestVtkCellsAtNodes::cellsAroundAreAveraged() {
  QFETCH(QString, text);
  QFETCH(QList<double>, wanted);
  const auto data = open({write("row.vtu", text.toStdString())});
  const auto found = byPlace(*data);
  for (int x = 0; x < wanted.size(); ++x) QCOMPARE(found.at(x), wanted[x]);
}

void TestVtkCellsAtNodes::blocksKeepApart_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("text");
  QTest::newRow("pieces") << "all.pvtu"
                          << QString::fromStdString(file(
                                 "PUnstructuredGrid", "<Piece Source=\"a.vtu\"/><Piece Source=\"b.vtu\"/>"));
  QTest::newRow("blocks")
      << "all.vtm"
      << QString::fromStdString(
             file("vtkMultiBlockDataSet",
                  "<DataSet index=\"0\" file=\"a.vtu\"/><DataSet index=\"1\" file=\"b.vtu\"/>"));
}

/// Points where two of them meet are there twice, each with the values of its own side.
void TestVtkCellsAtNodes::blocksKeepApart() {
  QFETCH(QString, name);
  QFETCH(QString, text);
  write("a.vtu", row({1, 3}));
  write("b.vtu", row({10, 20}, 2));
  const auto found = byPlace(*open({write(name.toStdString(), text.toStdString())}));
  QCOMPARE(found.at(0), 1.0);
  QCOMPARE(found.at(1), 2.0);
  QVERIFY(std::isnan(found.at(2)));
  QCOMPARE(found.at(3), 15.0);
  QCOMPARE(found.at(4), 20.0);
}

void TestVtkCellsAtNodes::stepsHaveTheirOwn_data() {
  QTest::addColumn<bool>("changes");
  QTest::newRow("the same cells") << false;
  QTest::newRow("others") << true;
}

void TestVtkCellsAtNodes::stepsHaveTheirOwn() {
  QFETCH(bool, changes);
  const auto data = open({write("s0.vtu", row({1, 3})),
                          write("s1.vtu", row(changes ? std::vector{5, 7, 9} : std::vector{5, 7}))});
  QCOMPARE(data->description().steps(), std::int64_t{2});
  QCOMPARE(data->description().blocks.size(), std::size_t{changes ? 2U : 1U});
  QCOMPARE(byPlace(*data, 0).at(1), 2.0);
  QCOMPARE(byPlace(*data, 1, changes ? 1 : 0).at(1), 6.0);
  if (changes) QCOMPARE(byPlace(*data, 1, 1).at(2), 8.0);
}

/// Their values of cells are linear from centre to centre.
void TestVtkCellsAtNodes::structuredGridsRefuse() {
  const std::string image = write(
      "image.vtk",
      "# vtk DataFile Version 3.0\nimage\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 3 2 2\nORIGIN 0 0 0\nSPACING 1 1 1\n"
      "CELL_DATA 2\nSCALARS c double 1\nLOOKUP_TABLE default\n1 2\n");
  QVERIFY(errorOf<Invalid>([&] { open({image}); }).find("on=cells") != std::string::npos);
  QVERIFY(open({image}, {{"on", "cells"}}) != nullptr);
}

QTEST_APPLESS_MAIN(TestVtkCellsAtNodes)
#include "tst_vtk_cells_at_nodes.moc"
