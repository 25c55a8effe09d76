// Files of CGNS: structured zones at vertices, with steps and conditions; unstructured ones of all
// shapes, polyhedra, faces by their cells; two dimensions; wrong files are refused; real files are what others find in them.

#include <QTest>

#include <fstream>

#include "core/base/error.h"
#include "core/fields/functions/reading_choices.h"
#include "core/fields/paged/paged_data.h"
#include "plugins/cgns/cgns_boundary.h"
#include "plugins/cgns/cgns_data.h"
#include "plugins/hdf5/hdf5_data.h"
#include "tests/support/array_checks.h"
#include "tests/support/one_task.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/cgns/cgns_maker.h"

using namespace farfield;
using namespace farfield::test;

namespace {

std::vector<double> joined(std::vector<std::vector<double>> lists) {
  std::vector<double> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace

class TestCgns : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_path = (m_folder.path() / "a.cgns").string(); }
  void structuredZones();
  void valuesOfNodesOrOfCells();
  void stepsAreNamedOrNumbered_data();
  void stepsAreNamedOrNumbered();
  void planes();
  void unstructuredZones_data();
  void unstructuredZones();
  void polyhedra();
  void facesFindTheirCells();
  void mixedFacesFindTheirCells();
  void flatZones();
  void mixedZones();
  void badFilesAreRefused_data();
  void badFilesAreRefused();
  void realFilesAreTheReferences_data();
  void realFilesAreTheReferences();
  void facesOfParentsBehindMixedElements();
  void realFilesOpen_data();
  void realFilesOpen();

