// Integrals over grid surfaces against answers that are known: the sphere's area and moments, flows through
// closed surfaces, a saddle that is one face; what is left out; which way normals point; and the same bits
// however the work is cut.

#include <QTest>

#include <cmath>
#include <numbers>

#include "core/extract/integrate_surfaces.h"
#include "core/fields/data/box_data.h"
#include "tests/support/nodewise_reader.h"

using namespace farfield;
using namespace farfield::extract;
using namespace farfield::test;

namespace {

/// A block of nodes at `place`, with "scalar" and "vector" there; NaN and blanked nodes by choice.
struct Field {
  Index3 dims;
  std::function<Vec3(const Index3&)> place;
  std::function<double(Vec3)> scalar = [](Vec3) { return 1.0; };
  std::function<Vec3(Vec3)> vector = [](Vec3 p) { return p; };
  std::function<bool(const Index3&)> blanked = [](const Index3&) { return false; };
  std::function<bool(const Index3&)> valueless = [](const Index3&) { return false; };
};

std::shared_ptr<paging::ComputedReader> readerOf(const Field& field) {
  paging::DatasetDescription description;
  description.times = {0};
  paging::BlockDescription grid;
  grid.dims = field.dims;
  grid.hasIblank = true;
  grid.bounds.add(Vec3{-9, -9, -9});
  grid.bounds.add(Vec3{9, 9, 9});
  description.blocks.push_back(grid);
  const paging::PageLayout whole = paging::PageLayout::ofExtent(field.dims, field.dims);
  description.arrays.push_back({"xyz", 0, whole, 1, 3, ScalarType::F64, {}, paging::ArrayRole::Coordinates});
  description.arrays.push_back({"iblank", 0, whole, 1, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
  description.arrays.push_back({"scalar", 0, whole, 1, 1, ScalarType::F64, {}});
  description.arrays.push_back({"vector", 0, whole, 1, 3, ScalarType::F64, {}});
  return nodewiseReader(
      description, [field](std::uint32_t array, std::int64_t, const Index3& node, NodeValues& values) {
        const Vec3 point = field.place(node);
        if (array == 0) values.put(point);
        if (array == 1) values.put(static_cast<std::int16_t>(field.blanked(node) ? 0 : 1));
        if (array == 2)
          values.put(field.valueless(node) ? std::numeric_limits<double>::quiet_NaN() : field.scalar(point));
        if (array == 3) values.put(field.vector(point));
      });
}

struct Way {
  int pageEdge = 8;
  std::uint64_t budgetBytes = 16 << 20;
  tasks::SchedulerKind scheduler = tasks::SchedulerKind::Serial;
  int processors = 1;
  std::uint64_t rowBytes = 1 << 16;
};

using MakeSurfaces = std::function<std::vector<IntegralSurface>(const paging::DatasetDescription&)>;

std::vector<SurfaceIntegral> integrate(const Field& field, const MakeSurfaces& make, const Way& way) {
  MemoryAccount account(way.budgetBytes);
  const auto data = fields::openBoxes(readerOf(field), {way.pageEdge, false, "field"}, {}, account);
  const fields::FunctionPlan functions(data->description(), {"scalar", "vector"});
  const SurfaceIntegrator integrator(functions);
  SurfaceJob job;
  job.rows = account.claim(Purpose::Results, way.rowBytes, "rows");
  fields::PagedDataOptions options;
  options.arrays = functions.arrays();
  options.scheduler = way.scheduler;
  options.processors = way.processors;
  const std::vector<IntegralSurface> surfaces = make(data->description());
  options.resultBytesPerTask = integralTaskBytes(integrator, surfaces);
  fields::PagedData paged(*data, account, options);
  return integrateSurfaces(surfaces, integrator, paged, job);
}

std::vector<SurfaceIntegral> integrate(const Field& field, const std::vector<IndexBox>& sheets,
                                       const std::vector<bool>& towardsLower, const Way& way = {}) {
  return integrate(
      field,
      [&](const paging::DatasetDescription& description) {
        std::vector<IntegralSurface> surfaces;
        for (std::size_t n = 0; n < sheets.size(); ++n)
          surfaces.emplace_back(OrientedSurface{GridSurface(description, 0, sheets[n]), towardsLower[n]});
        return surfaces;
      },
      way);
}

/// Slices of a field, whose normals point along the planes' or, each second one, the other way.
std::vector<SurfaceIntegral> integrateSlices(const Field& field, const std::vector<Plane>& planes,
                                             const Way& way = {}) {
  return integrate(
      field,
      [&](const paging::DatasetDescription& description) {
        std::vector<IntegralSurface> surfaces;
        for (std::size_t n = 0; n < planes.size(); ++n)
          surfaces.emplace_back(OrientedSlice{Slice(description, planes[n]), n % 2 == 1});
        return surfaces;
      },
      way);
}

/// The six faces of a box of nodes, with normals outwards.
SurfaceIntegral integrateBox(const Field& field, const IndexBox& box, const Way& way = {}) {
  std::vector<IndexBox> sheets;
  std::vector<bool> towardsLower;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool low : {true, false}) {
      IndexBox sheet = box;
      if (!low) sheet.first[axis] += sheet.size[axis] - 1;
      sheet.size[axis] = 1;
      sheets.push_back(sheet);
      towardsLower.push_back(low);
    }
  return sumOf(integrate(field, sheets, towardsLower, way));
}

/// A sphere of n x n/2 faces; k is the radius, from 1 to 2.
Field sphere(std::int64_t n) {
  return {{n + 1, n / 2 + 1, 3}, [n](const Index3& node) -> Vec3 {
            const double longitude =
                2 * std::numbers::pi * static_cast<double>(node[0] % n) / static_cast<double>(n);
            const double latitude =
                std::numbers::pi * (2 * static_cast<double>(node[1]) / static_cast<double>(n) - 0.5);
            const double radius = 1 + static_cast<double>(node[2]) / 2;
            return {radius * std::cos(latitude) * std::cos(longitude),
                    radius * std::cos(latitude) * std::sin(longitude), radius * std::sin(latitude)};
          }};
}
IndexBox outside(const Field& field) {
  return {{0, 0, field.dims[2] - 1}, {field.dims[0], field.dims[1], 1}};
}

/// A unit cube of n^3 cells whose inner nodes are out of place and whose faces bulge.
Field wavyCube(std::int64_t n, bool leftHanded = false) {
  return {{n + 1, n + 1, n + 1}, [=](const Index3& node) -> Vec3 {
            const double u = static_cast<double>(leftHanded ? n - node[0] : node[0]) / static_cast<double>(n),
                         v = static_cast<double>(node[1]) / static_cast<double>(n),
                         w = static_cast<double>(node[2]) / static_cast<double>(n);
            return {u + 0.05 * std::sin(5 * v + 2 * w), v + 0.05 * std::sin(4 * w - u),
                    w + 0.05 * std::cos(3 * u + 4 * v)};
          }};
}
IndexBox all(const Field& field) {
  return {{0, 0, 0}, field.dims};
}

double orderOf(double coarse, double fine) {
  return std::log2(std::abs(coarse / fine));
}

}  // namespace

class TestSurfaceIntegral : public QObject {
  Q_OBJECT
 private slots:
  void betweenNodes();
  void sphereConvergesAtSecondOrder();
  void constantPressureOnAClosedSurfaceIsNoForce();
  void linearFieldsAreExactOnAnyGrid();
  void divergenceFreeFlowsCloseAtSecondOrder();
  void oneFaceIsASaddle();
  void normalsFollowGeometry();
  void blankedFacesAreLeftOut();
  void missingValuesAreCounted();
  void slicesOfLinearFieldsAreExact();
  void theSameBitsHoweverItIsCut();
};

void TestSurfaceIntegral::sphereConvergesAtSecondOrder() {
  using std::numbers::pi;
  double before[4] = {};
  for (const std::int64_t n : {16, 32, 64, 128}) {
    Field field = sphere(n);
    field.scalar = [](Vec3 p) { return p.z * p.z; };
    const SurfaceIntegral found = integrate(field, {outside(field)}, {false}).front();
    QCOMPARE(found.cells, n * n / 2);
    // With R = 2: area 4 pi R^2, integral of z^2 4 pi R^4 / 3, flow of the position 3 V = 4 pi R^3, and the
    // integral of z^2 times the normal along z is 0, that of |r| = R times the area.
    const double errors[4] = {found.area - 16 * pi, found.functions[0].integral[0] - 64 * pi / 3,
                              found.functions[1].through[0] - 32 * pi,
                              found.functions[0].integral[0] / found.functions[0].area - 4.0 / 3};
    for (int e = 0; e < 4; ++e) {
      if (before[e] != 0) {
        const double order = orderOf(before[e], errors[e]);
        QVERIFY2(order > 1.9 && order < 2.1, qPrintable(QString("%1: %2").arg(e).arg(order)));
      }
      before[e] = errors[e];
    }
    QVERIFY(std::abs(found.functions[0].through[2]) < 1e-13);
    QVERIFY(std::abs(found.functions[1].greatest - 2) < 1e-14);
    QVERIFY(found.functions[0].least >= 0 && std::abs(found.functions[0].greatest - 4) < 1e-14);
  }
  QVERIFY(std::abs(before[0]) < 1e-3 * 16 * pi);
}

void TestSurfaceIntegral::constantPressureOnAClosedSurfaceIsNoForce() {
  Field ball = sphere(64), cube = wavyCube(20);
  ball.scalar = cube.scalar = [](Vec3) { return 101325.0; };
  const SurfaceIntegral found = integrate(ball, {outside(ball)}, {false}).front();
  const SurfaceIntegral closed = integrateBox(cube, all(cube));
  for (int axis = 0; axis < 3; ++axis) {
    QVERIFY(std::abs(found.vectorArea[axis]) < 1e-13);
    QVERIFY(std::abs(found.functions[0].through[static_cast<std::size_t>(axis)]) < 101325 * 1e-13);
    QVERIFY(std::abs(closed.vectorArea[axis]) < 1e-13);
    QVERIFY(std::abs(closed.functions[0].through[static_cast<std::size_t>(axis)]) < 101325 * 1e-13);
  }
  QVERIFY(closed.area > 6);
}

void TestSurfaceIntegral::linearFieldsAreExactOnAnyGrid() {
  // What goes through a face is exact for the bilinear field; a linear one is that.
  Field field = wavyCube(7);
  field.vector = [](Vec3 p) -> Vec3 { return {2 * p.x - p.y + 3, p.z - 5 * p.y, 3 * p.z + p.x}; };
  QVERIFY(std::abs(integrateBox(field, all(field)).functions[1].through[0]) < 1e-13);
  // 3 V of a sheared box, whose volume is known.
  Field box{{4, 5, 6}, [](const Index3& n) -> Vec3 {
              const double i = static_cast<double>(n[0]), j = static_cast<double>(n[1]),
                           k = static_cast<double>(n[2]);
              return {i * i + 0.5 * j, 2 * j, k + 0.25 * i * i};
            }};
  QVERIFY(std::abs(integrateBox(box, all(box)).functions[1].through[0] - 3 * 9 * 8 * 5) < 1e-10);
}

void TestSurfaceIntegral::divergenceFreeFlowsCloseAtSecondOrder() {
  double before = 0;
  for (const std::int64_t n : {8, 16, 32, 64}) {
    Field field = wavyCube(n);
    field.vector = [](Vec3 p) -> Vec3 {  // Arnold, Beltrami, Childress; no period of it is a cube of edge 1
      return {std::sin(4 * p.z) + std::cos(3 * p.y), std::sin(3 * p.x) + std::cos(5 * p.z),
              std::sin(2 * p.y) + std::cos(4 * p.x)};
    };
    const double flow = integrateBox(field, all(field)).functions[1].through[0];
    if (before != 0) {
      const double order = orderOf(before, flow);
      QVERIFY2(order > 1.85 && order < 2.15, qPrintable(QString::number(order)));
    }
    before = flow;
  }
  QVERIFY(std::abs(before) < 1e-4);
}

void TestSurfaceIntegral::oneFaceIsASaddle() {
  // z = x y over the unit square: the flow of (0, 0, z) is 1/4, the area that of a hyperbolic paraboloid.
  Field field{
      {2, 2, 1}, [](const Index3& n) -> Vec3 {
        return {static_cast<double>(n[0]), static_cast<double>(n[1]), static_cast<double>(n[0] * n[1])};
      }};
  field.vector = [](Vec3 p) -> Vec3 { return {0, 0, p.z}; };
  const SurfaceIntegral found = integrate(field, {all(field)}, {false}).front();
  QCOMPARE(found.cells, 1);
  QVERIFY(std::abs(found.functions[1].through[0] - 0.25) < 1e-15);
  QVERIFY(std::abs(found.vectorArea.x + 0.5) < 1e-15 && std::abs(found.vectorArea.y + 0.5) < 1e-15 &&
          std::abs(found.vectorArea.z - 1) < 1e-15);
  // The midpoint rule with 2000^2 points.
  double area = 0;
  for (int s = 0; s < 2000; ++s)
    for (int t = 0; t < 2000; ++t) area += std::hypot(1.0, (s + 0.5) / 2000, (t + 0.5) / 2000);
  QVERIFY(std::abs(found.area - area / 4e6) < 1e-3);
}

void TestSurfaceIntegral::normalsFollowGeometry() {
  // The flow of the position out of a body is three times its volume, also in a left-handed block.
  for (const bool leftHanded : {false, true}) {
    const Field field = wavyCube(12, leftHanded);
    const double flow = integrateBox(field, all(field)).functions[1].through[0];
    QVERIFY2(std::abs(flow - 3) < 0.1, qPrintable(QString::number(flow)));
  }
  // The same sheet seen from both sides, and a sheet in the middle: towards growing k is towards growing z.
  const Field field = wavyCube(12);
  const IndexBox sheet{{0, 0, 5}, {13, 13, 1}};
  const auto both = integrate(field, {sheet, sheet}, {false, true});
  QVERIFY(both[0].vectorArea.z > 0.9);
  QCOMPARE(both[1].vectorArea, -both[0].vectorArea);
  QCOMPARE(both[1].functions[1].through[0], -both[0].functions[1].through[0]);
  QCOMPARE(both[1].functions[1].integral, both[0].functions[1].integral);
  QCOMPARE(both[1].area, both[0].area);
  QVERIFY(integrate(wavyCube(12, true), {sheet}, {false}).front().vectorArea.z > 0.9);
}

void TestSurfaceIntegral::blankedFacesAreLeftOut() {
  Field field{{41, 21, 2}, [](const Index3& n) -> Vec3 {
                return {static_cast<double>(n[0]), static_cast<double>(n[1]), static_cast<double>(n[2])};
              }};
  // Five nodes in a row blank 6 x 2 faces; nodes of the layer beside blank none, and may be anywhere.
  field.blanked = [](const Index3& n) {
    return n[2] == 1 ? n[0] > 3 : n[0] >= 20 && n[0] <= 24 && n[1] == 17;
  };
  field.scalar = [](Vec3 p) { return p.x; };
  const IndexBox sheet{{0, 0, 0}, {41, 21, 1}};
  const SurfaceIntegral found = integrate(field, {sheet}, {false}).front();
  QCOMPARE(found.cells, 800 - 12);
  QCOMPARE(found.cellsLeftOut, 12);
  QCOMPARE(found.area, 788.0);
  QCOMPARE(found.vectorArea.z, 788.0);
  // 12 faces between x = 19 and x = 25 are missing: 2 x 22 x 6.
  QCOMPARE(found.functions[0].integral[0], 20.0 * 800 - 264);
}

void TestSurfaceIntegral::missingValuesAreCounted() {
  Field field{{41, 21, 1}, [](const Index3& n) -> Vec3 {
                return {static_cast<double>(n[0]), static_cast<double>(n[1]), 0};
              }};
  field.scalar = [](Vec3 p) { return p.x; };
  field.valueless = [](const Index3& n) { return n[0] == 30 && n[1] == 10; };
  const SurfaceIntegral found = integrate(field, {all(field)}, {false}).front();
  QCOMPARE(found.cells, 800);
  QCOMPARE(found.area, 800.0);
  QCOMPARE(found.functions[0].cellsWithout, 4);
  QCOMPARE(found.functions[0].area, 796.0);
  QCOMPARE(found.functions[0].integral[0], 20.0 * 800 - 4 * 30);
  QCOMPARE(found.functions[1].cellsWithout, 0);
  QCOMPARE(found.functions[1].area, 800.0);
}

void TestSurfaceIntegral::slicesOfLinearFieldsAreExact() {
  // The unit cube, its inner nodes out of place.
  constexpr std::int64_t kCells = 40;
  Field field{{kCells + 1, kCells + 1, kCells + 1}, [](const Index3& node) -> Vec3 {
                Vec3 p;
                for (int a = 0; a < 3; ++a) {
                  const std::int64_t n = node[static_cast<std::size_t>(a)];
                  const double moved = n == 0 || n == kCells
                                           ? 0
                                           : 0.3 * std::sin(static_cast<double>(7 * node[0] + 5 * node[1] +
                                                                                3 * node[2] + 11 * a));
                  p[a] = (static_cast<double>(n) + moved) / kCells;
                }
                return p;
              }};
  field.scalar = [](Vec3 p) { return 2 + p.x - 3 * p.y + 5 * p.z; };
  field.vector = [](Vec3 p) -> Vec3 { return {2 * p.x - p.y + 3, p.z - 5 * p.y, 3 * p.z + p.x}; };
  field.valueless = [](const Index3& n) { return n == Index3{0, 0, 0}; };
  std::vector<Plane> planes;
  for (int axis = 0; axis < 3; ++axis)
    for (const double at : {0.37, 0.612}) {
      Vec3 origin{0, 0, 0}, normal{0, 0, 0};
      origin[axis] = at;
      normal[axis] = 3;
      planes.emplace_back(origin, normal);
    }
  // Through the corner without a value.
  planes.emplace_back(Vec3{0.5, 0.5, 0}, Vec3{1, -1, 0});
  const std::vector<SurfaceIntegral> found = integrateSlices(field, planes);
  QCOMPARE(found.size(), planes.size());
  for (std::size_t n = 0; n < 6; ++n) {
    const double sign = n % 2 == 1 ? -1 : 1;
    const Vec3 normal = sign * planes[n].normal();
    Vec3 middle{0.5, 0.5, 0.5};
    for (int a = 0; a < 3; ++a)
      if (normal[a] != 0) middle[a] = planes[n].origin()[a];
    QVERIFY(std::abs(found[n].area - 1) < 1e-13);
    QVERIFY(length(found[n].vectorArea - normal) < 1e-13);
    const FunctionIntegral& scalar = found[n].functions[0];
    QVERIFY(std::abs(scalar.integral[0] - field.scalar(middle)) < 1e-12);
    for (int a = 0; a < 3; ++a)
      QVERIFY(std::abs(scalar.through[static_cast<std::size_t>(a)] - field.scalar(middle) * normal[a]) <
              1e-12);
    QVERIFY(std::abs(found[n].functions[1].through[0] - dot(field.vector(middle), normal)) < 1e-12);
    QVERIFY(found[n].cells > kCells * kCells && found[n].cellsLeftOut == 0);
    QCOMPARE(scalar.cellsWithout, 0);
  }
  QVERIFY(std::abs(found[6].area - std::sqrt(2.0)) < 1e-13);
  QVERIFY(found[6].functions[0].cellsWithout > 0 && found[6].functions[0].area < found[6].area);
  QCOMPARE(found[6].functions[1].area, found[6].area);
  for (const Way& way : {Way{4, 1 << 20, tasks::SchedulerKind::Fibers, 2, 4096},
                         Way{64, 32 << 20, tasks::SchedulerKind::Threads, 2, 1 << 14}}) {
    const std::vector<SurfaceIntegral> again = integrateSlices(field, planes, way);
    for (std::size_t n = 0; n < planes.size(); ++n)
      QVERIFY(again[n].area == found[n].area &&
              again[n].functions[0].integral == found[n].functions[0].integral &&
              again[n].functions[1].through == found[n].functions[1].through);
  }
}

void TestSurfaceIntegral::theSameBitsHoweverItIsCut() {
  Field field = wavyCube(70);
  field.scalar = [](Vec3 p) { return std::sin(7 * p.x) + p.y; };
  field.vector = [](Vec3 p) -> Vec3 { return {std::sin(9 * p.y), std::exp(p.x), p.z * p.z}; };
  const SurfaceIntegral reference = integrateBox(field, all(field));
  const Way ways[] = {
      {.pageEdge = 4, .budgetBytes = 900 << 10},
      {.pageEdge = 16, .budgetBytes = 4 << 20, .scheduler = tasks::SchedulerKind::Fibers},
      {.pageEdge = 32, .scheduler = tasks::SchedulerKind::Fibers, .processors = 3, .rowBytes = 8000},
      {.scheduler = tasks::SchedulerKind::Threads, .processors = 2, .rowBytes = 1},
      {.pageEdge = 64, .budgetBytes = 64 << 20}};
  for (const Way& way : ways) {
    const SurfaceIntegral found = integrateBox(field, all(field), way);
    QCOMPARE(found.cells, reference.cells);
    QVERIFY(found.area == reference.area && found.vectorArea == reference.vectorArea);
    for (std::size_t f = 0; f < 2; ++f) {
      QVERIFY(found.functions[f].integral == reference.functions[f].integral);
      QVERIFY(found.functions[f].through == reference.functions[f].through);
      QVERIFY(found.functions[f].least == reference.functions[f].least &&
              found.functions[f].greatest == reference.functions[f].greatest);
    }
  }
}

/// Surfaces between two sheets of nodes, in a block of either handedness: normals point to where the index grows.
void TestSurfaceIntegral::betweenNodes() {
  for (const double way : {1.0, -1.0}) {
    Field field;
    field.dims = {7, 5, 4};
    field.place = [way](const Index3& n) {
      return Vec3{static_cast<double>(n[0]), 0.5 * static_cast<double>(n[1]),
                  way * static_cast<double>(n[2])};
    };
    field.scalar = [](Vec3 p) { return p.x + p.z * p.z; };
    const std::vector<SurfaceIntegral> found =
        integrate(field,
                  [](const paging::DatasetDescription& description) {
                    return std::vector<IntegralSurface>{
                        OrientedSurface{GridSurface(description, 0, {{0, 0, 1}, {7, 5, 1}}, 0.25), false},
                        OrientedSurface{GridSurface(description, 0, {{0, 0, 1}, {7, 5, 1}}, 0.25), true}};
                  },
                  {});
    for (const bool lower : {false, true}) {
      const SurfaceIntegral& its = found[lower ? 1 : 0];
      QCOMPARE(its.area, 12.0);
      QCOMPARE(its.vectorArea.z, (lower ? -12.0 : 12.0) * way);
      // x is 3 on average; of z^2 the weighted mean of 1 and 4
      QVERIFY(std::abs(its.functions[0].integral[0] - 12 * (3 + 0.75 * 1 + 0.25 * 4)) < 1e-12);
      QVERIFY(std::abs(its.functions[1].through[0] - (lower ? -1 : 1) * 12 * 1.25) < 1e-12);
    }
  }
}

QTEST_APPLESS_MAIN(TestSurfaceIntegral)
#include "tst_surface_integral.moc"
