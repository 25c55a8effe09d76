// VTK's unstructured grids in text: each shape, polyhedra, cells of higher order by their corners, what has no volume
// left out; the same from the old and the new legacy format and from XML, in one piece or two; and broken files refused.

#include <QTest>

#include <fstream>

#include "core/base/error.h"
#include "core/fields/functions/reading_choices.h"
#include "core/fields/paged/paged_data.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/support/error_words.h"
#include "tests/support/one_task.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

using namespace farfield;
using namespace farfield::vtkfile;
using namespace farfield::test;

namespace {

// A hexahedron from 0 to 1, a wedge beyond x = 1, a pyramid above z = 1 whose top is at z = 2, a tetrahedron beside it.
constexpr const char* kPoints =
    "0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1  2 0 0  2 0 1  0.5 0.5 2  2 0.5 2";
// of x + 2 y + 3 z
constexpr const char* kValues = "0 1 3 2 3 4 6 5 2 5 7.5 9";
constexpr const char* kFlow =
    "1 0 0  2 0 0  2 1 0  1 1 0  1 0 1  2 0 1  2 1 1  1 1 1  3 0 0  3 0 1  1.5 0.5 2  3 0.5 2";

struct Files {
  TemporaryFolder folder;
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
};

std::string legacy(const std::string& version, const std::string& cells) {
  return "# vtk DataFile Version " + version +
         "\na mesh\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 float\n" + std::string(kPoints) + "\n" +
         cells + "POINT_DATA 12\nSCALARS s double\nLOOKUP_TABLE default\n" + kValues + "\nVECTORS v float\n" +
         kFlow + "\nCELL_DATA 5\nSCALARS c int\nLOOKUP_TABLE default\n10 20 30 40 50\n";
}
const std::string kOldCells =
    "CELLS 5 30\n8 0 1 2 3 4 5 6 7\n6 1 8 2 5 9 6\n5 4 5 6 7 10\n4 5 6 10 11\n2 0 6\nCELL_TYPES 5\n12 13 14 "
    "10 3\n";
const std::string kNewCells =
    "CELLS 6 25\nOFFSETS vtktypeint64\n0 8 14 19 23 25\nCONNECTIVITY vtktypeint64\n0 1 2 3 4 5 6 7 1 8 2 5 9 "
    "6 4 5 6 7 10 5 6 "
    "10 11 0 6\nCELL_TYPES 5\n12 13 14 10 3\n";

std::string xml(const std::string& pieces) {
  return "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\"><UnstructuredGrid>" +
         pieces + "</UnstructuredGrid></VTKFile>";
}
std::string array(const std::string& type, const std::string& name, int components,
                  const std::string& values) {
  return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(components) + "\" format=\"ascii\">" + values + "</DataArray>";
}
std::string piece(int points, int cells, const std::string& coordinates, const std::string& values,
                  const std::string& flow, const std::string& lists, const std::string& ofCells) {
  return "<Piece NumberOfPoints=\"" + std::to_string(points) + "\" NumberOfCells=\"" + std::to_string(cells) +
         "\"><PointData>" + array("Float64", "s", 1, values) + array("Float32", "v", 3, flow) +
         "</PointData><CellData>" + array("Int32", "c", 1, ofCells) + "</CellData><Points>" +
         array("Float32", "Points", 3, coordinates) + "</Points><Cells>" + lists + "</Cells></Piece>";
}
std::string wholeXml() {
  return xml(piece(12, 5, kPoints, kValues, kFlow,
                   array("Int64", "connectivity", 1, "0 1 2 3 4 5 6 7 1 8 2 5 9 6 4 5 6 7 10 5 6 10 11 0 6") +
                       array("Int64", "offsets", 1, "8 14 19 23 25") +
                       array("UInt8", "types", 1, "12 13 14 10 3"),
                   "10 20 30 40 50"));
}

std::unique_ptr<fields::OpenData> open(const std::string& file, MemoryAccount& account) {
  return VtkDataReader().open({.sources = {file}}, account);
}

/// s, v and c at a point; nothing where no cell is.
std::vector<double> valuesAt(const std::string& file, Vec3 point) {
  MemoryAccount account(64 << 20);
  const auto data = open(file, account);
  fields::PagedDataOptions options;
  options.arrays = {"s", "v", "c"};
  fields::PagedData paged(*data, account, options);
  std::vector<double> values;
  runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(
        context,
        std::make_shared<fields::FunctionPlan>(paged.description(), std::vector<std::string>{"s", "v", "c"}));
    fields::Location place;
    if (!sampler->locate(point, {}, place)) return;
    values.resize(5);
    sampler->evaluate(place, {}, values);
  });
  return values;
}

}  // namespace