 private:
  std::unique_ptr<fields::OpenData> open(std::map<std::string, std::string> options = {}) {
    const cgns::CgnsDataReader reader(std::make_shared<paging::ByteStores>());
    if (!reader.recognizes(m_path)) throw Invalid("not recognized");
    return reader.open({.sources = {m_path}, .options = std::move(options)}, m_account);
  }
  std::vector<double> at(const fields::OpenData& data, const std::vector<std::string>& functions, Vec3 point,
                         std::int64_t step = 0) {
    fields::PagedDataOptions options;
    options.arrays = functions;
    fields::PagedData paged(data, m_account, options);
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
  static bool says(const fields::OpenData& data, const std::string& words) {
    const std::vector<std::string> lines = data.explanation();
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(words) != std::string::npos; });
  }
  static const paging::NamedSurface* surface(const fields::OpenData& data, const std::string& name) {
    for (const paging::NamedSurface& its : data.description().surfaces)
      if (its.name == name) return &its;
    return nullptr;
  }

  TemporaryFolder m_folder;
  std::string m_path;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestCgns::structuredZones() {
  {
    CgnsMaker file(m_path);
    file.base();
    file.texts("Base/Units", "DimensionalUnits_t", {"Kilogram", "Meter", "Second", "Kelvin", "UserDefined"});
    for (const char* const zone : {"zone 10", "zone 9"}) {
      file.structured(zone, {4, 3, 2});
      auto points = boxPoints(4, 3, 2);
      // the second lies beyond the first
      if (zone == std::string("zone 10"))
        for (std::size_t n = 0; n < points.size(); n += 3) points[n] += 6;
      file.points(zone, {2, 3, 4}, points);
      file.solution(zone, "Flow", false);
      file.values(zone, "Flow", "Density", {2, 3, 4}, counted(24, 1));
      for (const char* const name : {"VelocityX", "VelocityY", "VelocityZ"})
        file.values(zone, "Flow", name, {2, 3, 4}, counted(24, 100.0 * (name[8] - 'W')));
    }
    file.values("zone 9", "Flow", "Only", {2, 3, 4}, counted(24));
    file.condition("zone 9", "seg 1", "FamilySpecified", "Vertex", {2, 3}, {1, 1, 1, 1, 3, 2});
    file.text("Base/zone 9/ZoneBC/seg 1/FamilyName", "FamilyName_t", "inflow");
    file.node("Base/inflow", "Family_t");
    file.text("Base/inflow/FamBC", "FamilyBC_t", "BCInflow");
    file.condition("zone 9", "top", "BCWall", "KFaceCenter", {2, 3}, {1, 1, 2, 3, 2, 2});
    file.condition("zone 9", "all", "BCWall", "Vertex", {2, 3}, {1, 1, 1, 4, 3, 2});
  }
  const auto data = open();
  const auto& description = data->description();
  QCOMPARE(description.blocks.size(), std::size_t{2});
  QCOMPARE(description.blocks[0].dims, (Index3{4, 3, 2}));
  // as a store has them
  const auto& stored = data->boxReader()->description().arrays;
  QVERIFY(std::is_sorted(stored.begin(), stored.end(),
                         [](const auto& a, const auto& b) { return a.block < b.block; }));
  QCOMPARE(description.attributes.at("block.0"), std::string("zone 9"));  // 9 comes before 10
  QCOMPARE(description.attributes.at("units"), std::string("Kilogram Meter Second Kelvin"));
  QCOMPARE(allValues(*data->boxReader(), "Density"), counted(24, 1));
  const std::vector<double> velocity = allValues(*data->boxReader(), "Velocity");
  QCOMPARE(velocity.size(), std::size_t{72});
  QCOMPARE(velocity[3 * 7 + 2], 307.0);
  QCOMPARE(allValues(*data->boxReader(), "xyz"), boxPoints(4, 3, 2));
  QVERIFY(says(*data, "Only, which not all zones"));
  QCOMPARE(at(*data, {"Density"}, {0.5, 0, 0}), (std::vector<double>{1.5}));
  QCOMPARE(at(*data, {"Density"}, {6.5, 0, 0}), (std::vector<double>{1.5}));
  const auto* const inflow = surface(*data, "inflow");
  QVERIFY(inflow);
  QCOMPARE(inflow->kind, std::string("BCInflow"));
  QCOMPARE(inflow->nodes.size, (Index3{1, 3, 2}));
  const auto* const top = surface(*data, "top");
  QVERIFY(top);
  QCOMPARE(top->nodes.first, (Index3{0, 0, 1}));
  QCOMPARE(top->nodes.size, (Index3{4, 3, 1}));
  QVERIFY(!surface(*data, "all"));
  QVERIFY(says(*data, "all of zone zone 9, which is no range"));
  QCOMPARE(open({{"zone", "zone 10"}})->description().blocks.front().bounds.min.x, 6.0);
}

/// Whoever looks at the data can choose, and hears of the others.
void TestCgns::valuesOfNodesOrOfCells() {
  {
    CgnsMaker file(m_path);
    file.base();
    file.structured("z", {4, 3, 2});
    file.points("z", {2, 3, 4}, boxPoints(4, 3, 2));
    file.solution("z", "Nodes", false);
    file.values("z", "Nodes", "moved", {2, 3, 4}, counted(24));
    file.solution("z", "Cells", true);
    file.values("z", "Cells", "p", {1, 2, 3}, counted(6));
  }
  const auto nodes = open(), cells = open({{"on", "cells"}});
  QVERIFY(says(*nodes, "left out: the values of cells (p)"));
  QVERIFY(says(*cells, "left out: the values of nodes (moved)"));
  fields::ReadingChoice choice{"on", "Values", {{"nodes", "of nodes: moved"}, {"cells", "of cells: p"}},
                               0,    0,        {}};
  QVERIFY(fields::readingChoicesOf(*nodes) == std::vector{choice});
  choice.now = 1;
  QVERIFY(fields::readingChoicesOf(*cells) == std::vector{choice});
}

void TestCgns::stepsAreNamedOrNumbered_data() {
  QTest::addColumn<bool>("pointers");
  QTest::addColumn<bool>("times");
  QTest::newRow("named") << true << true;
  QTest::newRow("numbered") << false << true;
  QTest::newRow("numbered without times") << false << false;
}

