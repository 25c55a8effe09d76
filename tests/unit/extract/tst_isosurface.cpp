// Isosurfaces against answers that are known: spheres in regular and in bent grids; no cracks, whatever the field, the
// pages and the blocks; values on nodes; blanked cells; what is read of data whose ranges are known.

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <numbers>
#include <set>

#include "core/base/error.h"
#include "core/extract/isosurface.h"
#include "core/fields/data/box_data.h"
#include "tests/support/one_task.h"
#include "tests/support/pages_stay.h"
#include "tests/unit/extract/known_surfaces.h"

using namespace farfield;
using namespace farfield::extract;

namespace {

/// The cube from -1 to 1.
Block cube(std::int64_t nodes) {
  const double step = 2.0 / static_cast<double>(nodes - 1);
  Block block{{nodes, nodes, nodes}, {}, {}, true, {-1, -1, -1}, {step, step, step}};
  block.place = [step](const Index3& n) { return Vec3{-1, -1, -1} + step * toVec3(n); };
  return block;
}

/// A fixed number between -1 and 1 for each place, wild.
double noise(Vec3 p) {
  const double wave = std::sin(p.x * 157.31 + p.y * 511.7 + p.z * 931.13) * 43758.5453;
  return 2 * (wave - std::floor(wave)) - 1;
}

using Point = KeptTriangles::Point;

struct Surface final : KeptTriangles {
  std::uint64_t misses = 0;

  /// Points less edges plus triangles: 2 for each closed surface without handles.
  int eulerNumber() const {
    std::set<Point> points;
    std::set<std::pair<Point, Point>> edges;
    int triangles = 0;
    forEachTriangle([&](const auto& t) {
      ++triangles;
      for (std::size_t n = 0; n < 3; ++n) {
        const Point a{t[n].x, t[n].y, t[n].z}, b{t[(n + 1) % 3].x, t[(n + 1) % 3].y, t[(n + 1) % 3].z};
        points.insert(a);
        edges.insert(std::minmax(a, b));
      }
    });
    return static_cast<int>(points.size()) - static_cast<int>(edges.size()) + triangles;
  }
};

struct Setting {
  std::vector<double> values{0.5};
  std::string by = "f", shown = {};
  int edge = 8;
  std::uint64_t budgetBytes = std::uint64_t{32} << 20;
  std::shared_ptr<const paging::KeptRanges> ranges = nullptr;
  std::filesystem::path file = {};
};

Surface surfaceOf(const std::shared_ptr<paging::ComputedReader>& reader, const Setting& setting) {
  MemoryAccount account(setting.budgetBytes);
  fields::BoxDataOptions how{.pageEdge = setting.edge, .threads = false, .name = "field"};
  how.ranges = setting.ranges;
  how.files = {setting.file};
  const auto data = fields::openBoxes(reader, how, {}, account);
  std::vector<std::string> names{setting.by}, shown;
  if (!setting.shown.empty()) shown.push_back(setting.shown);
  names.insert(names.end(), shown.begin(), shown.end());
  const fields::SurfaceFunctions functions{std::make_shared<fields::FunctionPlan>(data->description(), names),
                                           fields::FunctionPlan(data->description(), {setting.by}),
                                           fields::FunctionPlan(data->description(), shown)};
  fields::PagedDataOptions options;
  options.arrays = functions.all->arrays();
  options.resultBytesPerTask = isosurfaceTaskBytes(data->description(), functions);
  fields::PagedData paged(*data, account, options);
  const Isosurface isosurface(data->description(), setting.values);
  Surface surface;
  test::runOneTask(paged, [&](tasks::TaskContext& context) {
    for (std::size_t n = 0; n < isosurface.taskCount(); ++n)
      isosurface.extract(n, paged, context, functions, 0, surface);
  });
  surface.misses = paged.cache().counters().misses;
  return surface;
}

Surface surfaceOf(const std::vector<Block>& blocks, const Field& field, const Setting& setting = {}) {
  return surfaceOf(readerOf(blocks, field), setting);
}

/// Whether both ends lie in one side of the cube from -1 to 1.
bool onASide(const std::pair<Vec3, Vec3>& edge) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      if (std::abs(edge.first[axis] - side) < 1e-12 && std::abs(edge.second[axis] - side) < 1e-12)
        return true;
  return false;
}

}  // namespace

