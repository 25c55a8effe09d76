// Coarse stand-ins for slices and isosurfaces: near the surface, without cracks where the surface has none, with the values of
// functions where they are, and in no more memory.

#include <QTest>

#include <cmath>
#include <map>
#include <numbers>

#include "core/extract/isosurface.h"
#include "core/extract/slice.h"
#include "core/fields/data/box_data.h"
#include "core/fields/data/mesh_data.h"
#include "tests/support/memory_mesh.h"
#include "tests/support/one_task.h"
#include "tests/support/pages_stay.h"
#include "tests/unit/extract/known_surfaces.h"

using namespace farfield;
using namespace farfield::extract;

namespace {

constexpr std::int64_t kNodes = 97;  // 27 tasks

/// What `work(paged, context, functions)` does with what `open(account)` gives.
template <class Open, class Work>
void withOpened(const Open& open, const Work& work) {
  MemoryAccount account(std::uint64_t{256} << 20);
  const auto data = open(account);
  const auto all =
      std::make_shared<fields::FunctionPlan>(data->description(), std::vector<std::string>{"f", "g"});
  const fields::SurfaceFunctions functions{all, fields::FunctionPlan(data->description(), {"f"}),
                                           fields::FunctionPlan(data->description(), {"g"})};
  fields::PagedDataOptions options;
  options.arrays = all->arrays();
  options.resultBytesPerTask = isosurfaceTaskBytes(data->description(), functions);
  fields::PagedData paged(*data, account, options);
  test::runOneTask(paged, [&](tasks::TaskContext& context) { work(paged, context, functions); });
}

/// The same with data of `block`.
template <class Work>
void withData(const Block& block, const Work& work) {
  withOpened(
      [&](MemoryAccount& account) {
        return fields::openBoxes(readerOf({block}, squaredRadius),
                                 {.pageEdge = 16, .threads = false, .name = "field"}, {}, account);
      },
      work);
}

const Vec3 kMiddle{0.5, 0.5, 0.5};
constexpr double kRadius = 0.4;
constexpr int kMeshSide = 28;

/// The same with the unit cube cut into cells of an unstructured grid.
template <class Work>
void withMesh(test::MeshOf kind, const Work& work) {
  const auto mesh = test::cubeOf(kind, kMeshSide, 7);
  const test::MemoryMesh& its = *mesh;
  mesh->named = {{.name = "f", .components = 1, .onCells = false},
                 {.name = "g", .components = 1, .onCells = false}};
  mesh->value = [&its](std::size_t variable, std::int64_t, std::int64_t number, int) {
    const Vec3 place = its.points[static_cast<std::size_t>(number)];
    return variable == 0 ? squaredRadius(place - kMiddle) : linearFunction(place);
  };
  withOpened(
      [&](MemoryAccount& account) {
        return fields::openMesh(mesh, {.format = "test", .name = "test"}, account);
      },
      work);
}

KeptTriangles sphere(const Block& block, bool coarse) {
  KeptTriangles triangles;
  withData(block, [&](fields::PagedData& paged, tasks::TaskContext& context, const auto& functions) {
    const Isosurface surface(paged.description(), {0.5});
    for (std::size_t n = 0; n < surface.taskCount(); ++n)
      coarse ? surface.extractCoarsely(n, paged, context, functions, 0, triangles)
             : surface.extract(n, paged, context, functions, 0, triangles);
  });
  return triangles;
}

KeptTriangles slice(const Block& block, const Plane& plane, bool isCoarse = true) {
  KeptTriangles triangles;
  withData(block, [&](fields::PagedData& paged, tasks::TaskContext& context, const auto& functions) {
    const Slice cut(paged.description(), plane);
    const fields::SurfaceFunctions coarse{functions.all, fields::FunctionPlan(paged.description(), {}),
                                          *functions.all};
    for (std::size_t n = 0; n < cut.taskCount(); ++n)
      isCoarse ? cut.extractCoarsely(n, paged, context, coarse, 0, triangles)
               : cut.extract(n, paged, context, *functions.all, 0, triangles);
  });
  return triangles;
}

}  // namespace

class TestCoarseSurface : public QObject {
  Q_OBJECT
 private slots:
  void stridesFollowFromTheWork();
  void isosurfacesAreNear_data();
  void isosurfacesAreNear();
  void slicesAreNear();
  void planesOnTheBorderAreShown();
  void blankedCellsAreLeftOut();
  void readsNoMoreThanTheSurface();
  void takesNoMoreMemory();
  void surfacesOfMeshesAreNear_data() { meshes(); }
  void surfacesOfMeshesAreNear();
  void planesThroughMeshesAreNear_data() { meshes(); }
  void planesThroughMeshesAreNear();

