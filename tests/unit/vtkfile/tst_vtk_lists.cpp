// Files of VTK that name others: series, pieces and blocks are joined, cells that other pieces have are left out, and files that
// name themselves, files elsewhere, or nothing are refused. Grids of cells without a volume.

#include <QTest>

#include <fstream>

#include "core/base/error.h"
#include "core/fields/paged/paged_data.h"
#include "core/fields/resampled/resampled_reader.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/paging/pages/changing_cells.h"
#include "core/paging/pages/unstructured_cells.h"
#include "plugins/vtkfile/vtk_data.h"
#include "plugins/vtkfile/vtk_list.h"
#include "tests/support/array_checks.h"
#include "tests/support/error_words.h"
#include "tests/support/one_task.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

using namespace farfield;
using namespace farfield::vtkfile;
using namespace farfield::test;

namespace {

class Folder {
 public:
  std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  TemporaryFolder m_folder;
};

std::string array(const std::string& type, const std::string& name, int components,
                  const std::string& values) {
  return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(components) + "\" format=\"ascii\">" + values + "</DataArray>";
}
std::string file(const std::string& type, const std::string& contents) {
  return "<VTKFile type=\"" + type + "\" version=\"1.0\" byte_order=\"LittleEndian\">" + contents +
         "</VTKFile>";
}

/// Unit cubes in a row along x, from `first` on: as many as `ghosts` has letters, of which those that are 1 are another piece's.
/// Point values s = 10 x + y, cell values c = the number of the cube; `scale` multiplies both.
std::string cubes(int first, const std::string& ghosts, double scale = 1) {
  const int count = static_cast<int>(ghosts.size());
  std::string points, values, cells, ends, types, ofCells, marks;
  for (int i = 0; i <= count; ++i)
    for (int n = 0; n < 4; ++n) {
      const int x = first + i, y = n & 1, z = n >> 1;
      points += std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + " ";
      values += std::to_string(scale * (10 * x + y)) + " ";
    }
  for (int i = 0; i < count; ++i) {
    for (const int n : {0, 4, 5, 1, 2, 6, 7, 3}) cells += std::to_string(4 * i + n) + " ";
    ends += std::to_string(8 * (i + 1)) + " ";
    types += "12 ";
    const bool isGhost = ghosts[static_cast<std::size_t>(i)] == '1';
    ofCells += std::to_string(isGhost ? -1 : scale * (first + i)) + " ";
    marks += isGhost ? "1 " : "0 ";
  }
  return file("UnstructuredGrid",
              "<UnstructuredGrid><Piece NumberOfPoints=\"" + std::to_string(4 * (count + 1)) +
                  "\" NumberOfCells=\"" + std::to_string(count) + "\"><PointData>" +
                  array("Float64", "s", 1, values) + "</PointData><CellData>" +
                  array("Float64", "c", 1, ofCells) + array("UInt8", "vtkGhostType", 1, marks) +
                  "</CellData><Points>" + array("Float64", "Points", 3, points) + "</Points><Cells>" +
                  array("Int64", "connectivity", 1, cells) + array("Int64", "offsets", 1, ends) +
                  array("UInt8", "types", 1, types) + "</Cells></Piece></UnstructuredGrid>");
}

/// An image of nodes x = low … high, y and z = 0 … 1, in a whole of x = 0 … 4. s = 10 x + y, c = x of the cell; cells before
/// `own` are another piece's, and their values are wrong.
std::string image(int low, int high, int own) {
  std::string values, ofCells, marks;
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 2; ++y)
      for (int x = low; x <= high; ++x) values += std::to_string(x < own ? -1 : 10 * x + y) + " ";
  for (int x = low; x < high; ++x) {
    ofCells += std::to_string(x < own ? -1 : x) + " ";
    marks += x < own ? "1 " : "0 ";
  }
  const std::string extent = std::to_string(low) + " " + std::to_string(high) + " 0 1 0 1";
  return file("ImageData", "<ImageData WholeExtent=\"" + extent +
                               "\" Origin=\"100 0 0\" Spacing=\"0.5 1 1\"><Piece Extent=\"" + extent +
                               "\"><PointData>" + array("Float64", "s", 1, values) +
                               "</PointData><CellData>" + array("Float64", "c", 1, ofCells) +
                               array("UInt8", "vtkGhostType", 1, marks) + "</CellData></Piece></ImageData>");
}