class TestVtkMesh : public QObject {
  Q_OBJECT
 private slots:
  void allFormatsGiveTheSame_data();
  void allFormatsGiveTheSame();
  void cellsOfOtherPiecesInLegacyFiles();
  void polyhedraAreCut();
  void polyhedraThatNameTheirFaces_data();
  void polyhedraThatNameTheirFaces();
  void polyhedraOfLegacyFiles_data();
  void polyhedraOfLegacyFiles();
  void higherOrdersAreReadByTheirCorners();
  void brokenFilesAreRefused_data();
  void brokenFilesAreRefused();
  void cutFilesAreRefusedOrReadWhole();
  void nodesAreMovedIfAsked_data();
  void nodesAreMovedIfAsked();
  void vectorsAreChosen();
  void listsOfTheGridAreNoVariables();
  void structuredGridsStay();
  void bodiesAreMovedAsByVtk();
  void realFiles();
};

void TestVtkMesh::allFormatsGiveTheSame_data() {
  QTest::addColumn<QString>("text");
  QTest::newRow("legacy") << QString::fromStdString(legacy("3.0", kOldCells));
  QTest::newRow("legacy 5") << QString::fromStdString(legacy("5.1", kNewCells));
  QTest::newRow("XML") << QString::fromStdString(wholeXml());
}

void TestVtkMesh::allFormatsGiveTheSame() {
  QFETCH(QString, text);
  const Files files;
  const std::string file = files.write("mesh.vtk", text.toStdString());
  MemoryAccount account(64 << 20);
  const auto data = open(file, account);
  const paging::BlockDescription& block = data->description().blocks.front();
  QCOMPARE(int(block.kind), int(paging::GridKind::Unstructured));
  QCOMPARE(block.dims, (Index3{12, 1, 1}));
  QCOMPARE(block.cells, 4);
  QCOMPARE(data->description().surfaces.front().nodes.size[0], 6 + 5 + 5 + 4 - 2 * 3);
  struct Known {
    Vec3 point;
    double cell;
  };
  for (const Known& known :
       {Known{{0.3, 0.4, 0.5}, 10}, {{1.4, 0.2, 0.7}, 20}, {{0.5, 0.45, 1.3}, 30}, {{1.2, 0.55, 1.55}, 40}}) {
    const std::vector<double> values = valuesAt(file, known.point);
    QCOMPARE(values.size(), std::size_t{5});
    const Vec3& p = known.point;
    QVERIFY(std::abs(values[0] - (p.x + 2 * p.y + 3 * p.z)) < 1e-6);
    QVERIFY(std::abs(values[1] - (1 + p.x)) < 1e-6);
    QVERIFY(std::abs(values[2] - p.y) < 1e-6);
    QVERIFY(std::abs(values[3] - p.z) < 1e-6);
    QCOMPARE(values[4], known.cell);
  }
  QVERIFY(valuesAt(file, {1.9, 0.9, 0.5}).empty());
}

void TestVtkMesh::cellsOfOtherPiecesInLegacyFiles() {
  const Files files;
  for (const std::string& text : {legacy("3.0", kOldCells), legacy("5.1", kNewCells)}) {
    const std::string file = files.write(
        "ghosts.vtk", text + "SCALARS vtkGhostType unsigned_char\nLOOKUP_TABLE default\n0 1 0 0 0\n");
    MemoryAccount account(64 << 20);
    QCOMPARE(open(file, account)->description().blocks.front().cells, 3);
    QVERIFY(valuesAt(file, {1.4, 0.2, 0.7}).empty());
    const std::vector<double> values = valuesAt(file, {0.3, 0.4, 0.5});
    QCOMPARE(values.size(), std::size_t{5});
    QCOMPARE(values[4], 10.0);
  }
}