void TestCgns::stepsAreNamedOrNumbered() {
  QFETCH(bool, pointers);
  QFETCH(bool, times);
  {
    CgnsMaker file(m_path);
    file.base();
    file.structured("z", {2, 2, 2});
    file.points("z", {2, 2, 2}, boxPoints(2, 2, 2));
    // the names in the order of the times, which is not theirs
    const std::vector<std::string> names = pointers ? std::vector<std::string>{"Third", "First", "Second"}
                                                    : std::vector<std::string>{"At9", "At10", "At11"};
    for (std::size_t n = 0; n < names.size(); ++n) {
      file.solution("z", names[n], false);
      file.values("z", names[n], "p", {2, 2, 2}, counted(8, 100.0 * static_cast<double>(n)));
    }
    file.solution("z", "Always", false);
    file.values("z", "Always", "q", {2, 2, 2}, counted(8));
    if (times) {
      file.integers("Base/Times", "BaseIterativeData_t", {1}, {3});
      file.node("Base/Times/TimeValues", "DataArray_t", {3}, {0.5, 1, 4});
    }
    if (pointers) {
      // the grid moves once
      file.node("Base/z/Moved", "GridCoordinates_t");
      for (const char axis : {'X', 'Y', 'Z'})
        file.node(std::string("Base/z/Moved/Coordinate") + axis, "DataArray_t", {2, 2, 2}, counted(8, axis));
      file.node("Base/z/Steps", "ZoneIterativeData_t");
      file.texts("Base/z/Steps/FlowSolutionPointers", "DataArray_t", names);
      file.texts("Base/z/Steps/GridCoordinatesPointers", "DataArray_t",
                 {"GridCoordinates", "Moved", "Moved"});
    }
  }
  const auto data = open();
  QCOMPARE(data->description().times,
           times ? (std::vector<double>{0.5, 1, 4}) : (std::vector<double>{0, 1, 2}));
  for (int step = 0; step < 3; ++step)
    QCOMPARE(allValues(*data->boxReader(), "p", step), counted(8, 100.0 * step));
  QCOMPARE(allValues(*data->boxReader(), "q", 0), counted(8));
  QCOMPARE(allValues(*data->boxReader(), "xyz", 0), boxPoints(2, 2, 2));
  if (pointers) QCOMPARE(allValues(*data->boxReader(), "xyz", 2).front(), static_cast<double>('X'));
}

void TestCgns::planes() {
  {
    CgnsMaker file(m_path);
    file.base(2, 2);
    file.structured("z", {4, 3});
    file.points("z", {3, 4}, boxPoints(4, 3, 1), 2);
    file.solution("z", "Flow", false);
    file.values("z", "Flow", "MomentumX", {3, 4}, counted(12));
    file.values("z", "Flow", "MomentumY", {3, 4}, counted(12, 50));
  }
  const auto data = open();
  QCOMPARE(data->description().blocks.front().dims, (Index3{4, 3, 1}));
  QCOMPARE(at(*data, {"Momentum"}, {0.5, 0, 0}), (std::vector<double>{0.5, 50.5, 0}));
}

void TestCgns::unstructuredZones_data() {
  QTest::addColumn<bool>("mixed");
  QTest::newRow("a section of each type") << false;
  QTest::newRow("mixed") << true;
}