std::string pieces(const std::string& type, const std::vector<std::string>& names,
                   const std::string& attributes = "") {
  std::string list;
  for (const std::string& name : names) list += "<Piece Source=\"" + name + "\"/>";
  return file(type, "<" + type + " GhostLevel=\"1\" " + attributes + ">" + list + "</" + type + ">");
}
std::string imagePieces(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += "<Piece Extent=\"0 4 0 1 0 1\" Source=\"" + name + "\"/>";
  return file("PImageData",
              "<PImageData WholeExtent=\"0 4 0 1 0 1\" Origin=\"100 0 0\" Spacing=\"0.5 1 1\">" + list +
                  "</PImageData>");
}
std::string series(const std::vector<std::pair<std::string, std::string>>& steps) {
  std::string list;
  for (const auto& [time, name] : steps)
    list += "<DataSet timestep=\"" + time + "\" group=\"\" part=\"0\" file=\"" + name + "\"/>";
  return file("Collection", "<Collection>" + list + "</Collection>");
}

std::unique_ptr<fields::OpenData> open(const std::string& name, MemoryAccount& account,
                                       const arrays::Options& options = {}) {
  return VtkDataReader().open({.sources = {name}, .options = options}, account);
}

/// The functions at a point at a step; nothing where no cell is.
std::vector<double> at(const fields::OpenData& data, MemoryAccount& account,
                       const std::vector<std::string>& functions, Vec3 point, std::int64_t step = 0) {
  fields::PagedDataOptions options;
  options.arrays = functions;
  fields::PagedData paged(data, account, options);
  std::vector<double> values;
  runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler =
        paged.makeSampler(context, std::make_shared<fields::FunctionPlan>(paged.description(), functions));
    fields::Location place;
    if (!sampler->locate(point, {step}, place)) return;
    values.resize(static_cast<std::size_t>(sampler->valueCount()));
    sampler->evaluate(place, {step}, values);
  });
  return values;
}