void TestVtkMesh::polyhedraAreCut() {
  const Files files;
  // the unit cube as a polyhedron
  const std::string faces = "6  4 0 3 2 1  4 4 5 6 7  4 0 1 5 4  4 1 2 6 5  4 2 3 7 6  4 3 0 4 7";
  const std::string cube = "0 0 0  1 0 0  1 1 0  0 1 0  0 0 1  1 0 1  1 1 1  0 1 1";
  const std::string file = files.write(
      "poly.vtu", xml(piece(8, 1, cube, "0 1 3 2 3 4 6 5", "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1",
                            array("Int64", "connectivity", 1, "0 1 2 3 4 5 6 7") +
                                array("Int64", "offsets", 1, "8") + array("UInt8", "types", 1, "42") +
                                array("Int64", "faces", 1, faces) + array("Int64", "faceoffsets", 1, "31"),
                            "7")));
  MemoryAccount account(64 << 20);
  const auto data = open(file, account);
  QCOMPARE(data->description().blocks.front().cells, 6);
  QCOMPARE(data->description().surfaces.front().nodes.size[0], 12);
  for (const Vec3 point : {Vec3{0.1, 0.2, 0.3}, Vec3{0.9, 0.1, 0.6}, Vec3{0.5, 0.5, 0.99}}) {
    const std::vector<double> values = valuesAt(file, point);
    QCOMPARE(values.size(), std::size_t{5});
    QVERIFY(std::abs(values[0] - (point.x + 2 * point.y + 3 * point.z)) < 1e-12);
    QCOMPARE(values[4], 7.0);
  }
}

void TestVtkMesh::polyhedraThatNameTheirFaces_data() {
  QTest::addColumn<QStringList>("lists");  // points, types, ends of faces' names, these, ends of faces
  QTest::addColumn<bool>("isGood");
  const QString tetrahedronFirst = "0 1 2 3 1 2 3 4", polyhedronFirst = "1 2 3 4 0 1 2 3";
  using Lists = QStringList;
  QTest::newRow("second") << Lists{tetrahedronFirst, "10 42", "0 4", "3 2 1 0", "3 6 9 12"} << true;
  QTest::newRow("first") << Lists{polyhedronFirst, "42 10", "4 4", "0 1 2 3", "3 6 9 12"} << true;
  QTest::newRow("none") << Lists{tetrahedronFirst, "10 10", "", "", ""} << true;
  QTest::newRow("name below 0") << Lists{tetrahedronFirst, "10 42", "0 4", "3 2 1 -1", "3 6 9 12"} << false;
  QTest::newRow("name that is not there")
      << Lists{tetrahedronFirst, "10 42", "0 4", "3 2 1 9", "3 6 9 12"} << false;
  QTest::newRow("too few names") << Lists{tetrahedronFirst, "10 42", "0 5", "3 2 1 0", "3 6 9 12"} << false;
  QTest::newRow("names that fall") << Lists{tetrahedronFirst, "10 42", "4 0", "3 2 1 0", "3 6 9 12"} << false;
  QTest::newRow("faces that fall") << Lists{tetrahedronFirst, "10 42", "0 4", "3 2 1 0", "3 6 9 2"} << false;
  QTest::newRow("too few points") << Lists{tetrahedronFirst, "10 42", "0 4", "3 2 1 0", "3 6 9 13"} << false;
  QTest::newRow("no lists") << Lists{tetrahedronFirst, "10 42", "", "", ""} << false;
}