void TestCgns::unstructuredZones() {
  QFETCH(bool, mixed);
  {
    CgnsMaker file(m_path);
    file.base();
    file.unstructured("z", 12, 4);
    file.points("z", {12}, kPoints);
    if (mixed) {
      file.section("z", "All", 20, 1, 4, joined({{17}, kHexa, {14}, kPenta, {12}, kPyra, {10}, kTetra}),
                   {0, 9, 16, 22, 27});
    } else {
      file.section("z", "H", 17, 1, 1, kHexa);
      file.section("z", "E", 14, 2, 1, kPenta);
      file.section("z", "Y", 12, 3, 1, kPyra);
      file.section("z", "T", 10, 4, 1, kTetra);
      file.section("z", "Bar", 3, 5, 1, {1, 2});
    }
    file.solution("z", "Nodes", false);
    file.values("z", "Nodes", "s", {12}, kValues);
    file.solution("z", "Cells", true);
    file.values("z", "Cells", "c", {4}, {10, 20, 30, 40});
  }
  const auto data = open();
  QCOMPARE(data->description().blocks.front().cells, std::int64_t{4});
  QVERIFY(says(*data, "1 tetrahedra, 1 pyramids, 1 wedges, 1 hexahedra"));
  struct Probe {
    Vec3 point;
    double cell;
  };
  for (const Probe& its : {Probe{{0.5, 0.25, 0.75}, 10}, Probe{{1.25, 0.25, 0.5}, 20},
                           Probe{{0.5, 0.5, 1.25}, 30}, Probe{{1.1, 0.5, 1.5}, 40}}) {
    const std::vector<double> values = at(*data, {"s", "c"}, its.point);
    QCOMPARE(values.size(), std::size_t{2});
    QVERIFY(std::abs(values[0] - (its.point.x + 2 * its.point.y + 3 * its.point.z)) < 1e-9);
    QCOMPARE(values[1], its.cell);
  }
}

void TestCgns::polyhedra() {
  {
    CgnsMaker file(m_path);
    file.base();
    // two cubes; faces 1 to 11, of which 2 is between them
    file.unstructured("z", 12, 2);
    file.points("z", {12}, boxPoints(3, 2, 2));
    const std::vector<double> faces = {1, 4, 10, 7, 2, 8, 11, 5,  3,  9, 12, 6,  1,  7, 8,
                                       2, 2, 8,  9, 3, 4, 5,  11, 10, 5, 6,  12, 11, 1, 2,
                                       5, 4, 2,  3, 6, 5, 7,  10, 11, 8, 8,  11, 12, 9};
    std::vector<double> ends;
    for (int n = 0; n <= 11; ++n) ends.push_back(4 * n);
    file.section("z", "Faces", 22, 1, 11, faces, ends);
    file.section("z", "Cells", 23, 12, 2, {1, 2, 4, 6, 8, 10, -2, 3, 5, 7, 9, 11}, {0, 6, 12});
    file.solution("z", "C", true);
    file.values("z", "C", "c", {2}, {5, 6});
    file.condition("z", "bottom", "BCWall", "FaceCenter", {1, 2}, {8, 9}, "PointList");
  }
  const auto data = open();
  QCOMPARE(at(*data, {"c"}, {0.5, 0.5, 1}), (std::vector<double>{5}));
  // Cut as they are, each counts once at a node.
  const auto atNodes = open({{"on", "cells-at-nodes"}});
  QVERIFY(std::abs(at(*atNodes, {"c"}, {0.5, 0.5, 1}).at(0) - 5.25) < 1e-12);
  QVERIFY(std::abs(at(*atNodes, {"c"}, {2, 0.5, 1}).at(0) - 5.75) < 1e-12);
  QCOMPARE(at(*data, {"c"}, {2, 0.5, 1}), (std::vector<double>{6}));
  QVERIFY(surface(*data, "bottom") && surface(*data, "bottom")->nodes.size[0] == 2);
}