 private:
  static void meshes();
};

void TestCoarseSurface::stridesFollowFromTheWork() {
  QCOMPARE(coarseStride(1), 0);
  QCOMPARE(coarseStride(27), 2);
  std::int64_t before = 2;
  for (std::size_t tasks = 27; tasks < 10'000'000; tasks *= 3) {
    const std::int64_t stride = coarseStride(tasks);
    QVERIFY(stride >= before && stride <= 32 && (stride & (stride - 1)) == 0);
    before = stride;
  }
  QCOMPARE(before, 32);
}

void TestCoarseSurface::isosurfacesAreNear_data() {
  QTest::addColumn<bool>("leftHanded");
  QTest::newRow("right-handed") << false;
  QTest::newRow("left-handed") << true;
}

void TestCoarseSurface::isosurfacesAreNear() {
  QFETCH(bool, leftHanded);
  const KeptTriangles coarse = sphere(bentCube(kNodes, leftHanded), true),
                      fine = sphere(bentCube(kNodes, leftHanded), false);
  const double h = 2.0 / (kNodes - 1) * 2;
  for (const Patch& patch : coarse.patches) {
    QCOMPARE(patch.values.size(), patch.points.size() / 3 * 2);
    for (std::size_t n = 0; n < patch.points.size() / 3; ++n) {
      const Vec3 p{patch.points[3 * n], patch.points[3 * n + 1], patch.points[3 * n + 2]};
      const Vec3 normal{patch.normals[3 * n], patch.normals[3 * n + 1], patch.normals[3 * n + 2]};
      QVERIFY(std::abs(dot(p, p) - 0.5) < 2 * h * h);
      QVERIFY(length(normal - 1 / length(p) * p) < 2 * h);
      // that of the point, but for what lines in bent cells lack; and the surface's own
      QVERIFY(std::abs(patch.values[2 * n] - linearFunction(p)) < 1e-12);
      QCOMPARE(patch.values[2 * n + 1], 0.5);
    }
  }
  coarse.forEachTriangle([](const auto& t) { QVERIFY(dot(cross(t[1] - t[0], t[2] - t[0]), t[0]) > -1e-12); });
  QCOMPARE(coarse.border().size(), 0u);
  QVERIFY(std::abs(coarse.area() / fine.area() - 1) < 2 * h * h);
  std::size_t few = 0, many = 0;
  coarse.forEachTriangle([&](const auto&) { ++few; });
  fine.forEachTriangle([&](const auto&) { ++many; });
  QVERIFY(few > 500 && few < many / 3);
}

void TestCoarseSurface::slicesAreNear() {
  const Plane plane({0.1, 0.05, -0.03}, {1, 0.4, 0.7});
  const KeptTriangles coarse = slice(bentCube(kNodes), plane);
  QVERIFY(coarse.area() > 3);
  for (const Patch& patch : coarse.patches)
    for (std::size_t n = 0; n < patch.points.size() / 3; ++n) {
      const Vec3 p{patch.points[3 * n], patch.points[3 * n + 1], patch.points[3 * n + 2]};
      const Vec3 normal{patch.normals[3 * n], patch.normals[3 * n + 1], patch.normals[3 * n + 2]};
      QVERIFY(std::abs(plane.distance(p)) < 1e-12);
      QVERIFY(length(normal - plane.normal()) < 1e-6);
      QCOMPARE(patch.values.size(), patch.points.size() / 3 * 2);
      QVERIFY(std::abs(patch.values[2 * n + 1] - linearFunction(p)) < 1e-12);
    }
  coarse.forEachTriangle(
      [&](const auto& t) { QVERIFY(dot(cross(t[1] - t[0], t[2] - t[0]), plane.normal()) > -1e-12); });
  // against the cube itself, which the plane cuts in a polygon: cells inside are bent, its sides are not
  double exact = 0;
  constexpr int kLines = 2000;
  for (int a = 0; a < kLines; ++a)
    for (int b = 0; b < kLines / 10; ++b) {
      const Vec3 n = plane.normal();
      const double y = -1 + (2.0 * a + 1) / kLines, z = -1 + (2.0 * b + 1) / (kLines / 10);
      const double x = plane.origin().x - (n.y * (y - plane.origin().y) + n.z * (z - plane.origin().z)) / n.x;
      if (std::abs(x) <= 1) exact += 2.0 / kLines * 2.0 / (kLines / 10) / std::abs(n.x);
    }
  QVERIFY2(std::abs(coarse.area() / exact - 1) < 5e-3,
           qPrintable(QString::number(coarse.area() / exact - 1)));
}