void TestVtkMesh::polyhedraThatNameTheirFaces() {
  QFETCH(QStringList, lists);
  QFETCH(bool, isGood);
  const auto list = [&](const char* type, const char* name, int n) {
    return array(type, name, 1, lists.at(n).toStdString());
  };
  const Files files;
  const std::string file = files.write(
      "faces.vtu",
      xml(piece(5, 2, "0 0 0  1 0 0  0 1 0  0 0 1  1 1 1", "0 1 2 3 6", "1 0 0  2 0 0  1 1 0  1 0 1  2 1 1",
                list("Int64", "connectivity", 0) + array("Int64", "offsets", 1, "4 8") +
                    list("UInt8", "types", 1) + list("Int64", "polyhedron_offsets", 2) +
                    list("Int64", "polyhedron_to_faces", 3) + list("Int64", "face_offsets", 4) +
                    array("Int64", "face_connectivity", 1, "1 2 3 1 2 4 2 3 4 1 3 4"),
                lists.at(1) == "42 10" ? "9 7" : "7 9")));
  MemoryAccount account(64 << 20);
  if (!isGood) {
    QVERIFY_THROWS_EXCEPTION(Error, open(file, account));
    return;
  }
  QCOMPARE(open(file, account)->description().blocks.front().cells, 2);
  for (const auto& [point, cell] : {std::pair{Vec3{0.1, 0.15, 0.2}, 7.0}, {Vec3{0.45, 0.5, 0.55}, 9.0}}) {
    const std::vector<double> values = valuesAt(file, point);
    QCOMPARE(values.size(), std::size_t{5});
    QVERIFY(std::abs(values[0] - (point.x + 2 * point.y + 3 * point.z)) < 1e-12);
    QCOMPARE(values[4], cell);
  }
}

void TestVtkMesh::polyhedraOfLegacyFiles_data() {
  QTest::addColumn<QString>("version");
  QTest::addColumn<QString>("cells");
  // a tetrahedron, and the polyhedron beside it
  QTest::newRow("old") << "3.0"
                       << "CELLS 2 23\n4 0 1 2 3\n17 4 3 1 2 3 3 1 2 4 3 2 3 4 3 1 3 4\n";
  QTest::newRow("since version 5") << "5.1"
                                   << "CELLS 3 21\nOFFSETS vtktypeint64\n0 4 21\nCONNECTIVITY vtktypeint64\n"
                                      "0 1 2 3 4 3 1 2 3 3 1 2 4 3 2 3 4 3 1 3 4\n";
}

void TestVtkMesh::polyhedraOfLegacyFiles() {
  QFETCH(QString, version);
  QFETCH(QString, cells);
  const auto text = [&](const QString& its) {
    return ("# vtk DataFile Version " + version +
            "\np\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 1 0 0 0 1 0 0 0 1 1 1 1\n" + its +
            "CELL_TYPES 2\n10\n42\n")
        .toStdString();
  };
  const Files files;
  MemoryAccount account(64 << 20);
  const auto data = open(files.write("p.vtk", text(cells)), account);
  QCOMPARE(data->description().blocks.front().cells, 2);
  QCOMPARE(data->description().surfaces.front().nodes.size[0], 6);
  // a face that ends behind its cell
  cells.replace("3 1 3 4", "9 1 3 4");
  QVERIFY_THROWS_EXCEPTION(Corrupt, open(files.write("wrong.vtk", text(cells)), account));
}

void TestVtkMesh::higherOrdersAreReadByTheirCorners() {
  const Files files;
  const std::string text =
      "# vtk DataFile Version 3.0\nq\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 10 double\n0 0 0 1 0 0 0 1 0 "
      "0 0 1 0.5 0 0 0.5 "
      "0.5 0 0 0.5 0 0 0 0.5 0.5 0 0.5 0 0.5 0.5\nCELLS 1 11\n10 0 1 2 3 4 5 6 7 8 9\nCELL_TYPES 1\n24\n";
  MemoryAccount account(64 << 20);
  const auto data = open(files.write("q.vtk", text), account);
  QCOMPARE(data->description().blocks.front().cells, 1);
  QCOMPARE(data->description().surfaces.front().nodes.size[0], 4);
}