bool says(const fields::OpenData& data, const std::string& words) {
  for (const std::string& line : data.explanation())
    if (line.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

class TestVtkLists : public QObject {
  Q_OBJECT
 private slots:
  void namesStayInTheFolder_data();
  void namesStayInTheFolder();
  void piecesAreOneGrid();
  void structuredPiecesKeepTheirOwn();
  void seriesAreSteps();
  void seriesOfOtherCellsAreResampled();
  void blocksOfImages();
  void blocksOfMeshes();
  void flatMeshes();
  void surfaces();
  void polygonalData_data();
  void polygonalData();
  void polygonsOfOtherPieces_data() { polygonalData_data(); }
  void polygonsOfOtherPieces();
  void badListsAreRefused_data();
  void badListsAreRefused();
  void memoryIsCounted();
  void realSeries();

 private:
  Folder m_folder;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestVtkLists::namesStayInTheFolder_data() {
  QTest::addColumn<QString>("written");
  QTest::addColumn<QString>("name");  // empty: refused
  QTest::newRow("beside") << "a.vtu"
                          << "a.vtu";
  QTest::newRow("below") << "run/./a.vtu"
                         << "run/a.vtu";
  QTest::newRow("of Windows") << "run\\a.vtu"
                              << "run/a.vtu";
  QTest::newRow("up and down") << "run/../a.vtu"
                               << "a.vtu";
  QTest::newRow("absolute") << "/scratch/user/run/a.vtu"
                            << "a.vtu";
  QTest::newRow("absolute on Windows") << "C:\\runs\\a.vtu"
                                       << "a.vtu";
  QTest::newRow("out") << "../a.vtu"
                       << "";
  QTest::newRow("out by a way") << "run/../../a.vtu"
                                << "";
  QTest::newRow("the folder above") << ".."
                                    << "";
  QTest::newRow("absolute to above") << "/scratch/.."
                                     << "";
  QTest::newRow("URL") << "https://example.org/a.vtu"
                       << "";
  QTest::newRow("file URL") << "file:///etc/passwd"
                            << "";
  QTest::newRow("nothing") << ""
                           << "";
  QTest::newRow("a folder") << "run/"
                            << "";
  QTest::newRow("the folder") << "."
                              << "";
  QTest::newRow("a line end") << "a\nb"
                              << "";
}

void TestVtkLists::namesStayInTheFolder() {
  QFETCH(QString, written);
  QFETCH(QString, name);
  if (name.isEmpty())
    QVERIFY_THROWS_EXCEPTION(Invalid, nameBeside(written.toStdString()));
  else
    QCOMPARE(nameBeside(written.toStdString()), name.toStdString());
}

void TestVtkLists::piecesAreOneGrid() {
  m_folder.write("p0.vtu", cubes(0, "001"));
  m_folder.write("p1.vtu", cubes(1, "100"));
  m_folder.write(
      "empty.vtu",
      file("UnstructuredGrid",
           "<UnstructuredGrid><Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"/></UnstructuredGrid>"));
  const auto data = open(
      m_folder.write("all.pvtu", pieces("PUnstructuredGrid", {"p0.vtu", "empty.vtu", "p1.vtu"})), m_account);
  QCOMPARE(data->description().blocks.front().cells, std::int64_t{4});
  QVERIFY(says(*data, "3 pieces"));
  QVERIFY(says(*data, "left out: 2 cells that other pieces have"));
  for (int cube = 0; cube < 4; ++cube) {
    const std::vector<double> values = at(*data, m_account, {"s", "c"}, {cube + 0.25, 0.5, 0.5});
    QCOMPARE(values.size(), std::size_t{2});
    QVERIFY(std::abs(values[0] - (10 * (cube + 0.25) + 0.5)) < 1e-12);
    QCOMPARE(values[1], static_cast<double>(cube));
  }
  QVERIFY(at(*data, m_account, {"s"}, {4.5, 0.5, 0.5}).empty());
}

void TestVtkLists::structuredPiecesKeepTheirOwn() {
  // the later piece has wrong values where the earlier is the owner
  m_folder.write("low.vti", image(0, 2, 0));
  m_folder.write("high.vti", image(1, 4, 2));
  const std::string name = m_folder.write("all.pvti", imagePieces({"low.vti", "high.vti"}));
  const auto nodes = open(name, m_account);
  QCOMPARE(nodes->description().blocks.front().dims, (Index3{5, 2, 2}));
  QCOMPARE(nodes->description().blocks.front().origin.x, 100.0);
  const std::vector<double> s = allValues(*nodes->boxReader(), "s");
  QCOMPARE(s.size(), std::size_t{20});
  for (std::size_t n = 0; n < s.size(); ++n) QCOMPARE(s[n], static_cast<double>(10 * (n % 5) + n / 5 % 2));
  const auto cells = open(name, m_account, {{"on", "cells"}});
  std::vector<double> c;
  for (int row = 0; row < 9; ++row) c.insert(c.end(), {0, 0, 1, 2, 3, 3});
  QCOMPARE(allValues(*cells->boxReader(), "c"), c);
  // a part of the whole that no piece has
  QVERIFY_THROWS_EXCEPTION(Corrupt, open(m_folder.write("half.pvti", imagePieces({"low.vti"})), m_account));
}

void TestVtkLists::seriesAreSteps() {
  m_folder.write("run/a.vtu", cubes(0, "00"));
  m_folder.write("run/b.vtu", cubes(0, "00", 2));
  m_folder.write("run/c.vtu", cubes(0, "00", 3));
  // not in order, one with a path of another machine, and a step that is listed once more after a restart
  const auto data =
      open(m_folder.write(
               "run/all.pvd",
               series({{"4", "c.vtu"}, {"0.5", "a.vtu"}, {"2", "a.vtu"}, {"2", "/scratch/them/run/b.vtu"}})),
           m_account);
  QCOMPARE(data->description().times, (std::vector<double>{0.5, 2, 4}));
  QVERIFY(says(*data, "listed again"));
  for (int step = 0; step < 3; ++step)
    QCOMPARE(at(*data, m_account, {"c"}, {1.5, 0.5, 0.5}, step).at(0), static_cast<double>(step + 1));
  // another grid at a later step
  m_folder.write("run/d.vtu", cubes(0, "000"));
  const std::string changes =
      m_folder.write("run/changes.pvd", series({{"0", "a.vtu"}, {"1", "d.vtu"}, {"2", "b.vtu"}}));
  const auto changing = open(changes, m_account);
  QVERIFY(paging::cellsChange(changing->description()));
  QCOMPARE(changing->description().blocks.size(), std::size_t{3});
  QCOMPARE(changing->description().blocks[1].cells, 3);
  for (const int step : {0, 1, 2}) {
    const auto own = open(changes, m_account, {{"step", std::to_string(step)}});
    for (const double x : {0.5, 1.5, 2.5})
      QCOMPARE(at(*changing, m_account, {"c"}, {x, 0.5, 0.5}, step),
               at(*own, m_account, {"c"}, {x, 0.5, 0.5}, 0));
    // the other steps' points are nowhere
    const auto xyz = changing->description().find(1, "xyz");
    const auto& array = changing->description().arrays[static_cast<std::size_t>(xyz)];
    std::vector<std::byte> bytes(static_cast<std::size_t>(array.nodeBytes()));
    changing->boxReader()->read(static_cast<std::uint32_t>(xyz), step, {{0, 0, 0}, {1, 1, 1}}, bytes);
    QCOMPARE(std::isnan(valueAt(bytes.data(), array.type, 0)), step != 1);
  }
  const auto last = open(changes, m_account, {{"step", "1"}});
  QCOMPARE(last->description().times, (std::vector<double>{1}));
  QCOMPARE(last->description().blocks.front().cells, 3);
  // the same cells elsewhere have moved
  m_folder.write("run/e.vtu", cubes(7, "00", 5));
  const auto moving =
      open(m_folder.write("run/moving.pvd", series({{"0", "a.vtu"}, {"1", "e.vtu"}})), m_account);
  QVERIFY(says(*moving, "move from step to step"));
  QCOMPARE(at(*moving, m_account, {"c"}, {1.5, 0.5, 0.5}, 0).at(0), 1.0);
  QVERIFY(at(*moving, m_account, {"c"}, {1.5, 0.5, 0.5}, 1).empty());
  QCOMPARE(at(*moving, m_account, {"c"}, {8.5, 0.5, 0.5}, 1).at(0), 40.0);
}

/// One grid for all steps, with what is in each of them.
void TestVtkLists::seriesOfOtherCellsAreResampled() {
  m_folder.write("sampled/a.vtu", cubes(0, "000"));
  m_folder.write("sampled/b.vtu", cubes(0, "00", 2));
  const auto data =
      open(m_folder.write("sampled/all.pvd", series({{"0", "a.vtu"}, {"1", "b.vtu"}})), m_account);
  QVERIFY(paging::cellsChange(data->description()));
  const fields::ResampledReader reader(*data, m_account, {.alongLongest = 7});
  const paging::DatasetDescription& made = reader.description();
  QVERIFY(!paging::cellsChange(made) && paging::stepsOfBlocks(made).empty());
  QCOMPARE(made.steps(), std::int64_t{2});
  const auto valueOf = [&](const char* name, std::int64_t step, std::int64_t i) {
    const auto array = static_cast<std::size_t>(made.find(0, name));
    std::vector<std::byte> bytes(static_cast<std::size_t>(made.arrays[array].nodeBytes()));
    reader.read(static_cast<std::uint32_t>(array), step, {{i, 1, 1}, {1, 1, 1}}, bytes);
    return valueAt(bytes.data(), made.arrays[array].type, 0);
  };
  // Values on cells are values at nodes of the regular grid.
  const paging::ArrayDescription& c = made.arrays[static_cast<std::size_t>(made.find(0, "c"))];
  QVERIFY(!c.onCells);
  QCOMPARE(valueOf("c", 0, 1), 0.0);
  QCOMPARE(valueOf("c", 0, 3), 1.0);
  QCOMPARE(valueOf("c", 1, 3), 2.0);
  QCOMPARE(valueOf("c", 0, 5), 2.0);
  QCOMPARE(valueOf("iblank", 0, 5), 1.0);
  QCOMPARE(valueOf("iblank", 1, 5), 0.0);  // two cubes only
  QCOMPARE(valueOf("iblank", 1, 3), 1.0);
}

void TestVtkLists::blocksOfImages() {
  m_folder.write("b/low.vti", image(0, 2, 0));
  m_folder.write("b/high.vti", image(2, 4, 2));
  const auto data = open(
      m_folder.write(
          "all.vtm",
          file("vtkMultiBlockDataSet",
               "<vtkMultiBlockDataSet><Block index=\"0\" name=\"wing\"><DataSet index=\"0\" name=\"low\" "
               "file=\"b/low.vti\"/><DataSet index=\"1\" "
               "name=\"high\" file=\"b/high.vti\"/><DataSet index=\"2\"/></Block></vtkMultiBlockDataSet>")),
      m_account);
  QCOMPARE(data->description().blocks.size(), std::size_t{2});
  QCOMPARE(data->description().attributes.at("block.1"), std::string("wing/high"));
  QCOMPARE(at(*data, m_account, {"s"}, {100.5, 0, 0}), (std::vector<double>{10}));
  QCOMPARE(at(*data, m_account, {"s"}, {101.75, 0, 0}), (std::vector<double>{35}));
  MemoryAccount& account = m_account;
  for (const char* const block : {"1", "wing/high"})
    QCOMPARE(open(m_folder.path("all.vtm"), account, {{"block", block}})
                 ->description()
                 .blocks.front()
                 .bounds.min.x,
             101.0);
  QVERIFY(errorOf<Error>([&] {
            open(m_folder.path("all.vtm"), account, {{"block", "tail"}});
          }).find("1 (wing/high)") != std::string::npos);
}

void TestVtkLists::blocksOfMeshes() {
  m_folder.write("m0.vtu", cubes(0, "00"));
  m_folder.write("m1.vtu", cubes(2, "0"));
  m_folder.write("inner.vtm",
                 file("vtkMultiBlockDataSet",
                      "<vtkMultiBlockDataSet><DataSet index=\"0\" file=\"m1.vtu\"/></vtkMultiBlockDataSet>"));
  const auto data = open(
      m_folder.write("mesh.vtm",
                     file("vtkMultiBlockDataSet",
                          "<vtkMultiBlockDataSet><DataSet index=\"0\" file=\"m0.vtu\"/><DataSet index=\"1\" "
                          "name=\"outer\" file=\"inner.vtm\"/></vtkMultiBlockDataSet>")),
      m_account);
  QCOMPARE(data->description().blocks.size(), std::size_t{1});
  QCOMPARE(at(*data, m_account, {"c", "block"}, {1.5, 0.5, 0.5}), (std::vector<double>{1, 0}));
  QCOMPARE(at(*data, m_account, {"c", "block"}, {2.5, 0.5, 0.5}), (std::vector<double>{2, 1}));
  // structured and unstructured blocks in one file: one can be chosen
  m_folder.write("i.vti", image(0, 4, 0));
  const std::string mixed = m_folder.write(
      "mixed.vtm",
      file("vtkMultiBlockDataSet",
           "<vtkMultiBlockDataSet><DataSet index=\"0\" file=\"m0.vtu\"/><DataSet index=\"1\" name=\"air\" "
           "file=\"i.vti\"/></vtkMultiBlockDataSet>"));
  MemoryAccount& account = m_account;
  QVERIFY(errorOf<Error>([&] { open(mixed, account); }).find("--option block=N") != std::string::npos);
  QCOMPARE(open(mixed, account, {{"block", "air"}})->description().blocks.front().dims, (Index3{5, 2, 2}));
}

/// Two triangles and a square in the plane z = 3, with a vector of two components.
constexpr const char* kFlat =
    "# vtk DataFile Version 3.0\nflat\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 float\n0 0 3 1 0 3 1 1 3 0 "
    "1 3 2 0 3 2 1 3\n"
    "CELLS 3 13\n3 0 1 2\n3 0 2 3\n4 1 4 5 2\nCELL_TYPES 3\n5 5 9\nPOINT_DATA 6\nSCALARS s "
    "double\nLOOKUP_TABLE default\n0 1 1 0 2 2\n"
    "FIELD f 1\nflow 2 6 double\n1 5 1 6 1 6 1 5 1 7 1 7\nCELL_DATA 3\nSCALARS c int\nLOOKUP_TABLE "
    "default\n7 8 9\n";

void TestVtkLists::flatMeshes() {
  const auto data = open(m_folder.write("flat.vtk", kFlat), m_account);
  QVERIFY(says(*data, "thin layer"));
  QCOMPARE(at(*data, m_account, {"s", "c"}, {0.75, 0.25, 3}), (std::vector<double>{0.75, 7}));
  QCOMPARE(at(*data, m_account, {"s", "c"}, {1.5, 0.25, 3}), (std::vector<double>{1.5, 9}));
  const std::vector<double> flow = at(*data, m_account, {"flow"}, {1.5, 0.5, 3});
  QCOMPARE(flow, (std::vector<double>{1, 6.5, 0}));
  QVERIFY(at(*data, m_account, {"s"}, {1.5, 0.5, 3.1}).empty());
}

void TestVtkLists::surfaces() {
  // the sides of a pyramid without its base: a polygon of five points, and a strip
  const auto data =
      open(m_folder.write("tent.vtk",
                          "# vtk DataFile Version 3.0\ntent\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 "
                          "float\n0 0 0 1 0 0 1 1 0 0 1 0 0.5 0.5 1 0.5 0 0.5\n"
                          "CELLS 2 11\n5 0 1 4 3 5\n4 1 2 4 3\nCELL_TYPES 2\n7 6\nCELL_DATA 2\nSCALARS c "
                          "int\nLOOKUP_TABLE default\n7 8\n"),
           m_account);
  QVERIFY(says(*data, "a surface in space"));
  QVERIFY(says(*data, "5 triangles and quadrilaterals"));
  QCOMPARE(data->description().surfaces.size(), std::size_t{1});
  QCOMPARE(data->description().surfaces.front().name, std::string(paging::kBorderName));
  QCOMPARE(data->description().surfaces.front().nodes.size[0], std::int64_t{5});
  QVERIFY(at(*data, m_account, {"c"}, {0.5, 0.5, 0.5}).empty());
  QVERIFY(at(*data, m_account, {"c"}, {0.5, 0.5, 1}).empty());
}

void TestVtkLists::polygonalData_data() {
  QTest::addColumn<QString>("text");
  const std::string points = "0 0 0 1 0 0 1 1 0 0 1 0 2 0 1 2 1 1 3 0 0 3 1 0";
  const auto lists = [](const char* name, const std::string& nodes, const std::string& ends) {
    return std::string("<") + name + ">" + array("Int64", "connectivity", 1, nodes) +
           array("Int64", "offsets", 1, ends) + "</" + name + ">";
  };
  QTest::newRow("XML") << QString::fromStdString(
      file("PolyData",
           "<PolyData><Piece NumberOfPoints=\"8\" NumberOfVerts=\"1\" NumberOfLines=\"1\" "
           "NumberOfStrips=\"1\" NumberOfPolys=\"2\"><CellData>" +
               array("Int32", "c", 1, "0 10 20 30 40") + "</CellData><Points>" +
               array("Float32", "Points", 3, points) + "</Points>" + lists("Verts", "0", "1") +
               lists("Lines", "0 1", "2") + lists("Strips", "4 5 6 7", "4") +
               lists("Polys", "0 1 2 3 1 4 2", "4 7") + "</Piece></PolyData>"));
  const std::string data = "CELL_DATA 5\nSCALARS c int\nLOOKUP_TABLE default\n0 10 20 30 40\n";
  QTest::newRow("legacy") << QString::fromStdString(
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 8 float\n" + points +
      "\nVERTICES 1 2\n1 0\nLINES 1 3\n2 0 1\nPOLYGONS 2 9\n4 0 1 2 3\n3 1 4 2\nTRIANGLE_STRIPS 1 5\n4 4 5 6 "
      "7\n" +
      data);
  QTest::newRow("legacy 5") << QString::fromStdString(
      "# vtk DataFile Version 5.1\nx\nASCII\nDATASET POLYDATA\nPOINTS 8 float\n" + points +
      "\nVERTICES 2 1\nOFFSETS vtktypeint64\n0 1\nCONNECTIVITY vtktypeint64\n0\nLINES 2 2\nOFFSETS "
      "vtktypeint64\n0 2\nCONNECTIVITY "
      "vtktypeint64\n0 1\nPOLYGONS 3 7\nOFFSETS vtktypeint64\n0 4 7\nCONNECTIVITY vtktypeint64\n0 1 2 3 1 4 "
      "2\nTRIANGLE_STRIPS 2 "
      "4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n4 5 6 7\n" +
      data);
}

void TestVtkLists::polygonalData() {
  QFETCH(QString, text);
  const std::string name = m_folder.write("p.vtk", text.toStdString());
  if (text.startsWith("<"))
    QCOMPARE(open(m_folder.write("two.pvtp", pieces("PPolyData", {"p.vtk", "p.vtk"})), m_account)
                 ->description()
                 .blocks.front()
                 .cells,
             std::int64_t{8});
  const auto data = open(name, m_account);
  QVERIFY(says(*data, "4 triangles and quadrilaterals"));
  QVERIFY(says(*data, "left out: 1 cell without an area, of VTK's type 4"));
  std::vector<double> values = allValues(*data->boxReader(), "c");
  std::sort(values.begin(), values.end());
  QCOMPARE(values, (std::vector<double>{20, 30, 40, 40}));
  QCOMPARE(data->description().surfaces.front().nodes.size[0], std::int64_t{4});
}

void TestVtkLists::polygonsOfOtherPieces() {
  QFETCH(QString, text);
  // a quadrilateral of another piece, and a hidden strip
  const std::string marks = "0 0 1 0 32";
  if (text.startsWith("<"))
    text.replace("</CellData>",
                 QString::fromStdString(array("UInt8", "vtkGhostType", 1, marks) + "</CellData>"));
  else
    text +=
        QString::fromStdString("SCALARS vtkGhostType unsigned_char\nLOOKUP_TABLE default\n" + marks + "\n");
  const auto data = open(m_folder.write("p.vtk", text.toStdString()), m_account);
  QVERIFY(says(*data, "left out: 2 cells that other pieces have, or that are hidden"));
  QCOMPARE(allValues(*data->boxReader(), "c"), (std::vector<double>{30}));
  for (const auto& its : data->description().arrays) QVERIFY(its.name != "vtkGhostType");
}

void TestVtkLists::badListsAreRefused_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("words");
  const auto row = [](const char* name, const std::string& text, const char* words) {
    QTest::newRow(name) << QString::fromStdString(text) << words;
  };
  row("names itself", series({{"0", "bad.vtk"}}), "names itself");
  row("names itself by another",
      file("vtkMultiBlockDataSet",
           "<vtkMultiBlockDataSet><DataSet file=\"loop.vtm\"/></vtkMultiBlockDataSet>"),
      "names itself");
  row("names nothing", series({}), "names no files");
  row("no pieces", pieces("PUnstructuredGrid", {}), "names no pieces");
  row("missing", series({{"0", "nowhere.vtu"}}), "nowhere.vtu");
  row("above", series({{"0", "../p0.vtu"}}), "leads out");
  row("a URL", series({{"0", "http://localhost/p0.vtu"}}), "URL");
  row("no time", series({{"early", "p0.vtu"}}), "timestep");
  row("an infinite time", series({{"inf", "p0.vtu"}}), "timestep");
  row("series in a series", series({{"0", "inner.pvd"}}), "is a series");
  row("pieces of pieces", pieces("PUnstructuredGrid", {"inner.pvtu"}), "names others");
  row("pieces of another kind", pieces("PUnstructuredGrid", {"low.vti"}), "another kind");
  row("images without an extent", pieces("PImageData", {"low.vti"}), "extent");
  row("a huge extent",
      pieces("PImageData", {"low.vti"}, "WholeExtent=\"0 1000000000000 0 1000000000000 0 1\""),
      "do not hold");
  row("polygons without end",
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 1\nPOLYGONS "
      "1000000000000 4\n3 0 1 2\n",
      "fewer numbers");
  row("polygons twice",
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 1\nPOLYGONS 1 "
      "4\n3 0 1 2\nPOLYGONS 1 4\n3 0 1 2\n",
      "behind other cells");
  row("no blocks", file("vtkMultiBlockDataSet", "<vtkMultiBlockDataSet><Block/></vtkMultiBlockDataSet>"),
      "no blocks");
  row("cut", series({{"0", "p0.vtu"}}).substr(0, 150), "ends within");
}

void TestVtkLists::badListsAreRefused() {
  QFETCH(QString, text);
  QFETCH(QString, words);
  m_folder.write("p0.vtu", cubes(0, "00"));
  m_folder.write("low.vti", image(0, 2, 0));
  m_folder.write("inner.pvd", series({{"0", "p0.vtu"}}));
  m_folder.write("inner.pvtu", pieces("PUnstructuredGrid", {"p0.vtu"}));
  m_folder.write("loop.vtm",
                 file("vtkMultiBlockDataSet",
                      "<vtkMultiBlockDataSet><DataSet file=\"bad.vtk\"/></vtkMultiBlockDataSet>"));
  const std::string name = m_folder.write("bad.vtk", text.toStdString());
  const std::string error = errorOf<Error>([&] { open(name, m_account); });
  QVERIFY2(error.find(words.toStdString()) != std::string::npos, error.c_str());
}

void TestVtkLists::memoryIsCounted() {
  m_folder.write("p0.vtu", cubes(0, "00"));
  std::vector<std::pair<std::string, std::string>> steps;
  for (int n = 0; n < 3000; ++n) steps.emplace_back(std::to_string(n), "p0.vtu");
  const std::string name = m_folder.write("many.pvd", series(steps));
  MemoryAccount small(std::uint64_t{2} << 20);
  QVERIFY_THROWS_EXCEPTION(OverBudget, open(name, small));
  QCOMPARE(small.usedBytes(), std::uint64_t{0});
}

void TestVtkLists::realSeries() {
  NEEDS_DATA("data/series/pvd_tunnel/run_0_results.pvd");
  // pieces of six processes; in the file stand the paths of the machine where it was written
  const auto data = open(dataPath("data/series/pvd_tunnel/run_0_results.pvd").string(), m_account);
  QCOMPARE(data->description().times, (std::vector<double>{0, 1e9}));
  QCOMPARE(data->description().blocks.front().cells, std::int64_t{29506});
  // values of vtkProbeFilter over the same pieces, whose search in a quadrilateral ends early
  const std::vector<double> values = at(*data, m_account, {"pressure", "displacement"}, {3.31, 4.43, 0}, 1);
  QCOMPARE(values.size(), std::size_t{4});
  const double expected[] = {11200618.505564589, -8.22888881383884e-05, -0.004991278535233858, 0};
  for (std::size_t n = 0; n < values.size(); ++n)
    QVERIFY2(std::abs(values[n] - expected[n]) <= 1e-6 * std::max(1e-4, std::abs(expected[n])),
             std::to_string(values[n]).c_str());
}

QTEST_GUILESS_MAIN(TestVtkLists)
#include "tst_vtk_lists.moc"