class TestIsosurface : public QObject {
  Q_OBJECT
 private slots:
  void spheresToSecondOrder_data();
  void spheresToSecondOrder();
  void noiseHasNoCracks_data();
  void noiseHasNoCracks();
  void blocksThatTouchShareOneSurface();
  void valuesOnNodes();
  void severalValuesAndColours();
  void expressionsAreFunctions();
  void whatIsBlankOrNotFiniteIsLeftOut();
  void pagesDoNotMatter();
  void whatIsKnownOfPagesIsNotRead_data();
  void whatIsKnownOfPagesIsNotRead();
  void flatBlocksHaveNoInside();
};

void TestIsosurface::spheresToSecondOrder_data() {
  QTest::addColumn<int>("grid");
  QTest::newRow("regular") << 0;
  QTest::newRow("bent") << 1;
  QTest::newRow("bent, left-handed") << 2;
}

void TestIsosurface::spheresToSecondOrder() {
  QFETCH(int, grid);
  const double radius = std::sqrt(0.5), wanted = 4 * std::numbers::pi * 0.5;
  double before = 0;
  for (const std::int64_t nodes : {25, 49}) {
    const Surface surface = surfaceOf({grid == 0 ? cube(nodes) : bentCube(nodes, grid == 2)}, squaredRadius);
    const double h = 2.0 / static_cast<double>(nodes - 1);
    for (const Patch& patch : surface.patches)
      for (std::size_t n = 0; n < patch.points.size() / 3; ++n) {
        const Vec3 p{patch.points[3 * n], patch.points[3 * n + 1], patch.points[3 * n + 2]};
        const Vec3 normal{patch.normals[3 * n], patch.normals[3 * n + 1], patch.normals[3 * n + 2]};
        QVERIFY(std::abs(length(p) - radius) < 0.5 * h * h);
        QVERIFY(std::abs(length(normal) - 1) < 1e-14);
        QVERIFY2(length(normal - 1 / length(p) * p) < h,
                 qPrintable(QString::number(length(normal - 1 / length(p) * p) / h)));
      }
    // Seen from outside, where values are larger, triangles turn left.
    surface.forEachTriangle(
        [&](const auto& t) { QVERIFY(dot(cross(t[1] - t[0], t[2] - t[0]), t[0]) > -1e-12); });
    QVERIFY(surface.border().empty());
    QCOMPARE(surface.eulerNumber(), 2);
    const double error = std::abs(surface.area() / wanted - 1);
    QVERIFY2(error < h * h, qPrintable(QString::number(error / h / h)));
    if (before > 0) QVERIFY2(before / error > 3, qPrintable(QString::number(before / error)));
    before = error;
  }
}

void TestIsosurface::noiseHasNoCracks_data() {
  QTest::addColumn<int>("edge");
  for (const int edge : {3, 8, 13, 32}) QTest::addRow("pages of %d", edge) << edge;
}

void TestIsosurface::noiseHasNoCracks() {
  // Every ambiguous case, at borders of groups, tasks and pages as well.
  QFETCH(int, edge);
  for (const Block& block : {cube(38), bentCube(20)}) {
    const Surface surface = surfaceOf({block}, noise, {.values = {0.1}, .edge = edge});
    QVERIFY(surface.patches.size() > 8);
    for (const auto& edgeOf : surface.border()) QVERIFY(onASide(edgeOf));
    // Patches have no more vertices than they may.
    for (const Patch& patch : surface.patches) QVERIFY(patch.points.size() <= std::size_t{3} * 320);
  }
}