void TestVtkMesh::brokenFilesAreRefused_data() {
  QTest::addColumn<QString>("text");
  const auto changed = [](std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) qFatal("not in the text");
    return QString::fromStdString(text.replace(at, from.size(), to));
  };
  QTest::newRow("point that is not there")
      << changed(legacy("3.0", kOldCells), "1 8 2 5 9 6", "1 8 2 5 9 16");
  QTest::newRow("negative point") << changed(legacy("3.0", kOldCells), "1 8 2 5 9 6", "1 8 2 5 -9 6");
  QTest::newRow("too few points") << changed(legacy("3.0", kOldCells), "6 1 8 2 5 9 6\n5 4",
                                             "5 1 8 2 5 9\n6 6 4");
  QTest::newRow("count of a cell") << changed(legacy("3.0", kOldCells), "8 0 1 2", "900000000 0 1 2");
  QTest::newRow("types") << changed(legacy("3.0", kOldCells), "CELL_TYPES 5", "CELL_TYPES 4");
  QTest::newRow("offsets that fall") << changed(wholeXml(), "8 14 19 23 25", "8 4 19 23 25");
  QTest::newRow("offsets that are huge")
      << changed(wholeXml(), "8 14 19 23 25", "8 14 19 23 9000000000000000000");
  QTest::newRow("no types") << changed(wholeXml(), "Name=\"types\"", "Name=\"kinds\"");
  QTest::newRow("number of points") << changed(wholeXml(), "NumberOfPoints=\"12\"",
                                               "NumberOfPoints=\"9000000000\"");
  QTest::newRow("only lines") << changed(legacy("3.0", kOldCells), "12 13 14 10 3", "3 3 3 3 3");
}

void TestVtkMesh::brokenFilesAreRefused() {
  QFETCH(QString, text);
  const Files files;
  MemoryAccount account(64 << 20);
  QVERIFY_THROWS_EXCEPTION(Error, open(files.write("broken.vtk", text.toStdString()), account));
}

void TestVtkMesh::cutFilesAreRefusedOrReadWhole() {
  const Files files;
  for (const std::string& text : {legacy("3.0", kOldCells), legacy("5.1", kNewCells), wholeXml()})
    for (std::size_t length = 0; length < text.size(); length += 3) {
      MemoryAccount account(64 << 20);
      try {
        const auto data = open(files.write("cut.vtk", text.substr(0, length)), account);
        QCOMPARE(data->description().blocks.front().cells, 4);
      } catch (const Error&) {
      }
    }
}

void TestVtkMesh::nodesAreMovedIfAsked_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("text");
  QTest::newRow("legacy") << "a.vtk" << QString::fromStdString(legacy("3.0", kOldCells));
  QTest::newRow("xml") << "a.vtu" << QString::fromStdString(wholeXml());
}

/// By its only vector, (1 + x, y, z): as it is stored unless it is asked for.
void TestVtkMesh::nodesAreMovedIfAsked() {
  QFETCH(QString, name);
  QFETCH(QString, text);
  const Files files;
  const std::string file = files.write(name.toStdString(), text.toStdString());
  MemoryAccount account(64 << 20);
  const auto openAs = [&](const std::map<std::string, std::string>& options) {
    return VtkDataReader().open({.sources = {file}, .options = options}, account);
  };
  const auto rest = openAs({});
  const auto choices = fields::readingChoicesOf(*rest);
  QCOMPARE(choices.size(), std::size_t{2});
  QCOMPARE(choices[0].option, std::string("shape"));
  QCOMPARE(choices[1].option, std::string("on"));
  QVERIFY(choices[0].now == 0 && !choices[0].atFirst);
  QCOMPARE(rest->description().blocks[0].bounds.max.x, 2.0);
  // What is left of a choice moves nothing.
  QCOMPARE(openAs({{"shape", "stored"}, {"displacement", "v"}, {"factor", "3"}})
               ->description()
               .blocks[0]
               .bounds.max.x,
           2.0);
  for (const double factor : {1.0, 0.5, -2.0, 3.25}) {
    std::map<std::string, std::string> options{{"shape", "displaced"}};
    if (factor != 1) options["factor"] = std::to_string(factor);
    const auto moved = openAs(options);
    const auto now = fields::readingChoicesOf(*moved);
    QCOMPARE(now.size(), std::size_t{4});
    QVERIFY(now[0].now == 1 && now[1].option == "displacement" && now[2].option == "factor");
    QCOMPARE(now[1].values.size(), std::size_t{1});
    QCOMPARE(std::stod(now[2].values[now[2].now].value), factor);
    QCOMPARE(std::stod(now[2].values[now[2].byDefault].value), 1.0);
    fields::PagedDataOptions paging;
    paging.arrays = {"s", "v", "c"};
    fields::PagedData paged(*moved, account, paging);
    runOneTask(paged, [&](tasks::TaskContext& context) {
      const auto sampler =
          paged.makeSampler(context, std::make_shared<fields::FunctionPlan>(
                                         paged.description(), std::vector<std::string>{"s", "v", "c"}));
      for (const auto& [p, cell] :
           {std::pair{Vec3{0.3, 0.4, 0.5}, 10.0}, std::pair{Vec3{1.2, 0.5, 0.5}, 20.0}}) {
        fields::Location place;
        QVERIFY(sampler->locate(p + factor * Vec3{1 + p.x, p.y, p.z}, {}, place));
        std::vector<double> values(5);
        sampler->evaluate(place, {}, values);
        const double wanted[] = {p.x + 2 * p.y + 3 * p.z, 1 + p.x, p.y, p.z, cell};
        for (std::size_t n = 0; n < 5; ++n) QVERIFY(std::abs(values[n] - wanted[n]) < 1e-6);
      }
    });
  }
  for (const std::map<std::string, std::string>& wrong :
       {std::map<std::string, std::string>{{"shape", "bent"}},
        {{"shape", "displaced"}, {"displacement", "s"}},
        {{"shape", "displaced"}, {"displacement", "w"}},
        {{"shape", "displaced"}, {"factor", "far"}},
        {{"shape", "displaced"}, {"factor", "1,2"}}})
    QVERIFY(!errorOf<Invalid>([&] { openAs(wrong); }).empty());
}