void TestCoarseSurface::planesOnTheBorderAreShown() {
  // No data lie below the plane: nodes on it count as below.
  for (const double side : {1.0, -1.0}) {
    const KeptTriangles shown = slice(bentCube(kNodes), Plane({-1, 0, 0}, {side, 0, 0}));
    QVERIFY2(std::abs(shown.area() - 4) < 1e-9, qPrintable(QString::number(shown.area())));
    shown.forEachTriangle([&](const auto& t) { QVERIFY(side * cross(t[1] - t[0], t[2] - t[0]).x > 0); });
  }
}

void TestCoarseSurface::blankedCellsAreLeftOut() {
  Block block = bentCube(kNodes);
  block.isBlank = [](const Index3& n) { return n[0] > 48; };
  const Plane plane({0, 0, 0.01}, {0, 0, 1});
  const double coarse = slice(block, plane).area(), fine = slice(block, plane, false).area();
  QVERIFY(fine > 1.8 && fine < 2.3);
  QVERIFY2(std::abs(coarse / fine - 1) < 0.01, qPrintable(QString("%1 of %2").arg(coarse).arg(fine)));
}

void TestCoarseSurface::readsNoMoreThanTheSurface() {
  if (!test::kPagesStay) QSKIP("this build reads pages again each time");
  const auto misses = [](bool isCoarse) {
    std::uint64_t count = 0;
    withData(bentCube(kNodes),
             [&](fields::PagedData& paged, tasks::TaskContext& context, const auto& functions) {
               const Isosurface surface(paged.description(), {0.5});
               KeptTriangles triangles;
               for (std::size_t n = 0; n < surface.taskCount(); ++n)
                 isCoarse ? surface.extractCoarsely(n, paged, context, functions, 0, triangles)
                          : surface.extract(n, paged, context, functions, 0, triangles);
               count = paged.cache().counters().misses;
             });
    return count;
  };
  // but for coarse cells that reach into a page that the cells themselves do not
  const std::uint64_t coarse = misses(true), fine = misses(false);
  QVERIFY2(coarse > 0 && coarse <= fine + fine / 5, qPrintable(QString("%1 of %2").arg(coarse).arg(fine)));
}

void TestCoarseSurface::takesNoMoreMemory() {
  // So that a session needs no larger budget because a window shows it.
  withData(bentCube(kNodes), [&](fields::PagedData& paged, tasks::TaskContext&, const auto& functions) {
    const paging::DatasetDescription& description = paged.description();
    QVERIFY(coarseBytes(description, functions) <= isosurfaceTaskBytes(description, functions));
    const fields::SurfaceFunctions coarse{functions.all, fields::FunctionPlan(description, {}),
                                          *functions.all};
    QVERIFY(coarseBytes(description, coarse) <= sliceTaskBytes(*functions.all));
  });
}

void TestCoarseSurface::meshes() {
  QTest::addColumn<int>("kind");
  QTest::newRow("hexahedra") << static_cast<int>(test::MeshOf::Hexahedra);
  QTest::newRow("wedges") << static_cast<int>(test::MeshOf::Wedges);
  QTest::newRow("tetrahedra") << static_cast<int>(test::MeshOf::Tetrahedra);
  QTest::newRow("hexahedra and pyramids") << static_cast<int>(test::MeshOf::HexahedraAndPyramids);
}

namespace {

/// Of a great many places of the surface, how many have a coarse piece within `reach`.
double coveredShare(const KeptTriangles& coarse, const KeptTriangles& fine, double reach) {
  // pieces by the small cube that their middles lie in
  std::map<std::array<int, 3>, std::vector<Vec3>> near;
  const auto cubeAt = [&](Vec3 p) {
    return std::array{int(std::floor(p.x / reach)), int(std::floor(p.y / reach)),
                      int(std::floor(p.z / reach))};
  };
  coarse.forEachTriangle([&](const auto& t) {
    // points all over the triangle, so that a large one is found everywhere
    constexpr int kAlong = 12;
    for (int a = 0; a <= kAlong; ++a)
      for (int b = 0; a + b <= kAlong; ++b) {
        const Vec3 p = t[0] + (double(a) / kAlong) * (t[1] - t[0]) + (double(b) / kAlong) * (t[2] - t[0]);
        near[cubeAt(p)].push_back(p);
      }
  });
  std::size_t all = 0, covered = 0;
  fine.forEachTriangle([&](const auto& t) {
    const Vec3 p = (1.0 / 3) * (t[0] + t[1] + t[2]);
    const auto at = cubeAt(p);
    bool found = false;
    for (int n = 0; n < 27 && !found; ++n) {
      const auto its = near.find({at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1});
      if (its == near.end()) continue;
      for (const Vec3& q : its->second) found = found || length(q - p) < reach;
    }
    ++all;
    covered += found ? 1 : 0;
  });
  return double(covered) / double(std::max<std::size_t>(1, all));
}

std::size_t trianglesOf(const KeptTriangles& surface) {
  std::size_t count = 0;
  surface.forEachTriangle([&](const auto&) { ++count; });
  return count;
}

}  // namespace