void TestCgns::facesFindTheirCells() {
  {
    CgnsMaker file(m_path);
    file.base();
    file.unstructured("z", 12, 2);
    file.points("z", {12}, kPoints);
    file.section("z", "H", 17, 1, 1, kHexa);
    file.section("z", "E", 14, 2, 1, kPenta);
    // below the cube, turned inwards; a triangle of the wedge; one that no cell has
    file.section("z", "Q", 7, 3, 1, {1, 2, 3, 4});
    file.section("z", "T", 5, 4, 2, {2, 3, 9, 1, 2, 12});
    file.condition("z", "floor", "BCWall", "FaceCenter", {2, 1}, {3, 5});
    file.condition("z", "corners", "BCWall", "Vertex", {2, 1}, {1, 2});
  }
  const auto data = open();
  const auto* const floor = surface(*data, "floor");
  QVERIFY(floor);
  QCOMPARE(floor->kind, std::string("BCWall"));
  QCOMPARE(floor->nodes.size[0], std::int64_t{2});
  QVERIFY(says(*data, "1 face of floor, which no cell has"));
  QVERIFY(says(*data, "corners, which is given by nodes"));
  // outwards: the area's direction is downwards, whatever the order in the file
  const auto& reader = *data->boxReader();
  const std::vector<double> faces = allValues(reader, "faces"), xyz = allValues(reader, "xyz");
  for (std::int64_t f = floor->nodes.first[0]; f < floor->nodes.first[0] + 2; ++f) {
    std::array<Vec3, 4> p;
    for (std::size_t n = 0; n < 4; ++n) {
      const auto node = static_cast<std::size_t>(faces[static_cast<std::size_t>(5 * f) + 1 + n]);
      p[n] = {xyz[3 * node], xyz[3 * node + 1], xyz[3 * node + 2]};
    }
    QVERIFY(cross(p[2] - p[0], p[3] - p[1]).z + cross(p[1] - p[0], p[2] - p[0]).z < -0.5);
  }
}

/// Surfaces of triangles and quadrilaterals are one section of mixed elements; before version 4 it does not say where each begins.
void TestCgns::mixedFacesFindTheirCells() {
  // below the wedge and the cube, by turns; the last is an edge
  std::vector<double> nodes, offsets{0};
  for (int n = 0; n < 151; ++n) {
    const std::vector<double> triangle{5, 2, 3, 9}, square{7, 1, 2, 3, 4}, edge{3, 1, 2};
    nodes = joined({nodes, n == 150 ? edge : n % 2 ? square : triangle});
    offsets.push_back(static_cast<double>(nodes.size()));
  }
  for (const bool areOffsetsSaid : {false, true}) {
    {
      CgnsMaker file(m_path);
      file.base();
      file.unstructured("z", 12, 2);
      file.points("z", {12}, kPoints);
      file.section("z", "Cells", 20, 1, 2, joined({{17}, kHexa, {14}, kPenta}));
      file.section("z", "Floor", 20, 3, 151, nodes, areOffsetsSaid ? offsets : std::vector<double>());
      file.section("z", "Side", 20, 154, 1, {7, 1, 2, 6, 5});
      file.condition("z", "floor", "BCWall", "FaceCenter", {4, 1}, {4, 130, 67, 153}, "PointList");
    }
    const auto data = open();
    QCOMPARE(data->description().blocks.front().cells, std::int64_t{2});
    QVERIFY(surface(*data, "floor") && surface(*data, "Side") && !surface(*data, "Floor"));
    QCOMPARE(surface(*data, "floor")->nodes.size[0], std::int64_t{3});
    QCOMPARE(surface(*data, "Side")->nodes.size[0], std::int64_t{1});
    QVERIFY(says(*data, "1 face of floor, which no cell has"));
  }
}