/// Of several that one is taken whose name says so, or the one that is named; what has none cannot be moved.
void TestVtkMesh::vectorsAreChosen() {
  const Files files;
  const auto liftedBy = [](const std::string& up) {
    std::string text = legacy("3.0", kOldCells), lift = "VECTORS Displ double\n";
    for (int node = 0; node < 12; ++node) lift += "0 0 " + up + '\n';
    return text.insert(text.find("CELL_DATA"), lift);
  };
  const std::string file = files.write("two.vtk", liftedBy("5"));
  MemoryAccount account(64 << 20);
  const auto openAs = [&](const std::string& path, const std::map<std::string, std::string>& options) {
    return VtkDataReader().open({.sources = {path}, .options = options}, account);
  };
  const auto usual = openAs(file, {{"shape", "displaced"}});
  QCOMPARE(usual->description().blocks[0].bounds.min.z, 5.0);
  const auto choice = fields::readingChoicesOf(*usual).at(1);
  QCOMPARE(choice.values.size(), std::size_t{2});
  QVERIFY(choice.now == 1 && choice.byDefault == 1 && choice.values[0].value == "v");
  const auto named = openAs(file, {{"shape", "displaced"}, {"displacement", "v"}});
  QCOMPARE(named->description().blocks[0].bounds.min.z, 0.0);
  QCOMPARE(named->description().blocks[0].bounds.min.x, 1.0);
  const std::string lines = [&] {
    std::string all;
    for (const std::string& line : named->explanation()) all += line + '\n';
    return all;
  }();
  QVERIFY2(lines.find("nodes are moved by v") != std::string::npos, lines.c_str());
  // At each step by that of the step.
  const std::string later = files.write("two_1.vtk", liftedBy("7"));
  const auto steps =
      VtkDataReader().open({.sources = {file, later}, .options = {{"shape", "displaced"}}}, account);
  QCOMPARE(steps->description().steps(), std::int64_t{2});
  fields::PagedDataOptions paging;
  paging.arrays = {"s"};
  fields::PagedData paged(*steps, account, paging);
  runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(
        context, std::make_shared<fields::FunctionPlan>(paged.description(), std::vector<std::string>{"s"}));
    for (const std::int64_t step : {0, 1})
      for (const double up : {5.0, 7.0}) {
        fields::Location place;
        QCOMPARE(sampler->locate({0.3, 0.4, 0.5 + up}, {step}, place), (step == 0) == (up == 5));
      }
  });
  std::string none = legacy("3.0", kOldCells);
  const std::size_t from = none.find("VECTORS");
  none.erase(from, none.find("CELL_DATA") - from);
  const std::string bare = files.write("none.vtk", none);
  QCOMPARE(fields::readingChoicesOf(*openAs(bare, {})).size(), std::size_t{1});  // of the values of its cells
  QVERIFY(!errorOf<Invalid>([&] { openAs(bare, {{"shape", "displaced"}}); }).empty());
}