void TestIsosurface::blocksThatTouchShareOneSurface() {
  // Two halves of a bent cube with the same nodes where they touch; in the second one i runs backwards, and j and k
  // are swapped.
  const Block whole = bentCube(33);
  Block low = whole, high = whole;
  low.dims = {17, 33, 33};
  high.dims = {17, 33, 33};
  high.place = [place = whole.place](const Index3& n) { return place({32 - n[0], n[2], n[1]}); };
  for (const Field& field : {Field(squaredRadius), Field(noise)}) {
    const Surface surface = surfaceOf({low, high}, field);
    for (const auto& edge : surface.border()) QVERIFY(onASide(edge));
  }
  QCOMPARE(surfaceOf({low, high}, squaredRadius).eulerNumber(), 2);
}

void TestIsosurface::valuesOnNodes() {
  // Whole numbers: nodes have the value all over the place.
  const Block block = cube(33);
  const Field steps = [](Vec3 p) { return std::floor(8 * noise(p)); };
  const Surface surface = surfaceOf({block}, steps, {.values = {2}});
  QVERIFY(!surface.patches.empty());
  for (const auto& edge : surface.border()) QVERIFY(onASide(edge));
  surface.forEachTriangle([](const auto& t) { QVERIFY(t[0] != t[1] && t[1] != t[2] && t[2] != t[0]); });
  // A plane of nodes with the value is there once.
  const Surface plane = surfaceOf({block}, [](Vec3 p) { return p.x; }, {.values = {0}});
  QVERIFY(std::abs(plane.area() - 4) < 1e-12);
  // Where all is the value there is nothing.
  QVERIFY(surfaceOf({block}, [](Vec3) { return 1.0; }, {.values = {1}}).patches.empty());
}

void TestIsosurface::severalValuesAndColours() {
  const Setting setting{.values = {0.5, 0.2, 0.5}, .shown = "g"};
  const Surface both = surfaceOf({bentCube(30)}, squaredRadius, setting);
  double areas[2] = {0, 0};
  for (const Patch& patch : both.patches) {
    QCOMPARE(3 * patch.values.size(), 2 * patch.points.size());
    const double value = patch.values[1];
    QVERIFY(value == 0.2 || value == 0.5);
    for (std::size_t n = 0; n < patch.points.size() / 3; ++n) {
      const double* const p = patch.points.data() + 3 * n;
      QVERIFY(std::abs(patch.values[2 * n] - (2 + 3 * p[0] - 5 * p[1] + 7 * p[2])) < 1e-12);
      QCOMPARE(patch.values[2 * n + 1], value);
    }
    Surface one;
    one.patches = {patch};
    areas[value == 0.5 ? 1 : 0] += one.area();
  }
  for (const int n : {0, 1}) {
    const Setting alone{.values = {n == 0 ? 0.2 : 0.5}};
    QVERIFY(std::abs(areas[n] / surfaceOf({bentCube(30)}, squaredRadius, alone).area() - 1) < 1e-12);
  }
}

void TestIsosurface::expressionsAreFunctions() {
  const Surface plain = surfaceOf({cube(25)}, squaredRadius, {.values = {0.5}});
  const Surface rooted = surfaceOf({cube(25)}, squaredRadius, {.values = {1}, .by = "sqrt(2*f)"});
  QVERIFY(std::abs(rooted.area() / plain.area() - 1) < 0.01);
  QVERIFY(rooted.border().empty());
}

void TestIsosurface::whatIsBlankOrNotFiniteIsLeftOut() {
  Block block = bentCube(26);
  const Surface whole = surfaceOf({block}, squaredRadius);
  block.isBlank = [](const Index3& n) { return n[0] > 12; };
  const Surface half = surfaceOf({block}, squaredRadius);
  QVERIFY(half.area() < 0.6 * whole.area() && half.area() > 0.3 * whole.area());
  block.isBlank = {};
  const Surface without =
      surfaceOf({block}, [](Vec3 p) { return p.x > 0 ? std::nan("") : squaredRadius(p); });
  QVERIFY(without.area() < 0.6 * whole.area() && without.area() > 0.3 * whole.area());
  for (const Patch& patch : without.patches)
    for (const double number : patch.normals) QVERIFY(std::isfinite(number));
}

