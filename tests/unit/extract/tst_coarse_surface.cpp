// Coarse stand-ins for slices and isosurfaces: near the surface, without cracks where the surface has none, with the values of
// functions where they are, and in no more memory.

#include <QTest>

#include <cmath>
#include <map>
#include <numbers>

#include "core/extract/isosurface.h"
#include "core/extract/slice.h"
#include "core/fields/box_data.h"
#include "tests/support/one_task.h"
#include "tests/support/pages_stay.h"
#include "tests/unit/extract/known_surfaces.h"

using namespace farfield;
using namespace farfield::extract;

namespace {

constexpr std::int64_t kNodes = 97;  // 27 tasks

/// What `work(paged, context, functions)` does with data of `block`.
template <class Work>
void withData(const Block& block, const Work& work) {
  MemoryAccount account(std::uint64_t{256} << 20);
  const auto data = fields::openBoxes(readerOf({block}, squaredRadius),
                                      {.pageEdge = 16, .threads = false, .name = "field"}, {}, account);
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

QTEST_GUILESS_MAIN(TestCoarseSurface)
#include "tst_coarse_surface.moc"