/// A mesh has lists of its own that are called "cells", "neighbours" and "faces"; variables of those names are others.
void TestVtkMesh::listsOfTheGridAreNoVariables() {
  const Files files;
  std::string text = legacy("3.0", kOldCells), more;
  for (const std::string name : {"cells", "neighbours", "faces", "xyz"})
    more += "SCALARS " + name + " double\nLOOKUP_TABLE default\n" + kValues + "\n";
  const std::string file = files.write("names.vtk", text.insert(text.find("CELL_DATA"), more));
  MemoryAccount account(64 << 20);
  const auto data = VtkDataReader().open({.sources = {file}}, account);
  const std::vector<std::string> names{"_cells", "_neighbours", "_faces", "_xyz"};
  fields::PagedDataOptions paging;
  paging.arrays = names;
  fields::PagedData paged(*data, account, paging);
  const auto plan = std::make_shared<fields::FunctionPlan>(paged.description(), names);
  QCOMPARE(plan->outputCount(), 4);
  runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(context, plan);
    fields::Location place;
    QVERIFY(sampler->locate({0.25, 0.5, 0.75}, {}, place));
    std::vector<double> values(4);
    sampler->evaluate(place, {}, values);
    for (const double value : values) QVERIFY(std::abs(value - 3.5) < 1e-12);
  });
}

void TestVtkMesh::structuredGridsStay() {
  const Files files;
  const std::string file = files.write(
      "image.vtk",
      "# vtk DataFile Version 3.0\nimage\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 2 2 2\nORIGIN 0 0 "
      "0\nSPACING 1 1 1\nPOINT_DATA 8\nVECTORS v float\n0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
  MemoryAccount account(64 << 20);
  const std::string said = errorOf<Invalid>([&] {
    VtkDataReader().open({.sources = {file}, .options = {{"shape", "displaced"}}}, account);
  });
  QVERIFY2(said.find("structured grids") != std::string::npos, said.c_str());
}

/// The bounds that vtkWarpVector gives.
void TestVtkMesh::bodiesAreMovedAsByVtk() {
  struct Known {
    const char *file, *vector, *factor;
    Bounds bounds;
  };
  for (const Known& known : {Known{"data/unstructured/can.vtu",
                                   "DISPL",
                                   "2",
                                   {{-26.508819580078125, -12.008012771606445, -53.43069076538086},
                                    {7.678714275360107, 6.561307430267334, -13.853227615356445}}},
                             {"data/unstructured/blow.vtk",
                              "displacement9",
                              "1",
                              {{0, -12.116410255432129, -9.950141906738281}, {9.103553771972656, 36, 10}}}}) {
    const auto path = dataPath(known.file);
    if (!std::filesystem::exists(path)) QSKIP("no real data");
    MemoryAccount account(64 << 20);
    const auto data = VtkDataReader().open(
        {.sources = {path.string()},
         .options = {{"shape", "displaced"}, {"displacement", known.vector}, {"factor", known.factor}}},
        account);
    const Bounds& bounds = data->description().blocks.front().bounds;
    for (int axis = 0; axis < 3; ++axis) {
      QVERIFY(std::abs(bounds.min[axis] - known.bounds.min[axis]) < 1e-5);
      QVERIFY(std::abs(bounds.max[axis] - known.bounds.max[axis]) < 1e-5);
    }
  }
}

void TestVtkMesh::realFiles() {
  struct Known {
    const char* file;
    std::int64_t nodes, cells, border;
  };
  for (const Known& known : {Known{"data/unstructured/hexa.vtk", 12167, 10648, 2904},
                             {"data/unstructured/can.vtu", 6724, 4800, 3680},
                             {"data/unstructured/more/seamount.vtu", 20004, 100450, 9116}}) {
    const auto path = dataPath(known.file);
    if (!std::filesystem::exists(path)) QSKIP("no real data");
    MemoryAccount account(64 << 20);
    const auto data = open(path.string(), account);
    QCOMPARE(data->description().blocks.front().dims[0], known.nodes);
    QCOMPARE(data->description().blocks.front().cells, known.cells);
    QCOMPARE(data->description().surfaces.front().nodes.size[0], known.border);
  }
}

QTEST_APPLESS_MAIN(TestVtkMesh)
#include "tst_vtk_mesh.moc"