void TestCgns::flatZones() {
  {
    CgnsMaker file(m_path);
    file.base(2, 2);
    file.unstructured("z", 4, 2);
    file.points("z", {4}, {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, 2);
    file.section("z", "T", 5, 1, 2, {1, 2, 3, 1, 3, 4});
    file.solution("z", "Nodes", false);
    file.values("z", "Nodes", "vx", {4}, {0, 1, 1, 0});
    file.values("z", "Nodes", "vy", {4}, {0, 0, 1, 1});
  }
  const auto data = open();
  QCOMPARE(at(*data, {"v"}, {0.5, 0.25, 0}), (std::vector<double>{0.5, 0.25, 0}));
}

void TestCgns::mixedZones() {
  {
    CgnsMaker file(m_path);
    file.base();
    file.structured("a", {2, 2, 2});
    file.points("a", {2, 2, 2}, boxPoints(2, 2, 2));
    file.unstructured("b", 12, 1);
    file.points("b", {12}, kPoints);
    file.section("b", "H", 17, 1, 1, kHexa);
  }
  QVERIFY(errorOf<Error>([&] { open(); }).find("--option zone=NAME shows one: 0 (a), 1 (b)") !=
          std::string::npos);
  QVERIFY(!open({{"zone", "a"}})->description().blocks.front().isUnstructured());
  QVERIFY(open({{"zone", "1"}})->description().blocks.front().isUnstructured());
  QVERIFY(errorOf<Error>([&] { open({{"zone", "c"}}); }).find("choose from") != std::string::npos);
}

void TestCgns::badFilesAreRefused_data() {
  QTest::addColumn<int>("what");
  QTest::addColumn<QString>("words");
  QTest::newRow("no zones") << 0 << "no zones";
  QTest::newRow("no coordinates") << 1 << "no coordinates";
  QTest::newRow("coordinates of another size") << 2 << "does not fit";
  QTest::newRow("negative sizes") << 3 << "sizes that no zone has";
  QTest::newRow("huge sizes") << 4 << "sizes that no zone has";
  QTest::newRow("a node that is none") << 5 << "has node 13";
  QTest::newRow("a short list") << 6 << "too short";
  QTest::newRow("more cells than said") << 7 << "more cells";
  QTest::newRow("unknown elements") << 8 << "of type 99";
  QTest::newRow("old polygons") << 9 << "before version 4";
  QTest::newRow("steps without end") << 10 << "number of steps";
  QTest::newRow("polyhedra of the same faces") << 11 << "do not fit together";
  QTest::newRow("offsets that descend") << 12 << "do not fit together";
  QTest::newRow("cylindrical") << 13 << "Cartesian";
}

void TestCgns::badFilesAreRefused() {
  QFETCH(int, what);
  QFETCH(QString, words);
  {
    CgnsMaker file(m_path);
    file.base();
    if (what == 10) file.integers("Base/Times", "BaseIterativeData_t", {1}, {1e9});
    if (what == 3) file.integers("Base/z", "Zone_t", {3, 1}, {-5, 1, 0});
    if (what == 4) file.node("Base/z", "Zone_t", {3, 1}, {1e12, 1, 0});
    if (what == 3 || what == 4) file.text("Base/z/ZoneType", "ZoneType_t", "Unstructured");
    if (what > 0 && what != 3 && what != 4) {
      file.unstructured("z", 12, 1);
      if (what == 13)
        file.node("Base/z/GridCoordinates/CoordinateR", "DataArray_t", {12}, counted(12));
      else if (what > 1)
        file.points("z", {what == 2 ? hsize_t{11} : hsize_t{12}}, kPoints);
      if (what == 2 || what == 10) file.section("z", "H", 17, 1, 1, kHexa);
      if (what == 5) file.section("z", "H", 17, 1, 1, {1, 2, 3, 4, 5, 6, 7, 13});
      if (what == 6) file.section("z", "H", 17, 1, 1, {1, 2, 3});
      if (what == 7) file.section("z", "H", 17, 1, 2, joined({kHexa, kHexa}));
      if (what == 8) file.section("z", "H", 20, 1, 1, joined({{99}, kHexa}));
      if (what == 9) file.section("z", "F", 22, 1, 1, {4, 1, 2, 3, 4});
      if (what == 11 || what == 12) {
        file.section("z", "F", 22, 1, 1, {1, 2, 3, 4},
                     what == 12 ? std::vector<double>{4, 0} : std::vector<double>{0, 4});
        file.section("z", "C", 23, 2, 1, std::vector<double>(2000, 1), {0, 2000});
      }
    }
    if (what == 1) file.integers("Base/y", "Zone_t", {3, 3}, {2, 2, 2, 1, 1, 1, 0, 0, 0});
  }
  const std::string error = errorOf<Error>([&] {
    open(what == 1 ? std::map<std::string, std::string>{{"zone", "y"}}
                   : std::map<std::string, std::string>{});
  });
  QVERIFY2(error.find(words.toStdString()) != std::string::npos, error.c_str());
}

void TestCgns::realFilesAreTheReferences_data() {
  QTest::addColumn<QString>("name");
  QTest::newRow("transient") << "transient-fields.cgns";
  QTest::newRow("many zones") << "multiple_zones_fields.cgns";
}

void TestCgns::realFilesAreTheReferences() {
  QFETCH(QString, name);
  NEEDS_DATA("data/hdf/" + name.toStdString());
  m_path = dataPath("data/hdf/" + name.toStdString()).string();
  QFile file(QString::fromStdString(dataPath("refs/" + name.toStdString() + ".json").string()));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QJsonArray zones = QJsonDocument::fromJson(file.readAll()).array();
  const auto cells = open(), nodes = open({{"on", "nodes"}});
  QCOMPARE(static_cast<qsizetype>(cells->description().blocks.size()), zones.size());
  int compared = 0;
  for (qsizetype z = 0; z < zones.size(); ++z) {
    const QJsonObject zone = zones[z].toObject();
    const auto& block = nodes->description().blocks[static_cast<std::size_t>(z)];
    for (int a = 0; a < 3; ++a) {
      QCOMPARE(block.dims[static_cast<std::size_t>(a)], zone["dims"].toArray()[a].toInteger());
      QVERIFY(std::abs(block.bounds.min[a] - zone["bounds"].toArray()[2 * a].toDouble()) < 1e-12);
      QVERIFY(std::abs(block.bounds.max[a] - zone["bounds"].toArray()[2 * a + 1].toDouble()) < 1e-12);
    }
    const QJsonObject arrays = zone["arrays"].toObject();
    const auto& description = cells->boxReader()->description();
    for (std::size_t n = 0; n < description.arrays.size(); ++n) {
      const auto& array = description.arrays[n];
      const QJsonObject wanted = arrays["C:" + QString::fromStdString(array.name)].toObject();
      if (array.block != z || array.components != 1 || wanted.isEmpty()) continue;
      const Index3 dims = array.layout.dims();
      std::vector<std::byte> bytes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
      cells->boxReader()->read(static_cast<std::uint32_t>(n), 0, {{0, 0, 0}, dims}, bytes);
      std::vector<double> values(static_cast<std::size_t>(product(dims)));
      toDouble(bytes.data(), array.type, 0, product(dims), values.data());
      QCOMPARE(*std::min_element(values.begin(), values.end()), wanted["min"].toDouble());
      QCOMPARE(*std::max_element(values.begin(), values.end()), wanted["max"].toDouble());
      ++compared;
    }
  }
  QVERIFY(compared >= 6);
}

/// Flat elements among the cells of a mixed section are no cells: those of later sections are not counted past them.
void TestCgns::facesOfParentsBehindMixedElements() {
  {
    CgnsMaker file(m_path);
    file.base();
    file.unstructured("zone", 12, 3);
    file.points("zone", {12}, kPoints);
    std::vector<double> mixed{17};
    mixed.insert(mixed.end(), kHexa.begin(), kHexa.end());
    mixed.insert(mixed.end(), {7, 1, 2, 6, 5});
    file.section("zone", "Mixed", 20, 1, 2, mixed, {0, 9, 14});
    file.section("zone", "Tetra", 10, 3, 1, kTetra);
    file.section("zone", "Penta", 14, 4, 1, kPenta);
    file.section("zone", "Faces", 5, 5, 1, {0, 0, 0});
    file.integers("Base/zone/Faces/ParentElements", "DataArray_t", {2, 1}, {3, 0});
    file.integers("Base/zone/Faces/ParentElementsPosition", "DataArray_t", {2, 1}, {1, 0});
    file.condition("zone", "wall", "BCWall", "FaceCenter", {1, 1}, {5}, "PointList");
  }
  QCOMPARE(static_cast<qint64>(open()->description().blocks.front().cells), qint64{3});
  const paging::ByteStores stores;
  const cgns::Tree tree(hdf5::openFile(m_path, stores.open(m_path), m_account),
                        std::make_shared<chunks::ChunkCaches>(m_account), m_account);
  const cgns::Base base = cgns::readBase(tree, {});
  const std::vector<cgns::MeshZone> zones{
      {base.zones.front(), cgns::sectionsOf(tree, base, base.zones.front())}};
  std::vector<MemoryClaim> claims;
  std::vector<std::string> notes;
  const auto surfaces = cgns::surfacesOf(tree, base, zones, claims, notes);
  const auto wall = std::find_if(surfaces.begin(), surfaces.end(),
                                 [](const auto& its) { return its.surface.name == "wall"; });
  QVERIFY(wall != surfaces.end());
  QCOMPARE(wall->faces.size(), std::size_t{1});
  QCOMPARE(wall->faces.front().cell, std::int64_t{1});  // the tetrahedron is the second cell
}

void TestCgns::realFilesOpen_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<qint64>("blocks");
  QTest::addColumn<qint64>("cells");  // of unstructured ones
  QTest::addColumn<qint64>("steps");
  QTest::addColumn<QString>("surface");
  QTest::newRow("5 blocks") << "5blocks-struc" << qint64{5} << qint64{0} << qint64{1} << "";
  QTest::newRow("quadratic") << "BC_Q2_parents" << qint64{1} << qint64{3840} << qint64{1} << "bc-1-wall";
  QTest::newRow("without parents") << "BC_without_parents" << qint64{1} << qint64{3840} << qint64{1}
                                   << "bc-2-inflow";
  QTest::newRow("wedge") << "aero_blunt_wedge_test3" << qint64{1} << qint64{0} << qint64{5} << "bc-1-wall";
  QTest::newRow("assemblies") << "assemblies" << qint64{8} << qint64{0} << qint64{1} << "";
  QTest::newRow("blottner") << "blottner" << qint64{5} << qint64{0} << qint64{3} << "";
  QTest::newRow("bump") << "bump_str" << qint64{3} << qint64{0} << qint64{1} << "";
  QTest::newRow("2-D") << "circle-square-2d" << qint64{1} << qint64{311} << qint64{1} << "";
  QTest::newRow("sparc") << "sparc_fields" << qint64{1} << qint64{0} << qint64{20} << "bc-1-wall";
  QTest::newRow("node blocks") << "structured_with_nodeblock_fields" << qint64{1} << qint64{0} << qint64{20}
                               << "bc-1-wall";
}

void TestCgns::realFilesOpen() {
  QFETCH(QString, name);
  QFETCH(qint64, blocks);
  QFETCH(qint64, cells);
  QFETCH(qint64, steps);
  QFETCH(QString, surface);
  const std::string file = "data/unstructured/more/" + name.toStdString() + ".cgns";
  NEEDS_DATA(file);
  m_path = dataPath(file).string();
  const auto data = open();
  QCOMPARE(static_cast<qint64>(data->description().blocks.size()), blocks);
  QCOMPARE(static_cast<qint64>(data->description().blocks.front().cells), cells);
  QCOMPARE(static_cast<qint64>(data->description().steps()), steps);
  if (!surface.isEmpty()) QVERIFY(TestCgns::surface(*data, surface.toStdString()));
}

QTEST_GUILESS_MAIN(TestCgns)
#include "tst_cgns.moc"