void TestCoarseSurface::surfacesOfMeshesAreNear() {
  QFETCH(int, kind);
  KeptTriangles coarse, fine;
  std::int64_t stride = 0;
  withMesh(test::MeshOf(kind),
           [&](fields::PagedData& paged, tasks::TaskContext& context, const auto& functions) {
             const Isosurface surface(paged.description(), {kRadius * kRadius});
             stride = coarseCellStride(surface.taskCount());
             for (std::size_t n = 0; n < surface.taskCount(); ++n) {
               surface.extractCoarsely(n, paged, context, functions, 0, coarse);
               surface.extract(n, paged, context, functions, 0, fine);
             }
             QVERIFY(coarseBytes(paged.description(), functions) <=
                     isosurfaceTaskBytes(paged.description(), functions));
           });
  QVERIFY(stride >= 8);
  const std::size_t few = trianglesOf(coarse), many = trianglesOf(fine);
  QVERIFY2(few > 200 && few < many / 4 * 3, qPrintable(QString("%1 of %2").arg(few).arg(many)));
  const double h = 1.6 * std::cbrt(double(stride)) * 2.2 / kMeshSide;
  for (const Patch& patch : coarse.patches)
    for (std::size_t n = 0; n < patch.points.size() / 3; ++n) {
      const Vec3 p = Vec3{patch.points[3 * n], patch.points[3 * n + 1], patch.points[3 * n + 2]};
      const Vec3 out = p - kMiddle;
      const Vec3 normal{patch.normals[3 * n], patch.normals[3 * n + 1], patch.normals[3 * n + 2]};
      QVERIFY2(std::abs(length(out) - kRadius) < h * h / kRadius, qPrintable(QString::number(length(out))));
      QVERIFY(dot(normal, (1 / length(out)) * out) > 0.8);
      // continued linearly, a linear function is what it is
      QVERIFY(std::abs(patch.values[2 * n] - linearFunction(p)) < 1e-9);
      QCOMPARE(patch.values[2 * n + 1], kRadius * kRadius);
    }
  coarse.forEachTriangle(
      [](const auto& t) { QVERIFY(dot(cross(t[1] - t[0], t[2] - t[0]), t[0] - kMiddle) > -1e-9); });
  const double covered = coveredShare(coarse, fine, 0.3 * h);
  QVERIFY2(covered > 0.9, qPrintable(QString::number(covered)));
}

void TestCoarseSurface::planesThroughMeshesAreNear() {
  QFETCH(int, kind);
  const Plane plane({0.45, 0.5, 0.52}, {1, 0.4, 0.7});
  KeptTriangles coarse, fine;
  withMesh(test::MeshOf(kind),
           [&](fields::PagedData& paged, tasks::TaskContext& context, const auto& functions) {
             const Slice cut(paged.description(), plane);
             const fields::SurfaceFunctions planes{
                 functions.all, fields::FunctionPlan(paged.description(), {}), *functions.all};
             for (std::size_t n = 0; n < cut.taskCount(); ++n) {
               cut.extractCoarsely(n, paged, context, planes, 0, coarse);
               cut.extract(n, paged, context, *functions.all, 0, fine);
             }
             QVERIFY(coarseBytes(paged.description(), planes) <= sliceTaskBytes(*functions.all));
           });
  const std::size_t few = trianglesOf(coarse), many = trianglesOf(fine);
  QVERIFY2(few > 100 && few < 2 * many, qPrintable(QString("%1 of %2").arg(few).arg(many)));
  for (const Patch& patch : coarse.patches)
    for (std::size_t n = 0; n < patch.points.size() / 3; ++n) {
      const Vec3 p{patch.points[3 * n], patch.points[3 * n + 1], patch.points[3 * n + 2]};
      QVERIFY(std::abs(plane.distance(p)) < 1e-9);
      QCOMPARE(patch.values.size(), patch.points.size() / 3 * 2);
      QVERIFY(std::abs(patch.values[2 * n + 1] - linearFunction(p)) < 1e-9);
    }
  coarse.forEachTriangle(
      [&](const auto& t) { QVERIFY(dot(cross(t[1] - t[0], t[2] - t[0]), plane.normal()) > -1e-12); });
  const double covered = coveredShare(coarse, fine, 0.6 / kMeshSide);
  QVERIFY2(covered > 0.9, qPrintable(QString::number(covered)));
}

QTEST_GUILESS_MAIN(TestCoarseSurface)
#include "tst_coarse_surface.moc"