void TestIsosurface::pagesDoNotMatter() {
  for (const Field& field : {Field(squaredRadius), Field(noise)}) {
    const Block block = bentCube(38);
    const Surface wanted = surfaceOf({block}, field, {.shown = "g", .edge = 64});
    for (const int edge : {3, 8, 17})
      QVERIFY(surfaceOf({block}, field, {.shown = "g", .edge = edge}).patches == wanted.patches);
    QVERIFY(
        surfaceOf({block}, field, {.shown = "g", .edge = 8, .budgetBytes = std::uint64_t{2} << 20}).patches ==
        wanted.patches);
  }
}

void TestIsosurface::whatIsKnownOfPagesIsNotRead_data() {
  QTest::addColumn<QString>("by");
  QTest::newRow("variable") << "f";
  QTest::newRow("expression") << "sqrt(f)*2-1";
}

void TestIsosurface::whatIsKnownOfPagesIsNotRead() {
  QFETCH(QString, by);
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.path().toStdString();
  std::ofstream(path / "data") << "stands for the file";
  Setting setting{.by = by.toStdString(), .edge = 8};
  setting.ranges = std::make_shared<paging::KeptRanges>(
      paging::KeptRanges::Options{.folder = path / "ranges", .leastBytes = 1});
  setting.file = path / "data";
  // A small ball in one corner.
  const std::int64_t nodes = 65;
  const Field field = [](Vec3 p) { return squaredRadius(p - Vec3{-0.5, -0.5, -0.5}); };
  const auto valueOf = [&](double radius) { return by == "f" ? radius * radius : 2 * radius - 1; };
  setting.values = {valueOf(0.2)};
  const auto reader = readerOf({cube(nodes)}, field);
  const Surface first = surfaceOf(reader, setting);
  const std::uint64_t pages = 9 * 9 * 9;  // 65 nodes: 9 pages of 8 at most
  QVERIFY(first.misses > pages / 2);

  setting.values = {valueOf(0.25)};
  const Surface second = surfaceOf(reader, setting);
  setting.ranges = nullptr;
  const Surface without = surfaceOf(reader, setting);
  QVERIFY(second.patches == without.patches);
  if (!test::kPagesStay) QSKIP("this build reads pages again each time");
  QCOMPARE(without.misses, first.misses);

  // The pages with nodes of cells that the surface cuts.
  const paging::PageLayout layout = paging::PageLayout::even({nodes, nodes, nodes}, 8);
  std::set<std::int64_t> touched;
  const Block block = cube(nodes);
  for (std::int64_t n = 0; n < (nodes - 1) * (nodes - 1) * (nodes - 1); ++n) {
    const Index3 cell = unlinear(n, {nodes - 1, nodes - 1, nodes - 1});
    int above = 0;
    std::set<std::int64_t> its;
    for (int corner = 0; corner < 8; ++corner) {
      const Index3 node{cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2)};
      above += field(block.place(node)) >= 0.25 * 0.25 ? 1 : 0;
      its.insert(layout.pageOf(node));
    }
    if (above > 0 && above < 8) touched.insert(its.begin(), its.end());
  }
  QVERIFY2(second.misses <= touched.size() + (by == "f" ? 0 : touched.size() / 5),
           qPrintable(QString("%1 of %2").arg(second.misses).arg(touched.size())));
}

void TestIsosurface::flatBlocksHaveNoInside() {
  Block flat = cube(9);
  flat.dims[2] = 1;
  QVERIFY_THROWS_EXCEPTION(Invalid, surfaceOf({flat}, squaredRadius));
}

QTEST_GUILESS_MAIN(TestIsosurface)
#include "tst_isosurface.moc"
